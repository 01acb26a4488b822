#include "design/diagram.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "design/syntax/lexer.h"
#include "design/syntax/printer.h"
#include "design/syntax/template_text.h"

namespace trestle::design {
namespace {

// In pixels. Text is monospaced, so its width is known without a font.
constexpr int kCharacter = 7;
constexpr int kLine = 18;
constexpr int kMargin = 24;
constexpr int kPadding = 12;
constexpr int kBetweenColumns = 90;
constexpr int kBetweenCards = 28;
constexpr int kTop = 76;  // below the title and the columns' headings

constexpr std::string_view kStyle =
    "svg{background:#fff}text{font:12px ui-monospace,monospace;fill:#1b1f24}"
    ".title{font-size:18px;font-weight:600}.head{font-weight:600;fill:#57606a}"
    ".name{font-weight:600;font-size:13px}.mirror{stroke-dasharray:5 4}"
    ".card{fill:#f6f8fa;stroke:#8c959f}.index{fill:#0969da}.line{fill:none;stroke:#8250df}"
    ".rule{fill:#8250df;font-size:11px}"
    "@media(prefers-color-scheme:dark){svg{background:#0d1117}text{fill:#e6edf3}"
    ".head{fill:#9198a1}.card{fill:#161b22;stroke:#6e7681}.index{fill:#58a6ff}"
    ".line{stroke:#bc8cff}.rule{fill:#bc8cff}}";

std::string Escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else {
      out += c;
    }
  }
  return out;
}

std::string Text(const KeyTemplate& it) { return syntax::TemplateText(it.source()); }

int WidthOf(std::string_view text) {
  return static_cast<int>(syntax::CountCharacters(text)) * kCharacter;
}

struct Card {
  const ItemKind* kind = nullptr;
  const Entity* entity = nullptr;  // null: a mirror
  std::string title;
  std::vector<std::pair<std::string_view, std::string>> lines;  // class and text
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
};

std::string When(const std::optional<Condition>& condition) {
  return condition ? " when " + syntax::Print(*condition) : "";
}

Card MakeCard(const ItemKind& kind, std::string title) {
  Card card{.kind = &kind, .title = std::move(title)};
  for (const KeyForm& form : kind.keys)
    card.lines.emplace_back(
        "key", "sk " + (form.sort_key ? Text(*form.sort_key) : "none") + When(form.when));
  for (const IndexForm& form : kind.indexes) {
    std::string text = form.index->name + " " + Text(form.key.partition_key);
    if (form.key.sort_key) text += " / " + Text(*form.key.sort_key);
    card.lines.emplace_back("index", text + When(form.key.when));
  }
  card.width = WidthOf(card.title);
  for (const auto& [style, text] : card.lines)
    card.width = std::max(card.width, WidthOf(text));
  card.width += 2 * kPadding;
  card.height = kLine * static_cast<int>(card.lines.size() + 1) + 2 * kPadding;
  return card;
}

struct Column {
  std::string partition_key;
  std::vector<Card> cards;
};

std::vector<Column> MakeColumns(const Model& model) {
  std::vector<Column> columns;
  const auto add = [&](Card card) {
    const std::string key = Text(card.kind->keys.front().partition_key);
    auto column = std::ranges::find(columns, key, &Column::partition_key);
    if (column == columns.end()) column = columns.insert(column, {.partition_key = key});
    column->cards.push_back(std::move(card));
  };
  for (const Entity& entity : model.entities) {
    Card card = MakeCard(
        entity, entity.tag.empty() ? entity.name : fmt::format("{} ({})", entity.name, entity.tag));
    card.entity = &entity;
    add(std::move(card));
  }
  for (const Mirror& mirror : model.mirrors)
    add(MakeCard(mirror, fmt::format("{} of {}", mirror.name, mirror.of->name)));
  return columns;
}

// Gives each card its place; returns how wide and how high all of it is.
std::pair<int, int> Place(std::vector<Column>& columns) {
  int x = kMargin;
  int bottom = kTop;
  for (Column& column : columns) {
    int width = WidthOf(column.partition_key) + WidthOf("pk ");
    for (const Card& card : column.cards)
      width = std::max(width, card.width);
    int y = kTop;
    for (Card& card : column.cards) {
      card.x = x;
      card.y = y;
      card.width = width;
      y += card.height + kBetweenCards;
    }
    bottom = std::max(bottom, y);
    x += width + kBetweenColumns;
  }
  return {x - kBetweenColumns + kMargin, bottom - kBetweenCards + kMargin};
}

std::string RuleWords(const Relation& relation) {
  std::string out;
  const auto add = [&](std::string_view word) { out.append(out.empty() ? "" : ", ").append(word); };
  if (!relation.copies.empty()) add("copy");
  for (const Tally& tally : relation.tallies) {
    const std::string_view word = tally.kind == Derived::kCount ? "count"
                                  : tally.kind == Derived::kSum ? "sum"
                                                                : "average";
    if (out.find(word) == out.npos) add(word);
  }
  if (relation.on_delete == DeleteRule::kCascade) add("cascade");
  if (relation.on_delete == DeleteRule::kDetach) add("detach");
  if (relation.on_delete == DeleteRule::kRestrict) add("restrict");
  return out;
}

void DrawCard(const Card& card, std::string& out) {
  out +=
      fmt::format(R"(<rect class="card{}" x="{}" y="{}" width="{}" height="{}" rx="6"/>)"
                  "\n",
                  card.entity == nullptr ? " mirror" : "", card.x, card.y, card.width, card.height);
  int y = card.y + kPadding + kLine / 2 + 4;
  out += fmt::format(R"(<text class="name" x="{}" y="{}">{}</text>)"
                     "\n",
                     card.x + kPadding, y, Escaped(card.title));
  for (const auto& [style, text] : card.lines) {
    y += kLine;
    out += fmt::format(R"(<text class="{}" x="{}" y="{}">{}</text>)"
                       "\n",
                       style, card.x + kPadding, y, Escaped(text));
  }
}

// From the child's left side to the parent's, or around the column's right when both stand in it.
void DrawRelation(const Card& child, const Card& parent, const Relation& relation, int number,
                  std::string& out) {
  const int from_y = child.y + kPadding + (number % 4) * 8;
  const int to_y = parent.y + parent.height - kPadding - (number % 5) * 6;
  const bool is_side_by_side = child.x == parent.x;
  const int from_x = is_side_by_side || child.x < parent.x ? child.x + child.width : child.x;
  const int to_x = is_side_by_side || child.x > parent.x ? parent.x + parent.width : parent.x;
  const int bend = is_side_by_side ? 30 + (number % 6) * 9 : child.x < parent.x ? 45 : -45;
  const int back = is_side_by_side ? bend : -bend;
  out += fmt::format(R"x(<path class="line" marker-end="url(#to)" d="M{} {}C{} {} {} {} {} {}">)x"
                     R"(<title>{} belongs to {}</title></path>)"
                     "\n",
                     from_x, from_y, from_x + bend, from_y, to_x + back, to_y, to_x, to_y,
                     Escaped(child.kind->name), Escaped(parent.kind->name));
  const std::string words = RuleWords(relation);
  if (!words.empty() && !is_side_by_side)
    out += fmt::format(R"(<text class="rule" x="{}" y="{}">{}</text>)"
                       "\n",
                       std::min(from_x, to_x) + 6, (from_y + to_y) / 2 - 4, Escaped(words));
}

}  // namespace

std::string DrawDiagram(const Model& model) {
  std::vector<Column> columns = MakeColumns(model);
  const auto [width, height] = Place(columns);
  std::map<const Entity*, const Card*> cards;
  std::string drawn;
  for (const Column& column : columns) {
    drawn += fmt::format(R"(<text class="head" x="{}" y="{}">pk {}</text>)"
                         "\n",
                         column.cards.front().x, kTop - 14, Escaped(column.partition_key));
    for (const Card& card : column.cards) {
      DrawCard(card, drawn);
      if (card.entity != nullptr) cards[card.entity] = &card;
    }
  }
  int number = 0;
  for (const Entity& entity : model.entities) {
    for (const Relation& relation : entity.relations) {
      for (const Entity* parent : relation.parents)
        DrawRelation(*cards.at(&entity), *cards.at(parent), relation, number++, drawn);
    }
  }
  const std::string title = fmt::format("{}, table {}", model.name, Text(model.table.name));
  const int whole_width = std::max(width, WidthOf(title) * 2 + 2 * kMargin) + kBetweenColumns;
  return fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}" )"
      R"(role="img" aria-label="{2}">)"
      "\n<style>{3}</style>\n"
      R"(<defs><marker id="to" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" )"
      R"(markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#8250df"/></marker></defs>)"
      "\n<text class=\"title\" x=\"{4}\" y=\"32\">{2}</text>\n{5}</svg>\n",
      whole_width, height, Escaped(title), kStyle, kMargin, drawn);
}

}  // namespace trestle::design

#include "design/adopt.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "design/children.h"
#include "design/job.h"
#include "design/recognise.h"
#include "design/values.h"
#include "json/tree.h"
#include "value/item_codec.h"
#include "value/number.h"

namespace trestle::design {
namespace {

using json::Tree;

constexpr std::uint32_t kPageItems = 200;
constexpr std::size_t kChangesMax = 100;
constexpr int kShortReads = 10;

Path PathOf(std::string_view text) {
  Path path;
  while (true) {
    const std::size_t dot = text.find('.');
    path.parts.emplace_back(text.substr(0, dot));
    if (dot == text.npos) return path;
    text.remove_prefix(dot + 1);
  }
}

Result<std::string> Scalar(const Tree& tree, std::string_view where) {
  if (const auto* text = tree.As<std::string>()) return EncodeText(*text);
  if (const auto* number = tree.As<Tree::Number>())
    return EncodeNumber(TRY(value::Number::Parse(number->text)));
  if (const auto* boolean = tree.As<bool>()) {
    std::string value;
    value::AppendBool(value, *boolean);
    return value;
  }
  return ValidationError(fmt::format("{} must be a text, a number, true or false", where));
}

Result<AdoptRule> ParseRule(const Model& model, const Tree::Object& object) {
  AdoptRule rule;
  for (const json::Member& member : object) {
    const auto* text = member.value.As<std::string>();
    const auto* members = member.value.As<Tree::Object>();
    if (member.name == "entity" && text != nullptr) {
      rule.entity = model.FindEntity(*text);
      if (rule.entity == nullptr)
        return ValidationError(fmt::format("{} is no entity of the design", *text));
    } else if (member.name == "when" && members != nullptr) {
      for (const json::Member& it : *members)
        rule.when.emplace_back(PathOf(it.name), TRY(Scalar(it.value, it.name)));
    } else if (member.name == "attributes" && members != nullptr) {
      for (const json::Member& it : *members) {
        const auto* from = it.value.As<std::string>();
        if (from == nullptr)
          return ValidationError(fmt::format("{} must name an attribute", it.name));
        rule.attributes.emplace_back(PathOf(it.name), PathOf(*from));
      }
    } else {
      return ValidationError(
          fmt::format("{} is not understood: a rule has an entity, a map when and a map attributes",
                      member.name));
    }
  }
  if (rule.entity == nullptr) return ValidationError("a rule needs an entity");
  for (const auto& [to, from] : rule.attributes)
    if (rule.entity->FindAttribute(to) == nullptr)
      return ValidationError(
          fmt::format("{} is no attribute of {}", to.parts.front(), rule.entity->name));
  return rule;
}

bool IsAbout(const AdoptRule& rule, const Record& item) {
  return std::ranges::all_of(rule.when, [&](const auto& it) {
    const auto value = item.Find(it.first);
    return value && value->bytes() == it.second;
  });
}

Record Transform(const AdoptRule& rule, const Record& item) {
  Record record;
  for (const auto& [to, from] : rule.attributes)
    if (const auto value = item.Find(from)) record.Set(to, std::string(value->bytes()));
  return record;
}

// How far an adoption is, kept in the design's table.
struct Progress {
  std::string position;  // in the other table's stream, from before the first item was read
  std::size_t rule = 0;
  std::optional<value::Item> after = std::nullopt;
};

class Adoption {
 public:
  Adoption(Runtime& runtime, const AdoptMap& map, const AdoptOptions& options)
      : runtime_(runtime), map_(map), options_(options) {}

  Result<AdoptReport> Run() {
    TableSettings source = TRY(runtime_.backend().DescribeTable(options_.from));
    key_names_ = {source.partition_key, source.sort_key};
    TRY(ReadProgress());
    while (progress_.rule < map_.size())
      TRY(CopyAll());
    TRY(FollowStream());
    TRY(Compare());
    return report_;
  }

 private:
  [[nodiscard]] value::Item ProgressKey() const {
    return InternalKey(runtime_.model(), fmt::format("adopt#{}", options_.from));
  }

  Status ReadProgress() {
    const auto item = TRY(runtime_.backend().Get(
        {.table = runtime_.table(), .key = ProgressKey(), .is_consistent = true}));
    if (!item) {
      progress_.position = TRY(runtime_.backend().CurrentPosition(options_.from));
      return StoreProgress();
    }
    const Record record(item->view());
    progress_.position = record.FindText("~position").value_or("");
    if (const auto rule = record.Find("~rule"))
      progress_.rule =
          static_cast<std::size_t>(std::stoull(value::NumberText(DecodeNumber(*rule).encoded())));
    if (const auto after = record.Find("~after")) {
      value::ItemBuilder key;
      for (const value::AttributeView it : value::AttributeRange(after->contents()))
        key.Add(it.name, it.value.bytes());
      progress_.after = key.Finish();
    }
    return Ok();
  }

  Status StoreProgress() {
    Record record(ProgressKey().view());
    record.SetText("~position", progress_.position);
    record.Set("~rule", EncodeInteger(static_cast<std::int64_t>(progress_.rule)));
    if (progress_.after) {
      value::ItemBuilder key;
      for (const value::AttributeView it : progress_.after->view().attributes())
        key.Add(it.name, it.value.bytes());
      std::string map;
      key.AppendMapTo(map);
      record.Set("~after", std::move(map));
    }
    return runtime_.backend().Write(
        {.kind = ActionKind::kPut, .table = runtime_.table(), .item = record.ToItem()});
  }

  // The items of one rule, page by page.
  Status CopyAll() {
    const AdoptRule& rule = map_[progress_.rule];
    do {
      const Page page = TRY(ReadOn(progress_.after));
      for (const value::Item& item : page.items) {
        const Record record(item.view());
        if (FindRule(record) == &rule) TRY(Put(rule, record));
      }
      progress_.after = page.last_evaluated_key;
      if (progress_.after) TRY(StoreProgress());
    } while (progress_.after);
    ++progress_.rule;
    return StoreProgress();
  }

  Result<Page> ReadOn(const std::optional<value::Item>& after) {
    return runtime_.backend().Read({.table = options_.from,
                                    .exclusive_start_key = after,
                                    .limit = kPageItems,
                                    .is_consistent = true});
  }

  [[nodiscard]] const AdoptRule* FindRule(const Record& item) const {
    const auto rule =
        std::ranges::find_if(map_, [&](const AdoptRule& it) { return IsAbout(it, item); });
    return rule == map_.end() ? nullptr : &*rule;
  }

  void Say(const Record& item, const std::string& why) const {
    std::string words;
    for (const std::string& name : key_names_) {
      const auto value = name.empty() ? std::nullopt : item.Find(name);
      if (!value) continue;
      words += words.empty() ? "" : " / ";
      words += value->type() == value::Type::kS   ? std::string(value->text())
               : value->type() == value::Type::kN ? value::NumberText(value->number())
                                                  : "?";
    }
    if (options_.report) options_.report(words, why);
  }

  // What the design refuses is told, not carried on with.
  Status Settle(const Record& item, const Error& error) {
    switch (error.code()) {
      case ErrorCode::kValidation:
      case ErrorCode::kConditionalCheckFailed:
      case ErrorCode::kResourceNotFound:
        ++report_.refused;
        Say(item, error.message());
        return Ok();
      default:
        return error;
    }
  }

  Status Put(const AdoptRule& rule, const Record& item) {
    const auto written = runtime_.Upsert(*rule.entity, Transform(rule, item));
    return written.ok() ? Ok() : Settle(item, written.error());
  }

  Status Remove(const AdoptRule& rule, const Record& item) {
    const Record identity = IdentityIn(*rule.entity, Transform(rule, item));
    const auto deleted = runtime_.Delete(*rule.entity, identity);
    if (deleted.ok() || deleted.error().code() == ErrorCode::kResourceNotFound) return Ok();
    return Settle(item, deleted.error());
  }

  static Record IdentityIn(const Entity& entity, const Record& record) {
    Record identity;
    for (const std::string& name : entity.identity)
      if (const auto value = record.Find(name)) identity.Set(name, std::string(value->bytes()));
    return identity;
  }

  // Changes from before an item was read may undo it for a moment; the later ones follow.
  Status FollowStream() {
    const auto reader = TRY(runtime_.backend().Follow(options_.from, progress_.position));
    int short_reads = 0;
    while (true) {
      const auto changes = TRY(reader->Next(kChangesMax, std::chrono::milliseconds(0)));
      for (const Change& change : changes) {
        ++report_.followed;
        TRY(Follow(change));
      }
      if (!changes.empty()) {
        progress_.position = reader->position();
        TRY(StoreProgress());
      }
      // Under a steady load there is always one more; the next call begins with it.
      short_reads = changes.size() < kChangesMax ? short_reads + 1 : 0;
      if (changes.empty() || short_reads == kShortReads) return Ok();
    }
  }

  Status Follow(const Change& change) {
    const Record old_item = change.old_image ? Record(change.old_image->view()) : Record();
    const Record new_item = change.new_image ? Record(change.new_image->view()) : Record();
    const AdoptRule* old_rule = change.old_image ? FindRule(old_item) : nullptr;
    const AdoptRule* new_rule = change.new_image ? FindRule(new_item) : nullptr;
    if (old_rule != nullptr && old_rule != new_rule) TRY(Remove(*old_rule, old_item));
    return new_rule == nullptr ? Ok() : Put(*new_rule, new_item);
  }

  Status Compare() {
    std::optional<value::Item> after;
    do {
      const Page page = TRY(ReadOn(after));
      for (const value::Item& item : page.items) {
        const Record record(item.view());
        ++report_.read;
        if (const AdoptRule* rule = FindRule(record)) {
          TRY(CompareItem(*rule, record));
        } else {
          ++report_.unmapped;
          Say(record, "no rule of the map is about it");
        }
      }
      after = page.last_evaluated_key;
    } while (after);
    return Ok();
  }

  Status CompareItem(const AdoptRule& rule, const Record& item) {
    const Record wanted = Transform(rule, item);
    const auto found = runtime_.Get(*rule.entity, IdentityIn(*rule.entity, wanted));
    const bool is_there = found.ok() && found->has_value();
    const bool is_same = is_there && std::ranges::all_of(wanted.attributes(), [&](const auto& it) {
                           const Attribute* attribute = rule.entity->FindAttribute(it.name);
                           const auto expected = Normalised(value::ValueView(it.value), *attribute);
                           const auto held = (*found)->record.Find(it.name);
                           return expected.ok() && held && held->bytes() == *expected;
                         });
    if (is_same) return Ok();
    ++report_.differing;
    Say(item, is_there ? "it is not the same in the design" : "it is not in the design");
    return Ok();
  }

  Runtime& runtime_;
  const AdoptMap& map_;
  const AdoptOptions& options_;
  std::vector<std::string> key_names_;
  Progress progress_;
  AdoptReport report_;
};

}  // namespace

Result<AdoptMap> ParseAdoptMap(const Model& model, std::string_view json) {
  const Tree tree = TRY(json::ParseTree(json));
  const auto* rules = tree.As<Tree::Array>();
  if (rules == nullptr) return ValidationError("a map is a list of rules");
  AdoptMap map;
  for (const Tree& it : *rules) {
    const auto* object = it.As<Tree::Object>();
    if (object == nullptr) return ValidationError("a rule is an object");
    map.push_back(TRY(ParseRule(model, *object)));
  }
  return map;
}

Result<AdoptReport> Adopt(Runtime& runtime, const AdoptMap& map, const AdoptOptions& options) {
  return Adoption(runtime, map, options).Run();
}

}  // namespace trestle::design

// What the routes of WorthWatch share: who may see which list, and how titles are named.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "apps/watch/watch_internal.h"
#include "base/check.h"
#include "design/time_text.h"
#include "platform/items.h"
#include "platform/problem.h"
#include "platform/values.h"
#include "value/item_codec.h"

namespace trestle::apps::watch {

using design::Record;
using design::TypedItem;
using platform::BoolOf;
using platform::IntegerOf;
using platform::TextOf;
using platform::TextRecord;

bool IsAdmin(const Call& call) { return call.principal() && call.principal()->IsIn("admin"); }

bool IsCaller(const Call& call, std::string_view user_id) {
  return call.principal() && call.principal()->sub == user_id;
}

std::string NowText(const Call& call) {
  return design::TimestampText(call.now_unix_ms(), design::syntax::Precision::kMilliseconds);
}

const design::Entity& EntityOf(const design::Runtime& runtime, std::string_view name) {
  const design::Entity* entity = runtime.model().FindEntity(name);
  CHECK(entity != nullptr, "an entity of WorthWatch");
  return *entity;
}

bool IsOf(const TypedItem& item, std::string_view entity) {
  return item.kind.entity != nullptr && item.kind.entity->name == entity;
}

const TypedItem& PickItem(std::span<const TypedItem> items, std::string_view entity) {
  const auto found =
      std::ranges::find_if(items, [&](const TypedItem& item) { return IsOf(item, entity); });
  CHECK(found != items.end(), "an item that the operation writes");
  return *found;
}

bool MaySeeList(const Call& call, const Record& list) {
  return BoolOf(list, "isPublic").value_or(false) || IsCaller(call, TextOf(list, "curatorId")) ||
         IsAdmin(call);
}

Result<TypedItem> VisibleList(const Call& call) {
  TypedItem list = TRY(
      platform::GetItem(call, "Watchlist", TextRecord({{"watchlistId", call.PathValue("id")}})));
  if (!MaySeeList(call, list.record)) return platform::NotFound("Watchlist");
  return list;
}

Result<TypedItem> EditableList(const Call& call, Editor editor) {
  TypedItem list = TRY(VisibleList(call));
  const bool may_edit = IsCaller(call, TextOf(list.record, "curatorId")) ||
                        (editor == Editor::kCuratorOrAdmin && IsAdmin(call));
  if (!may_edit) return platform::ProblemError("forbidden", "the list is another curator's");
  return list;
}

Content ContentOf(const Record& record) {
  return {.type = TextOf(record, "contentType"), .id = TextOf(record, "contentId")};
}

Result<Content> ContentOfPath(const Call& call) {
  const std::string& type = call.PathValue("type");
  if (type != "MOVIE" && type != "SHOW") return platform::NotFound("title");
  return Content{.type = type, .id = call.PathValue("cid")};
}

std::string_view TitleEntity(std::string_view content_type) {
  return content_type == "SHOW" ? "Show" : "Movie";
}

Record TitleIdentity(const Content& content) {
  return TextRecord({{content.type == "SHOW" ? "showId" : "movieId", content.id}});
}

Content ContentOfTitle(const TypedItem& title) {
  const bool is_show = IsOf(title, "Show");
  return {.type = is_show ? "SHOW" : "MOVIE",
          .id = TextOf(title.record, is_show ? "showId" : "movieId")};
}

Result<TypedItem> TitleOf(const Call& call, const Content& content) {
  return platform::GetItem(call, TitleEntity(content.type), TitleIdentity(content));
}

const std::string& Names::Of(const std::string& user_id) {
  const auto [place, is_new] = names_.try_emplace(user_id);
  if (!is_new) return place->second;
  const auto user = runtime_.Get(EntityOf(runtime_, "User"), TextRecord({{"userId", user_id}}));
  if (user.ok() && *user) place->second = TextOf((*user)->record, "username");
  return place->second;
}

std::optional<std::vector<std::string>> TextListOf(const Record& record, std::string_view name) {
  const auto value = record.Find(name);
  if (!value || value->type() != value::Type::kL) return std::nullopt;
  std::vector<std::string> texts = platform::TextsOf(record, name);
  std::size_t count = 0;
  for (std::string_view rest = value->contents(); !rest.empty(); ++count)
    static_cast<void>(value::TakeValue(rest));
  if (count != texts.size()) return std::nullopt;
  return texts;
}

std::optional<std::string> RatingText(const Record& title) {
  const std::int64_t count = IntegerOf(title, "ratingCount").value_or(0);
  if (count <= 0) return std::nullopt;
  const auto sum = static_cast<double>(IntegerOf(title, "ratingSum").value_or(0));
  return fmt::format("{}", std::round(sum * 10 / static_cast<double>(count)) / 10);
}

void WriteText(std::string_view name, std::string_view text, json::Writer& writer) {
  writer.Key(name);
  writer.String(text);
}

void WriteInteger(std::string_view name, std::int64_t integer, json::Writer& writer) {
  writer.Key(name);
  writer.Integer(integer);
}

void CopyText(const Record& record, std::string_view name, json::Writer& writer) {
  if (const auto text = record.FindText(name)) WriteText(name, *text, writer);
}

void CopyInteger(const Record& record, std::string_view name, json::Writer& writer) {
  if (const auto integer = IntegerOf(record, name)) WriteInteger(name, *integer, writer);
}

}  // namespace trestle::apps::watch

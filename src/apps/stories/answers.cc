// Small things that several routes say.

#include <memory>
#include <variant>

#include "apps/stories/stories_internal.h"
#include "base/check.h"
#include "design/time_text.h"
#include "platform/etag.h"
#include "platform/items.h"
#include "platform/values.h"

namespace trestle::apps::stories {

using design::Record;
using design::TypedItem;

std::string TimeText(std::int64_t unix_ms) {
  return design::TimestampText(unix_ms, design::syntax::Precision::kMilliseconds);
}

bool IsTrue(const Record& record, std::string_view name) {
  return platform::BoolOf(record, name).value_or(false);
}

std::int64_t StatOf(const Record& record, std::string_view name) {
  return platform::IntegerAt(record, "stats", name).value_or(0);
}

void WriteText(std::string_view name, std::string_view text, json::Writer& writer) {
  writer.Key(name);
  writer.String(text);
}

void WriteInteger(std::string_view name, std::int64_t integer, json::Writer& writer) {
  writer.Key(name);
  writer.Integer(integer);
}

void WriteBool(std::string_view name, bool is_true, json::Writer& writer) {
  writer.Key(name);
  writer.Bool(is_true);
}

void WriteCard(const Call& call, const TypedItem& chapter, json::Writer& writer) {
  TypedItem card = chapter;
  card.record.Remove("content");
  platform::WriteItem(call, card, writer);
}

void WriteBadges(const Record& chapter, json::Writer& writer) {
  writer.Key("badges");
  writer.BeginArray();
  if (IsTrue(chapter, "byStoryAuthor")) writer.String("AUTHOR");
  if (IsTrue(chapter, "authorApproved")) writer.String("APPROVED");
  if (IsTrue(chapter, "matchesVision")) writer.String("VISION");
  writer.EndArray();
}

Status ReplyItemWith(Call& call, const TypedItem& item,
                     const std::function<void(json::Writer&)>& add, json::Writer& reply) {
  std::string body;
  json::Writer writer(body);
  writer.BeginObject();
  platform::WriteItemMembers(call, item, writer);
  add(writer);
  writer.EndObject();
  const std::string tag = platform::MakeEntityTag(item.version, body);
  call.AddHeader("ETag", tag);
  const auto header = call.Header("If-None-Match");
  if (header && call.route().method == "GET" &&
      platform::Contains(TRY(platform::ParseEntityTags(*header)), tag)) {
    call.SetStatus(304);
    return Ok();
  }
  reply.Raw(body);
  return Ok();
}

const design::Condition* DeleteConditionOf(const Call& call, std::string_view operation) {
  const design::Operation* found = call.runtime().model().FindOperation(operation);
  CHECK(found != nullptr && found->steps.size() == 1, "an operation of the app's design");
  const auto& where = std::get<design::syntax::DeleteStep>(found->steps.front().is).where;
  return where ? &*where : nullptr;
}

}  // namespace trestle::apps::stories

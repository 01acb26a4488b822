// What a reader can find, take along and have removed.

#include <string>
#include <vector>

#include "apps/books/books_internal.h"
#include "platform/items.h"
#include "platform/values.h"

namespace trestle::apps::books {
namespace {

using design::Record;
using design::TypedItem;
using platform::Mount;
using platform::TextOf;
using platform::TextRecord;
using platform::search::Document;
using platform::search::FieldRank;

}  // namespace

std::optional<Document> Describe(const TypedItem& item) {
  const Record& record = item.record;
  const std::string& kind = item.kind.kind().name;
  if (kind != "Book" && kind != "Note") return std::nullopt;
  Document document{.visible_to = {"user:" + TextOf(record, "userId")}};
  if (kind == "Note") {
    document.type = "note";
    document.fields = {{.name = "content", .text = TextOf(record, "content")}};
    document.payload = TextOf(record, "bookId") + "/" + TextOf(record, "id");
    return document;
  }
  document.type = "book";
  document.fields = {{.name = "title", .rank = FieldRank::kTitle, .text = TextOf(record, "title")},
                     {.name = "description", .text = TextOf(record, "description")}};
  for (std::string& author : platform::TextsOf(record, "authors")) {
    document.fields.push_back(
        {.name = "authors", .rank = FieldRank::kPeople, .text = std::move(author)});
  }
  document.facets = {{.name = "status", .value = TextOf(record, "status")}};
  document.payload = TextOf(record, "id");
  return document;
}

Result<std::vector<std::string>> Visible(const Call& call) {
  return std::vector<std::string>{"user:" + call.sub()};
}

Result<std::optional<TypedItem>> Fetch(const Call& call, const platform::search::Hit& hit) {
  if (hit.type == "book") {
    return call.runtime().Get(platform::EntityNamed(call, "Book"),
                              TextRecord({{"userId", call.sub()}, {"id", hit.payload}}));
  }
  const std::size_t end = hit.payload.find('/');
  return call.runtime().Get(platform::EntityNamed(call, "Note"),
                            TextRecord({{"userId", call.sub()},
                                        {"bookId", hit.payload.substr(0, end)},
                                        {"id", hit.payload.substr(end + 1)}}));
}

std::string OwnerOf(const TypedItem& item) { return TextOf(item.record, "userId"); }

Status VisitPerson(const Mount& mount, const std::string& sub,
                   const platform::AppPeople::Visit& visit) {
  for (const TypedItem& item :
       TRY(platform::RunWhole(*mount.runtime, "userEverything", TextRecord({{"userId", sub}}),
                              {.items_max = kItemsMax})))
    TRY(visit(item));
  return Ok();
}

Result<platform::JobStep> ErasePerson(const Mount& mount, platform::JobState& job) {
  const Record reader = TextRecord({{"userId", job.sub}});
  mount.known->Remove(job.sub);
  const auto removed =
      mount.runtime->Delete(*mount.runtime->model().FindEntity("UserMetadata"), reader);
  if (!removed.ok() && removed.error().code() != ErrorCode::kResourceNotFound) {
    return removed.error();
  }
  const auto left = TRY(mount.runtime->Run(*mount.runtime->model().FindAccess("userEverything"),
                                           reader, {.limit = 1}));
  return left.items.empty() ? platform::JobStep::kEnd : platform::JobStep::kLater;
}

}  // namespace trestle::apps::books

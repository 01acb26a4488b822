// The feed: what has changed in the lists that somebody has saved.

#include <algorithm>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "apps/watch/rules.h"
#include "apps/watch/watch_internal.h"
#include "base/crypto.h"
#include "design/time_text.h"
#include "platform/items.h"
#include "platform/live.h"
#include "platform/values.h"

namespace trestle::apps::watch {
namespace {

using design::Changes;
using design::Record;
using design::TypedItem;
using platform::BoolOf;
using platform::ItemChange;
using platform::TextOf;
using platform::TextRecord;

constexpr std::size_t kMarksMax = 100;
constexpr std::size_t kHashCharacters = 32;
constexpr std::int64_t kFeedMs = 90LL * 24 * 3600 * 1000;

std::string HashOf(std::string_view text) {
  return HexEncode(AsBytes(Sha256(text))).substr(0, kHashCharacters);
}

std::string TimeText(std::int64_t unix_ms) {
  return design::TimestampText(unix_ms, design::syntax::Precision::kMilliseconds);
}

// What a change is to who has saved the list.
struct News {
  std::string list_id;
  std::string_view kind;
  std::string added_at = {};  // of an item that is new
};

bool IsPublic(const Record& list) { return BoolOf(list, "isPublic").value_or(false); }

// Counts and copies change a list, too; people care for what its curator does.
bool IsChangedByCurator(const Record& before, const Record& after) {
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{"title", "description", "coverImageUrl", "tags"},
      [&](std::string_view name) { return before.Find(name) != after.Find(name); });
}

std::optional<News> NewsOfList(const ItemChange& change) {
  if (!change.old_item || !change.new_item) return std::nullopt;
  const Record& before = change.old_item->record;
  const Record& after = change.new_item->record;
  News news{.list_id = TextOf(after, "watchlistId"), .kind = "UPDATED"};
  if (IsPublic(before) && !IsPublic(after)) {
    news.kind = "REMOVED";
    return news;
  }
  const bool is_shown = !IsPublic(before) && IsPublic(after);
  if (is_shown || (IsPublic(after) && IsChangedByCurator(before, after))) return news;
  return std::nullopt;
}

std::optional<News> NewsOfItem(const ItemChange& change) {
  const Record& item = change.new_item ? change.new_item->record : change.old_item->record;
  const bool is_moved = change.old_item && change.new_item &&
                        change.old_item->record.Find("curatorNote") == item.Find("curatorNote");
  if (is_moved) return std::nullopt;  // where an item stands is no news
  return News{.list_id = TextOf(item, "watchlistId"),
              .kind = "ITEMS",
              .added_at = change.old_item ? "" : TextOf(item, "addedAt")};
}

Changes Counted(const Record& entry, std::string_view kind, const std::string& mark,
                std::int64_t time_unix_ms) {
  std::vector<std::string> marks = platform::TextsOf(entry, "marks");
  marks.push_back(mark);
  Record next;
  platform::SetTexts(next, "marks", marks);
  Changes changes;
  changes.set.push_back({design::Path{{}, {"marks"}}, std::string(next.Find("marks")->bytes())});
  platform::SetInteger(changes, "changes", static_cast<std::int64_t>(marks.size()));
  platform::SetText(changes, "kind", kind);
  const std::string time = TimeText(time_unix_ms);
  if (time > TextOf(entry, "lastAt")) platform::SetText(changes, "lastAt", time);
  return changes;
}

// One entry of a list and quarter of an hour holds all that happened in it. Each change leaves a
// mark, so that it is counted once however often it comes.
Status AddEntry(design::Runtime& runtime, const std::string& user_id, const News& news,
                const design::Change& change) {
  const design::Entity& entity = EntityOf(runtime, "FeedEntry");
  const std::string at = TimeText(QuarterOf(change.time_unix_ms));
  const std::string mark = HashOf(fmt::format("{}\n{}", change.sequence, change.keys.bytes()));
  const Record identity =
      TextRecord({{"userId", user_id}, {"at", at}, {"feedId", HashOf(news.list_id + at)}});
  const auto entry = TRY(runtime.Get(entity, identity));
  if (!entry) {
    Record created = identity;
    created.SetText("watchlistId", news.list_id);
    created.SetText("kind", news.kind);
    created.SetText("lastAt", TimeText(change.time_unix_ms));
    platform::SetInteger(created, "changes", 1);
    platform::SetTexts(created, "marks", {mark});
    TRY(runtime.Create(entity, created));
    return Ok();
  }
  const std::vector<std::string> marks = platform::TextsOf(entry->record, "marks");
  const bool is_counted = std::ranges::find(marks, mark) != marks.end();
  if (is_counted || marks.size() >= kMarksMax) return Ok();
  TRY(runtime.Update(entity, identity,
                     Counted(entry->record, news.kind, mark, change.time_unix_ms)));
  return Ok();
}

// Samples bring items that were added before. Streams tell the time of a change in seconds on the
// service.
bool IsSavedBefore(const Record& saver, const News& news, const design::Change& change) {
  constexpr std::int64_t kSecondMs = 1000;
  const std::string saved_at = TextOf(saver, "savedAt");
  if (!news.added_at.empty() && news.added_at <= saved_at) return false;
  return saved_at < TimeText((change.time_unix_ms / kSecondMs + 1) * kSecondMs);
}

// All who had saved the list, but its curator.
Status TellSavers(design::Runtime& runtime, const News& news, const design::Change& change) {
  const Record identity = TextRecord({{"watchlistId", news.list_id}});
  const auto list = TRY(runtime.Get(EntityOf(runtime, "Watchlist"), identity));
  if (!list || (!IsPublic(list->record) && news.kind != "REMOVED")) return Ok();
  const std::string curator = TextOf(list->record, "curatorId");
  for (const TypedItem& saver : TRY(platform::RunWhole(runtime, "saversOfWatchlist", identity))) {
    const std::string user_id = TextOf(saver.record, "userId");
    if (user_id != curator && IsSavedBefore(saver.record, news, change))
      TRY(AddEntry(runtime, user_id, news, change));
  }
  return Ok();
}

}  // namespace

Status ListFeed(Call& call, json::Writer& reply) {
  const TypedItem user = TRY(platform::GetItem(call, "User", TextRecord({{"userId", call.sub()}})));
  const std::string seen_at = TextOf(user.record, "feedSeenAt");
  const auto write = [&](const TypedItem& entry, json::Writer& writer) {
    writer.BeginObject();
    platform::WriteItemMembers(call, entry, writer);
    writer.Key("seen");
    writer.Bool(TextOf(entry.record, "lastAt") <= seen_at);
    const auto list = platform::GetItem(
        call, "Watchlist", TextRecord({{"watchlistId", TextOf(entry.record, "watchlistId")}}));
    if (list.ok() && MaySeeList(call, list->record)) {
      WriteText("title", TextOf(list->record, "title"), writer);
      CopyText(list->record, "curatorName", writer);
    }
    writer.EndObject();
  };
  return platform::ReplyList(call, "feedOfUser", TextRecord({{"userId", call.sub()}}),
                             {.write = write}, reply);
}

Status PostFeedSeen(Call& call, json::Writer& /*reply*/) {
  Changes changes;
  platform::SetText(changes, "feedSeenAt", NowText(call));
  TRY(platform::UpdateItem(call, "User", TextRecord({{"userId", call.sub()}}), changes));
  return platform::ReplyNothing(call);
}

Status Notify(const platform::Mount& mount, const ItemChange& change) {
  const TypedItem* item = change.new_item   ? &*change.new_item
                          : change.old_item ? &*change.old_item
                                            : nullptr;
  const bool is_old = change.change.time_unix_ms + kFeedMs < mount.shared->clock->NowUnixMs();
  if (item == nullptr || is_old) return Ok();
  design::Runtime& runtime = *mount.runtime;
  if (IsOf(*item, "Watchlist")) {
    const auto news = NewsOfList(change);
    return news ? TellSavers(runtime, *news, change.change) : Ok();
  }
  if (IsOf(*item, "WatchlistItem")) {
    const auto news = NewsOfItem(change);
    return news ? TellSavers(runtime, *news, change.change) : Ok();
  }
  if (!IsOf(*item, "SavedWatchlist") || change.new_item) return Ok();
  // Nobody forgets a list that is gone: it went with the list.
  const std::string list_id = TextOf(item->record, "watchlistId");
  const std::string user_id = TextOf(item->record, "userId");
  const auto list =
      TRY(runtime.Get(EntityOf(runtime, "Watchlist"), TextRecord({{"watchlistId", list_id}})));
  const auto user = TRY(runtime.Get(EntityOf(runtime, "User"), TextRecord({{"userId", user_id}})));
  if (list || !user) return Ok();
  return AddEntry(runtime, user_id, {.list_id = list_id, .kind = "REMOVED"}, change.change);
}

Status TellOfComment(const platform::Mount& mount, const ItemChange& change) {
  const bool is_new = change.new_item && !change.old_item && IsOf(*change.new_item, "Comment");
  if (!is_new || mount.shared->live == nullptr) return Ok();
  const std::string list_id = TextOf(change.new_item->record, "watchlistId");
  const auto list = TRY(mount.runtime->Get(EntityOf(*mount.runtime, "Watchlist"),
                                           TextRecord({{"watchlistId", list_id}})));
  if (!list) return Ok();
  std::string data;
  json::Writer writer(data);
  writer.BeginObject();
  WriteText("watchlistId", list_id, writer);
  writer.EndObject();
  const std::string curator = TextOf(list->record, "curatorId");
  mount.shared->live->Publish(
      {.app = mount.app->name, .audience = curator, .type = "comment", .data = data});
  return Ok();
}

}  // namespace trestle::apps::watch

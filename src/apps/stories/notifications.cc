// What people were told: read, forgotten, and heard of at once.

#include <fmt/format.h>

#include "apps/stories/stories_internal.h"
#include "platform/items.h"
#include "platform/values.h"

namespace trestle::apps::stories {
namespace {

using design::Changes;
using design::Record;
using design::TypedItem;
using platform::IntegerOf;
using platform::TextOf;
using platform::TextRecord;

constexpr std::string_view kReadAllJob = "read-all";
constexpr std::size_t kTopicsMax = 200;

// The one that the path names, if it is the caller's.
Result<TypedItem> NotificationOf(const Call& call) {
  const auto page = TRY(platform::RunAccess(
      call, "getNotification", TextRecord({{"notificationId", call.PathValue("notificationId")}})));
  for (const TypedItem& item : page.items)
    if (IsCaller(call, TextOf(item.record, "userId"))) return item;
  // The index may not know yet what the caller was told a moment ago.
  const auto newest =
      TRY(platform::RunAccess(call, "notificationsOfUser", TextRecord({{"userId", call.sub()}})));
  for (const TypedItem& item : newest.items)
    if (TextOf(item.record, "notificationId") == call.PathValue("notificationId")) return item;
  return platform::NotFound("Notification");
}

}  // namespace

Status ListNotifications(Call& call, json::Writer& reply) {
  const bool is_unread_only = IsTrue(call.arguments(), "unread");
  const auto keep = [&](const TypedItem& item) {
    return !is_unread_only || !IsTrue(item.record, "read");
  };
  const auto add = [&](json::Writer& writer) -> Status {
    const TypedItem me = TRY(platform::GetItem(call, "User", TextRecord({{"userId", call.sub()}})));
    WriteInteger("unreadCount", IntegerOf(me.record, "unreadCount").value_or(0), writer);
    return Ok();
  };
  return platform::ReplyList(call, "notificationsOfUser", TextRecord({{"userId", call.sub()}}),
                             {.keep = keep, .add = add}, reply);
}

Status ReadNotification(Call& call, json::Writer& reply) {
  TypedItem item = TRY(NotificationOf(call));
  if (!IsTrue(item.record, "read")) {
    Changes changes;
    platform::SetBool(changes, "read", true);
    item = TRY(platform::UpdateItem(call, "Notification", platform::IdentityOf(item), changes));
  }
  return platform::ReplyItem(call, item, reply);
}

Status DeleteNotification(Call& call, json::Writer& /*reply*/) {
  const TypedItem item = TRY(NotificationOf(call));
  TRY(platform::DeleteItem(call, "Notification", platform::IdentityOf(item)));
  return platform::ReplyNothing(call);
}

Status ReadAllNotifications(Call& call, json::Writer& reply) {
  return platform::ReplyJob(call, kReadAllJob, {}, reply);
}

Result<platform::JobStep> ReadAll(const Mount& mount, platform::JobState& job) {
  constexpr std::uint32_t kPageItems = 50;
  const design::Model& model = mount.runtime->model();
  const auto page = TRY(mount.runtime->Run(
      *model.FindAccess("notificationsOfUser"), TextRecord({{"userId", job.sub}}),
      {.limit = kPageItems, .cursor = TextOf(job.progress, "cursor")}));
  Changes changes;
  platform::SetBool(changes, "read", true);
  for (const TypedItem& item : page.items) {
    if (IsTrue(item.record, "read")) continue;
    const auto read = mount.runtime->Update(*model.FindEntity("Notification"),
                                            platform::IdentityOf(item), changes);
    if (!read.ok() && read.error().code() != ErrorCode::kResourceNotFound) return read.error();
    ++job.done;
  }
  job.progress.SetText("cursor", page.cursor);
  return page.cursor.empty() ? platform::JobStep::kEnd : platform::JobStep::kMore;
}

// What is for the caller, and new branches of the stories that the caller has a bookmark in.
Status ShowLive(Call& call, json::Writer& /*reply*/) {
  const auto page = TRY(platform::RunAccess(
      call, "bookmarksOfUser", TextRecord({{"userId", call.sub()}}), {.limit = kTopicsMax}));
  std::vector<std::string> topics;
  topics.reserve(page.items.size());
  for (const TypedItem& bookmark : page.items)
    topics.push_back("story:" + TextOf(bookmark.record, "storyId"));
  call.SubscribeTo(std::move(topics));
  return Ok();
}

}  // namespace trestle::apps::stories

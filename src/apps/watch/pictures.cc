// Pictures: covers of lists, posters of titles, and those of people.

#include "platform/pictures.h"

#include "apps/watch/watch_internal.h"
#include "platform/items.h"
#include "platform/values.h"

namespace trestle::apps::watch {
namespace {

using design::Changes;
using design::TypedItem;

// Which of the three a route is about.
enum class Wish : std::uint8_t { kSee, kChange };
Result<TypedItem> SubjectOf(const Call& call, Wish wish) {
  const std::string_view path = call.route().path;
  if (path.starts_with("/me")) {
    return platform::GetItem(call, "User", platform::TextRecord({{"userId", call.sub()}}));
  }
  if (path.starts_with("/watchlists")) {
    return wish == Wish::kSee ? VisibleList(call) : EditableList(call, Editor::kCuratorOrAdmin);
  }
  return wish == Wish::kSee ? TitleOfCall(call) : EditableTitle(call);
}

Changes ByCaller(const Call& call) {
  Changes changes;
  platform::SetText(changes, "updatedBy", call.sub());
  return changes;
}

}  // namespace

Status PutPicture(Call& call, json::Writer& reply) {
  const TypedItem item = TRY(SubjectOf(call, Wish::kChange));
  return platform::ReplyItem(call, TRY(platform::PutPicture(call, item, ByCaller(call))), reply);
}

Status GetPicture(Call& call, json::Writer& reply) {
  return platform::ReplyPicture(call, TRY(SubjectOf(call, Wish::kSee)), reply);
}

Status DeletePicture(Call& call, json::Writer& /*reply*/) {
  const TypedItem item = TRY(SubjectOf(call, Wish::kChange));
  TRY(platform::RemovePicture(call, item, ByCaller(call)));
  return platform::ReplyNothing(call);
}

}  // namespace trestle::apps::watch

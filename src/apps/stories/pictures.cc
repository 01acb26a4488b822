// Pictures: covers of stories, and those of people.

#include "platform/pictures.h"

#include "apps/stories/stories_internal.h"
#include "platform/items.h"

namespace trestle::apps::stories {
namespace {

using design::TypedItem;

enum class Wish : std::uint8_t { kSee, kChange };
Result<TypedItem> SubjectOf(const Call& call, Wish wish) {
  if (call.route().path.starts_with("/me")) {
    return platform::GetItem(call, "User", platform::TextRecord({{"userId", call.sub()}}));
  }
  return wish == Wish::kSee ? StoryOf(call) : OwnStoryOf(call);
}

}  // namespace

Status PutPicture(Call& call, json::Writer& reply) {
  const TypedItem item = TRY(SubjectOf(call, Wish::kChange));
  return platform::ReplyItem(call, TRY(platform::PutPicture(call, item)), reply);
}

Status GetPicture(Call& call, json::Writer& reply) {
  return platform::ReplyPicture(call, TRY(SubjectOf(call, Wish::kSee)), reply);
}

Status DeletePicture(Call& call, json::Writer& /*reply*/) {
  const TypedItem item = TRY(SubjectOf(call, Wish::kChange));
  TRY(platform::RemovePicture(call, item));
  return platform::ReplyNothing(call);
}

}  // namespace trestle::apps::stories

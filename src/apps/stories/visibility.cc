// Who may see what. A draft is its author's, what moderators have hidden is theirs and its
// author's, and what is for adults only is for who is signed in and wants it.

#include <algorithm>
#include <iterator>

#include "apps/stories/rules.h"
#include "apps/stories/stories_internal.h"
#include "platform/items.h"
#include "platform/problem.h"
#include "platform/values.h"

namespace trestle::apps::stories {
namespace {

using design::Record;
using design::TypedItem;
using platform::TextOf;
using platform::TextRecord;

struct StoryFacts {
  std::string_view status;
  bool is_hidden;
  std::string_view rating;
};

bool MaySee(const Call& call, const StoryFacts& story) {
  if (story.status != "PUBLISHED" && story.status != "COMPLETED") return false;
  if (story.is_hidden) return IsModerator(call);
  return story.rating != kAdult || SeesAdult(call) || IsModerator(call);
}

}  // namespace

bool IsCaller(const Call& call, std::string_view sub) {
  return call.principal() && call.principal()->sub == sub;
}

bool IsModerator(const Call& call) {
  return call.principal() &&
         (call.principal()->IsIn("moderator") || call.principal()->IsIn("admin"));
}

bool SeesAdult(const Call& call) {
  const auto is_wanted = call.facts().Find(design::Path{{}, {"settings", "showAdult"}});
  return is_wanted && is_wanted->type() == value::Type::kBool && is_wanted->boolean();
}

bool MaySeeStory(const Call& call, const Record& story) {
  if (IsCaller(call, TextOf(story, "authorId"))) return true;
  return MaySee(call, {.status = story.FindText("status").value_or(""),
                       .is_hidden = IsTrue(story, "hidden"),
                       .rating = story.FindText("ageRating").value_or("")});
}

bool MaySeeChapter(const Call& call, const Record& chapter) {
  if (IsCaller(call, TextOf(chapter, "authorId"))) return true;
  return MaySee(call, {.status = chapter.FindText("storyStatus").value_or(""),
                       .is_hidden = IsTrue(chapter, "storyHidden"),
                       .rating = chapter.FindText("storyAgeRating").value_or("")});
}

bool MayRead(const Call& call, const Record& chapter) {
  if (IsCaller(call, TextOf(chapter, "authorId")) || IsModerator(call)) return true;
  if (IsTrue(chapter, "hidden")) return false;
  return chapter.FindText("ageRating").value_or("") != kAdult || SeesAdult(call);
}

Record StoryIdentity(const Call& call) {
  return TextRecord({{"storyId", call.PathValue("storyId")}});
}

Record ChapterIdentity(const Call& call) {
  return TextRecord({{"storyId", call.PathValue("storyId")}, {"nodeId", call.PathValue("nodeId")}});
}

Result<TypedItem> StoryOf(const Call& call) {
  TypedItem story = TRY(platform::GetItem(call, "Story", StoryIdentity(call)));
  if (!MaySeeStory(call, story.record)) return platform::NotFound("Story");
  return story;
}

Result<TypedItem> OwnStoryOf(const Call& call) {
  TypedItem story = TRY(StoryOf(call));
  if (!IsCaller(call, TextOf(story.record, "authorId"))) {
    return Forbidden("only the author of the story may do this");
  }
  return story;
}

Result<TypedItem> ChapterOf(const Call& call) {
  TRY(StoryOf(call));
  return platform::GetItem(call, "Chapter", ChapterIdentity(call));
}

Result<std::optional<TypedItem>> FindChapter(const Call& call, std::string_view node_id) {
  return call.runtime().Get(
      platform::EntityNamed(call, "Chapter"),
      TextRecord({{"storyId", call.PathValue("storyId")}, {"nodeId", node_id}}));
}

Error Forbidden(std::string detail) {
  return platform::ProblemError("forbidden", std::move(detail));
}

bool MaySeeOfStory(const Call& call, const TypedItem& item, std::string_view attribute) {
  if (attribute != "hidden" && attribute != "hiddenReason") return true;
  return IsModerator(call) || IsCaller(call, TextOf(item.record, "authorId"));
}

bool MaySeeOfChapter(const Call& call, const TypedItem& item, std::string_view attribute) {
  if (attribute != "content" && attribute != "branchDescription") return true;
  return MayRead(call, item.record);
}

bool MaySeeOfComment(const Call& call, const TypedItem& item, std::string_view attribute) {
  if (attribute != "text" || !IsTrue(item.record, "hidden")) return true;
  return IsModerator(call) || IsCaller(call, TextOf(item.record, "authorId"));
}

bool MaySeeOfUser(const Call& call, const TypedItem& item, std::string_view attribute) {
  constexpr std::string_view kOwn[] = {"email", "settings", "unreadCount", "lastLoginAt"};
  if (std::ranges::find(kOwn, attribute) == std::end(kOwn)) return true;
  return IsCaller(call, TextOf(item.record, "userId"));
}

void AddToChapter(const Call& /*call*/, const TypedItem& item, json::Writer& writer) {
  WriteInteger("score", StatOf(item.record, "upvotes") - StatOf(item.record, "downvotes"), writer);
  WriteBadges(item.record, writer);
}

}  // namespace trestle::apps::stories

#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "design/runtime.h"
#include "json/json.h"
#include "platform/app.h"
#include "platform/call.h"
#include "platform/consumers.h"
#include "platform/jobs.h"
#include "platform/search/document.h"
#include "platform/search/query.h"

// The handlers of Story Hub, and what its files share.

namespace trestle::apps::stories {

using platform::Call;
using platform::Mount;

// stories.cc
void CheckNewStory(const Call& call, const design::Record& given,
                   std::vector<FieldFailure>& failures);
void CheckStory(const design::Record& now, const design::Record& next,
                std::vector<FieldFailure>& failures);
[[nodiscard]] Status PostStory(Call& call, json::Writer& reply);
[[nodiscard]] Status GetStory(Call& call, json::Writer& reply);
[[nodiscard]] Status PatchStory(Call& call, json::Writer& reply);
[[nodiscard]] Status PublishStory(Call& call, json::Writer& reply);
[[nodiscard]] Status CompleteStory(Call& call, json::Writer& reply);
[[nodiscard]] Status ReopenStory(Call& call, json::Writer& reply);
[[nodiscard]] Status DeleteStory(Call& call, json::Writer& reply);
[[nodiscard]] Result<platform::JobStep> FollowDelete(const Mount& mount, platform::JobState& job);
[[nodiscard]] Status GetStoryStatistics(Call& call, json::Writer& reply);

// discover.cc
inline constexpr std::string_view kOrders[] = {"published", "popular", "branches", "updated"};
[[nodiscard]] Status ListStories(Call& call, json::Writer& reply);
[[nodiscard]] std::optional<platform::search::Document> Describe(const design::TypedItem& item);
[[nodiscard]] Result<std::vector<std::string>> Visible(const Call& call);
[[nodiscard]] Result<std::optional<design::TypedItem>> Fetch(const Call& call,
                                                             const platform::search::Hit& hit);

// chapters.cc
[[nodiscard]] Status ListChapters(Call& call, json::Writer& reply);
[[nodiscard]] Status GetTree(Call& call, json::Writer& reply);
[[nodiscard]] Status GetChapter(Call& call, json::Writer& reply);
[[nodiscard]] Status ListChildren(Call& call, json::Writer& reply);
[[nodiscard]] Status GetPath(Call& call, json::Writer& reply);

// branches.cc
void CheckChapter(const design::Record& now, const design::Record& next,
                  std::vector<FieldFailure>& failures);
// Until when a chapter that is posted now may be changed (Shared::edit_window_ms).
[[nodiscard]] std::string EditableUntil(const Mount& mount);
[[nodiscard]] Status PostBranch(Call& call, json::Writer& reply);
[[nodiscard]] Status PatchChapter(Call& call, json::Writer& reply);
[[nodiscard]] Status DeleteChapter(Call& call, json::Writer& reply);
[[nodiscard]] Status PutApproval(Call& call, json::Writer& reply);

// reading.cc
[[nodiscard]] Status PostRead(Call& call, json::Writer& reply);
[[nodiscard]] Status PutVote(Call& call, json::Writer& reply);
[[nodiscard]] Status DeleteVote(Call& call, json::Writer& reply);
[[nodiscard]] Status ListBookmarks(Call& call, json::Writer& reply);
[[nodiscard]] Status GetBookmark(Call& call, json::Writer& reply);
[[nodiscard]] Status PutBookmark(Call& call, json::Writer& reply);
[[nodiscard]] Status DeleteBookmark(Call& call, json::Writer& reply);

// pictures.cc
[[nodiscard]] Status PutPicture(Call& call, json::Writer& reply);
[[nodiscard]] Status GetPicture(Call& call, json::Writer& reply);
[[nodiscard]] Status DeletePicture(Call& call, json::Writer& reply);

// users.cc
[[nodiscard]] Status Admit(Call& call);
[[nodiscard]] Status GetMe(Call& call, json::Writer& reply);
[[nodiscard]] Status PatchMe(Call& call, json::Writer& reply);
[[nodiscard]] Status GetSettings(Call& call, json::Writer& reply);
[[nodiscard]] Status PutSettings(Call& call, json::Writer& reply);
[[nodiscard]] Status GetUser(Call& call, json::Writer& reply);
[[nodiscard]] Status ListUserStories(Call& call, json::Writer& reply);
[[nodiscard]] Status ListUserBranches(Call& call, json::Writer& reply);

// notifications.cc
[[nodiscard]] Status ListNotifications(Call& call, json::Writer& reply);
[[nodiscard]] Status ReadNotification(Call& call, json::Writer& reply);
[[nodiscard]] Status ReadAllNotifications(Call& call, json::Writer& reply);
[[nodiscard]] Status DeleteNotification(Call& call, json::Writer& reply);
[[nodiscard]] Result<platform::JobStep> ReadAll(const Mount& mount, platform::JobState& job);
[[nodiscard]] Status ShowLive(Call& call, json::Writer& reply);

// notify.cc: what people hear of, from the table's stream.
[[nodiscard]] Status Notify(const Mount& mount, const platform::ItemChange& change);
[[nodiscard]] Status PublishLive(const Mount& mount, const platform::ItemChange& change);

// comments.cc
[[nodiscard]] Status ListComments(Call& call, json::Writer& reply);
[[nodiscard]] Status GetComment(Call& call, json::Writer& reply);
[[nodiscard]] Status ListReplies(Call& call, json::Writer& reply);
[[nodiscard]] Status PostComment(Call& call, json::Writer& reply);
[[nodiscard]] Status PatchComment(Call& call, json::Writer& reply);
[[nodiscard]] Status DeleteComment(Call& call, json::Writer& reply);
void CheckCommentVote(const Call& call, const design::Record& given,
                      std::vector<FieldFailure>& failures);
[[nodiscard]] Status PutCommentVote(Call& call, json::Writer& reply);
[[nodiscard]] Status DeleteCommentVote(Call& call, json::Writer& reply);

// moderation.cc
void CheckReport(const Call& call, const design::Record& given,
                 std::vector<FieldFailure>& failures);
[[nodiscard]] Status PostReport(Call& call, json::Writer& reply);
[[nodiscard]] Status ListReports(Call& call, json::Writer& reply);
[[nodiscard]] Status DecideReport(Call& call, json::Writer& reply);
[[nodiscard]] Status HideStory(Call& call, json::Writer& reply);
[[nodiscard]] Status HideChapter(Call& call, json::Writer& reply);
[[nodiscard]] Status HideComment(Call& call, json::Writer& reply);

// export.cc
[[nodiscard]] Status ExportStory(Call& call, json::Writer& reply);

// people.cc, samples.cc
[[nodiscard]] Status VisitPerson(const Mount& mount, const std::string& sub,
                                 const platform::AppPeople::Visit& visit);
[[nodiscard]] Result<platform::JobStep> ErasePerson(const Mount& mount, platform::JobState& job);
[[nodiscard]] std::string OwnerOf(const design::TypedItem& item);
[[nodiscard]] Status ChangeAccount(const Mount& mount, const platform::Person& person);
[[nodiscard]] Status LoadSamples(const Mount& mount, std::span<const platform::Person> people);

// visibility.cc: who may see what.

[[nodiscard]] bool IsCaller(const Call& call, std::string_view sub);
[[nodiscard]] bool IsModerator(const Call& call);
// Whether the caller is signed in and wants stories for adults.
[[nodiscard]] bool SeesAdult(const Call& call);
// A Story, or its mirror.
[[nodiscard]] bool MaySeeStory(const Call& call, const design::Record& story);
// By what it knows of its story; that it is there says nothing of its content.
[[nodiscard]] bool MaySeeChapter(const Call& call, const design::Record& chapter);
// Its content is for adults only, hidden or removed.
[[nodiscard]] bool MayRead(const Call& call, const design::Record& chapter);

// What the path names, if the caller may see it; else NotFound.
[[nodiscard]] Result<design::TypedItem> StoryOf(const Call& call);
[[nodiscard]] Result<design::TypedItem> ChapterOf(const Call& call);
// Only for who has written it: the problem forbidden for others who see it.
[[nodiscard]] Result<design::TypedItem> OwnStoryOf(const Call& call);
// The problem forbidden.
[[nodiscard]] Error Forbidden(std::string detail);

[[nodiscard]] design::Record StoryIdentity(const Call& call);
[[nodiscard]] design::Record ChapterIdentity(const Call& call);
[[nodiscard]] Result<std::optional<design::TypedItem>> FindChapter(const Call& call,
                                                                   std::string_view node_id);

// Of ItemView.
[[nodiscard]] bool MaySeeOfStory(const Call& call, const design::TypedItem& item,
                                 std::string_view attribute);
[[nodiscard]] bool MaySeeOfChapter(const Call& call, const design::TypedItem& item,
                                   std::string_view attribute);
[[nodiscard]] bool MaySeeOfComment(const Call& call, const design::TypedItem& item,
                                   std::string_view attribute);
[[nodiscard]] bool MaySeeOfUser(const Call& call, const design::TypedItem& item,
                                std::string_view attribute);
void AddToChapter(const Call& call, const design::TypedItem& item, json::Writer& writer);

// answers.cc: small things that several routes say.

// "2026-01-02T03:04:05.678Z"
[[nodiscard]] std::string TimeText(std::int64_t unix_ms);
[[nodiscard]] bool IsTrue(const design::Record& record, std::string_view name);
[[nodiscard]] std::int64_t StatOf(const design::Record& record, std::string_view name);
void WriteText(std::string_view name, std::string_view text, json::Writer& writer);
void WriteInteger(std::string_view name, std::int64_t integer, json::Writer& writer);
void WriteBool(std::string_view name, bool is_true, json::Writer& writer);
// A chapter without its content.
void WriteCard(const Call& call, const design::TypedItem& chapter, json::Writer& writer);
// AUTHOR, APPROVED, VISION.
void WriteBadges(const design::Record& chapter, json::Writer& writer);
// ReplyItem with further members.
[[nodiscard]] Status ReplyItemWith(Call& call, const design::TypedItem& item,
                                   const std::function<void(json::Writer&)>& add,
                                   json::Writer& reply);
// An operation of one step that deletes: its condition.
[[nodiscard]] const design::Condition* DeleteConditionOf(const Call& call,
                                                         std::string_view operation);
// The operation fails as soon as others change what it looks at: read and run again, some times.
inline constexpr int kTriesMax = 20;

}  // namespace trestle::apps::stories

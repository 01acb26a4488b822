#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
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

// The handlers of WorthWatch, and what its files share.

namespace trestle::apps::watch {

using platform::Call;

// pictures.cc
[[nodiscard]] Status PutPicture(Call& call, json::Writer& reply);
[[nodiscard]] Status GetPicture(Call& call, json::Writer& reply);
[[nodiscard]] Status DeletePicture(Call& call, json::Writer& reply);

// profiles.cc
[[nodiscard]] Status Admit(Call& call);
[[nodiscard]] Status GetMe(Call& call, json::Writer& reply);
[[nodiscard]] Status PatchMe(Call& call, json::Writer& reply);
[[nodiscard]] Status ApplyAsCurator(Call& call, json::Writer& reply);
[[nodiscard]] Status GetUser(Call& call, json::Writer& reply);
[[nodiscard]] Status FindUser(Call& call, json::Writer& reply);
[[nodiscard]] Status ListUsers(Call& call, json::Writer& reply);
[[nodiscard]] Status ListEntities(Call& call, json::Writer& reply);
[[nodiscard]] Status SetCurator(Call& call, json::Writer& reply);
[[nodiscard]] Status AccountChanged(const platform::Mount& mount, const platform::Person& person);
// What others see of somebody.
[[nodiscard]] bool MaySeeOfUser(const Call& call, const design::TypedItem& user,
                                std::string_view attribute);
// Lists of a curator who was suspended are hidden, and shown again later.
[[nodiscard]] Status FollowCurators(const platform::Mount& mount,
                                    const platform::ItemChange& change);

// lists.cc
[[nodiscard]] Status ListPublic(Call& call, json::Writer& reply);
[[nodiscard]] Status ListOfCurator(Call& call, json::Writer& reply);
[[nodiscard]] Status PostList(Call& call, json::Writer& reply);
[[nodiscard]] Status GetList(Call& call, json::Writer& reply);
[[nodiscard]] Status PatchList(Call& call, json::Writer& reply);
[[nodiscard]] Status DeleteList(Call& call, json::Writer& reply);
void NormaliseTags(design::Record& list);
void AddToList(const Call& call, const design::TypedItem& list, json::Writer& writer);

// entries.cc
[[nodiscard]] Status ListItems(Call& call, json::Writer& reply);
[[nodiscard]] Status PostItem(Call& call, json::Writer& reply);
[[nodiscard]] Status GetListItem(Call& call, json::Writer& reply);
[[nodiscard]] Status PatchItem(Call& call, json::Writer& reply);
[[nodiscard]] Status DeleteListItem(Call& call, json::Writer& reply);
[[nodiscard]] Status PutOrder(Call& call, json::Writer& reply);
[[nodiscard]] Status GetListProgress(Call& call, json::Writer& reply);

// titles.cc
[[nodiscard]] Status ListTitles(Call& call, json::Writer& reply);
void CheckShow(const design::Record& now, const design::Record& show,
               std::vector<FieldFailure>& failures);
[[nodiscard]] Status PostTitle(Call& call, json::Writer& reply);
[[nodiscard]] Status GetTitle(Call& call, json::Writer& reply);
// The title that the path names, and the same for who may change it.
[[nodiscard]] Result<design::TypedItem> TitleOfCall(const Call& call);
[[nodiscard]] Result<design::TypedItem> EditableTitle(const Call& call);
[[nodiscard]] Status PatchTitle(Call& call, json::Writer& reply);
[[nodiscard]] Status DeleteTitle(Call& call, json::Writer& reply);
[[nodiscard]] Status ListTitleRatings(Call& call, json::Writer& reply);
[[nodiscard]] Status ListListsOfTitle(Call& call, json::Writer& reply);
// Genres and names of people.
void NormaliseNames(design::Record& title);
void AddToTitle(const Call& call, const design::TypedItem& title, json::Writer& writer);

// personal.cc
[[nodiscard]] Status PutSaved(Call& call, json::Writer& reply);
[[nodiscard]] Status DeleteSaved(Call& call, json::Writer& reply);
[[nodiscard]] Status ListSaved(Call& call, json::Writer& reply);
[[nodiscard]] Status PutRating(Call& call, json::Writer& reply);
[[nodiscard]] Status DeleteRating(Call& call, json::Writer& reply);
[[nodiscard]] Status ListRatings(Call& call, json::Writer& reply);
[[nodiscard]] Status PutWatched(Call& call, json::Writer& reply);
[[nodiscard]] Status DeleteWatched(Call& call, json::Writer& reply);
[[nodiscard]] Status ListWatched(Call& call, json::Writer& reply);

// comments.cc
[[nodiscard]] Status ListComments(Call& call, json::Writer& reply);
void CheckComment(const Call& call, const design::Record& given,
                  std::vector<FieldFailure>& failures);
[[nodiscard]] Status PostComment(Call& call, json::Writer& reply);
[[nodiscard]] Status PatchComment(Call& call, json::Writer& reply);
[[nodiscard]] Status DeleteComment(Call& call, json::Writer& reply);
void AddToComment(const Call& call, const design::TypedItem& comment, json::Writer& writer);

// feed.cc
[[nodiscard]] Status ListFeed(Call& call, json::Writer& reply);
[[nodiscard]] Status PostFeedSeen(Call& call, json::Writer& reply);
[[nodiscard]] Status Notify(const platform::Mount& mount, const platform::ItemChange& change);
// The open pages of a curator are told of comments.
[[nodiscard]] Status TellOfComment(const platform::Mount& mount,
                                   const platform::ItemChange& change);

// audit.cc
[[nodiscard]] Status ListAudit(Call& call, json::Writer& reply);
[[nodiscard]] Status GetActivity(Call& call, json::Writer& reply);
[[nodiscard]] Status Audit(const platform::Mount& mount, const platform::ItemChange& change);

// transfer.cc
[[nodiscard]] Status ExportList(Call& call, json::Writer& reply);
[[nodiscard]] Status PostImport(Call& call, json::Writer& reply);
[[nodiscard]] Result<platform::JobStep> ImportSome(const platform::Mount& mount,
                                                   platform::JobState& job);
inline constexpr std::string_view kImportJob = "import";

// finding.cc
[[nodiscard]] std::optional<platform::search::Document> Describe(const design::TypedItem& item);
[[nodiscard]] Result<std::vector<std::string>> Visible(const Call& call);
[[nodiscard]] Result<std::optional<design::TypedItem>> Fetch(const Call& call,
                                                             const platform::search::Hit& hit);
// Answers with what a query finds, as a list of items. `query` has what is asked for; who may see
// what, the limit and the position are added here.
[[nodiscard]] Status ReplyFound(Call& call, platform::search::Query query, json::Writer& reply);
// Lists in which a title is, as far as the caller may see them: at most `lists_max`.
[[nodiscard]] Result<std::vector<design::TypedItem>> ListsWith(const Call& call,
                                                               std::string_view content,
                                                               std::uint32_t lists_max);

// people.cc
[[nodiscard]] Status VisitPerson(const platform::Mount& mount, const std::string& sub,
                                 const platform::AppPeople::Visit& visit);
[[nodiscard]] std::string OwnerOf(const design::TypedItem& item);
// What the actor of an audit entry was the last to change does not say so any more.
[[nodiscard]] Status ForgetActor(design::Runtime& runtime, const design::Record& entry);
[[nodiscard]] Result<platform::JobStep> ErasePerson(const platform::Mount& mount,
                                                    platform::JobState& job);

// samples.cc
[[nodiscard]] Status LoadSamples(const platform::Mount& mount,
                                 std::span<const platform::Person> people);

// shared.cc: what several of them need.

inline constexpr std::size_t kListItemsMax = 500;
inline constexpr std::int64_t kPositionStep = 1000;

[[nodiscard]] bool IsAdmin(const Call& call);
[[nodiscard]] bool IsCaller(const Call& call, std::string_view user_id);
[[nodiscard]] std::string NowText(const Call& call);
[[nodiscard]] const design::Entity& EntityOf(const design::Runtime& runtime, std::string_view name);
[[nodiscard]] bool IsOf(const design::TypedItem& item, std::string_view entity);
// Of several items that an operation made, the one of this entity.
[[nodiscard]] const design::TypedItem& PickItem(std::span<const design::TypedItem> items,
                                                std::string_view entity);

// Whether the caller may see a list: it is public, or the caller's own, or an admin asks.
[[nodiscard]] bool MaySeeList(const Call& call, const design::Record& list);
// The list that the path names; kResourceNotFound when the caller may not see it.
[[nodiscard]] Result<design::TypedItem> VisibleList(const Call& call);
// The same for who changes it: the problem forbidden when it is another's.
enum class Editor : std::uint8_t { kCurator, kCuratorOrAdmin };
[[nodiscard]] Result<design::TypedItem> EditableList(const Call& call, Editor editor);

// A movie or show as lists, ratings and marks name it.
struct Content {
  std::string type;  // MOVIE or SHOW
  std::string id;

  friend bool operator==(const Content&, const Content&) = default;
  friend bool operator<(const Content& left, const Content& right) {
    return std::tie(left.type, left.id) < std::tie(right.type, right.id);
  }
};
[[nodiscard]] Content ContentOf(const design::Record& record);
// What {type} and {cid} of the path name; kResourceNotFound when the type is none.
[[nodiscard]] Result<Content> ContentOfPath(const Call& call);
[[nodiscard]] std::string_view TitleEntity(std::string_view content_type);
[[nodiscard]] design::Record TitleIdentity(const Content& content);
// Of an item that is a movie or a show.
[[nodiscard]] Content ContentOfTitle(const design::TypedItem& title);
// kResourceNotFound when there is none.
[[nodiscard]] Result<design::TypedItem> TitleOf(const Call& call, const Content& content);

// The names of people, each read once; empty for who is gone.
class Names {
 public:
  explicit Names(design::Runtime& runtime) : runtime_(runtime) {}
  const std::string& Of(const std::string& user_id);

 private:
  design::Runtime& runtime_;
  std::map<std::string, std::string> names_;
};

// The texts of a list; nothing when it is none, or holds other values: the design refuses it.
[[nodiscard]] std::optional<std::vector<std::string>> TextListOf(const design::Record& record,
                                                                 std::string_view name);

// The average as people see it: one digit behind the point; nothing without ratings.
[[nodiscard]] std::optional<std::string> RatingText(const design::Record& title);

void WriteText(std::string_view name, std::string_view text, json::Writer& writer);
void WriteInteger(std::string_view name, std::int64_t integer, json::Writer& writer);
// What a record has of this name, if anything.
void CopyText(const design::Record& record, std::string_view name, json::Writer& writer);
void CopyInteger(const design::Record& record, std::string_view name, json::Writer& writer);

}  // namespace trestle::apps::watch

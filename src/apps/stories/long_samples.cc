// The long sample story as items: people who wrote and read it, its chapters, votes and days.

#include "apps/stories/long_samples.h"

#include <algorithm>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "apps/stories/long_story.h"
#include "apps/stories/rules.h"
#include "apps/stories/stories_internal.h"
#include "design/values.h"
#include "platform/items.h"
#include "platform/values.h"

namespace trestle::apps::stories {
namespace {

using design::Record;
using platform::TextRecord;

constexpr std::string_view kStoryId = "sample-long";
constexpr std::int64_t kDayMs = 24LL * 60 * 60 * 1000;
constexpr std::int64_t kAgeDays = 60;

// They have a page in Story Hub, and no account.
constexpr std::string_view kWriters[] = {
    "Maud Farrow",   "Idris Kell", "Sunniva Roe", "Tomas Quill", "Greta Lindqvist", "Omar Haddad",
    "Pia Castellan", "Jonas Wray", "Lotte Amsel", "Kofi Mensah", "Yuki Tanabe",     "Rosa Delgado"};

struct Day {
  std::int64_t reads = 0;
  std::int64_t upvotes = 0;
  std::int64_t branches = 0;
};

class LongSamples {
 public:
  LongSamples(const Mount& mount, std::span<const platform::Person> people)
      : runtime_(*mount.runtime), now_unix_ms_(mount.shared->clock->NowUnixMs()) {
    // The first of them is the story's author.
    subs_ = {people[1 % people.size()].sub};
    for (const platform::Person& person : people)
      if (person.sub != subs_.front()) subs_.push_back(person.sub);
    accounts_ = subs_.size();
    for (std::size_t i = 0; i < std::size(kWriters); ++i)
      subs_.push_back(fmt::format("sample-writer-{}", i + 1));
    chapters_ = MakeLongStory(subs_.size());
  }

  Status Add() {
    for (std::size_t i = 0; i < std::size(kWriters); ++i) {
      TRY(Create("User", TextRecord({{"userId", subs_[accounts_ + i]},
                                     {"email", fmt::format("writer-{}@example.org", i + 1)},
                                     {"displayName", kWriters[i]},
                                     {"bio", "Has been in room 213, and came back."}})));
    }
    TRY(AddStory());
    for (std::size_t place = 0; place < chapters_.size(); ++place)
      TRY(AddChapter(place));
    for (std::size_t place = 0; place < chapters_.size(); ++place)
      TRY(AddReaders(place));
    for (const auto& [date, day] : days_) {
      Record item = TextRecord({{"storyId", kStoryId}, {"date", date}});
      platform::SetInteger(item, "reads", day.reads);
      platform::SetInteger(item, "upvotes", day.upvotes);
      platform::SetInteger(item, "branches", day.branches);
      TRY(Create("StoryDay", item));
    }
    return Ok();
  }

 private:
  Status AddStory() {
    Record story = TextRecord(
        {{"storyId", kStoryId},
         {"authorId", subs_.front()},
         {"title", "Room Two Hundred and Thirteen"},
         {"synopsis",
          "At night a bell rings that was never on the board, from a room that the hotel does not "
          "have. Behind its door is another door. A story that everybody may go on with, and "
          "nearly everybody has."},
         {"genre", "Mystery"},
         {"ageRating", "PG"},
         {"status", "PUBLISHED"},
         {"rootNodeId", NodeId(0)},
         {"createdAt", TimeText(TimeOf(0))},
         {"publishedAt", TimeText(TimeOf(0))}});
    platform::SetTexts(story, "genres", {"Fantasy", "Adventure"});
    return Create("Story", story);
  }

  Status AddChapter(std::size_t place) {
    const LongChapter& chapter = chapters_[place];
    Record item = TextRecord({{"storyId", kStoryId},
                              {"nodeId", NodeId(place)},
                              {"authorId", subs_[chapter.author]},
                              {"title", chapter.title},
                              {"content", chapter.content},
                              {"createdAt", TimeText(TimeOf(place))},
                              {"editableUntil", TimeText(TimeOf(place))}});
    if (place != 0) item.SetText("parentNodeId", NodeId(chapter.parent));
    if (!chapter.hint.empty()) item.SetText("branchDescription", chapter.hint);
    if (chapter.vision_child != 0) item.SetText("visionChildId", NodeId(chapter.vision_child));
    platform::SetBool(item, "byStoryAuthor", chapter.author == 0);
    platform::SetBool(item, "authorApproved", chapter.is_approved);
    platform::SetBool(item, "matchesVision", chapter.is_vision);
    platform::SetInteger(item, "depth", chapter.depth);
    platform::SetInteger(item, "order", chapter.order);
    item.Set(design::Path{{}, {"stats", "reads"}}, design::EncodeInteger(chapter.reads));
    if (place != 0) ++days_[DateOf(TimeOf(place))].branches;
    SpreadReads(place);
    return Create("Chapter", item);
  }

  // Most come when a chapter is new.
  void SpreadReads(std::size_t place) {
    std::int64_t left = chapters_[place].reads;
    std::int64_t time = TimeOf(place);
    for (; time + kDayMs <= now_unix_ms_ && left > 0; time += kDayMs) {
      const std::int64_t today = std::max<std::int64_t>(1, left / 8);
      days_[DateOf(time)].reads += today;
      left -= today;
    }
    if (left > 0) days_[DateOf(now_unix_ms_)].reads += left;
  }

  Status AddReaders(std::size_t place) {
    const LongChapter& chapter = chapters_[place];
    const std::int64_t time = std::min(TimeOf(place) + kDayMs / 2, now_unix_ms_);
    const auto add_votes = [&](std::span<const std::size_t> voters,
                               std::string_view type) -> Status {
      for (const std::size_t voter : voters) {
        TRY(Create("Vote", TextRecord({{"userId", subs_[voter]},
                                       {"storyId", kStoryId},
                                       {"nodeId", NodeId(place)},
                                       {"voteType", type},
                                       {"createdAt", TimeText(time)}})));
        // Who votes has read it; only those with an account come back to look.
        if (voter < accounts_) TRY(AddMark(voter, place, time));
      }
      return Ok();
    };
    days_[DateOf(time)].upvotes += static_cast<std::int64_t>(chapter.upvotes.size());
    TRY(add_votes(chapter.upvotes, "UPVOTE"));
    return add_votes(chapter.downvotes, "DOWNVOTE");
  }

  Status AddMark(std::size_t reader, std::size_t place, std::int64_t time) {
    return Create("ReadMark", TextRecord({{"userId", subs_[reader]},
                                          {"storyId", kStoryId},
                                          {"nodeId", NodeId(place)},
                                          {"firstReadAt", TimeText(time)},
                                          {"lastReadOn", DateOf(time)}}));
  }

  Status Create(std::string_view entity, const Record& item) {
    const auto created = runtime_.Create(*runtime_.model().FindEntity(entity), item);
    return created.ok() ? Ok() : Status(created.error());
  }

  // Older chapters first, the newest some hours old.
  [[nodiscard]] std::int64_t TimeOf(std::size_t place) const {
    const auto step = static_cast<std::int64_t>(chapters_.size() - place);
    return now_unix_ms_ -
           step * (kAgeDays * kDayMs / static_cast<std::int64_t>(kLongStoryChapters));
  }
  static std::string DateOf(std::int64_t time) { return TimeText(time).substr(0, 10); }
  static std::string NodeId(std::size_t place) { return fmt::format("{}-{:03}", kStoryId, place); }

  design::Runtime& runtime_;
  const std::int64_t now_unix_ms_;
  std::vector<std::string> subs_;  // those with an account first
  std::size_t accounts_ = 0;
  std::vector<LongChapter> chapters_;
  std::map<std::string, Day> days_;  // by date
};

}  // namespace

Status LoadLongSample(const Mount& mount, std::span<const platform::Person> people) {
  return LongSamples(mount, people).Add();
}

}  // namespace trestle::apps::stories

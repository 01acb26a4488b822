// Stories: written, published, completed, removed.

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "apps/stories/rules.h"
#include "apps/stories/stories_internal.h"
#include "base/random.h"
#include "design/identifier.h"
#include "design/time_text.h"
#include "platform/items.h"
#include "platform/pictures.h"
#include "platform/problem.h"
#include "platform/values.h"
#include "text/time_zone.h"

namespace trestle::apps::stories {
namespace {

using design::Changes;
using design::Record;
using design::TypedItem;
using platform::IntegerOf;
using platform::TextOf;
using platform::TextRecord;

constexpr std::string_view kDeleteJob = "delete-story";
constexpr std::int64_t kStatisticsDaysMax = 3700;

void CheckLabelsOf(const Record& story, std::vector<FieldFailure>& failures) {
  std::ranges::move(CheckLabels({.genre = TextOf(story, "genre"),
                                 .genres = platform::TextsOf(story, "genres"),
                                 .warnings = platform::TextsOf(story, "contentWarnings")}),
                    std::back_inserter(failures));
}

Result<TypedItem> ChangeOwnStory(
    Call& call, const Changes& changes,
    const std::function<Status(const Record& now, Changes& changes)>& rule) {
  TRY(OwnStoryOf(call));
  design::WriteOptions options;
  options.rule = rule;
  return platform::UpdateItem(call, "Story", StoryIdentity(call), changes, std::move(options));
}

struct Turn {
  std::string_view from;
  std::string_view to;
  std::string_view time;  // the attribute that says when
  bool sets_time = true;  // else it is removed
};
Status TurnStory(Call& call, const Turn& turn, json::Writer& reply) {
  const std::string now_text = TimeText(call.now_unix_ms());
  const auto rule = [&](const Record& now, Changes& changes) -> Status {
    const std::string status = TextOf(now, "status");
    if (status != turn.from) {
      return platform::ProblemError("conflict",
                                    fmt::format("the story is {}, not {}", status, turn.from));
    }
    platform::SetText(changes, "status", turn.to);
    if (!turn.sets_time) {
      platform::Remove(changes, turn.time);
    } else if (!now.Find(turn.time)) {
      platform::SetText(changes, turn.time, now_text);
    }
    return Ok();
  };
  return platform::ReplyItem(call, TRY(ChangeOwnStory(call, {}, rule)), reply);
}

// What the caller has done with the story.
struct Mine {
  std::optional<TypedItem> bookmark;
  std::vector<TypedItem> votes = {};
};
Result<Mine> MineOf(const Call& call) {
  Mine mine;
  if (!call.principal()) return mine;
  const Record both = TextRecord({{"userId", call.sub()}, {"storyId", call.PathValue("storyId")}});
  mine.bookmark = TRY(call.runtime().Get(platform::EntityNamed(call, "Bookmark"), both));
  mine.votes = TRY(platform::RunWhole(call.runtime(), "votesOfUserInStory", both));
  return mine;
}

void WriteDay(std::string_view date, const Record& day, json::Writer& reply) {
  reply.BeginObject();
  WriteText("date", date, reply);
  for (const std::string_view name : {"reads", "upvotes", "branches"})
    WriteInteger(name, IntegerOf(day, name).value_or(0), reply);
  reply.EndObject();
}

// Where readers leave: what was read at each distance from the beginning.
Status WriteDepths(const Call& call, json::Writer& reply) {
  struct Depth {
    std::int64_t chapters = 0;
    std::int64_t reads = 0;
  };
  std::map<std::int64_t, Depth> depths;
  for (const TypedItem& chapter :
       TRY(platform::RunWhole(call.runtime(), "chaptersOfStory", StoryIdentity(call),
                              {.attributes = {"depth", "stats"}}))) {
    Depth& depth = depths[IntegerOf(chapter.record, "depth").value_or(0)];
    ++depth.chapters;
    depth.reads += StatOf(chapter.record, "reads");
  }
  reply.Key("depths");
  reply.BeginArray();
  for (const auto& [depth, sum] : depths) {
    reply.BeginObject();
    WriteInteger("depth", depth, reply);
    WriteInteger("chapters", sum.chapters, reply);
    WriteInteger("reads", sum.reads, reply);
    reply.EndObject();
  }
  reply.EndArray();
  return Ok();
}

}  // namespace

void CheckNewStory(const Call& /*call*/, const Record& given, std::vector<FieldFailure>& failures) {
  if (platform::IsUploaded(TextOf(given, "coverImageUrl"))) {
    failures.push_back({.field = "coverImageUrl",
                        .message = std::string(platform::kPictureGiven),
                        .code = "read-only"});
  }
  CheckLabelsOf(given, failures);
}

void CheckStory(const Record& now, const Record& next, std::vector<FieldFailure>& failures) {
  // Labels that others have written stay as they are.
  const bool is_relabelled = next.Find("genre") != now.Find("genre") ||
                             next.Find("genres") != now.Find("genres") ||
                             next.Find("contentWarnings") != now.Find("contentWarnings");
  if (is_relabelled) CheckLabelsOf(next, failures);
  const auto before = now.FindText("ageRating");
  if (!before || RatingRank(TextOf(next, "ageRating")) >= RatingRank(*before)) return;
  failures.push_back({.field = "ageRating",
                      .message = "may only rise: readers have begun to read",
                      .code = "rating-lowered"});
}

Status PostStory(Call& call, json::Writer& reply) {
  const Record& given = call.fields();
  TRY(call.TakePublicWrite());
  Random random(SystemSeed());
  design::Identifiers identifiers(random);
  const std::int64_t now = call.now_unix_ms();
  const std::string story_id = identifiers.Ulid(now);
  Record arguments = given;
  arguments.Remove("firstChapter");
  arguments.SetText("storyId", story_id);
  arguments.SetText("nodeId", identifiers.Ulid(now));
  arguments.SetText("authorId", call.sub());
  arguments.SetText("editableUntil", EditableUntil(call.mount()));
  for (const auto& [name, argument] :
       {std::pair("title", "chapterTitle"), std::pair("content", "content")}) {
    const auto text = given.Find(design::Path{{}, {"firstChapter", name}});
    if (text) arguments.Set(argument, std::string(text->bytes()));
  }
  const std::vector<TypedItem> items = TRY(platform::RunOperation(call, "createStory", arguments));
  return platform::ReplyCreated(call, items.front(), "/stories/" + story_id, reply);
}

Status GetStory(Call& call, json::Writer& reply) {
  const TypedItem story = TRY(StoryOf(call));
  const Mine mine = TRY(MineOf(call));
  const auto add = [&](json::Writer& writer) {
    if (!call.principal()) return;
    writer.Key("me");
    writer.BeginObject();
    if (mine.bookmark) {
      writer.Key("bookmark");
      platform::WriteItem(call, *mine.bookmark, writer);
    }
    writer.Key("votes");
    writer.BeginObject();
    for (const TypedItem& vote : mine.votes)
      WriteText(TextOf(vote.record, "nodeId"), TextOf(vote.record, "voteType"), writer);
    writer.EndObject();
    writer.EndObject();
  };
  return ReplyItemWith(call, story, add, reply);
}

Status PatchStory(Call& call, json::Writer& reply) {
  const Changes changes = TRY(platform::ItemChanges(call, "Story"));
  return platform::ReplyItem(call, TRY(ChangeOwnStory(call, changes, nullptr)), reply);
}

Status PublishStory(Call& call, json::Writer& reply) {
  return TurnStory(call, {.from = "DRAFT", .to = "PUBLISHED", .time = "publishedAt"}, reply);
}

Status CompleteStory(Call& call, json::Writer& reply) {
  return TurnStory(call, {.from = "PUBLISHED", .to = "COMPLETED", .time = "completedAt"}, reply);
}

Status ReopenStory(Call& call, json::Writer& reply) {
  return TurnStory(
      call, {.from = "COMPLETED", .to = "PUBLISHED", .time = "completedAt", .sets_time = false},
      reply);
}

Status DeleteStory(Call& call, json::Writer& reply) {
  const auto found = platform::GetItem(call, "Story", StoryIdentity(call));
  const bool is_admin = call.principal()->IsIn("admin");
  const TypedItem story = TRY(is_admin ? found : StoryOf(call));
  if (!is_admin && !IsCaller(call, TextOf(story.record, "authorId"))) {
    return Forbidden("only the author of the story may do this");
  }
  const Error continued = platform::ProblemError(
      "conflict", "others have continued the story; only an administrator may remove it");
  if (!is_admin && IntegerOf(story.record, "foreignBranches").value_or(0) > 0) return continued;
  design::WriteOptions options;
  if (!is_admin) options.where = DeleteConditionOf(call, "removeStory");
  const auto deleted = platform::DeleteItem(call, "Story", StoryIdentity(call), std::move(options));
  if (!deleted.ok()) {
    const bool is_overtaken = deleted.error().code() == ErrorCode::kConditionalCheckFailed &&
                              deleted.error().details() == nullptr;
    return is_overtaken ? continued : deleted.error();
  }
  return platform::ReplyJob(call, kDeleteJob, StoryIdentity(call), reply);
}

// The story is gone; what belonged to it follows by itself (design/job.h). This looks on.
Result<platform::JobStep> FollowDelete(const Mount& mount, platform::JobState& job) {
  const design::Access* chapters = mount.runtime->model().FindAccess("chaptersOfStory");
  const auto left = TRY(mount.runtime->Run(*chapters, job.input, {.limit = 1}));
  if (!left.items.empty()) return platform::JobStep::kLater;
  job.total = 1;
  job.done = 1;
  return platform::JobStep::kEnd;
}

Status GetStoryStatistics(Call& call, json::Writer& reply) {
  const TypedItem story = TRY(OwnStoryOf(call));
  const Record& given = call.arguments();
  const std::string to(given.FindText("to").value_or(design::DateText(call.now_unix_ms())));
  const std::string from(given.FindText("from").value_or(text::AddDays(to, -29)));
  const std::int64_t days = text::DayNumber(to) - text::DayNumber(from);
  if (days < 0 || days > kStatisticsDaysMax) {
    return platform::FieldError({.field = "?from",
                                 .message = "must be before `to`, by at most ten years",
                                 .code = "range"});
  }
  Record arguments = StoryIdentity(call);
  arguments.SetText("from", from);
  arguments.SetText("to", to);
  reply.BeginObject();
  WriteText("storyId", TextOf(story.record, "storyId"), reply);
  WriteText("from", from, reply);
  WriteText("to", to, reply);
  reply.Key("totals");
  reply.BeginObject();
  for (const std::string_view name :
       {"totalReads", "totalUpvotes", "totalBranches", "totalChapters"})
    WriteInteger(name, StatOf(story.record, name), reply);
  reply.EndObject();
  reply.Key("days");
  reply.BeginArray();
  for (const TypedItem& day : TRY(platform::RunWhole(call.runtime(), "storyDays", arguments)))
    WriteDay(TextOf(day.record, "date"), day.record, reply);
  reply.EndArray();
  TRY(WriteDepths(call, reply));
  reply.EndObject();
  return Ok();
}

}  // namespace trestle::apps::stories

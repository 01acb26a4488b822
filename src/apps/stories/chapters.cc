// Chapters as they are read: one, all, those that follow, the way to one, and the tree.

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "apps/stories/rules.h"
#include "apps/stories/stories_internal.h"
#include "apps/stories/tree.h"
#include "platform/items.h"
#include "platform/values.h"

namespace trestle::apps::stories {
namespace {

using design::Record;
using design::TypedItem;
using platform::IntegerOf;
using platform::TextOf;
using platform::TextRecord;

// Large numbers first.
std::string Downwards(std::int64_t number) {
  return fmt::format("{:020}", 4'000'000'000'000'000'000 - number);
}

Result<std::vector<TypedItem>> ChildReferences(const Call& call, std::string_view node_id) {
  return platform::RunWhole(call.runtime(), "childrenOfChapter",
                            TextRecord({{"parentNodeId", node_id}}));
}

void WriteIds(std::string_view name, std::span<const TypedItem> references, json::Writer& writer) {
  writer.Key(name);
  writer.BeginArray();
  for (const TypedItem& reference : references)
    writer.String(TextOf(reference.record, "nodeId"));
  writer.EndArray();
}

// What the caller has read of the story.
Result<std::set<std::string>> ReadByMe(const Call& call) {
  std::set<std::string> read;
  if (!call.principal()) return read;
  const auto marks = TRY(platform::RunWhole(
      call.runtime(), "readsOfStory",
      TextRecord({{"userId", call.sub()}, {"storyId", call.PathValue("storyId")}})));
  for (const TypedItem& mark : marks)
    read.insert(TextOf(mark.record, "nodeId"));
  return read;
}

void WriteNode(const Call& call, const Record& chapter, const std::set<std::string>& read,
               json::Writer& reply) {
  const std::string id = TextOf(chapter, "nodeId");
  reply.BeginObject();
  WriteText("id", id, reply);
  reply.Key("parent");
  if (const auto parent = chapter.FindText("parentNodeId")) {
    reply.String(*parent);
  } else {
    reply.Null();
  }
  WriteInteger("order", IntegerOf(chapter, "order").value_or(0), reply);
  WriteInteger("depth", IntegerOf(chapter, "depth").value_or(0), reply);
  WriteText("title", TextOf(chapter, "title"), reply);
  WriteText("author", TextOf(chapter, "authorName"), reply);
  WriteText("authorId", TextOf(chapter, "authorId"), reply);
  WriteInteger("reads", StatOf(chapter, "reads"), reply);
  WriteInteger("upvotes", StatOf(chapter, "upvotes"), reply);
  WriteInteger("downvotes", StatOf(chapter, "downvotes"), reply);
  WriteInteger("score", StatOf(chapter, "upvotes") - StatOf(chapter, "downvotes"), reply);
  WriteInteger("children", StatOf(chapter, "childCount"), reply);
  WriteInteger("comments", IntegerOf(chapter, "commentCount").value_or(0), reply);
  WriteText("createdAt", TextOf(chapter, "createdAt"), reply);
  if (const auto rating = chapter.FindText("ageRating")) WriteText("ageRating", *rating, reply);
  WriteBadges(chapter, reply);
  if (IsTrue(chapter, "removed")) WriteBool("removed", true, reply);
  if (!MayRead(call, chapter)) WriteBool("closed", true, reply);
  WriteBool("readByMe", read.contains(id), reply);
  reply.EndObject();
}

}  // namespace

Status ListChapters(Call& call, json::Writer& reply) {
  TRY(StoryOf(call));
  return platform::ReplyList(call, "chaptersOfStory", StoryIdentity(call), {}, reply);
}

Status GetTree(Call& call, json::Writer& reply) {
  const TypedItem story = TRY(StoryOf(call));
  // Everything but their texts.
  const std::vector<TypedItem> chapters = TRY(platform::RunWhole(
      call.runtime(), "chaptersOfStory", StoryIdentity(call),
      {.attributes = {"nodeId", "parentNodeId", "order", "depth", "title", "authorName", "authorId",
                      "stats", "commentCount", "createdAt", "ageRating", "removed", "hidden",
                      "authorApproved", "matchesVision", "byStoryAuthor"}}));
  std::vector<TreeNode> nodes;
  nodes.reserve(chapters.size());
  std::int64_t depth_max = 0;
  std::string first = TextOf(story.record, "rootNodeId");
  for (const TypedItem& chapter : chapters) {
    nodes.push_back({.id = TextOf(chapter.record, "nodeId"),
                     .parent = TextOf(chapter.record, "parentNodeId"),
                     .order = IntegerOf(chapter.record, "order").value_or(0)});
    depth_max = std::max(depth_max, IntegerOf(chapter.record, "depth").value_or(0));
    // Stories that others have written may not say where they begin.
    if (first.empty() && nodes.back().parent.empty()) first = nodes.back().id;
  }
  const std::string root(call.arguments().FindText("root").value_or(first));
  const std::int64_t levels = IntegerOf(call.arguments(), "depth").value_or(kDepthMax);
  const std::vector<std::size_t> order = TreeOrder(nodes, root, levels);
  if (order.empty()) return platform::NotFound("Chapter");
  const std::set<std::string> read = TRY(ReadByMe(call));
  reply.BeginObject();
  WriteText("storyId", call.PathValue("storyId"), reply);
  WriteText("rootNodeId", first, reply);
  WriteInteger("totalNodes", static_cast<std::int64_t>(chapters.size()), reply);
  WriteInteger("maxDepth", depth_max, reply);
  reply.Key("nodes");
  reply.BeginArray();
  for (const std::size_t place : order)
    WriteNode(call, chapters[place].record, read, reply);
  reply.EndArray();
  reply.EndObject();
  return Ok();
}

Status GetChapter(Call& call, json::Writer& reply) {
  const TypedItem chapter = TRY(ChapterOf(call));
  if (!MayRead(call, chapter.record)) {
    return Forbidden(IsTrue(chapter.record, "hidden")
                         ? "moderators have hidden this chapter"
                         : "this chapter is for adults who have asked for such stories");
  }
  const auto parent = chapter.record.FindText("parentNodeId");
  const auto children = TRY(ChildReferences(call, call.PathValue("nodeId")));
  std::vector<TypedItem> siblings;
  if (parent) siblings = TRY(ChildReferences(call, *parent));
  std::optional<TypedItem> vote;
  std::optional<TypedItem> mark;
  if (call.principal()) {
    Record mine = TextRecord({{"userId", call.sub()}, {"nodeId", call.PathValue("nodeId")}});
    vote = TRY(call.runtime().Get(platform::EntityNamed(call, "Vote"), mine));
    mine.SetText("storyId", call.PathValue("storyId"));
    mark = TRY(call.runtime().Get(platform::EntityNamed(call, "ReadMark"), mine));
  }
  const auto add = [&](json::Writer& writer) {
    if (parent) WriteText("previous", *parent, writer);
    WriteIds("next", children, writer);
    WriteIds("siblings", siblings, writer);
    if (!call.principal()) return;
    writer.Key("me");
    writer.BeginObject();
    if (vote) WriteText("vote", TextOf(vote->record, "voteType"), writer);
    WriteBool("read", mark.has_value(), writer);
    writer.EndObject();
  };
  return ReplyItemWith(call, chapter, add, reply);
}

Status ListChildren(Call& call, json::Writer& reply) {
  TRY(ChapterOf(call));
  std::vector<TypedItem> children;
  for (const TypedItem& reference : TRY(ChildReferences(call, call.PathValue("nodeId")))) {
    auto child = TRY(FindChapter(call, TextOf(reference.record, "nodeId")));
    if (child) children.push_back(*std::move(child));
  }
  const std::string sort = TextOf(call.arguments(), "sort");
  const auto key_of = [&](const TypedItem& child) -> std::string {
    const Record& record = child.record;
    const std::int64_t score = StatOf(record, "upvotes") - StatOf(record, "downvotes");
    if (sort == "popular") return Downwards(score) + Downwards(StatOf(record, "reads"));
    if (sort == "approved") {
      const std::string first = IsTrue(record, "matchesVision")    ? "0"
                                : IsTrue(record, "authorApproved") ? "1"
                                : IsTrue(record, "byStoryAuthor")  ? "2"
                                                                   : "3";
      return first + Downwards(score);
    }
    if (sort == "newest") {
      std::string time = TextOf(record, "createdAt") + TextOf(record, "nodeId");
      for (char& c : time)
        c = static_cast<char>(0x7f - c);  // the same texts, the other way round
      return time;
    }
    return fmt::format("{:05}", IntegerOf(record, "order").value_or(0));
  };
  return platform::ReplySorted(
      call, children, key_of,
      {.write = [&](const TypedItem& child,
                    json::Writer& writer) { WriteCard(call, child, writer); }},
      reply);
}

Status GetPath(Call& call, json::Writer& reply) {
  std::vector<TypedItem> path = {TRY(ChapterOf(call))};
  while (static_cast<std::int64_t>(path.size()) <= kDepthMax) {
    const auto parent = path.back().record.FindText("parentNodeId");
    if (!parent) break;
    auto chapter = TRY(FindChapter(call, *parent));
    if (!chapter) break;
    path.push_back(*std::move(chapter));
  }
  std::ranges::reverse(path);
  const bool has_contents = IsTrue(call.arguments(), "contents");
  reply.BeginObject();
  WriteText("storyId", call.PathValue("storyId"), reply);
  reply.Key("items");
  reply.BeginArray();
  for (const TypedItem& chapter : path) {
    if (has_contents) {
      platform::WriteItem(call, chapter, reply);
    } else {
      WriteCard(call, chapter, reply);
    }
  }
  reply.EndArray();
  reply.Key("contributors");
  reply.BeginArray();
  std::set<std::string> known;
  for (const TypedItem& chapter : path) {
    const std::string author = TextOf(chapter.record, "authorId");
    if (!known.insert(author).second) continue;
    reply.BeginObject();
    WriteText("userId", author, reply);
    WriteText("name", TextOf(chapter.record, "authorName"), reply);
    reply.EndObject();
  }
  reply.EndArray();
  reply.EndObject();
  return Ok();
}

}  // namespace trestle::apps::stories

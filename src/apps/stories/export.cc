// A story as a book: one way through it, or all of it.

#include <algorithm>

#include <fmt/format.h>

#include "apps/stories/epub.h"
#include "apps/stories/markdown.h"
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

Result<std::vector<TypedItem>> PathTo(const Call& call, std::string_view node_id) {
  std::vector<TypedItem> path;
  std::string next(node_id);
  while (!next.empty() && static_cast<std::int64_t>(path.size()) <= kDepthMax) {
    auto chapter = TRY(FindChapter(call, next));
    if (!chapter) return platform::NotFound("Chapter");
    next = TextOf(chapter->record, "parentNodeId");
    path.push_back(*std::move(chapter));
  }
  std::ranges::reverse(path);
  return path;
}

Result<std::vector<TypedItem>> WholeTree(const Call& call, const Record& story) {
  std::vector<TypedItem> chapters =
      TRY(platform::RunWhole(call.runtime(), "chaptersOfStory", StoryIdentity(call)));
  std::vector<TreeNode> nodes;
  nodes.reserve(chapters.size());
  for (const TypedItem& chapter : chapters) {
    nodes.push_back({.id = TextOf(chapter.record, "nodeId"),
                     .parent = TextOf(chapter.record, "parentNodeId"),
                     .order = IntegerOf(chapter.record, "order").value_or(0)});
  }
  std::vector<TypedItem> ordered;
  ordered.reserve(chapters.size());
  for (const std::size_t place : TreeOrder(nodes, TextOf(story, "rootNodeId")))
    ordered.push_back(std::move(chapters[place]));
  return ordered;
}

std::string AsMarkdown(const Record& story, std::span<const TypedItem> chapters) {
  std::string out = fmt::format("# {}\n\n*{}*\n\n{}\n", TextOf(story, "title"),
                                TextOf(story, "authorName"), TextOf(story, "synopsis"));
  for (const TypedItem& chapter : chapters) {
    out += fmt::format("\n## {}\n\n*{}*\n\n{}\n", TextOf(chapter.record, "title"),
                       TextOf(chapter.record, "authorName"), TextOf(chapter.record, "content"));
  }
  return out;
}

Book AsBook(const Record& story, std::span<const TypedItem> chapters) {
  Book book{.id = TextOf(story, "storyId"),
            .title = TextOf(story, "title"),
            .author = TextOf(story, "authorName"),
            .modified = TextOf(story, "updatedAt").substr(0, 19) + "Z",
            .chapters = {}};
  book.chapters.reserve(chapters.size());
  for (const TypedItem& chapter : chapters) {
    book.chapters.push_back({.title = TextOf(chapter.record, "title"),
                             .author = TextOf(chapter.record, "authorName"),
                             .html = MarkdownToHtml(TextOf(chapter.record, "content"))});
  }
  return book;
}

void WriteJson(const Call& call, const TypedItem& story, std::span<const TypedItem> chapters,
               json::Writer& reply) {
  reply.BeginObject();
  reply.Key("story");
  platform::WriteItem(call, story, reply);
  reply.Key("chapters");
  reply.BeginArray();
  for (const TypedItem& chapter : chapters)
    platform::WriteItem(call, chapter, reply);
  reply.EndArray();
  reply.EndObject();
}

}  // namespace

Status ExportStory(Call& call, json::Writer& reply) {
  const TypedItem story = TRY(StoryOf(call));
  const auto path = call.arguments().FindText("path");
  std::vector<TypedItem> chapters;
  if (path) {
    chapters = TRY(PathTo(call, *path));
  } else {
    chapters = TRY(WholeTree(call, story.record));
  }
  for (TypedItem& chapter : chapters)
    if (!MayRead(call, chapter.record)) chapter.record.SetText("content", "[closed]");
  const std::string format = TextOf(call.arguments(), "format");
  call.AddHeader("Content-Disposition",
                 fmt::format("attachment; filename=\"{}.{}\"", call.PathValue("storyId"), format));
  if (format == "json") {
    WriteJson(call, story, chapters, reply);
  } else if (format == "md") {
    call.SetContentType("text/markdown; charset=utf-8");
    reply.Raw(AsMarkdown(story.record, chapters));
  } else if (format == "html") {
    call.SetContentType("text/html; charset=utf-8");
    reply.Raw(MakeHtml(AsBook(story.record, chapters)));
  } else {
    call.SetContentType("application/epub+zip");
    reply.Raw(MakeEpub(AsBook(story.record, chapters)));
  }
  return Ok();
}

}  // namespace trestle::apps::stories

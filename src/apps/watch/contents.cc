#include "apps/watch/contents.h"

#include <utility>

#include "platform/items.h"
#include "platform/values.h"

namespace trestle::apps::watch {

using design::Record;
using design::TypedItem;
using platform::IntegerOf;
using platform::TextRecord;

Result<Contents> Contents::Read(design::Runtime& runtime, std::span<const Content> contents,
                                const std::string& sub) {
  std::vector<Record> movies;
  std::vector<Record> shows;
  std::vector<Record> marks;
  movies.reserve(contents.size());
  marks.reserve(contents.size());
  for (const Content& content : contents) {
    (content.type == "SHOW" ? shows : movies).push_back(TitleIdentity(content));
    marks.push_back(
        TextRecord({{"userId", sub}, {"contentType", content.type}, {"contentId", content.id}}));
  }
  Contents read;
  read.has_caller_ = !sub.empty();
  for (TypedItem& movie : TRY(platform::GetMany(runtime, "Movie", movies)))
    read.titles_.emplace(ContentOfTitle(movie), std::move(movie));
  for (TypedItem& show : TRY(platform::GetMany(runtime, "Show", shows)))
    read.titles_.emplace(ContentOfTitle(show), std::move(show));
  if (sub.empty()) return read;
  for (const TypedItem& rating : TRY(platform::GetMany(runtime, "Rating", marks))) {
    read.ratings_.emplace(ContentOf(rating.record), IntegerOf(rating.record, "rating").value_or(0));
  }
  for (const TypedItem& mark : TRY(platform::GetMany(runtime, "Watched", marks)))
    read.watched_.insert(ContentOf(mark.record));
  return read;
}

const TypedItem* Contents::Title(const Content& content) const {
  const auto found = titles_.find(content);
  return found == titles_.end() ? nullptr : &found->second;
}

std::optional<std::int64_t> Contents::Rating(const Content& content) const {
  const auto found = ratings_.find(content);
  if (found == ratings_.end()) return std::nullopt;
  return found->second;
}

void Contents::Write(const Content& content, json::Writer& writer) const {
  if (const TypedItem* title = Title(content)) {
    writer.Key("content");
    WriteTitleSummary(*title, writer);
  }
  if (!has_caller_) return;
  writer.Key("me");
  writer.BeginObject();
  if (const auto rating = Rating(content)) WriteInteger("rating", *rating, writer);
  writer.Key("watched");
  writer.Bool(IsWatched(content));
  writer.EndObject();
}

std::string SubOf(const Call& call) { return call.principal() ? call.principal()->sub : ""; }

void WriteTitleSummary(const TypedItem& title, json::Writer& writer) {
  const Record& record = title.record;
  writer.BeginObject();
  CopyText(record, "title", writer);
  for (const std::string_view name :
       {"releaseYear", "startYear", "endYear", "runtime", "numberOfSeasons", "numberOfEpisodes"})
    CopyInteger(record, name, writer);
  CopyText(record, "posterUrl", writer);
  writer.Key("genres");
  writer.BeginArray();
  for (const std::string& genre : platform::TextsOf(record, "genres"))
    writer.String(genre);
  writer.EndArray();
  if (const auto rating = RatingText(record)) {
    writer.Key("rating");
    writer.Raw(*rating);
  }
  WriteInteger("ratingCount", IntegerOf(record, "ratingCount").value_or(0), writer);
  writer.EndObject();
}

}  // namespace trestle::apps::watch

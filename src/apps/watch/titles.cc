// Movies and shows: the catalogue.

#include <string>
#include <vector>

#include <fmt/format.h>

#include "apps/watch/contents.h"
#include "apps/watch/rules.h"
#include "apps/watch/watch_internal.h"
#include "platform/items.h"
#include "platform/problem.h"
#include "platform/values.h"

namespace trestle::apps::watch {
namespace {

namespace syntax = design::syntax;
using design::Changes;
using design::Record;
using design::TypedItem;
using platform::IntegerOf;
using platform::ProblemError;
using platform::TextOf;
using platform::TextRecord;

constexpr std::uint32_t kListsShown = 20;
constexpr std::string_view kNameLists[] = {"genres", "cast", "directors", "creators"};

// Routes of movies and shows are alike; the path says which it is.
std::string TypeOf(const Call& call) {
  return call.route().path.starts_with("/shows") ? "SHOW" : "MOVIE";
}

Content ContentOfCall(const Call& call) {
  return {.type = TypeOf(call), .id = call.PathValue("id")};
}

// "listCount absent or listCount <= 0"
syntax::Condition NotListed() {
  const syntax::Path path{{}, {"listCount"}};
  const syntax::Value zero{{}, syntax::Number{{}, "0"}};
  const syntax::Comparison is_zero{.path = path,
                                   .of_size = false,
                                   .comparator = syntax::Comparator::kLessOrEqual,
                                   .value = zero};
  return {{},
          syntax::Junction{.connective = syntax::Connective::kOr,
                           .operands = {{{}, syntax::Presence{path, true}}, {{}, is_zero}}}};
}

void WriteLists(std::span<const TypedItem> lists, json::Writer& writer) {
  writer.BeginArray();
  for (const TypedItem& list : lists) {
    writer.BeginObject();
    for (const std::string_view name : {"watchlistId", "title", "curatorId", "curatorName"})
      CopyText(list.record, name, writer);
    CopyInteger(list.record, "itemCount", writer);
    writer.EndObject();
  }
  writer.EndArray();
}

}  // namespace

void NormaliseNames(Record& title) {
  for (const std::string_view name : kNameLists) {
    const auto names = TextListOf(title, name);
    if (names) platform::SetTexts(title, name, NormalisedNames(*names));
  }
}

void AddToTitle(const Call& call, const TypedItem& title, json::Writer& writer) {
  if (const auto rating = RatingText(title.record)) {
    writer.Key("rating");
    writer.Raw(*rating);
  }
  // What GetTitle has found out.
  const Record& facts = call.facts();
  if (TextOf(facts, "contentId") != ContentOfTitle(title).id) return;
  if (facts.Find("watched")) {
    writer.Key("me");
    writer.BeginObject();
    CopyInteger(facts, "rating", writer);
    writer.Key("watched");
    writer.Bool(platform::BoolOf(facts, "watched").value_or(false));
    writer.EndObject();
  }
  if (const auto lists = facts.FindText("lists")) {
    writer.Key("lists");
    writer.Raw(*lists);
  }
}

Status ListTitles(Call& call, json::Writer& reply) {
  const Record& given = call.arguments();
  const auto genre = given.FindText("genre");
  const auto year = IntegerOf(given, "year");
  const std::string sort = TextOf(given, "sort");
  platform::search::Query query{.text = TextOf(given, "q"),
                                .may_see = {"public"},
                                .types = {TypeOf(call) == "SHOW" ? "show" : "movie"},
                                .order = sort == "best" ? "" : sort};
  if (genre) query.facets.push_back({"genre", std::string(*genre)});
  if (year) query.facets.push_back({"year", std::to_string(*year)});
  return ReplyFound(call, std::move(query), reply);
}

void CheckShow(const Record& /*now*/, const Record& show, std::vector<FieldFailure>& failures) {
  const auto start = IntegerOf(show, "startYear");
  const auto end = IntegerOf(show, "endYear");
  if (!start || !end || *end >= *start) return;
  failures.push_back(
      {.field = "endYear", .message = "must not be before startYear", .code = "range"});
}

Status PostTitle(Call& call, json::Writer& reply) {
  const std::string type = TypeOf(call);
  Record title = TRY(platform::NewItem(call, TitleEntity(type)));
  title.SetText("createdBy", call.sub());
  title.SetText("updatedBy", call.sub());
  const TypedItem created = TRY(platform::CreateItem(call, TitleEntity(type), title));
  return platform::ReplyCreated(
      call, created, fmt::format("{}/{}", call.route().path, ContentOfTitle(created).id), reply);
}

Status GetTitle(Call& call, json::Writer& reply) {
  const Content content = ContentOfCall(call);
  const TypedItem title = TRY(TitleOf(call, content));
  Record& facts = call.facts();
  facts.SetText("contentId", content.id);
  if (call.principal()) {
    const Contents read = TRY(Contents::Read(call.runtime(), std::span(&content, 1), call.sub()));
    if (const auto rating = read.Rating(content)) platform::SetInteger(facts, "rating", *rating);
    platform::SetBool(facts, "watched", read.IsWatched(content));
  }
  std::string lists;
  json::Writer writer(lists);
  WriteLists(TRY(ListsWith(call, content.type + "/" + content.id, kListsShown)), writer);
  facts.SetText("lists", lists);
  return platform::ReplyItem(call, title, reply);
}

Result<TypedItem> TitleOfCall(const Call& call) { return TitleOf(call, ContentOfCall(call)); }

Result<TypedItem> EditableTitle(const Call& call) {
  TypedItem title = TRY(TitleOfCall(call));
  if (!IsAdmin(call) && !IsCaller(call, TextOf(title.record, "createdBy"))) {
    return ProblemError("forbidden", "only who added a title, and administrators, change it");
  }
  return title;
}

Status PatchTitle(Call& call, json::Writer& reply) {
  const Content content = ContentOfCall(call);
  TRY(EditableTitle(call));
  Changes changes = TRY(platform::ItemChanges(call, TitleEntity(content.type)));
  platform::SetText(changes, "updatedBy", call.sub());
  return platform::ReplyItem(
      call,
      TRY(platform::UpdateItem(call, TitleEntity(content.type), TitleIdentity(content), changes)),
      reply);
}

Status DeleteTitle(Call& call, json::Writer& /*reply*/) {
  const Content content = ContentOfCall(call);
  TRY(TitleOf(call, content));
  const syntax::Condition not_listed = NotListed();
  const Record arguments;
  design::WriteOptions options;
  if (!platform::BoolOf(call.arguments(), "force").value_or(false)) {
    options.where = &not_listed;
    options.arguments = &arguments;
  }
  const auto deleted = platform::DeleteItem(call, TitleEntity(content.type), TitleIdentity(content),
                                            std::move(options));
  if (!deleted.ok() && deleted.error().code() == ErrorCode::kConditionalCheckFailed) {
    return ProblemError("conflict", "the title is in lists; force=true deletes it all the same");
  }
  TRY(deleted);
  return platform::ReplyNothing(call);
}

Status ListTitleRatings(Call& call, json::Writer& reply) {
  const Content content = ContentOfCall(call);
  const TypedItem title = TRY(TitleOf(call, content));
  const auto add = [&](json::Writer& writer) -> Status {
    if (const auto rating = RatingText(title.record)) {
      writer.Key("average");
      writer.Raw(*rating);
    }
    WriteInteger("count", IntegerOf(title.record, "ratingCount").value_or(0), writer);
    writer.Key("distribution");
    writer.BeginArray();
    for (int stars = 1; stars <= 10; ++stars) {
      writer.Integer(platform::IntegerAt(title.record, "ratingHistogram", fmt::format("r{}", stars))
                         .value_or(0));
    }
    writer.EndArray();
    return Ok();
  };
  Names names(call.runtime());
  const auto write = [&](const TypedItem& rating, json::Writer& writer) {
    writer.BeginObject();
    CopyText(rating.record, "userId", writer);
    const std::string& name = names.Of(TextOf(rating.record, "userId"));
    if (!name.empty()) WriteText("username", name, writer);
    CopyInteger(rating.record, "rating", writer);
    CopyText(rating.record, "review", writer);
    CopyText(rating.record, "ratedAt", writer);
    writer.EndObject();
  };
  return platform::ReplyList(call, "ratingsOfTitle",
                             TextRecord({{"contentType", content.type}, {"contentId", content.id}}),
                             {.add = add, .write = write}, reply);
}

Status ListListsOfTitle(Call& call, json::Writer& reply) {
  const Content content = ContentOfCall(call);
  TRY(TitleOf(call, content));
  reply.BeginObject();
  reply.Key("items");
  WriteLists(TRY(ListsWith(call, content.type + "/" + content.id, platform::kPageItemsMax)), reply);
  reply.EndObject();
  return Ok();
}

}  // namespace trestle::apps::watch

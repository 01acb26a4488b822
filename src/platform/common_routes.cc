#include "platform/common_routes.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/check.h"
#include "platform/csv.h"
#include "platform/item_json.h"
#include "platform/items.h"
#include "platform/jobs.h"
#include "platform/pictures.h"
#include "platform/problem.h"
#include "platform/search/feed.h"
#include "platform/search/index.h"
#include "platform/values.h"

namespace trestle::platform {
namespace {

void WriteHighlights(const search::Hit& hit, json::Writer& reply) {
  reply.Key("highlights");
  reply.BeginArray();
  for (const search::Highlight& highlight : hit.highlights) {
    reply.BeginObject();
    reply.Key("field");
    reply.String(highlight.field);
    reply.Key("segments");
    reply.BeginArray();
    for (const search::Segment& segment : highlight.segments) {
      reply.BeginObject();
      reply.Key("text");
      reply.String(segment.text);
      reply.Key("isMatch");
      reply.Bool(segment.is_match);
      reply.EndObject();
    }
    reply.EndArray();
    reply.EndObject();
  }
  reply.EndArray();
}

Status WriteHits(const Call& call, const search::Hits& hits, json::Writer& reply) {
  reply.Key("items");
  reply.BeginArray();
  for (const search::Hit& hit : hits.items) {
    const auto item = TRY(call.app().search.fetch(call, hit));
    if (!item) continue;  // it went after it was indexed
    reply.BeginObject();
    reply.Key("type");
    reply.String(hit.type);
    reply.Key("score");
    reply.Raw(fmt::format("{:.3f}", hit.score));
    WriteHighlights(hit, reply);
    reply.Key("item");
    WriteItem(call, *item, reply);
    reply.EndObject();
  }
  reply.EndArray();
  return Ok();
}

// The entities one after the other, each with a line of its names: attributes as they are stored.
std::string ExportAsCsv(const std::map<std::string, std::vector<design::TypedItem>>& items,
                        const design::Model& model) {
  std::string out;
  for (const auto& [name, list] : items) {
    const design::Entity& entity = *model.FindEntity(name);
    out += "entity";
    for (const design::Attribute& attribute : entity.attributes)
      out += "," + CsvField(attribute.name);
    out += "\r\n";
    for (const design::TypedItem& item : list) {
      out += CsvField(name);
      for (const design::Attribute& attribute : entity.attributes) {
        const auto value = item.record.Find(attribute.name);
        std::string text = value ? TextOfValue(*value) : "";
        if (value && text.empty())
          text = fmt::format("{}", fmt::join(TextsOf(item.record, attribute.name), "; "));
        out += "," + CsvField(text);
      }
      out += "\r\n";
    }
  }
  return out;
}

// Where a picture can be got, and what it is.
void WritePicture(const design::Record& file, json::Writer& reply) {
  reply.BeginObject();
  reply.Key("address");
  reply.String(AddressOf(file));
  for (const std::string_view name : {"mediaType", "createdAt"}) {
    reply.Key(name);
    reply.String(TextOf(file, name));
  }
  for (const std::string_view name : {"size", "width", "height"}) {
    reply.Key(name);
    reply.Integer(IntegerOf(file, name).value_or(0));
  }
  reply.EndObject();
}

void ExportAsJson(const std::map<std::string, std::vector<design::TypedItem>>& items,
                  const std::vector<design::TypedItem>& files, const Call& call,
                  json::Writer& reply) {
  const design::Model& model = call.runtime().model();
  reply.BeginObject();
  reply.Key("app");
  reply.String(call.app().name);
  reply.Key("version");
  reply.Integer(model.version);
  reply.Key("entities");
  reply.BeginObject();
  for (const auto& [name, list] : items) {
    reply.Key(name);
    reply.BeginArray();
    for (const design::TypedItem& item : list) {
      reply.BeginObject();
      WriteMembers(item.record, Fields(item.kind.of().attributes, call.app().names), reply);
      reply.EndObject();
    }
    reply.EndArray();
  }
  reply.EndObject();
  if (!call.app().pictures.empty()) {
    reply.Key("pictures");
    reply.BeginArray();
    for (const design::TypedItem& file : files)
      WritePicture(file.record, reply);
    reply.EndArray();
  }
  reply.EndObject();
}

}  // namespace

Status ShowSearch(Call& call, json::Writer& reply) {
  const AppSearch& rules = call.app().search;
  CHECK(call.mount().search != nullptr && rules.fetch != nullptr, "an app that can be searched");
  search::Query query{.text = TextOf(call.arguments(), "q"), .limit = LimitOf(call)};
  query.may_see = TRY(rules.visible(call));
  if (const auto type = call.arguments().FindText("type")) query.types = {std::string(*type)};
  query.order = TextOf(call.arguments(), "sort");
  if (!query.order.empty() && std::ranges::find(rules.orders, query.order) == rules.orders.end()) {
    return FieldError({.field = "?sort",
                       .message = fmt::format("must be one of {}", fmt::join(rules.orders, ", ")),
                       .code = "enum"});
  }
  query.position = TRY(OpenCursor(call));
  const search::Hits hits = TRY(call.mount().search->Find(query));
  if (call.mount().feed != nullptr) {
    call.AddHeader("Index-Lag-Ms", fmt::format("{}", call.mount().feed->LagMs()));
  }
  reply.BeginObject();
  TRY(WriteHits(call, hits, reply));
  reply.Key("total");
  reply.Integer(static_cast<std::int64_t>(hits.total));
  if (hits.did_you_mean) {
    reply.Key("didYouMean");
    reply.String(*hits.did_you_mean);
  }
  WriteCursor(call, hits.next, reply);
  reply.EndObject();
  return Ok();
}

Status ShowExport(Call& call, json::Writer& reply) {
  const AppPeople& people = call.app().people;
  CHECK(people.visit != nullptr, "an app that knows what it keeps about people");
  std::map<std::string, std::vector<design::TypedItem>> items;
  TRY(people.visit(call.mount(), call.sub(), [&](const design::TypedItem& item) -> Status {
    items[item.kind.of().name].push_back(item);
    return Ok();
  }));
  const bool is_csv = TextOf(call.arguments(), "format") == "csv";
  call.AddHeader("Content-Disposition", fmt::format("attachment; filename=\"{}.{}\"",
                                                    call.app().name, is_csv ? "csv" : "json"));
  if (is_csv) {
    call.SetContentType("text/csv; charset=utf-8");
    reply.Raw(ExportAsCsv(items, call.runtime().model()));
  } else {
    ExportAsJson(items, TRY(PicturesOf(call.mount(), call.sub())), call, reply);
  }
  return Ok();
}

Status EraseMe(Call& call, json::Writer& reply) { return ReplyJob(call, kEraseJob, {}, reply); }

}  // namespace trestle::platform

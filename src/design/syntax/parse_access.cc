#include <optional>
#include <string>

#include <fmt/format.h>

#include "design/syntax/parser_internal.h"

namespace trestle::design::syntax {
namespace {

Result<Parameter> ReadParameter(TokenReader& reader) {
  Parameter parameter;
  parameter.name = TRY(ReadName(reader, "the name of a parameter"));
  if (!reader.TakeSign(":")) return parameter;
  Type type = TRY(ReadType(reader));
  if (EndCommentOf(type) != nullptr) {
    return reader.Fail("S2", type.position, "a parameter cannot be a map; use `any`");
  }
  parameter.type = std::move(type);
  return parameter;
}

Result<std::vector<AccessResult>> ReadResults(TokenReader& reader) {
  std::vector<AccessResult> results;
  TRY(reader.ExpectSign("->"));
  do {
    AccessResult result;
    result.name = TRY(ReadName(reader, "the name of an entity"));
    result.many = reader.TakeSign("*");
    results.push_back(std::move(result));
  } while (reader.TakeSign(","));
  return results;
}

// name(p, q: type) -> E*, F =
template <typename Pattern>
Status ReadSignature(TokenReader& reader, Pattern& pattern) {
  pattern.name = TRY(ReadName(reader, "a name for the access"));
  pattern.parameters = TRY(ReadParameters(reader));
  pattern.results = TRY(ReadResults(reader));
  return reader.ExpectSign("=");
}

// "before" and "after" alone run on past their prefix, so they can be kept within one.
template <typename Bound>
Result<Bound> ReadOpenRange(TokenReader& reader, Template Bound::*end) {
  Bound bound;
  bound.*end = TRY(ReadTemplate(reader));
  if (reader.TakeWord("within")) bound.within = TRY(ReadTemplate(reader));
  return bound;
}

Result<SortKeyBegins> ReadBegins(TokenReader& reader) {
  return SortKeyBegins{TRY(ReadTemplate(reader))};
}
Result<SortKeyBefore> ReadBefore(TokenReader& reader) {
  return ReadOpenRange(reader, &SortKeyBefore::end);
}
Result<SortKeyAfter> ReadAfter(TokenReader& reader) {
  return ReadOpenRange(reader, &SortKeyAfter::start);
}
Result<SortKeyBetween> ReadBetween(TokenReader& reader) {
  SortKeyBetween range;
  range.first = TRY(ReadTemplate(reader));
  TRY(reader.ExpectWord("and"));
  range.last = TRY(ReadTemplate(reader));
  return range;
}
Result<SortKeyFrom> ReadFrom(TokenReader& reader) {
  SortKeyFrom range;
  range.first = TRY(ReadTemplate(reader));
  TRY(reader.ExpectWord("before"));
  range.before = TRY(ReadTemplate(reader));
  return range;
}

constexpr Form<SortKeyRange> kRanges[] = {
    {"begins", Into<SortKeyRange, ReadBegins>}, {"before", Into<SortKeyRange, ReadBefore>},
    {"after", Into<SortKeyRange, ReadAfter>},   {"between", Into<SortKeyRange, ReadBetween>},
    {"from", Into<SortKeyRange, ReadFrom>},
};

Status ReadSortKey(TokenReader& reader, Query& query) {
  if (reader.At(TokenKind::kText)) {
    query.sort_key = SortKeyIs{TRY(ReadTemplate(reader))};
  } else {
    query.sort_key = TRY(ReadForm(reader, "a range of sort keys", kRanges));
  }
  return Ok();
}

Status ReadOnly(TokenReader& reader, Query& query) {
  query.only = TRY(ReadNames(reader, "the name of an entity"));
  return Ok();
}
Status ReadFilter(TokenReader& reader, Query& query) {
  query.filter = TRY(ReadCondition(reader));
  return Ok();
}
Status ReadMerge(TokenReader& reader, Query& query) {
  query.merge = TRY(ReadName(reader, "the name of an attribute"));
  return Ok();
}
Status ReadOrder(TokenReader& reader, Query& query) {
  query.order = TRY(ReadWord<Order>(reader, "an order"));
  return Ok();
}
Status ReadSort(TokenReader& reader, Query& query) {
  query.sort = TRY(ReadPath(reader));
  return Ok();
}
Status ReadLimit(TokenReader& reader, Query& query) {
  query.limit = TRY(ReadCount(reader, "the number of items"));
  return Ok();
}
Status ReadHydrate(TokenReader&, Query& query) {
  query.hydrate = true;
  return Ok();
}
Status ReadConsistent(TokenReader&, Query& query) {
  query.consistent = true;
  return Ok();
}
Status ReadMatch(TokenReader& reader, Query& query) {
  TRY(reader.ExpectWord("fuzzy"));
  FuzzyMatch match;
  match.attribute = TRY(ReadPath(reader));
  match.parameter = TRY(ReadName(reader, "the name of a parameter"));
  query.match = std::move(match);
  return Ok();
}

struct Clause {
  std::string_view word;
  Status (*read)(TokenReader& reader, Query& query);
};

constexpr Clause kClauses[] = {
    {"sk", ReadSortKey},  {"only", ReadOnly},       {"filter", ReadFilter},
    {"merge", ReadMerge}, {"order", ReadOrder},     {"sort", ReadSort},
    {"limit", ReadLimit}, {"hydrate", ReadHydrate}, {"consistent", ReadConsistent},
    {"match", ReadMatch},
};

Status Twice(TokenReader& reader, std::string_view word) {
  return reader.Fail("S4", reader.current().position, fmt::format("`{}` is given twice", word));
}

// "tenant p", wherever it stands among the clauses.
Status ReadTenantClause(TokenReader& reader, std::optional<Name>& tenant) {
  if (tenant) return Twice(reader, "tenant");
  reader.Take();
  tenant = TRY(ReadName(reader, "the name of a parameter"));
  return Ok();
}

Status ReadClauses(TokenReader& reader, Query& query, std::optional<Name>& tenant) {
  std::vector<std::string_view> given;
  while (!reader.AtStatementEnd()) {
    if (reader.AtWord("tenant")) {
      TRY(ReadTenantClause(reader, tenant));
      continue;
    }
    const std::string_view word = reader.current().text;
    const auto* const clause = std::ranges::find(kClauses, word, &Clause::word);
    if (clause == std::end(kClauses)) {
      std::vector<std::string_view> words{"tenant"};
      for (const Clause& known : kClauses)
        words.push_back(known.word);
      return reader.UnknownWord("a part of a query", words);
    }
    if (std::ranges::find(given, word) != given.end()) return Twice(reader, word);
    given.push_back(word);
    if (word == "consistent") query.consistent_position = reader.current().position;
    reader.Take();
    TRY(clause->read(reader, query));
  }
  return Ok();
}

Result<Query> ReadQuery(TokenReader& reader, std::optional<Name>& tenant) {
  Query query;
  Name source = TRY(ReadName(reader, "`table` or the name of an index"));
  if (source.text != "table") query.index = std::move(source);
  TRY(reader.ExpectWord("pk"));
  query.partition_key = TRY(ReadTemplate(reader));
  TRY(ReadClauses(reader, query, tenant));
  return query;
}

Result<AccessAction> ReadAction(TokenReader& reader, std::optional<Name>& tenant) {
  if (reader.TakeWord("query")) return AccessAction(TRY(ReadQuery(reader, tenant)));
  AccessAction action;
  if (reader.TakeWord("get")) {
    action = GetItem{reader.TakeWord("consistent")};
  } else if (reader.TakeWord("create")) {
    action = CreateItem{};
  } else if (reader.TakeWord("update")) {
    action = UpdateItem{};
  } else if (reader.TakeWord("delete")) {
    action = DeleteItem{};
  } else {
    constexpr auto kActions = Words("get", "create", "update", "delete", "query");
    return reader.UnknownWord("what an access does", kActions);
  }
  if (reader.AtWord("tenant")) TRY(ReadTenantClause(reader, tenant));
  return action;
}

}  // namespace

Result<std::vector<Parameter>> ReadParameters(TokenReader& reader) {
  std::vector<Parameter> parameters;
  TRY(reader.ExpectSign("("));
  while (!reader.AtSign(")")) {
    parameters.push_back(TRY(ReadParameter(reader)));
    if (!reader.TakeSign(",")) break;
  }
  TRY(reader.ExpectSign(")"));
  return parameters;
}

Result<Access> ReadAccess(TokenReader& reader) {
  Access access;
  TRY(ReadSignature(reader, access));
  access.action = TRY(ReadAction(reader, access.tenant));
  return access;
}

Result<ExternalAccess> ReadExternalAccess(TokenReader& reader) {
  ExternalAccess access;
  TRY(reader.ExpectWord("access"));
  TRY(ReadSignature(reader, access));
  access.by = TRY(ReadText(reader, "who answers it, in quotes"));
  return access;
}

}  // namespace trestle::design::syntax

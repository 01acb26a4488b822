#include <optional>
#include <string>

#include "design/syntax/parser_internal.h"

namespace trestle::design::syntax {
namespace {

Result<MustExist> ReadMustExist(TokenReader&) { return MustExist{}; }

Result<CopyRule> ReadCopy(TokenReader& reader) {
  CopyRule rule;
  rule.to = TRY(ReadPath(reader));
  TRY(reader.ExpectSign("="));
  rule.from = TRY(ReadPath(reader));
  return rule;
}

Result<CountRule> ReadCountRule(TokenReader& reader) {
  CountRule rule;
  TRY(reader.ExpectWord("into"));
  rule.into = TRY(ReadPath(reader));
  rule.when = TRY(ReadOptionalCondition(reader, "when"));
  return rule;
}

// "sum a into b" and "average a into b".
template <typename Rule>
Result<Rule> ReadAggregate(TokenReader& reader) {
  Rule rule;
  rule.attribute = TRY(ReadPath(reader));
  TRY(reader.ExpectWord("into"));
  rule.into = TRY(ReadPath(reader));
  rule.when = TRY(ReadOptionalCondition(reader, "when"));
  return rule;
}

Result<RelationRule> ReadOnDelete(TokenReader& reader) {
  if (reader.TakeWord("detach")) {
    return RelationRule(DetachRule{TRY(ReadNamesInParentheses(reader))});
  }
  const auto action = FromWord<OnDelete>(reader.current().text);
  if (!action) {
    constexpr auto kActions = Words("cascade", "detach", "restrict", "ignore");
    return reader.UnknownWord("what happens to a child", kActions);
  }
  reader.Take();
  return RelationRule(OnDeleteRule{*action});
}

Result<OnRekeyMove> ReadOnRekey(TokenReader& reader) {
  TRY(reader.ExpectWord("move"));
  return OnRekeyMove{};
}

Result<ThroughRule> ReadThrough(TokenReader& reader) {
  ThroughRule rule;
  rule.access = TRY(ReadName(reader, "the name of an access"));
  if (reader.TakeWord("filter")) rule.filter = TRY(ReadPath(reader));
  return rule;
}

constexpr Form<RelationRule> kRules[] = {
    {"must_exist", Into<RelationRule, ReadMustExist>},
    {"copy", Into<RelationRule, ReadCopy>},
    {"count", Into<RelationRule, ReadCountRule>},
    {"sum", Into<RelationRule, ReadAggregate<SumRule>>},
    {"average", Into<RelationRule, ReadAggregate<AverageRule>>},
    {"on_delete", ReadOnDelete},
    {"on_rekey", Into<RelationRule, ReadOnRekey>},
    {"through", Into<RelationRule, ReadThrough>},
};

Result<RelationRule> ReadRule(TokenReader& reader) {
  return ReadForm(reader, "a rule of a relation", kRules);
}

Result<Link> ReadLink(TokenReader& reader) {
  Link link;
  link.attribute = TRY(ReadName(reader, "the name of an attribute"));
  if (reader.TakeSign("->")) {
    link.parent_attribute = TRY(ReadName(reader, "the name of the parent's attribute"));
  }
  return link;
}

Status ReadHeader(TokenReader& reader, BelongsTo& relation) {
  relation.parent = TRY(ReadName(reader, "the name of an entity"));
  TRY(reader.ExpectWord("by"));
  TRY(reader.ExpectSign("("));
  do {
    relation.links.push_back(TRY(ReadLink(reader)));
  } while (reader.TakeSign(","));
  TRY(reader.ExpectSign(")"));
  relation.optional = reader.TakeWord("optional");
  relation.when = TRY(ReadOptionalCondition(reader, "when"));
  if (reader.AtSign("{")) return Ok();
  return reader.Expected("`optional`, `when` or `{`");
}

}  // namespace

Result<BelongsTo> ReadBelongsTo(TokenReader& reader) {
  BelongsTo relation;
  const Status header = ReadHeader(reader, relation);
  relation.rules = TRY(ReadBody<RelationRule>(reader, header, ReadRule));
  return relation;
}

}  // namespace trestle::design::syntax

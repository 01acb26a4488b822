#include <optional>
#include <string>

#include "design/syntax/parser_internal.h"

namespace trestle::design::syntax {
namespace {

// "a = v", or "a" for the parameter of the same name.
Result<Assign> ReadAssign(TokenReader& reader) {
  Assign assign;
  assign.attribute = TRY(ReadPath(reader));
  if (reader.TakeSign("=")) assign.value = TRY(ReadValue(reader));
  return assign;
}

template <typename AppendOrDrop>
Result<AppendOrDrop> ReadElementChange(TokenReader& reader) {
  AppendOrDrop change;
  change.attribute = TRY(ReadPath(reader));
  change.value = TRY(ReadValue(reader));
  return change;
}

// `remove` and the like are verbs before a name, and names otherwise.
Result<Change> ReadChange(TokenReader& reader) {
  if (reader.next().kind == TokenKind::kName) {
    if (reader.TakeWord("remove")) return Change(Remove{TRY(ReadPath(reader))});
    if (reader.TakeWord("append")) return Into<Change, ReadElementChange<Append>>(reader);
    if (reader.TakeWord("drop")) return Into<Change, ReadElementChange<Drop>>(reader);
    constexpr auto kChanges = Words("remove", "append", "drop");
    return reader.UnknownWord("a change", kChanges);
  }
  return Into<Change, ReadAssign>(reader);
}

// "{ x, y }", with commas or line ends between.
template <typename Element>
Result<std::vector<Element>> ReadBraced(TokenReader& reader,
                                        Result<Element> (*read)(TokenReader&)) {
  std::vector<Element> elements;
  TRY(reader.ExpectSign("{"));
  reader.SkipNewlines();
  while (!reader.AtSign("}")) {
    elements.push_back(TRY(read(reader)));
    if (!reader.TakeSign(",") && !reader.At(TokenKind::kNewline)) break;
    reader.SkipNewlines();
  }
  TRY(reader.ExpectSign("}"));
  return elements;
}

Result<ItemReference> ReadItemReference(TokenReader& reader, std::string_view what) {
  ItemReference item;
  item.entity = TRY(ReadName(reader, what));
  TRY(reader.ExpectSign("("));
  while (!reader.AtSign(")")) {
    item.arguments.push_back(TRY(ReadValue(reader)));
    if (!reader.TakeSign(",")) break;
  }
  TRY(reader.ExpectSign(")"));
  return item;
}

template <typename CreateOrUpsert>
Result<CreateOrUpsert> ReadCreate(TokenReader& reader) {
  CreateOrUpsert step;
  step.entity = TRY(ReadName(reader, "the name of an entity"));
  step.attributes = TRY(ReadBraced(reader, ReadAssign));
  step.where = TRY(ReadOptionalCondition(reader, "where"));
  return step;
}

Result<UpdateStep> ReadUpdate(TokenReader& reader) {
  UpdateStep step;
  step.item = TRY(ReadItemReference(reader, "the name of an entity"));
  step.changes = TRY(ReadBraced(reader, ReadChange));
  step.where = TRY(ReadOptionalCondition(reader, "where"));
  return step;
}

Result<DeleteStep> ReadDelete(TokenReader& reader) {
  DeleteStep step;
  step.item = TRY(ReadItemReference(reader, "the name of an entity"));
  step.where = TRY(ReadOptionalCondition(reader, "where"));
  return step;
}

Result<IncrementStep> ReadIncrement(TokenReader& reader) {
  IncrementStep step;
  step.item = TRY(ReadItemReference(reader, "the name of an entity"));
  step.attribute = TRY(ReadPath(reader));
  TRY(reader.ExpectWord("by"));
  step.by = TRY(ReadValue(reader));
  step.where = TRY(ReadOptionalCondition(reader, "where"));
  return step;
}

Result<CheckStep> ReadCheck(TokenReader& reader) {
  CheckStep step;
  step.item = TRY(ReadItemReference(reader, "the name of an entity"));
  TRY(reader.ExpectWord("where"));
  step.where = TRY(ReadCondition(reader));
  return step;
}

Result<OperationStep> ReadEach(TokenReader& reader) {
  ItemReference access = TRY(ReadItemReference(reader, "the name of an access"));
  if (reader.TakeWord("delete")) {
    EachDeleteStep step{.access = std::move(access), .where = {}};
    step.where = TRY(ReadOptionalCondition(reader, "where"));
    return OperationStep(std::move(step));
  }
  if (!reader.AtSign("{")) return reader.Expected("`{` or `delete`");
  EachUpdateStep step{.access = std::move(access), .changes = {}, .where = {}};
  step.changes = TRY(ReadBraced(reader, ReadChange));
  step.where = TRY(ReadOptionalCondition(reader, "where"));
  return OperationStep(std::move(step));
}

constexpr Form<OperationStep> kSteps[] = {
    {"create", Into<OperationStep, ReadCreate<CreateStep>>},
    {"upsert", Into<OperationStep, ReadCreate<UpsertStep>>},
    {"update", Into<OperationStep, ReadUpdate>},
    {"delete", Into<OperationStep, ReadDelete>},
    {"increment", Into<OperationStep, ReadIncrement>},
    {"check", Into<OperationStep, ReadCheck>},
    {"each", ReadEach},
};

Result<OperationStep> ReadStep(TokenReader& reader) {
  return ReadForm(reader, "a step of an operation", kSteps);
}

Status ReadHeader(TokenReader& reader, Operation& operation) {
  operation.name = TRY(ReadName(reader, "a name for the operation"));
  operation.parameters = TRY(ReadParameters(reader));
  operation.eventual = reader.TakeWord("eventual");
  if (reader.AtSign("{")) return Ok();
  return reader.Expected("`eventual` or `{`");
}

}  // namespace

Result<Operation> ReadOperation(TokenReader& reader) {
  Operation operation;
  const Status header = ReadHeader(reader, operation);
  operation.steps = TRY(ReadBody<OperationStep>(reader, header, ReadStep));
  return operation;
}

}  // namespace trestle::design::syntax

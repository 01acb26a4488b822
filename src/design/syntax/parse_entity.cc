#include <optional>
#include <string>
#include <type_traits>

#include "design/syntax/parser_internal.h"

namespace trestle::design::syntax {
namespace {

// The forms below are members of entities and, some of them, of mirrors.

Result<TypeTag> ReadTypeTag(TokenReader& reader) {
  return TypeTag{TRY(ReadText(reader, "the type's name in quotes"))};
}

// pk "T" [sk "T"] [when COND]
template <typename Entry>
Status ReadKeys(TokenReader& reader, Entry& entry) {
  TRY(reader.ExpectWord("pk"));
  entry.partition_key = TRY(ReadTemplate(reader));
  if (reader.TakeWord("sk")) entry.sort_key = TRY(ReadTemplate(reader));
  entry.when = TRY(ReadOptionalCondition(reader, "when"));
  return Ok();
}

Result<KeyEntry> ReadKeyEntry(TokenReader& reader) {
  KeyEntry entry;
  TRY(ReadKeys(reader, entry));
  return entry;
}

template <typename Member>
Result<Member> ReadIndexEntry(TokenReader& reader) {
  IndexEntry entry;
  entry.index = TRY(ReadName(reader, "the name of an index"));
  if (reader.TakeWord("direct")) return Member(DirectIndexEntry{std::move(entry.index)});
  if (!reader.AtWord("pk")) return reader.Expected("`pk` or `direct`");
  TRY(ReadKeys(reader, entry));
  if (reader.TakeWord("shards")) entry.shards = TRY(ReadCount(reader, "the number of shards"));
  return Member(std::move(entry));
}

Result<Identity> ReadIdentity(TokenReader& reader) {
  Identity identity;
  identity.attributes = TRY(ReadNamesInParentheses(reader));
  if (reader.TakeWord("via")) identity.via = TRY(ReadName(reader, "the name of a mirror"));
  return identity;
}

Result<RekeyOn> ReadRekeyOn(TokenReader& reader) {
  TRY(reader.ExpectWord("on"));
  return RekeyOn{TRY(ReadNamesInParentheses(reader))};
}

Result<Unique> ReadUnique(TokenReader& reader) {
  Unique rule;
  rule.name = TRY(ReadName(reader, "a name for the rule"));
  rule.attributes = TRY(ReadNamesInParentheses(reader));
  return rule;
}

constexpr Form<EntityMember> kEntityMembers[] = {
    {"type", Into<EntityMember, ReadTypeTag>},
    {"key", Into<EntityMember, ReadKeyEntry>},
    {"index", ReadIndexEntry<EntityMember>},
    {"identity", Into<EntityMember, ReadIdentity>},
    {"rekey", Into<EntityMember, ReadRekeyOn>},
    {"unique", Into<EntityMember, ReadUnique>},
    {"belongs_to", Into<EntityMember, ReadBelongsTo>},
};

// Attributes may have the names of other members: the colon tells.
Result<EntityMember> ReadEntityMember(TokenReader& reader) {
  if (reader.At(TokenKind::kName) && reader.next().text == ":") {
    return Into<EntityMember, ReadAttribute>(reader);
  }
  return ReadForm(reader, "a part of an entity, and no `:` follows it", kEntityMembers);
}

Result<Include> ReadInclude(TokenReader& reader) {
  return Include{TRY(ReadNames(reader, "the name of an attribute"))};
}

constexpr Form<MirrorMember> kMirrorMembers[] = {
    {"type", Into<MirrorMember, ReadTypeTag>},
    {"key", Into<MirrorMember, ReadKeyEntry>},
    {"index", ReadIndexEntry<MirrorMember>},
    {"include", Into<MirrorMember, ReadInclude>},
};

Result<MirrorMember> ReadMirrorMember(TokenReader& reader) {
  return ReadForm(reader, "a part of a mirror", kMirrorMembers);
}

Status ReadHeader(TokenReader& reader, Entity& entity) {
  entity.name = TRY(ReadName(reader, "a name for the entity"));
  if (reader.TakeWord("uses")) entity.shapes = TRY(ReadNames(reader, "the name of a shape"));
  entity.append_only = reader.TakeWord("append_only");
  if (reader.AtSign("{")) return Ok();
  return reader.Expected("`uses`, `append_only` or `{`");
}

Status ReadHeader(TokenReader& reader, Mirror& mirror) {
  mirror.name = TRY(ReadName(reader, "a name for the mirror"));
  TRY(reader.ExpectWord("of"));
  mirror.entity = TRY(ReadName(reader, "the name of an entity"));
  mirror.when = TRY(ReadOptionalCondition(reader, "when"));
  if (reader.AtSign("{")) return Ok();
  return reader.Expected("`when` or `{`");
}

Status ReadHeader(TokenReader& reader, Shape& shape) {
  shape.name = TRY(ReadName(reader, "a name for the shape"));
  return Ok();
}

}  // namespace

Result<Entity> ReadEntity(TokenReader& reader) {
  Entity entity;
  const Status header = ReadHeader(reader, entity);
  entity.members = TRY(ReadBody<EntityMember>(reader, header, ReadEntityMember));
  return entity;
}

Result<Shape> ReadShape(TokenReader& reader) {
  Shape shape;
  const Status header = ReadHeader(reader, shape);
  shape.members = TRY(ReadBody<EntityMember>(reader, header, ReadEntityMember));
  return shape;
}

Result<Mirror> ReadMirror(TokenReader& reader) {
  Mirror mirror;
  const Status header = ReadHeader(reader, mirror);
  mirror.members = TRY(ReadBody<MirrorMember>(reader, header, ReadMirrorMember));
  return mirror;
}

}  // namespace trestle::design::syntax

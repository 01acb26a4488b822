// Who somebody is here, what they may see, and how it is shown.

#include <utility>
#include <variant>

#include "apps/library/library_internal.h"
#include "base/check.h"
#include "platform/identity/accounts.h"
#include "platform/item_json.h"
#include "platform/items.h"
#include "platform/problem.h"
#include "platform/values.h"
#include "text/unicode.h"

namespace trestle::apps::library {
namespace {

using design::Record;
using design::TypedItem;
using platform::TextOf;
using platform::TextRecord;

constexpr std::size_t kNameBytesMax = 200;

// Tokens need not say who their owner is; the pool knows.
struct Person {
  std::string name;
  std::string email;
};
Person PersonOf(const Call& call) {
  Person person{.name = call.principal()->name.value_or(""),
                .email = call.principal()->email.value_or("")};
  if ((person.name.empty() || person.email.empty()) && call.shared().accounts != nullptr) {
    const auto account = call.shared().accounts->Get(call.sub());
    if (account.ok() && person.name.empty()) person.name = TextOf(account->record, "name");
    if (account.ok() && person.email.empty()) person.email = TextOf(account->record, "email");
  }
  person.name = text::Nfc(text::Trim(person.name));
  if (person.name.empty() || person.name.size() > kNameBytesMax) {
    person.name = person.email.substr(0, person.email.find('@'));
  }
  if (person.name.empty()) person.name = call.sub();
  return person;
}

}  // namespace

std::string OwnerIdOf(std::string_view sub) {
  std::string id;
  id.reserve(sub.size());
  for (const char c : sub) {
    if (c == '-') continue;
    id.push_back(c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c);
  }
  return id;
}

std::string OwnerIdOf(const Call& call) { return OwnerIdOf(call.sub()); }

Status Admit(Call& call) {
  platform::KnownPeople* known = call.mount().known;
  if (known != nullptr && known->Contains(call.sub())) return Ok();
  const Person person = PersonOf(call);
  Record owner = TextRecord({{"OwnerId", OwnerIdOf(call)}, {"OwnerName", person.name}});
  if (!person.email.empty()) owner.SetText("Email", text::EmailKey(person.email));
  return platform::EnsureProfile(call, "Owner", owner);
}

Record LibraryIdentity(std::string_view owner_id, std::string_view library) {
  return TextRecord({{"OwnerId", owner_id}, {"LibraryId", library}});
}

Record ItemIdentity(const Record& item) {
  return TextRecord({{"OwnerId", TextOf(item, "OwnerId")},
                     {"LibraryId", TextOf(item, "LibraryId")},
                     {"ItemId", TextOf(item, "ItemId")}});
}

const std::string& KindOf(const TypedItem& item) { return item.kind.of().name; }

const design::Condition* ConditionOf(const design::Runtime& runtime, std::string_view operation) {
  const design::Operation* found = runtime.model().FindOperation(operation);
  CHECK(found != nullptr, "an operation of the app's design");
  const auto& step = found->steps.front().is;
  if (const auto* update = std::get_if<design::syntax::UpdateStep>(&step)) {
    return update->where ? &*update->where : nullptr;
  }
  const auto& where = std::get<design::syntax::DeleteStep>(step).where;
  return where ? &*where : nullptr;
}

bool IsOwn(const Call& call, const Record& record) {
  return call.principal() && TextOf(record, "OwnerId") == OwnerIdOf(call);
}

Result<TypedItem> VisibleLibrary(Call& call) {
  const std::string& library_id = call.PathValue("libraryId");
  const std::string me = OwnerIdOf(call);
  auto own = platform::GetItem(call, "Library", LibraryIdentity(me, library_id));
  if (own.ok() || own.error().code() != ErrorCode::kResourceNotFound) return own;
  const auto pointer = platform::GetItem(
      call, "SharedLibrary", TextRecord({{"SharedToId", me}, {"LibraryId", library_id}}));
  if (!pointer.ok()) return own;
  TypedItem shared = TRY(platform::GetItem(
      call, "Library", LibraryIdentity(TextOf(pointer->record, "SharedFromId"), library_id)));
  call.facts().SetText("SharedFromName", TextOf(pointer->record, "SharedFromName"));
  platform::SetBool(call.facts(), "ShowBorrower",
                    platform::BoolOf(shared.record, "ShowBorrower").value_or(false));
  return shared;
}

Result<TypedItem> OwnLibrary(Call& call) {
  TypedItem library = TRY(VisibleLibrary(call));
  if (IsOwn(call, library.record)) return library;
  return platform::ProblemError("forbidden", "only the owner of the library may do this");
}

Result<TypedItem> FindItem(const Call& call, std::string_view owner_id) {
  design::TypedPage page =
      TRY(platform::RunAccess(call, "getItem",
                              TextRecord({{"OwnerId", owner_id},
                                          {"LibraryId", call.PathValue("libraryId")},
                                          {"ItemId", call.PathValue("itemId")}})));
  if (page.items.empty()) return platform::NotFound("item");
  return std::move(page.items.front());
}

Result<TypedItem> FindCollection(const Call& call, std::string_view owner_id) {
  return platform::GetItem(call, "Collection",
                           TextRecord({{"OwnerId", owner_id},
                                       {"LibraryId", call.PathValue("libraryId")},
                                       {"CollectionId", call.PathValue("collectionId")}}));
}

bool MaySeeInItem(const Call& call, const TypedItem& item, std::string_view attribute) {
  if (attribute != "LentTo" || IsOwn(call, item.record)) return true;
  return platform::BoolOf(call.facts(), "ShowBorrower").value_or(false);
}

bool MaySeeInLibrary(const Call& call, const TypedItem& library, std::string_view attribute) {
  return (attribute != "SharedTo" && attribute != "ShowBorrower") || IsOwn(call, library.record);
}

void AddToItem(const Call& /*call*/, const TypedItem& item, json::Writer& writer) {
  writer.Key("id");
  writer.String(TextOf(item.record, "ItemId"));
  writer.Key("type");
  writer.String(KindOf(item) == "Book" ? "book" : "video");
  writer.Key("lent");
  writer.Bool(item.record.Find("LentTo").has_value());
}

void AddToLibrary(const Call& call, const TypedItem& library, json::Writer& writer) {
  writer.Key("id");
  writer.String(TextOf(library.record, "LibraryId"));
  const bool is_own = IsOwn(call, library.record);
  writer.Key("isOwner");
  writer.Bool(is_own);
  if (is_own) return;
  writer.Key("sharedFrom");
  writer.String(TextOf(call.facts(), "SharedFromName"));
}

void AddToCollection(const Call& /*call*/, const TypedItem& collection, json::Writer& writer) {
  writer.Key("id");
  writer.String(TextOf(collection.record, "CollectionId"));
  writer.Key("type");
  writer.String("collection");
}

void AddToEvent(const Call& /*call*/, const TypedItem& event, json::Writer& writer) {
  writer.Key("borrower");
  writer.String(TextOf(event.record, "Event"));
  writer.Key("at");
  writer.String(TextOf(event.record, "UpdatedAt"));
}

}  // namespace trestle::apps::library

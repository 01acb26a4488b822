// Whom libraries are shared with.

#include <algorithm>
#include <utility>
#include <vector>

#include "apps/library/library_internal.h"
#include "platform/identity/accounts.h"
#include "platform/items.h"
#include "platform/problem.h"
#include "platform/values.h"
#include "text/unicode.h"

namespace trestle::apps::library {
namespace {

using design::Record;
using design::TypedItem;
using platform::ProblemError;
using platform::TextOf;
using platform::TextRecord;

constexpr std::size_t kPeopleMax = 50;

std::string EmailOf(std::string_view text) { return text::EmailKey(text); }

// The owner's id of who has this e-mail address; nothing when nobody has.
Result<std::optional<std::string>> FindPerson(const Call& call, std::string_view email) {
  if (call.shared().accounts == nullptr) {
    return ProblemError("not-implemented",
                        "this server knows no e-mail addresses: its people sign in elsewhere");
  }
  const auto account = TRY(call.shared().accounts->FindByEmail(email));
  if (!account) return std::optional<std::string>();
  return std::optional(OwnerIdOf(TextOf(account->record, "sub")));
}

void WriteShare(const TypedItem& share, json::Writer& writer) {
  writer.BeginObject();
  writer.Key("email");
  writer.String(TextOf(share.record, "SharedToEmail"));
  writer.Key("since");
  writer.String(TextOf(share.record, "SharedAt"));
  writer.EndObject();
}

// The pointer of the library that is for this e-mail address.
Result<std::optional<Record>> FindPointer(const Call& call, const std::string& email) {
  const std::string me = OwnerIdOf(call);
  const std::string& library_id = call.PathValue("libraryId");
  const std::vector<TypedItem> shares =
      TRY(platform::RunWhole(call.runtime(), "sharesOfLibrary",
                             TextRecord({{"SharedFromId", me}, {"LibraryId", library_id}})));
  const auto share = std::ranges::find_if(shares, [&](const TypedItem& it) {
    return EmailOf(TextOf(it.record, "SharedToEmail")) == email;
  });
  if (share != shares.end()) return std::optional(share->record);
  // The index may not know yet what was shared a moment ago.
  if (call.shared().accounts == nullptr) return std::optional<Record>();
  const auto person = TRY(FindPerson(call, email));
  if (!person) return std::optional<Record>();
  const auto pointer =
      TRY(call.runtime().Get(platform::EntityNamed(call, "SharedLibrary"),
                             TextRecord({{"SharedToId", *person}, {"LibraryId", library_id}})));
  if (!pointer || TextOf(pointer->record, "SharedFromId") != me) return std::optional<Record>();
  return std::optional(pointer->record);
}

// kResourceNotFound when it is not shared with this person.
Status Unshare(Call& call, const TypedItem& library, const std::string& email) {
  const Record identity = LibraryIdentity(OwnerIdOf(call), call.PathValue("libraryId"));
  if (const auto pointer = TRY(FindPointer(call, email))) {
    Record arguments = identity;
    arguments.SetText("email", TextOf(*pointer, "SharedToEmail"));
    arguments.SetText("SharedToId", TextOf(*pointer, "SharedToId"));
    TRY(platform::RunOperation(call, "unshareLibrary", arguments));
    return Ok();
  }
  // A library that others have written may name somebody who has no pointer to it.
  const std::vector<std::string> emails = platform::TextsOf(library.record, "SharedTo");
  const auto named = std::ranges::find(emails, email, EmailOf);
  if (named == emails.end()) return platform::NotFound("share");
  std::vector<std::string> rest;
  std::ranges::copy_if(emails, std::back_inserter(rest),
                       [&](const std::string& it) { return it != *named; });
  Record texts;
  platform::SetTexts(texts, "SharedTo", rest);
  design::Changes changes;
  changes.set.push_back({{{}, {"SharedTo"}}, std::string(texts.Find("SharedTo")->bytes())});
  design::WriteOptions options = TRY(call.write_options());
  options.expected_version = library.version;
  TRY(call.runtime().Update(platform::EntityNamed(call, "Library"), identity, changes, options));
  return Ok();
}

// Why a library could not be shared.
Error Refusal(const Call& call, const std::string& email, const Error& error) {
  if (error.code() != ErrorCode::kConditionalCheckFailed) return error;
  const auto library = platform::GetItem(
      call, "Library", LibraryIdentity(OwnerIdOf(call), call.PathValue("libraryId")));
  if (!library.ok()) return library.error();
  const std::vector<std::string> emails = platform::TextsOf(library->record, "SharedTo");
  if (std::ranges::find(emails, email) == emails.end() && emails.size() >= kPeopleMax) {
    return ProblemError("semantic", "a library is shared with at most 50 people");
  }
  return ProblemError("already-exists", "the library is shared with this person already");
}

}  // namespace

Status ListShares(Call& call, json::Writer& reply) {
  TRY(OwnLibrary(call));
  return platform::ReplyList(
      call, "sharesOfLibrary",
      TextRecord({{"SharedFromId", OwnerIdOf(call)}, {"LibraryId", call.PathValue("libraryId")}}),
      {.write = WriteShare}, reply);
}

Status PostShare(Call& call, json::Writer& reply) {
  TRY(OwnLibrary(call));
  const std::string email = EmailOf(TextOf(call.fields(), "email"));
  const auto person = TRY(FindPerson(call, email));
  if (!person) return ProblemError("user-not-found", "nobody here has this e-mail address");
  if (*person == OwnerIdOf(call)) {
    return ProblemError("semantic", "it is your own library already");
  }
  Record arguments = LibraryIdentity(OwnerIdOf(call), call.PathValue("libraryId"));
  arguments.SetText("email", email);
  arguments.SetText("SharedToId", *person);
  const auto shared = platform::RunOperation(call, "shareLibrary", arguments);
  if (!shared.ok()) return Refusal(call, email, shared.error());
  call.SetStatus(201);
  WriteShare(*std::ranges::find(*shared, "SharedLibrary", KindOf), reply);
  return Ok();
}

Status DeleteShare(Call& call, json::Writer& /*reply*/) {
  const TypedItem library = TRY(OwnLibrary(call));
  TRY(Unshare(call, library, EmailOf(call.PathValue("email"))));
  return platform::ReplyNothing(call);
}

Status RemoveShares(Call& call, json::Writer& /*reply*/) {
  TRY(OwnLibrary(call));
  for (const std::string& email : platform::TextsOf(call.fields(), "emails")) {
    const TypedItem library = TRY(OwnLibrary(call));
    Status removed = Unshare(call, library, EmailOf(email));
    // Who is no longer among them is what was asked for.
    if (!removed.ok() && removed.error().code() != ErrorCode::kResourceNotFound) return removed;
  }
  return platform::ReplyNothing(call);
}

Status LeaveLibrary(Call& call, json::Writer& /*reply*/) {
  const TypedItem pointer = TRY(platform::GetItem(
      call, "SharedLibrary",
      TextRecord({{"SharedToId", OwnerIdOf(call)}, {"LibraryId", call.PathValue("libraryId")}})));
  const design::WriteOptions options = TRY(call.write_options());
  TRY(Leave(call.runtime(), pointer.record, options));
  return platform::ReplyNothing(call);
}

Status Leave(design::Runtime& runtime, const Record& pointer, const design::WriteOptions& options) {
  const std::string me = TextOf(pointer, "SharedToId");
  const std::string library_id = TextOf(pointer, "LibraryId");
  const auto left = runtime.Run(*runtime.model().FindOperation("leaveLibrary"),
                                TextRecord({{"SharedToId", me},
                                            {"LibraryId", library_id},
                                            {"SharedFromId", TextOf(pointer, "SharedFromId")},
                                            {"email", TextOf(pointer, "SharedToEmail")}}),
                                options);
  if (left.ok()) return Ok();
  if (left.error().code() != ErrorCode::kResourceNotFound) return left.error();
  // The library is gone, or this pointer is.
  const auto removed = runtime.Delete(*runtime.model().FindEntity("SharedLibrary"),
                                      TextRecord({{"SharedToId", me}, {"LibraryId", library_id}}));
  if (!removed.ok() && removed.error().code() != ErrorCode::kResourceNotFound) {
    return removed.error();
  }
  return Ok();
}

}  // namespace trestle::apps::library

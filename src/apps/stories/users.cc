// Readers and writers: their own profile, and that of others.

#include <algorithm>
#include <iterator>

#include "apps/stories/rules.h"
#include "apps/stories/stories_internal.h"
#include "design/time_text.h"
#include "platform/identity/accounts.h"
#include "platform/items.h"
#include "platform/values.h"

namespace trestle::apps::stories {
namespace {

using design::Changes;
using design::Record;
using design::TypedItem;
using platform::TextOf;
using platform::TextRecord;

constexpr std::int64_t kLoginPauseMs = 60LL * 60 * 1000;

Record MyIdentity(const Call& call) { return TextRecord({{"userId", call.sub()}}); }

// What the token says of the caller, else the local pool.
Record NewProfile(const Call& call) {
  Record profile = MyIdentity(call);
  std::string name = call.principal()->name.value_or("");
  std::string email = call.principal()->email.value_or("");
  if ((name.empty() || email.empty()) && call.shared().accounts != nullptr) {
    const auto account = call.shared().accounts->Get(call.sub());
    if (account.ok() && name.empty()) name = TextOf(account->record, "name");
    if (account.ok() && email.empty()) email = TextOf(account->record, "email");
  }
  profile.SetText("displayName", name.empty() ? "Reader" : name);
  if (!email.empty()) profile.SetText("email", email);
  return profile;
}

Result<TypedItem> MyProfile(const Call& call) {
  return platform::GetItem(call, "User", MyIdentity(call));
}

// At most once an hour, and nobody's edit: the version stays.
Status NoteLogin(const Call& call, const Record& profile) {
  const auto last = design::ParseTimestamp(TextOf(profile, "lastLoginAt"));
  if (last && *last + kLoginPauseMs > call.now_unix_ms()) return Ok();
  Changes changes;
  platform::SetText(changes, "lastLoginAt", TimeText(call.now_unix_ms()));
  const auto noted = call.runtime().Update(platform::EntityNamed(call, "User"), MyIdentity(call),
                                           changes, {.is_maintenance = true});
  if (!noted.ok() && noted.error().code() != ErrorCode::kTransactionConflict) return noted.error();
  return Ok();
}

void WriteSettings(const TypedItem& profile, json::Writer& reply) {
  Record settings;
  if (const auto map = profile.record.Find("settings")) {
    std::string_view rest = map->contents();
    while (!rest.empty()) {
      const value::AttributeView member = value::TakeAttribute(rest);
      settings.Set(member.name, std::string(member.value.bytes()));
    }
  }
  const design::Attribute& attribute = *profile.kind.entity->FindAttribute("settings");
  reply.BeginObject();
  platform::WriteMembers(
      settings, platform::Fields(attribute.type.members, platform::NameStyle::kAsWritten), reply);
  reply.EndObject();
}

void SetAt(Changes& changes, std::string_view name, const Record& from) {
  const auto value = from.Find(name);
  if (!value) return;
  changes.set.push_back(
      {design::Path{{}, {"settings", std::string(name)}}, std::string(value->bytes())});
}

Result<TypedItem> UserOf(const Call& call) {
  return platform::GetItem(call, "User", TextRecord({{"userId", call.PathValue("userId")}}));
}

}  // namespace

Status Admit(Call& call) {
  auto profile = TRY(call.runtime().Get(platform::EntityNamed(call, "User"), MyIdentity(call)));
  if (!profile) {
    TRY(platform::EnsureProfile(call, "User", NewProfile(call)));
    profile = TRY(MyProfile(call));
  } else {
    TRY(NoteLogin(call, profile->record));
  }
  call.facts() = std::move(profile->record);
  return Ok();
}

Status GetMe(Call& call, json::Writer& reply) {
  return platform::ReplyItem(call, TRY(MyProfile(call)), reply);
}

Status PatchMe(Call& call, json::Writer& reply) {
  Changes changes = TRY(platform::ItemChanges(call, "User"));
  // Who comes back after having been erased is somebody again.
  if (IsTrue(call.facts(), "erased")) platform::SetBool(changes, "erased", false);
  return platform::ReplyItem(
      call, TRY(platform::UpdateItem(call, "User", MyIdentity(call), changes)), reply);
}

Status GetSettings(Call& call, json::Writer& reply) {
  const TypedItem profile = TRY(MyProfile(call));
  WriteSettings(profile, reply);
  return Ok();
}

Status PutSettings(Call& call, json::Writer& reply) {
  const Record& given = call.fields();
  Changes changes;
  for (const std::string_view name : {"showAdult", "hiddenWarnings", "mutedTypes", "digest"})
    SetAt(changes, name, given);
  WriteSettings(TRY(platform::UpdateItem(call, "User", MyIdentity(call), changes)), reply);
  return Ok();
}

Status GetUser(Call& call, json::Writer& reply) {
  return platform::ReplyItem(call, TRY(UserOf(call)), reply);
}

Status ListUserStories(Call& call, json::Writer& reply) {
  TRY(UserOf(call));
  return platform::ReplyList(
      call, "storiesOfUser", TextRecord({{"userId", call.PathValue("userId")}}),
      {.is_descending = true,
       .keep = [&](const TypedItem& story) { return MaySeeStory(call, story.record); }},
      reply);
}

Status ListUserBranches(Call& call, json::Writer& reply) {
  TRY(UserOf(call));
  const auto keep = [&](const TypedItem& chapter) {
    return chapter.record.Find("parentNodeId") && !IsTrue(chapter.record, "removed") &&
           MaySeeChapter(call, chapter.record);
  };
  const auto write = [&](const TypedItem& chapter, json::Writer& writer) {
    WriteCard(call, chapter, writer);
  };
  return platform::ReplyList(call, "branchesOfUser",
                             TextRecord({{"userId", call.PathValue("userId")}}),
                             {.is_descending = true, .keep = keep, .write = write}, reply);
}

}  // namespace trestle::apps::stories

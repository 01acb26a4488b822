// People: profiles, curators, and what administrators do about them.

#include <string>

#include <fmt/format.h>

#include "apps/watch/rules.h"
#include "apps/watch/suspension.h"
#include "apps/watch/watch_internal.h"
#include "platform/identity/accounts.h"
#include "platform/items.h"
#include "platform/problem.h"
#include "platform/values.h"
#include "text/collation.h"
#include "text/unicode.h"

namespace trestle::apps::watch {
namespace {

using design::Changes;
using design::Record;
using design::TypedItem;
using platform::BoolOf;
using platform::ProblemError;
using platform::TextOf;
using platform::TextRecord;

Record Identity(std::string_view user_id) { return TextRecord({{"userId", user_id}}); }

// What the token says of somebody, else what the account does: access tokens have no e-mail.
struct Known {
  std::string email;
  std::string name;
};
Result<Known> KnownOf(const Call& call) {
  Known known{.email = call.principal()->email.value_or(""),
              .name = call.principal()->name.value_or("")};
  if (!known.email.empty() || call.shared().accounts == nullptr) return known;
  const auto account = call.shared().accounts->Get(call.sub());
  if (!account.ok() && account.error().code() != ErrorCode::kResourceNotFound) {
    return account.error();
  }
  if (account.ok()) {
    known.email = TextOf(account->record, "email");
    if (known.name.empty()) known.name = TextOf(account->record, "name");
  }
  return known;
}

// Somebody who has changed the e-mail address of the account since.
Status FollowEmail(design::Runtime& runtime, const TypedItem& user, const std::string& email) {
  if (email.empty() || text::EmailKey(email) == TextOf(user.record, "email")) return Ok();
  Changes changes;
  platform::SetText(changes, "email", text::EmailKey(email));
  const auto changed =
      runtime.Update(EntityOf(runtime, "User"), Identity(TextOf(user.record, "userId")), changes);
  const bool is_taken =
      !changed.ok() && changed.error().code() == ErrorCode::kConditionalCheckFailed;
  if (changed.ok() || is_taken) return Ok();  // the old one stays until the other is free
  return changed.error();
}

// Two people with one e-mail address in different case: the second one gets no profile.
Status EnsureUser(Call& call) {
  platform::KnownPeople* known_people = call.mount().known;
  if (known_people != nullptr && known_people->Contains(call.sub())) return Ok();
  const design::Entity& entity = platform::EntityNamed(call, "User");
  const Known known = TRY(KnownOf(call));
  const auto user = TRY(call.runtime().Get(entity, Identity(call.sub())));
  if (user) {
    TRY(FollowEmail(call.runtime(), *user, known.email));
  } else {
    if (known.email.empty()) {
      return ProblemError("forbidden", "the account has no e-mail address");
    }
    Record profile = TextRecord({{"userId", call.sub()}, {"email", text::EmailKey(known.email)}});
    profile.SetText("username", UsernameOf({.name = known.name, .email = known.email}));
    const auto created = call.runtime().Create(entity, profile);
    if (!created.ok() && created.error().code() != ErrorCode::kConditionalCheckFailed) {
      return created.error();
    }
    // It may also have been the same person, a moment ago.
    if (!created.ok() && !TRY(call.runtime().Get(entity, Identity(call.sub())))) {
      return ProblemError("email-taken", "somebody else has this e-mail address here");
    }
  }
  if (known_people != nullptr) known_people->Add(call.sub());
  return Ok();
}

Result<TypedItem> Me(const Call& call) {
  return platform::GetItem(call, "User", Identity(call.sub()));
}

bool IsApproved(const Record& user) { return TextOf(user, "curatorStatus") == "approved"; }

// On the account of who has changed the curator's status.
Status HideOrShow(design::Runtime& runtime, const Record& list, const Record& curator) {
  const bool is_suspended = TextOf(curator, "curatorStatus") == "suspended";
  Changes actor;
  if (const auto by = curator.FindText("updatedBy")) platform::SetText(actor, "updatedBy", *by);
  design::WriteOptions options;
  options.rule = [&](const Record& now, Changes& changes) -> Status {
    if (is_suspended && BoolOf(now, "isPublic").value_or(false)) {
      platform::SetBool(changes, "isPublic", false);
      platform::SetBool(changes, "restorePublic", true);
    } else if (!is_suspended && now.Find("restorePublic")) {
      platform::SetBool(changes, "isPublic", true);
      platform::Remove(changes, "restorePublic");
    }
    return Ok();
  };
  const auto changed =
      runtime.Update(EntityOf(runtime, "Watchlist"),
                     TextRecord({{"watchlistId", TextOf(list, "watchlistId")}}), actor, options);
  if (changed.ok() || changed.error().code() == ErrorCode::kResourceNotFound) return Ok();
  return changed.error();
}

// Makes all lists of somebody what the status says that they are now.
Status FollowStatus(design::Runtime& runtime, const std::string& user_id) {
  const auto user = TRY(runtime.Get(EntityOf(runtime, "User"), Identity(user_id)));
  if (!user) return Ok();
  const std::string status = TextOf(user->record, "curatorStatus");
  if (status != "suspended" && status != "approved") return Ok();
  const bool is_suspended = status == "suspended";
  for (const TypedItem& list : TRY(platform::RunWhole(runtime, "watchlistsByCurator",
                                                      TextRecord({{"curatorId", user_id}})))) {
    const bool must_change = is_suspended ? BoolOf(list.record, "isPublic").value_or(false)
                                          : list.record.Find("restorePublic").has_value();
    if (must_change) TRY(HideOrShow(runtime, list.record, user->record));
  }
  return Ok();
}

}  // namespace

Status Admit(Call& call) {
  // Visitors' routes are the same for who has no profile yet.
  if (call.route().access == platform::Access::kPublic) return Ok();
  TRY(EnsureUser(call));
  if (call.route().access != platform::Access::kCurator || IsAdmin(call)) return Ok();
  if (IsApproved(TRY(Me(call)).record)) return Ok();
  return ProblemError("curator-required", "only approved curators may do this");
}

Status AccountChanged(const platform::Mount& mount, const platform::Person& person) {
  design::Runtime& runtime = *mount.runtime;
  const auto user = TRY(runtime.Get(EntityOf(runtime, "User"), Identity(person.sub)));
  if (!user) return Ok();
  if (!person.old_name.empty() &&
      TextOf(user->record, "username") ==
          UsernameOf({.name = person.old_name, .email = person.email})) {
    Changes changes;
    platform::SetText(changes, "username",
                      UsernameOf({.name = person.name, .email = person.email}));
    TRY(runtime.Update(EntityOf(runtime, "User"), Identity(person.sub), changes));
  }
  return FollowEmail(runtime, *user, person.email);
}

bool MaySeeOfUser(const Call& call, const TypedItem& user, std::string_view attribute) {
  if (IsAdmin(call) || IsCaller(call, TextOf(user.record, "userId"))) return true;
  if (attribute == "isCurator" || attribute == "curatorStatus") return IsApproved(user.record);
  return attribute == "userId" || attribute == "username" || attribute == "bio" ||
         attribute == "avatarUrl" || attribute == "createdAt";
}

Status GetMe(Call& call, json::Writer& reply) {
  return platform::ReplyItem(call, TRY(Me(call)), reply);
}

Status PatchMe(Call& call, json::Writer& reply) {
  Changes changes = TRY(platform::ItemChanges(call, "User"));
  platform::SetText(changes, "updatedBy", call.sub());
  return platform::ReplyItem(
      call, TRY(platform::UpdateItem(call, "User", Identity(call.sub()), changes)), reply);
}

Status ApplyAsCurator(Call& call, json::Writer& reply) {
  Changes changes;
  platform::SetBool(changes, "isCurator", true);
  platform::SetText(changes, "curatorStatus", "pending");
  platform::SetText(changes, "curatorStatement", TextOf(call.fields(), "statement"));
  platform::SetText(changes, "curatorAppliedAt", NowText(call));
  platform::SetText(changes, "updatedBy", call.sub());
  design::WriteOptions options;
  options.rule = [](const Record& now, Changes& /*changes*/) -> Status {
    const std::string status = TextOf(now, "curatorStatus");
    if (status.empty()) return Ok();
    if (status == "suspended") return ProblemError("forbidden", "you are suspended as a curator");
    return ProblemError("already-exists", status == "pending" ? "you have applied already"
                                                              : "you are a curator already");
  };
  const TypedItem user =
      TRY(platform::UpdateItem(call, "User", Identity(call.sub()), changes, std::move(options)));
  call.SetStatus(202);
  return platform::ReplyItem(call, user, reply);
}

Status GetUser(Call& call, json::Writer& reply) {
  return platform::ReplyItem(
      call, TRY(platform::GetItem(call, "User", Identity(call.PathValue("id")))), reply);
}

Status FindUser(Call& call, json::Writer& reply) {
  const std::string email = text::EmailKey(TextOf(call.arguments(), "email"));
  return platform::ReplyList(call, "getUserByEmail", TextRecord({{"email", email}}), {}, reply);
}

Status ListUsers(Call& call, json::Writer& reply) {
  const auto status = call.arguments().FindText("curatorStatus");
  return platform::ReplyList(call, "entitiesOfType", TextRecord({{"entityType", "USER"}}),
                             {.is_descending = true,
                              .keep =
                                  [&](const TypedItem& user) {
                                    return !status ||
                                           TextOf(user.record, "curatorStatus") == *status;
                                  }},
                             reply);
}

Status ListEntities(Call& call, json::Writer& reply) {
  const Record type = TextRecord({{"entityType", TextOf(call.arguments(), "type")}});
  if (TextOf(call.arguments(), "sort") == "newest") {
    return platform::ReplyList(call, "entitiesOfType", type, {.is_descending = true}, reply);
  }
  constexpr std::size_t kSortedMax = 20'000;
  return platform::ReplySorted(
      call,
      TRY(platform::RunWhole(call.runtime(), "entitiesOfType", type, {.items_max = kSortedMax})),
      [](const TypedItem& item) {
        return text::CollationKey(TextOf(item.record, IsOf(item, "User")      ? "username"
                                                      : IsOf(item, "Comment") ? "commentText"
                                                                              : "title"));
      },
      {}, reply);
}

Status SetCurator(Call& call, json::Writer& reply) {
  const std::string wanted = TextOf(call.fields(), "status");
  design::WriteOptions options;
  options.rule = [&](const Record& now, Changes& changes) -> Status {
    const std::string status = TextOf(now, "curatorStatus");
    const bool is_possible = wanted == "approved" || (wanted == "refused" && status == "pending") ||
                             (wanted == "suspended" && !status.empty() && status != "pending");
    if (!is_possible) {
      return ProblemError("conflict", status.empty() ? "the person is no curator"
                                                     : fmt::format("the curator is {}", status));
    }
    platform::SetText(changes, "updatedBy", call.sub());
    if (wanted == "refused") {
      platform::SetBool(changes, "isCurator", false);
      platform::Remove(changes, "curatorStatus");
    } else {
      platform::SetBool(changes, "isCurator", true);
      platform::SetText(changes, "curatorStatus", wanted);
    }
    return Ok();
  };
  const TypedItem user = TRY(
      platform::UpdateItem(call, "User", Identity(call.PathValue("id")), {}, std::move(options)));
  if (wanted != "suspended") return platform::ReplyItem(call, user, reply);
  return platform::ReplyJob(call, kSuspensionJob, TextRecord({{"userId", call.PathValue("id")}}),
                            reply);
}

// The stream's consumer does the same; whoever comes second finds nothing to do. Lists that were
// published just before are found when indexes show them.
Result<platform::JobStep> FollowSuspension(const platform::Mount& mount, platform::JobState& job) {
  const std::int64_t now_unix_ms = mount.shared->clock->NowUnixMs();
  const auto again_at = platform::IntegerOf(job.progress, "againAt");
  if (again_at && now_unix_ms < *again_at) return platform::JobStep::kLater;
  TRY(FollowStatus(*mount.runtime, TextOf(job.input, "userId")));
  if (again_at) return platform::JobStep::kEnd;
  platform::SetInteger(job.progress, "againAt", now_unix_ms + mount.shared->index_lag_ms);
  return platform::JobStep::kMore;
}

Status FollowCurators(const platform::Mount& mount, const platform::ItemChange& change) {
  if (!change.new_item) return Ok();
  const Record& next = change.new_item->record;
  const Record before = change.old_item ? change.old_item->record : Record();
  if (IsOf(*change.new_item, "User")) {
    if (TextOf(next, "curatorStatus") == TextOf(before, "curatorStatus")) return Ok();
    return FollowStatus(*mount.runtime, TextOf(next, "userId"));
  }
  // A list that was published while its curator was being suspended.
  const bool is_published = IsOf(*change.new_item, "Watchlist") &&
                            BoolOf(next, "isPublic").value_or(false) &&
                            !BoolOf(before, "isPublic").value_or(false);
  if (!is_published) return Ok();
  const auto curator = TRY(
      mount.runtime->Get(EntityOf(*mount.runtime, "User"), Identity(TextOf(next, "curatorId"))));
  if (!curator || TextOf(curator->record, "curatorStatus") != "suspended") return Ok();
  return HideOrShow(*mount.runtime, next, curator->record);
}

}  // namespace trestle::apps::watch

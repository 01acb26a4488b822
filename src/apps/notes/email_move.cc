// The notes of a user on their way to another e-mail address.
//
// One transaction locks the user's item and reserves the new address with an item that is INCOMING.
// The notes are copied, and then the pointer from the account to the address is turned, in one
// transaction with the states of both items. From there on requests see the new address; what is
// left under the old one is removed, the user's item there last. Pointers to notes and reminders
// are kept by the account, so they stay where they are.
//
// Which of this is to be done says the pointer, not the job's own notes: those may be older.
//
// What cannot be copied, such as a note that is too large under a longer address, ends the move:
// the copies and the reservation go, and the user's item is unlocked. Once the pointer is turned
// the move can only go on.

#include <utility>

#include <fmt/format.h>

#include "apps/notes/notes_internal.h"
#include "design/backend.h"
#include "design/job.h"
#include "design/stored_item.h"
#include "design/values.h"
#include "platform/identity/accounts.h"
#include "platform/items.h"
#include "platform/values.h"
#include "value/item_codec.h"

namespace trestle::apps::notes {
namespace {

using design::ActionKind;
using design::Record;
using design::Runtime;
using design::WriteItem;
using platform::JobState;
using platform::JobStep;
using platform::TextOf;
using platform::TextRecord;

constexpr std::uint32_t kPageItems = 200;
constexpr std::string_view kUndone = "undone";  // of a job's progress: why

// Aliases of this file's own, which join others (WriteOptions::together_with).
constexpr std::string_view kLockName = "#movingLock";

const design::Entity& UserEntity(const Runtime& runtime) {
  return *runtime.model().FindEntity("User");
}

Result<value::Item> UserKey(const Runtime& runtime, std::string_view email) {
  return design::KeyOf(runtime.model(), UserEntity(runtime), TextRecord({{"email", email}}));
}

std::string NoCounts() {
  std::string empty;
  value::ItemBuilder().AppendMapTo(empty);
  return empty;
}

WriteItem Action(const Runtime& runtime, ActionKind kind, value::Item item) {
  return {.kind = kind, .table = runtime.table(), .item = std::move(item)};
}

void SetName(WriteItem& action, std::string_view alias, std::string_view name) {
  action.expressions.names.emplace(alias, name);
}

void SetTextValue(WriteItem& action, std::string_view alias, std::string_view text) {
  action.expressions.values.emplace(alias, design::EncodeText(text));
}

// The same item under another address.
value::Item Under(const Runtime& runtime, value::ItemView item, value::ItemView user_key) {
  const std::string& name = runtime.model().table.partition_key;
  Record moved(item);
  moved.Set(name, std::string(user_key.Find(name)->bytes()));
  return moved.ToItem();
}

// What is under an address, behind a sort key.
Result<design::Page> ReadUnder(const Runtime& runtime, const value::Item& user_key,
                               const std::string& after) {
  const design::Model& model = runtime.model();
  design::ReadPage read{.table = runtime.table(), .limit = kPageItems, .is_consistent = true};
  const std::string partition(user_key.Find(model.table.partition_key)->bytes());
  read.key_condition.terms = {{.attribute = model.table.partition_key,
                               .op = expr::KeyOperator::kEqual,
                               .value = partition,
                               .second = {}}};
  if (!after.empty()) {
    Record key;
    key.Set(model.table.partition_key, partition);
    key.SetText(model.table.sort_key, after);
    read.exclusive_start_key = key.ToItem();
  }
  return runtime.backend().Read(read);
}

std::vector<value::Item> NotesOf(const Runtime& runtime, const design::Page& page) {
  std::vector<value::Item> notes;
  notes.reserve(page.items.size());
  for (const value::Item& item : page.items) {
    const auto typed = runtime.Recognise(item.view());
    const bool is_note =
        typed && typed->kind.entity != nullptr && typed->kind.entity->name == "Note";
    if (is_note) notes.push_back(item);
  }
  return notes;
}

std::string LastSortKey(const Runtime& runtime, const design::Page& page) {
  if (!page.last_evaluated_key) return {};
  const auto key = page.last_evaluated_key->Find(runtime.model().table.sort_key);
  return key ? std::string(key->text()) : std::string();
}

Status CopyNotes(Runtime& runtime, const std::vector<value::Item>& notes,
                 const value::Item& to_key) {
  std::vector<WriteItem> puts;
  puts.reserve(notes.size());
  for (const value::Item& note : notes)
    puts.push_back(Action(runtime, ActionKind::kPut, Under(runtime, note.view(), to_key.view())));
  return puts.empty() ? Ok() : runtime.backend().BatchWrite(puts);
}

Result<bool> AreCopied(Runtime& runtime, const std::vector<value::Item>& notes,
                       const value::Item& to_key) {
  if (notes.empty()) return true;
  std::vector<value::Item> keys;
  keys.reserve(notes.size());
  for (const value::Item& note : notes) {
    const value::Item key = design::KeyPart(runtime.model(), note.view());
    keys.push_back(Under(runtime, key.view(), to_key.view()));
  }
  const auto found = TRY(runtime.backend().BatchGet(runtime.table(), keys, true));
  return found.size() == keys.size();
}

// From here on requests find the new address. What is counted may have changed between the reading
// of the user's item and its lock, and cannot since.
Status Flip(Runtime& runtime, const Move& move, const Record& user) {
  const value::Item from_key = TRY(UserKey(runtime, move.from));
  const value::Item to_key = TRY(UserKey(runtime, move.to));
  const design::Entity& entity = UserEntity(runtime);
  const design::Mirror& pointer = *entity.mirrors.front();
  value::Item pointer_key = TRY(
      design::KeyOf(runtime.model(), pointer, entity.attributes, TextRecord({{"id", move.sub}})));
  WriteItem turn = Action(runtime, ActionKind::kUpdate, std::move(pointer_key));
  turn.update = "SET #email = :to";
  turn.condition = "#email = :from";
  SetName(turn, "#email", "email");
  SetTextValue(turn, ":from", move.from);
  SetTextValue(turn, ":to", move.to);

  WriteItem arrive = Action(runtime, ActionKind::kUpdate, to_key);
  arrive.update = "SET #state = :active, #counts = :counts";
  arrive.condition = "#state = :incoming";
  SetName(arrive, "#state", "state");
  SetTextValue(arrive, ":active", "ACTIVE");
  SetTextValue(arrive, ":incoming", "INCOMING");
  SetName(arrive, "#counts", "counts");
  const auto counts = user.Find("counts");
  arrive.expressions.values.emplace(":counts", counts ? std::string(counts->bytes()) : NoCounts());

  WriteItem leave = Action(runtime, ActionKind::kUpdate, from_key);
  leave.update = "SET #state = :moved, #movedTo = :to";
  leave.condition = fmt::format("{} = :move", kLockName);
  SetName(leave, kLockName, "lockedBy");
  SetName(leave, "#state", "state");
  SetName(leave, "#movedTo", "movedTo");
  SetTextValue(leave, ":moved", "MOVED");
  SetTextValue(leave, ":to", move.to);
  SetTextValue(leave, ":move", move.move_id);
  Status flipped = runtime.backend().Transact(
      std::vector{std::move(turn), std::move(arrive), std::move(leave)}, "");
  if (flipped.ok() || platform::IsPassing(flipped.error())) return flipped;
  // Perhaps it was done already, by a request whose answer was lost.
  if (TRY(EmailOfSub(runtime, move.sub)) == move.to) return Ok();
  return flipped;
}

// Copies or looks after a page of notes, then turns the pointer.
Result<JobStep> StepBefore(Runtime& runtime, const Move& move, JobState& job) {
  const auto user = TRY(FindUser(runtime, move.from));
  if (!user || TextOf(user->record, "lockedBy") != move.move_id) {
    return Error(ErrorCode::kInternal, "the move of these notes was never begun");
  }
  const value::Item from_key = TRY(UserKey(runtime, move.from));
  const value::Item to_key = TRY(UserKey(runtime, move.to));
  const bool is_copied = TextOf(job.progress, "copied") == "yes";
  const design::Page page = TRY(ReadUnder(runtime, from_key, TextOf(job.progress, "after")));
  const std::vector<value::Item> notes = NotesOf(runtime, page);
  if (!is_copied) {
    TRY(CopyNotes(runtime, notes, to_key));
    job.done += static_cast<std::int64_t>(notes.size());
  } else if (!TRY(AreCopied(runtime, notes, to_key))) {
    job.progress = {};
    job.done = 0;
    return JobStep::kMore;
  }
  const std::string after = LastSortKey(runtime, page);
  job.progress.SetText("after", after);
  if (after.empty() && is_copied) {
    TRY(Flip(runtime, move, user->record));
    job.progress = {};
  } else if (after.empty()) {
    job.progress.SetText("copied", "yes");
  }
  return JobStep::kMore;
}

// Removes a page of the notes under an address; false when there were none.
Result<bool> RemoveNotes(Runtime& runtime, const value::Item& user_key) {
  const design::Page page = TRY(ReadUnder(runtime, user_key, ""));
  const std::vector<value::Item> notes = NotesOf(runtime, page);
  std::vector<WriteItem> deletes;
  deletes.reserve(notes.size());
  for (const value::Item& note : notes) {
    deletes.push_back(
        Action(runtime, ActionKind::kDelete, design::KeyPart(runtime.model(), note.view())));
  }
  if (!deletes.empty()) TRY(runtime.backend().BatchWrite(deletes));
  return !deletes.empty();
}

WriteItem Unlock(const Runtime& runtime, value::Item from_key, const Move& move) {
  WriteItem unlock = Action(runtime, ActionKind::kUpdate, std::move(from_key));
  unlock.update = fmt::format("REMOVE {}", kLockName);
  unlock.condition = fmt::format("{} = :move", kLockName);
  SetName(unlock, kLockName, "lockedBy");
  SetTextValue(unlock, ":move", move.move_id);
  return unlock;
}

// Removes a page of the copies; behind the last one the new address is free again and the user can
// write. The job ends with why the move was undone.
Result<JobStep> StepBack(Runtime& runtime, const Move& move, const std::string& why) {
  const auto user = TRY(FindUser(runtime, move.from));
  if (user && TextOf(user->record, "lockedBy") == move.move_id) {
    std::vector<WriteItem> actions{Unlock(runtime, TRY(UserKey(runtime, move.from)), move)};
    const auto incoming = TRY(FindUser(runtime, move.to));
    // What is not reserved for this move, if that ever is so, is somebody else's.
    const bool is_reserved = incoming && TextOf(incoming->record, "state") == "INCOMING" &&
                             TextOf(incoming->record, "id") == move.sub;
    if (is_reserved) {
      const value::Item to_key = TRY(UserKey(runtime, move.to));
      if (TRY(RemoveNotes(runtime, to_key))) return JobStep::kMore;
      WriteItem release = Action(runtime, ActionKind::kDelete, to_key);
      release.condition = "#state = :incoming";
      SetName(release, "#state", "state");
      SetTextValue(release, ":incoming", "INCOMING");
      actions.push_back(std::move(release));
    }
    TRY(runtime.backend().Transact(actions, ""));
  }
  return ValidationError(
      fmt::format("the notes stay under the old address, because they cannot move: {}", why));
}

// The account may have got yet another address while the notes were on their way.
Status FollowOn(const platform::Mount& mount, const Move& move) {
  platform::identity::Accounts* const accounts = mount.shared->accounts;
  if (accounts == nullptr) return Ok();
  const auto account = accounts->Get(move.sub);
  if (!account.ok()) {
    const bool is_elsewhere = account.error().code() == ErrorCode::kResourceNotFound;
    return is_elsewhere ? Ok() : Status(account.error());
  }
  const std::string email = TextOf(account->record, "email");
  if (email == move.to || email == move.from) return Ok();
  return FollowAccount(mount, {.sub = move.sub, .email = email, .name = {}});
}

// Removes a page of what is left, and the user's item behind it.
Result<JobStep> StepAfter(const platform::Mount& mount, const Move& move) {
  Runtime& runtime = *mount.runtime;
  const value::Item from_key = TRY(UserKey(runtime, move.from));
  if (TRY(RemoveNotes(runtime, from_key))) return JobStep::kMore;
  WriteItem remove = Action(runtime, ActionKind::kDelete, from_key);
  remove.condition = fmt::format("{} = :move", kLockName);
  SetName(remove, kLockName, "lockedBy");
  SetTextValue(remove, ":move", move.move_id);
  const Status removed = runtime.backend().Write(remove);
  const bool is_gone =
      !removed.ok() && removed.error().code() == ErrorCode::kConditionalCheckFailed;
  if (!removed.ok() && !is_gone) return removed.error();
  TRY(FollowOn(mount, move));
  return JobStep::kEnd;
}

}  // namespace

Result<WriteItem> NotMoving(Runtime& runtime, std::string_view email) {
  WriteItem check = Action(runtime, ActionKind::kCheck, TRY(UserKey(runtime, email)));
  check.condition = fmt::format("attribute_not_exists({})", kLockName);
  SetName(check, kLockName, "lockedBy");
  return check;
}

Result<std::vector<WriteItem>> BeginMove(Runtime& runtime, const Move& move) {
  const design::Model& model = runtime.model();
  const value::Item from_key = TRY(UserKey(runtime, move.from));
  const value::Item to_key = TRY(UserKey(runtime, move.to));
  const auto user = TRY(
      runtime.backend().Get({.table = runtime.table(), .key = from_key, .is_consistent = true}));
  const auto typed = user ? runtime.Recognise(user->view()) : std::nullopt;
  if (!typed) return platform::NotFound("user");
  const std::int64_t version = typed->version.value_or(0);

  WriteItem lock = Action(runtime, ActionKind::kUpdate, from_key);
  lock.update = fmt::format("SET {} = :move, #lock = :next", kLockName);
  lock.condition =
      fmt::format("attribute_exists(#pk) AND attribute_not_exists({}) AND {}", kLockName,
                  typed->version ? "#lock = :seen" : "attribute_not_exists(#lock)");
  SetName(lock, kLockName, "lockedBy");
  SetName(lock, "#lock", model.table.lock);
  SetName(lock, "#pk", model.table.partition_key);
  SetTextValue(lock, ":move", move.move_id);
  lock.expressions.values.emplace(":next", design::EncodeInteger(version + 1));
  if (typed->version) lock.expressions.values.emplace(":seen", design::EncodeInteger(version));

  Record incoming(Under(runtime, user->view(), to_key.view()).view());
  incoming.SetText("email", move.to);
  incoming.SetText("state", "INCOMING");
  incoming.Set(model.table.lock, design::EncodeInteger(version + 1));
  WriteItem reserve = Action(runtime, ActionKind::kPut, incoming.ToItem());
  reserve.condition = "attribute_not_exists(#pk)";
  SetName(reserve, "#pk", model.table.partition_key);

  // What was there before must be gone altogether.
  WriteItem is_free = Action(runtime, ActionKind::kCheck,
                             design::JobKey(model, design::JobId(UserEntity(runtime), to_key)));
  is_free.condition = "attribute_not_exists(#pk)";
  SetName(is_free, "#pk", model.table.partition_key);
  return std::vector{std::move(lock), std::move(reserve), std::move(is_free)};
}

Result<JobStep> StepMove(const platform::Mount& mount, JobState& job) {
  Runtime& runtime = *mount.runtime;
  const Move move{.sub = job.sub,
                  .move_id = TextOf(job.input, "moveId"),
                  .from = TextOf(job.input, "from"),
                  .to = TextOf(job.input, "to")};
  const auto email = TRY(EmailOfSub(runtime, move.sub));
  if (email == move.from) {
    if (const auto why = job.progress.FindText(kUndone)) {
      return StepBack(runtime, move, std::string(*why));
    }
    auto step = StepBefore(runtime, move, job);
    if (step.ok() || platform::IsPassing(step.error())) return step;
    job.progress = TextRecord({{kUndone, step.error().message()}});
    return JobStep::kMore;
  }
  if (email == move.to) return StepAfter(mount, move);
  return Error(ErrorCode::kInternal, "the notes are under neither address");
}

}  // namespace trestle::apps::notes

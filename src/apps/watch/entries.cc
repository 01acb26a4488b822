// The items of a watchlist, their order, and how far somebody is with them.

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "apps/watch/contents.h"
#include "apps/watch/order.h"
#include "apps/watch/watch_internal.h"
#include "design/stored_item.h"
#include "design/time_text.h"
#include "design/values.h"
#include "platform/items.h"
#include "platform/problem.h"
#include "platform/values.h"

namespace trestle::apps::watch {
namespace {

using design::Changes;
using design::Record;
using design::TypedItem;
using platform::IntegerOf;
using platform::ProblemError;
using platform::TextOf;
using platform::TextRecord;

Record ListIdentity(const Call& call) {
  return TextRecord({{"watchlistId", call.PathValue("id")}});
}

Record ItemIdentity(const Call& call, const Content& content) {
  return TextRecord({{"watchlistId", call.PathValue("id")},
                     {"contentType", content.type},
                     {"contentId", content.id}});
}

Result<std::vector<TypedItem>> ItemsOf(const Call& call) {
  return platform::RunWhole(call.runtime(), "watchlistItems", ListIdentity(call));
}

Result<Contents> ContentsOf(const Call& call, std::span<const TypedItem> items) {
  std::vector<Content> contents;
  contents.reserve(items.size());
  for (const TypedItem& item : items)
    contents.push_back(ContentOf(item.record));
  return Contents::Read(call.runtime(), contents, SubOf(call));
}

// That somebody has changed a list's items is a change of the list, also by who changed it last.
void MarkChanged(const Call& call, Changes& changes) {
  platform::SetText(changes, "updatedBy", call.sub());
  platform::SetText(
      changes, "updatedAt",
      design::TimestampText(call.now_unix_ms(), design::syntax::Precision::kMilliseconds));
}

// The same for the transaction of something else.
Result<design::WriteItem> TouchWrite(const Call& call) {
  const design::Model& model = call.runtime().model();
  design::WriteItem write{.kind = design::ActionKind::kUpdate,
                          .table = call.runtime().table(),
                          .item = TRY(design::KeyOf(model, platform::EntityNamed(call, "Watchlist"),
                                                    ListIdentity(call))),
                          .update = "SET #t = :t, #u = :u ADD #v :one",
                          .condition = "attribute_exists(#k)"};
  write.expressions.names = {{"#t", "updatedAt"},
                             {"#u", "updatedBy"},
                             {"#v", model.table.lock},
                             {"#k", model.table.partition_key}};
  write.expressions.values = {
      {":t", design::EncodeText(design::TimestampText(call.now_unix_ms(),
                                                      design::syntax::Precision::kMilliseconds))},
      {":u", design::EncodeText(call.sub())},
      {":one", design::EncodeInteger(1)}};
  return write;
}

Result<std::int64_t> NextPosition(const Call& call) {
  std::int64_t last = 0;
  for (const TypedItem& item : TRY(ItemsOf(call)))
    last = std::max(last, IntegerOf(item.record, "position").value_or(0));
  return last + kPositionStep;
}

void WriteHydrated(const Call& call, const TypedItem& item, const Contents& contents,
                   json::Writer& writer) {
  writer.BeginObject();
  platform::WriteItemMembers(call, item, writer);
  contents.Write(ContentOf(item.record), writer);
  writer.EndObject();
}

// What adding an item may fail for, told apart by what is there now.
Error WhyNotAdded(const Call& call, const Error& error, const Content& content) {
  if (error.code() == ErrorCode::kResourceNotFound) {
    const auto list = VisibleList(call);
    return list.ok() ? platform::NotFound(content.type == "SHOW" ? "show" : "movie") : list.error();
  }
  if (error.code() != ErrorCode::kConditionalCheckFailed) return error;
  const auto there =
      call.runtime().Get(platform::EntityNamed(call, "WatchlistItem"), ItemIdentity(call, content));
  if (there.ok() && *there) return ProblemError("already-exists", "the list has this title");
  return ProblemError("semantic", fmt::format("a list has at most {} items", kListItemsMax));
}

// "MOVIE/27205"
std::string NameOf(const Content& content) { return content.type + "/" + content.id; }

// The list's items in the order that the body names: all of them, each once.
Result<std::vector<TypedItem>> InWantedOrder(const Call& call) {
  std::map<std::string, TypedItem> items;
  for (TypedItem& item : TRY(ItemsOf(call)))
    items.emplace(NameOf(ContentOf(item.record)), std::move(item));
  const std::vector<std::string> names = platform::TextsOf(call.fields(), "order");
  std::vector<TypedItem> wanted;
  wanted.reserve(names.size());
  for (const std::string& name : names) {
    auto found = items.extract(name);
    if (found.empty()) {
      return ProblemError("semantic",
                          fmt::format("{} is not in the list, or twice in the order", name));
    }
    wanted.push_back(std::move(found.mapped()));
  }
  if (items.empty()) return wanted;
  return ProblemError("semantic", fmt::format("the order lacks {}", items.begin()->first));
}

Result<design::WriteItem> PositionWrite(const Call& call, const TypedItem& item,
                                        std::int64_t position) {
  const design::Model& model = call.runtime().model();
  Record identity = ItemIdentity(call, ContentOf(item.record));
  design::WriteItem write{
      .kind = design::ActionKind::kUpdate,
      .table = call.runtime().table(),
      .item = TRY(design::KeyOf(model, platform::EntityNamed(call, "WatchlistItem"), identity)),
      .update = "SET #p = :p, #u = :u ADD #v :one",
      .condition = "attribute_exists(#k)"};
  write.expressions.names = {{"#p", "position"},
                             {"#u", "updatedBy"},
                             {"#v", model.table.lock},
                             {"#k", model.table.partition_key}};
  write.expressions.values = {{":p", design::EncodeInteger(position)},
                              {":u", design::EncodeText(call.sub())},
                              {":one", design::EncodeInteger(1)}};
  return write;
}

// Moves the items in transactions with the list, whose version stands for the order. Nearly always
// there is one; who numbers a long list anew has several.
Result<TypedItem> WriteOrder(Call& call, TypedItem list, std::vector<design::WriteItem> writes) {
  constexpr std::size_t kWritesMax = 98;  // beside the list and a record of the request
  const design::Entity& entity = platform::EntityNamed(call, "Watchlist");
  Changes changes;
  MarkChanged(call, changes);
  for (std::size_t done = 0; done < writes.size(); done += kWritesMax) {
    const std::size_t count = std::min(kWritesMax, writes.size() - done);
    design::WriteOptions options;
    options.expected_version = list.version;
    options.together_with.assign(writes.begin() + static_cast<std::ptrdiff_t>(done),
                                 writes.begin() + static_cast<std::ptrdiff_t>(done + count));
    if (done == 0) {
      list = TRY(
          platform::UpdateItem(call, "Watchlist", ListIdentity(call), changes, std::move(options)));
    } else {
      list = TRY(call.runtime().Update(entity, ListIdentity(call), changes, options));
    }
  }
  return list;
}

Result<TypedItem> Reorder(Call& call) {
  TypedItem list = TRY(EditableList(call, Editor::kCurator));
  const std::vector<TypedItem> wanted = TRY(InWantedOrder(call));
  std::vector<std::int64_t> positions;
  positions.reserve(wanted.size());
  for (const TypedItem& item : wanted)
    positions.push_back(IntegerOf(item.record, "position").value_or(0));
  const auto plan = PlanPositions(positions, kPositionStep);
  std::vector<design::WriteItem> writes;
  writes.reserve(wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (plan[i]) writes.push_back(TRY(PositionWrite(call, wanted[i], *plan[i])));
  return WriteOrder(call, std::move(list), std::move(writes));
}

bool IsOvertaken(const Error& error) {
  const bool is_mismatch =
      error.details() != nullptr && error.details()->name == "version-mismatch";
  return is_mismatch || error.code() == ErrorCode::kConditionalCheckFailed ||
         error.code() == ErrorCode::kTransactionConflict;
}

}  // namespace

Status ListItems(Call& call, json::Writer& reply) {
  TRY(VisibleList(call));
  const std::vector<TypedItem> items = TRY(ItemsOf(call));
  const Contents contents = TRY(ContentsOf(call, items));
  return platform::ReplySorted(
      call, items,
      [](const TypedItem& item) {
        return fmt::format("{:010}{}", IntegerOf(item.record, "position").value_or(0),
                           TextOf(item.record, "addedAt"));
      },
      {.write = [&](const TypedItem& item,
                    json::Writer& writer) { WriteHydrated(call, item, contents, writer); }},
      reply);
}

Status PostItem(Call& call, json::Writer& reply) {
  const TypedItem list = TRY(EditableList(call, Editor::kCurator));
  Record item = TRY(platform::NewItem(call, "WatchlistItem"));
  const Content content = ContentOf(item);
  if (!item.Find("position")) platform::SetInteger(item, "position", TRY(NextPosition(call)));
  item.SetText("watchlistId", call.PathValue("id"));
  item.SetText("caller", call.sub());
  auto added = platform::RunOperation(call, "addItem", item);
  if (!added.ok()) return WhyNotAdded(call, added.error(), content);
  const std::vector<TypedItem> items = TRY(std::move(added));
  const TypedItem& created = PickItem(items, "WatchlistItem");
  const Contents contents = TRY(ContentsOf(call, std::span(&created, 1)));
  call.SetStatus(201);
  call.AddHeader("Location", fmt::format("{}/watchlists/{}/items/{}", MountPath(call.app()),
                                         call.PathValue("id"), NameOf(content)));
  reply.BeginObject();
  platform::WriteItemMembers(call, created, reply);
  contents.Write(content, reply);
  reply.Key("watchlist");
  platform::WriteItem(call, TRY(VisibleList(call)), reply);
  reply.EndObject();
  return Ok();
}

Status GetListItem(Call& call, json::Writer& reply) {
  TRY(VisibleList(call));
  const Content content = TRY(ContentOfPath(call));
  return platform::ReplyItem(
      call, TRY(platform::GetItem(call, "WatchlistItem", ItemIdentity(call, content))), reply);
}

Status PatchItem(Call& call, json::Writer& reply) {
  TRY(EditableList(call, Editor::kCurator));
  const Content content = TRY(ContentOfPath(call));
  Changes changes = TRY(platform::ItemChanges(call, "WatchlistItem"));
  platform::SetText(changes, "updatedBy", call.sub());
  design::WriteOptions options;
  options.together_with.push_back(TRY(TouchWrite(call)));
  return platform::ReplyItem(
      call,
      TRY(platform::UpdateItem(call, "WatchlistItem", ItemIdentity(call, content), changes,
                               std::move(options))),
      reply);
}

Status DeleteListItem(Call& call, json::Writer& /*reply*/) {
  TRY(EditableList(call, Editor::kCurator));
  const Content content = TRY(ContentOfPath(call));
  Record item = ItemIdentity(call, content);
  item.SetText("caller", call.sub());
  TRY(platform::RunOperationOn(call, "WatchlistItem", "removeItem", item));
  return platform::ReplyNothing(call);
}

Status PutOrder(Call& call, json::Writer& reply) {
  constexpr int kTriesMax = 5;
  for (int tries = 1;; ++tries) {
    const auto list = Reorder(call);
    if (list.ok()) return platform::ReplyItem(call, *list, reply);
    // Who does not say which order it is that changes takes the one that is there.
    const bool may_try = tries < kTriesMax && !call.Header("If-Match");
    if (!may_try || !IsOvertaken(list.error())) return list.error();
  }
}

Status GetListProgress(Call& call, json::Writer& reply) {
  TRY(VisibleList(call));
  const std::vector<TypedItem> items = TRY(ItemsOf(call));
  const Contents contents = TRY(ContentsOf(call, items));
  std::int64_t seen = 0;
  std::int64_t runtime_left = 0;
  for (const TypedItem& item : items) {
    const Content content = ContentOf(item.record);
    const TypedItem* title = contents.Title(content);
    if (contents.IsSeen(content)) {
      ++seen;
    } else if (title != nullptr) {
      runtime_left += IntegerOf(title->record, "runtime").value_or(0);
    }
  }
  reply.BeginObject();
  WriteInteger("seen", seen, reply);
  WriteInteger("total", static_cast<std::int64_t>(items.size()), reply);
  WriteInteger("runtimeLeft", runtime_left, reply);
  reply.EndObject();
  return Ok();
}

}  // namespace trestle::apps::watch

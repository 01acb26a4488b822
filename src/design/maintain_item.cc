#include <utility>

#include "design/maintain_item_internal.h"
#include "design/recognise.h"

namespace trestle::design {
namespace {

// What somebody else has done already.
bool IsDone(const Error& error) {
  return error.code() == ErrorCode::kResourceNotFound ||
         error.code() == ErrorCode::kConditionalCheckFailed;
}

using AddChange =
    std::function<Status(Writer& writer, Batch& batch, ItemState now, const Attempt& attempt)>;

Status Maintain(RuntimeState& state, const value::Item& key, const Maintenance& maintenance,
                const AddChange& add) {
  Writer writer(state);
  const auto done = writer.Commit(
      [&](const Attempt& attempt) -> Result<Batch> {
        Batch batch;
        auto item =
            TRY(state.backend.Get({.table = state.table, .key = key, .is_consistent = true}));
        auto typed = item ? Recognise(state.model, item->view()) : std::nullopt;
        if (!typed || typed->kind.entity == nullptr) return batch;
        ItemState now{*std::move(item), std::move(typed->record), typed->kind.entity};
        TRY(add(writer, batch, std::move(now), attempt));
        return batch;
      },
      {.is_maintenance = true, .together_with = maintenance.together_with});
  if (!done.ok() && !IsDone(done.error())) return done.error();
  return Ok();
}

}  // namespace

Status MaintainItem(RuntimeState& state, const value::Item& key, const RecordChange& change,
                    const Maintenance& maintenance) {
  return Maintain(
      state, key, maintenance,
      [&](Writer& writer, Batch& batch, ItemState now, const Attempt& attempt) -> Status {
        auto next = change(now.record);
        if (!next || *next == now.record) return Ok();
        batch.moves = maintenance.moves;
        return writer.AddUpdate(batch, std::move(now), *std::move(next), state.Sources(), attempt,
                                {.is_maintenance = true});
      });
}

Status RewriteItem(RuntimeState& state, const value::Item& key) {
  return Maintain(
      state, key, {},
      [&](Writer& writer, Batch& batch, ItemState now, const Attempt& attempt) -> Status {
        Record next = now.record;
        return writer.AddUpdate(batch, std::move(now), std::move(next), state.Sources(), attempt,
                                {.is_maintenance = true});
      });
}

Status RemoveItem(RuntimeState& state, const value::Item& key,
                  const std::function<bool(const Record& now)>& is_due,
                  const Maintenance& maintenance) {
  return Maintain(
      state, key, maintenance,
      [&](Writer& writer, Batch& batch, ItemState now, const Attempt& attempt) -> Status {
        if (!is_due(now.record)) return Ok();
        return writer.AddDelete(batch, std::move(now), state.Sources(), attempt,
                                {.is_maintenance = true});
      });
}

}  // namespace trestle::design

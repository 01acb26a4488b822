#pragma once

#include "base/result.h"
#include "design/job.h"
#include "design/runtime.h"

namespace trestle::design {

// Does what a job (job.h) has left to do, and removes its item last. May be called again at any
// time, also for a job that is done.
[[nodiscard]] Status RunJob(RuntimeState& state, const Job& job);

// What becomes of the children of an item that is gone: those with `cascade` go, those with
// `detach` lose what names it.
[[nodiscard]] Status FollowDelete(RuntimeState& state, const Entity& entity, const Record& parent);

// The same for one child whose parent is found to be gone.
[[nodiscard]] Status MendOrphan(RuntimeState& state, const Relation& relation,
                                const value::Item& child_key);

}  // namespace trestle::design

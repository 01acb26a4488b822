#pragma once

#include "base/result.h"
#include "platform/timers.h"

namespace trestle::apps::notes {

// The time of some notes has come: pages that are open are told, and the notes remember it.
[[nodiscard]] Status RemindOfNotes(const platform::Mount& mount, const platform::TimerTurn& turn);

}  // namespace trestle::apps::notes

#include "apps/timers.h"

#include "apps/notes/remind.h"
#include "apps/stories/digest.h"

namespace trestle::apps {
namespace {

constexpr std::int64_t kSecondMs = 1000;
constexpr platform::AppTimer kTimers[] = {
    {.app = "notes", .name = "reminders", .every_ms = 5 * kSecondMs, .run = notes::RemindOfNotes},
    {.app = "stories", .name = "digest", .every_ms = 60 * kSecondMs, .run = stories::SendDigests},
};

}  // namespace

std::span<const platform::AppTimer> Timers() { return kTimers; }

}  // namespace trestle::apps

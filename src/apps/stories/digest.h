#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "platform/consumers.h"
#include "platform/timers.h"

// Mails about what people were told, for those who want one a day or a week. Who is told something
// is put down for the day of the next mail; that day's people get it.

namespace trestle::apps::stories {

[[nodiscard]] Status QueueDigest(const platform::Mount& mount, const platform::ItemChange& change);
// Where somebody is put down.
[[nodiscard]] Result<std::vector<design::TypedItem>> DigestsOf(const platform::Mount& mount,
                                                               const std::string& user_id);
[[nodiscard]] Status SendDigests(const platform::Mount& mount, const platform::TimerTurn& turn);

}  // namespace trestle::apps::stories

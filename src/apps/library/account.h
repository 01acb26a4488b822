#pragma once

#include "base/result.h"
#include "platform/app.h"

namespace trestle::apps::library {

// The e-mail address of an account has changed: the owner and the libraries that others share with
// them carry the new one from now on.
[[nodiscard]] Status FollowAccount(const platform::Mount& mount, const platform::Person& person);

}  // namespace trestle::apps::library

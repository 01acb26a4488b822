#pragma once

#include "platform/app.h"

namespace trestle::platform::identity {

// The routes of the local pool, at /auth/v1. It is mounted with the run time of platform.design and
// with Shared::accounts, of the same run time.
//
// The refresh token is a cookie that pages cannot read and that is sent to these routes only.
extern const App kAuthApp;

inline constexpr std::string_view kRefreshCookie = "trestle_refresh";

}  // namespace trestle::platform::identity

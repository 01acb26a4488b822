#pragma once

#include <string_view>

// Which pages of a browser may talk to the database. One that enforces no keys trusts everything
// on its own machine, so a page of another site must not reach it: neither through a name that
// it made point here (the Host header tells), nor across origins.

namespace trestle::http {

// Whether a Host header, with or without a port, names this machine: localhost or a name below
// it, 127.0.0.0/8, or [::1].
[[nodiscard]] bool IsLoopbackHost(std::string_view host);

}  // namespace trestle::http

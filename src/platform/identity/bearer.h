#pragma once

#include <optional>

#include "base/result.h"
#include "http/message.h"
#include "platform/call.h"
#include "platform/identity/verifier.h"

namespace trestle::platform::identity {

// Who sends a request, as the access token in its Authorization header says (RFC 6750); nobody when
// it has none. Such a token says neither name nor e-mail address: an id token of the same person in
// the header Id-Token does. The problem `unauthenticated` for any other credentials. Not for event
// loops.
[[nodiscard]] Result<std::optional<Principal>> Identify(Verifier& verifier,
                                                        const http::Request& request);

}  // namespace trestle::platform::identity

#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "platform/pages.h"

namespace trestle::web {

// The pages in the binary; null when it was built without.
[[nodiscard]] std::unique_ptr<platform::Pages> EmbeddedPages();

// The pages that web/build.mjs has put into a folder, read anew for each request.
// kResourceNotFound when there are none.
[[nodiscard]] Result<std::unique_ptr<platform::Pages>> FolderPages(const std::string& folder);

}  // namespace trestle::web

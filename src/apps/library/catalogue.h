#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "platform/catalogue.h"

namespace trestle::apps::library {

// A catalogue that is a table: the columns of an import, and `code` for what is printed below a
// barcode. Every row needs a title, and codes whose check digits fit. kValidation, with the row,
// when it is not so.
[[nodiscard]] Result<std::unique_ptr<platform::Catalogue>> ReadCatalogue(std::string_view text);

// A small one, for who looks around.
[[nodiscard]] std::unique_ptr<platform::Catalogue> SampleCatalogue();

// A code as catalogues know it: 13 digits. Nothing when a digit is wrong.
[[nodiscard]] std::optional<std::string> CatalogueCode(std::string_view type,
                                                       std::string_view code);

}  // namespace trestle::apps::library

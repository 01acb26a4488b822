#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "main/flags.h"
#include "main/web.h"

namespace trestle {

// What is at work, for who has started it.
struct Started {
  std::optional<std::uint16_t> api_port;  // none: there is no DynamoDB API
  std::string endpoint;                   // where the data is; empty: here
  const Web* web = nullptr;               // null: none
};

// Says on the standard output where everything is, and how to try it.
void PrintStart(const ServeOptions& options, const Started& started);

}  // namespace trestle

#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

// A log line is a constant sentence plus named fields, one JSON object a line on standard error.
//
//   log::Warn("stream trimming is behind", {{"table", table}, {"lag_ms", std::to_string(lag_ms)}});
//
// No secrets, no item contents, at any level.

namespace trestle::log {

using Field = std::pair<std::string_view, std::string>;
using Fields = std::initializer_list<Field>;

enum class Level { kInfo, kWarn, kError, kOff };

// Lines below this level are dropped. Set once by main before threads start.
void SetLevel(Level level);

void Info(std::string_view sentence, Fields fields);
void Warn(std::string_view sentence, Fields fields);
void Error(std::string_view sentence, Fields fields);

}  // namespace trestle::log

#include "json/json.h"

namespace trestle::json {
namespace {

// What a parser may keep between two documents.
constexpr std::size_t kKeptBytesMax = 1024 * 1024;

}  // namespace

Result<Value> Parser::Parse(std::string_view text) {
  Value value;
  padded_.reserve(text.size() + simdjson::SIMDJSON_PADDING);
  padded_.assign(text);
  const auto error = parser_.parse(padded_.data(), padded_.size(), false).get(value);
  if (error != simdjson::SUCCESS) return SerializationError(simdjson::error_message(error));
  return value;
}

void Parser::Shrink() {
  if (padded_.capacity() <= kKeptBytesMax) return;
  padded_ = std::string();
  parser_ = simdjson::dom::parser();
}

}  // namespace trestle::json

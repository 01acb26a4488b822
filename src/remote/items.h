#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "remote/client.h"
#include "value/item.h"

// The operations on items, as typed calls. What they consume is counted (base/unit_counter.h) where
// the endpoint says it. Errors are those of base/error.h, with the item and the
// reasons that the service tells.

namespace trestle::remote {

// "#n" to a name and ":v" to an encoded value (value/item.h).
struct Expressions {
  std::map<std::string, std::string, std::less<>> names;
  std::map<std::string, std::string, std::less<>> values;
};

struct GetItemInput {
  std::string table;
  value::Item key;
  bool consistent_read = false;
};
[[nodiscard]] Result<std::optional<value::Item>> GetItem(Client& client, const GetItemInput& input);

// Any number of keys, none twice; what the service leaves unprocessed is asked for again.
struct BatchGetInput {
  std::string table;
  std::span<const value::Item> keys;
  bool consistent_read = false;
};
[[nodiscard]] Result<std::vector<value::Item>> BatchGetItems(Client& client,
                                                             const BatchGetInput& input);

// A Query when it has a key condition, a Scan when it has none.
struct PageInput {
  std::string table;
  std::string index;  // empty: none, as below
  std::string key_condition_expression;
  std::string filter_expression;
  std::string projection_expression;
  Expressions expressions;
  std::optional<value::Item> exclusive_start_key;
  std::optional<std::uint32_t> limit;
  bool scan_index_forward = true;
  bool consistent_read = false;
  std::uint32_t segment = 0;
  std::uint32_t total_segments = 1;
};
struct PageOutput {
  std::vector<value::Item> items;
  std::optional<value::Item> last_evaluated_key;
};
[[nodiscard]] Result<PageOutput> ReadPage(Client& client, const PageInput& input);

enum class WriteKind : std::uint8_t { kPut, kUpdate, kDelete, kConditionCheck };

struct WriteInput {
  WriteKind kind = WriteKind::kPut;
  std::string table;
  value::Item item;  // of kPut: the whole item; else the key
  std::string update_expression;
  std::string condition_expression;
  Expressions expressions;
  bool returns_item_on_failure = false;
};

// Not of kConditionCheck. Only a put or delete without a condition is sent again when nobody knows
// what became of it.
[[nodiscard]] Status WriteItem(Client& client, const WriteInput& write);

// A transaction without a token gets one here, so that it can be sent again.
[[nodiscard]] Status TransactWriteItems(Client& client, std::span<const WriteInput> writes,
                                        const std::string& client_request_token);

// Any number of puts and deletes; what the service leaves unprocessed is sent again.
[[nodiscard]] Status BatchWriteItems(Client& client, std::span<const WriteInput> writes);

}  // namespace trestle::remote

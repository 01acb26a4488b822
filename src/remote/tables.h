#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "remote/client.h"

// The operations on tables, as typed calls, in the service's own words ("PAY_PER_REQUEST").

namespace trestle::remote {

struct KeySchema {
  std::string partition_key;  // several attributes, which only others use: "a, b"
  std::string sort_key;       // empty: none
};

struct IndexDescription {
  std::string name;
  bool is_local = false;
  KeySchema keys;
  std::string projection_type;  // "ALL", "KEYS_ONLY", "INCLUDE"
  std::vector<std::string> non_key_attributes;
  std::string status;  // of a reply; local indexes have none
};

struct Throughput {
  std::int64_t read_units = 0;
  std::int64_t write_units = 0;
};

struct TableDescription {
  std::string name;
  KeySchema keys;
  std::map<std::string, std::string> attribute_types;  // "S", "N", "B"
  std::vector<IndexDescription> indexes;
  std::optional<Throughput> provisioned;  // none: on demand
  std::string stream_view_type;           // empty: no stream
  std::string sse_type;                   // empty: the service's own key; else "KMS"
  std::string kms_key;

  // Of a reply.
  std::string status;
  std::string latest_stream_arn;
};

[[nodiscard]] Result<TableDescription> DescribeTable(Client& client, const std::string& table);
// Both return before the change is made; so does UpdateTable.
[[nodiscard]] Status CreateTable(Client& client, const TableDescription& table);
[[nodiscard]] Status DeleteTable(Client& client, const std::string& table);

// One kind of change at a time.
struct BillingUpdate {
  std::optional<Throughput> provisioned;  // none: on demand
  std::vector<std::string> indexes;       // global ones, which get the same
};
struct StreamUpdate {
  std::string view_type;  // empty: off
};
struct IndexCreation {
  IndexDescription index;
  std::map<std::string, std::string> attribute_types;
  std::optional<Throughput> provisioned;
};
struct IndexDeletion {
  std::string name;
};
struct EncryptionUpdate {
  std::string sse_type;  // empty: the service's own key
  std::string kms_key;
};
using TableUpdate =
    std::variant<BillingUpdate, StreamUpdate, IndexCreation, IndexDeletion, EncryptionUpdate>;
[[nodiscard]] Status UpdateTable(Client& client, const std::string& table,
                                 const TableUpdate& update);

struct TimeToLive {
  std::string attribute;  // empty: none
  std::string status;     // "ENABLED", "DISABLED", "ENABLING", "DISABLING"
};
[[nodiscard]] Result<TimeToLive> DescribeTimeToLive(Client& client, const std::string& table);
[[nodiscard]] Status UpdateTimeToLive(Client& client, const std::string& table,
                                      const std::string& attribute, bool is_enabled);

[[nodiscard]] Result<bool> HasPointInTimeRecovery(Client& client, const std::string& table);
[[nodiscard]] Status UpdatePointInTimeRecovery(Client& client, const std::string& table,
                                               bool is_enabled);

}  // namespace trestle::remote

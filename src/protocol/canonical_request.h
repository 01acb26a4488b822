#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// The texts that AWS Signature Version 4 signs. What is done with them is in sigv4.h.

namespace trestle::protocol {

struct HeaderView {
  std::string_view name;  // in any case
  std::string_view value;
};

// An HTTP request as it went over the wire: nothing decoded, nothing decompressed.
struct RequestView {
  std::string_view method;
  std::string_view path;
  std::string_view query;  // without the '?'
  std::span<const HeaderView> headers;
  std::string_view body;
};

// The value of the first header of this name, in any case.
[[nodiscard]] std::optional<std::string_view> FindHeader(std::span<const HeaderView> headers,
                                                         std::string_view name);

// A query string taken apart and percent-decoded, in the order it was sent.
using QueryParameters = std::vector<std::pair<std::string, std::string>>;
[[nodiscard]] QueryParameters ParseQuery(std::string_view query);

// `signed_headers` is the list as the client sends it, "host;x-amz-date". A header in it that the
// request lacks counts as empty. The signature itself, in a query, is left out.
[[nodiscard]] std::string CanonicalRequest(const RequestView& request,
                                           std::string_view signed_headers,
                                           std::string_view body_sha256_hex);

// `scope` is "20260131/us-east-1/dynamodb/aws4_request".
[[nodiscard]] std::string StringToSign(std::string_view timestamp, std::string_view scope,
                                       std::string_view canonical_request);

// Whole seconds as "20260131T235959Z", and back.
[[nodiscard]] std::string TimestampOf(std::int64_t unix_s);
[[nodiscard]] std::optional<std::int64_t> ParseTimestamp(std::string_view text);
// "Sat, 31 Jan 2026 23:59:59 GMT", as a Date header has it.
[[nodiscard]] std::optional<std::int64_t> ParseHttpDate(std::string_view text);

}  // namespace trestle::protocol

#include "remote/endpoint.h"

#include <initializer_list>
#include <string_view>

#include <fmt/format.h>

#include "remote/profile.h"

namespace trestle::remote {
namespace {

constexpr std::string_view kRegionOfOthers = "us-east-1";

std::string FirstOf(std::initializer_list<std::string_view> texts) {
  for (const std::string_view text : texts) {
    if (!text.empty()) return std::string(text);
  }
  return {};
}

std::string ServiceUrl(std::string_view service, std::string_view region) {
  const std::string_view suffix = region.starts_with("cn-") ? ".cn" : "";
  return fmt::format("https://{}.{}.amazonaws.com{}", service, region, suffix);
}

// What becomes part of a host's name must not be able to name another host.
bool IsRegion(std::string_view region) {
  return region.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") ==
         std::string_view::npos;
}

}  // namespace

Result<Endpoint> ResolveEndpoint(const Environment& environment, const EndpointOptions& options) {
  Profile profile = TRY(ReadProfile(environment));
  const std::string shared =
      FirstOf({environment.Find("AWS_ENDPOINT_URL"), profile["endpoint_url"]});
  const std::string dynamodb =
      FirstOf({options.endpoint, environment.Find("AWS_ENDPOINT_URL_DYNAMODB"), shared});
  // One server that is given for tables serves their streams too, unless something else is said.
  const std::string streams =
      FirstOf({options.endpoint, environment.Find("AWS_ENDPOINT_URL_DYNAMODB_STREAMS"),
               environment.Find("AWS_ENDPOINT_URL_DYNAMODB"), shared});

  Endpoint endpoint;
  endpoint.region = FirstOf({options.region, environment.Find("AWS_REGION"),
                             environment.Find("AWS_DEFAULT_REGION"), profile["region"],
                             dynamodb.empty() ? std::string_view() : kRegionOfOthers});
  if (endpoint.region.empty()) {
    return ValidationError("A region is needed: --region, AWS_REGION or the profile's");
  }
  if (!IsRegion(endpoint.region)) {
    return ValidationError(fmt::format("{} is not a region", endpoint.region));
  }
  endpoint.dynamodb =
      TRY(http::ParseUrl(dynamodb.empty() ? ServiceUrl("dynamodb", endpoint.region) : dynamodb));
  endpoint.streams = TRY(
      http::ParseUrl(streams.empty() ? ServiceUrl("streams.dynamodb", endpoint.region) : streams));
  return endpoint;
}

}  // namespace trestle::remote

#include "remote/endpoint.h"

#include <gtest/gtest.h>

#include "remote/testing_internal.h"

namespace trestle::remote {
namespace {

using testing::EnvironmentOf;
using testing::Texts;

Endpoint Resolve(Texts variables, const EndpointOptions& options = {}) {
  const Texts files = {{"/h/.aws/config",
                        "[default]\n[profile far]\nregion = ap-south-1\n"
                        "[profile here]\nendpoint_url = http://profile:1\n"}};
  variables.emplace("HOME", "/h");
  const auto endpoint = ResolveEndpoint(EnvironmentOf(std::move(variables), files), options);
  EXPECT_TRUE(endpoint.ok()) << endpoint.error().message();
  return endpoint.ok() ? *endpoint : Endpoint();
}

TEST(Endpoint, IsTheRegionsOwn) {
  const Endpoint endpoint = Resolve({{"AWS_REGION", "eu-west-1"}});
  EXPECT_EQ(endpoint.region, "eu-west-1");
  EXPECT_EQ(endpoint.dynamodb.origin.host, "dynamodb.eu-west-1.amazonaws.com");
  EXPECT_EQ(endpoint.streams.origin.host, "streams.dynamodb.eu-west-1.amazonaws.com");
  EXPECT_TRUE(endpoint.dynamodb.origin.is_tls);
  EXPECT_EQ(Resolve({}, {.region = "cn-north-1"}).dynamodb.origin.host,
            "dynamodb.cn-north-1.amazonaws.com.cn");
}

TEST(Endpoint, TheRegionIsFoundInOrder) {
  Texts variables = {{"AWS_REGION", "a-1"}, {"AWS_DEFAULT_REGION", "b-1"}, {"AWS_PROFILE", "far"}};
  EXPECT_EQ(Resolve(variables, {.region = "given-1"}).region, "given-1");
  EXPECT_EQ(Resolve(variables).region, "a-1");
  variables.erase("AWS_REGION");
  EXPECT_EQ(Resolve(variables).region, "b-1");
  variables.erase("AWS_DEFAULT_REGION");
  EXPECT_EQ(Resolve(variables).region, "ap-south-1");
}

TEST(Endpoint, TheAddressIsFoundInOrder) {
  Texts variables = {{"AWS_ENDPOINT_URL_DYNAMODB", "http://dynamodb:1"},
                     {"AWS_ENDPOINT_URL_DYNAMODB_STREAMS", "http://streams:1"},
                     {"AWS_ENDPOINT_URL", "http://shared:1"},
                     {"AWS_PROFILE", "here"}};
  const Endpoint given = Resolve(variables, {.endpoint = "http://given:1"});
  EXPECT_EQ(given.dynamodb.origin.host, "given");
  EXPECT_EQ(given.streams.origin.host, "given");
  EXPECT_EQ(given.region, "us-east-1");
  EXPECT_EQ(Resolve(variables).dynamodb.origin.host, "dynamodb");
  EXPECT_EQ(Resolve(variables).streams.origin.host, "streams");
  variables.erase("AWS_ENDPOINT_URL_DYNAMODB_STREAMS");
  EXPECT_EQ(Resolve(variables).streams.origin.host, "dynamodb");
  variables.erase("AWS_ENDPOINT_URL_DYNAMODB");
  EXPECT_EQ(Resolve(variables).dynamodb.origin.host, "shared");
  variables.erase("AWS_ENDPOINT_URL");
  EXPECT_EQ(Resolve(variables).streams.origin.host, "profile");
}

TEST(Endpoint, RefusesWhatNamesNoHost) {
  for (const EndpointOptions& options :
       {EndpointOptions{}, EndpointOptions{.endpoint = "localhost:8000"},
        EndpointOptions{.region = "evil.example/"}}) {
    const auto endpoint = ResolveEndpoint(EnvironmentOf({}), options);
    ASSERT_FALSE(endpoint.ok());
    EXPECT_EQ(endpoint.error().code(), ErrorCode::kValidation);
  }
}

}  // namespace
}  // namespace trestle::remote

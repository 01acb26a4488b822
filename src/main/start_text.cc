#include "main/start_text.h"

#include <cstdio>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "main/server.h"

namespace trestle {
namespace {

std::string EndpointUrl(const ServeOptions& options, std::uint16_t port) {
  return AddressOf({.bind_address = options.bind_address,
                    .port = port,
                    .is_tls = !options.tls_certificate_file.empty()});
}

std::string FolderText(const std::string& folder) {
  std::error_code error;
  const auto path = std::filesystem::absolute(folder, error);
  return error ? folder : path.string();
}

void PrintPlace(const ServeOptions& options) {
  if (options.in_memory) {
    fmt::print("Data          in memory: it is gone when the server ends\n");
    return;
  }
  fmt::print("Data          {}\n", FolderText(options.data_folder));
  fmt::print("Durability    {}\n",
             options.durability == storage::Durability::kSync
                 ? "sync: a write is acknowledged when it is on disk"
                 : "RELAXED: a power cut can take back writes that were acknowledged");
  fmt::print("Encryption    none: data is not encrypted at rest\n");
}

void PrintEndpoint(const ServeOptions& options, std::string_view endpoint) {
  fmt::print("Data          {}\n", endpoint);
  fmt::print("Keys, search  {}\n", options.in_memory
                                       ? "in memory: everybody has to sign in again after a start"
                                       : FolderText(options.data_folder));
}

void PrintWeb(const ServeOptions& options, const Web& web) {
  const std::string url = EndpointUrl(options, web.port());
  if (web.has_pages()) fmt::print("Web           {0}  (studio: {0}/studio)\n", url);
  for (const platform::Host::Place& place : web.host().places())
    fmt::print("{:<13} {}{}\n", place.is_app ? place.title : "Design", url, place.path);
  if (!web.has_samples()) return;
  fmt::print(
      "Sign in as    ann@example.org, bob@example.org or eve@example.org (administrator)\n"
      "              with the password {}\n",
      platform::kSamplePassword);
}

}  // namespace

void PrintStart(const ServeOptions& options, const Started& started) {
  fmt::print("Trestle {}\n", Version());
  if (started.endpoint.empty()) {
    PrintPlace(options);
  } else {
    PrintEndpoint(options, started.endpoint);
  }
  const std::string url = started.api_port ? EndpointUrl(options, *started.api_port) : "";
  const bool is_open = options.access_keys_file.empty();
  if (started.api_port) {
    fmt::print("DynamoDB API  {}\n", url);
    fmt::print("Signatures    {}\n", is_open ? "not enforced: any credentials will do"
                                             : "enforced: clients need one of the access keys");
  }
  if (started.web != nullptr) PrintWeb(options, *started.web);
  if (started.api_port) {
    fmt::print("\nTry it:\n  {}aws dynamodb list-tables --endpoint-url {} --region {}\n",
               is_open ? "AWS_ACCESS_KEY_ID=local AWS_SECRET_ACCESS_KEY=local " : "", url,
               options.region);
  }
  fmt::print("\n");
  std::fflush(stdout);
}

}  // namespace trestle

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/mutex.h"
#include "http/server.h"
#include "remote/environment.h"

// What the tests of this folder stand on.

namespace trestle::remote::testing {

// A request as the server saw it.
struct Seen {
  std::string method;
  std::string target;
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
};

// Answers each request as the test says.
class FakeServer final : public http::Handler {
 public:
  using Answer = std::function<http::Response(const Seen&)>;

  explicit FakeServer(Answer answer) : answer_(std::move(answer)) {
    auto server = http::Server::Start({.port = 0}, *this);
    EXPECT_TRUE(server.ok());
    server_ = *std::move(server);
  }
  ~FakeServer() override { server_->Shutdown(0); }

  void Handle(const http::Request& request, http::Exchange exchange) override {
    Seen seen{.method = std::string(request.method),
              .target = std::string(request.target),
              .headers = {},
              .body = std::string(request.body)};
    for (const http::Header& header : request.headers) {
      std::string name(header.name);
      for (char& c : name)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      seen.headers.emplace(std::move(name), header.value);
    }
    http::Response response = answer_(seen);
    {
      const MutexLock lock(mutex_);
      seen_.push_back(std::move(seen));
    }
    exchange.Reply(std::move(response));
  }

  [[nodiscard]] std::string url() const {
    return fmt::format("http://127.0.0.1:{}", server_->port());
  }
  [[nodiscard]] std::vector<Seen> seen() const EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    return seen_;
  }

 private:
  const Answer answer_;
  mutable Mutex mutex_;
  std::vector<Seen> seen_ GUARDED_BY(mutex_);
  std::unique_ptr<http::Server> server_;
};

using Texts = std::map<std::string, std::string, std::less<>>;

inline Environment EnvironmentOf(Texts variables, Texts files = {}) {
  return {.variables = std::move(variables),
          .read_file =
              [files = std::move(files)](const std::string& path) -> std::optional<std::string> {
            const auto found = files.find(path);
            if (found == files.end()) return std::nullopt;
            return found->second;
          }};
}

inline http::Response JsonResponse(int status, std::string body) {
  return {.status = status,
          .content_type = "application/x-amz-json-1.0",
          .body = std::move(body),
          .headers = {}};
}

}  // namespace trestle::remote::testing

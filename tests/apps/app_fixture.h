#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/watching_backend.h"
#include "design/backend_fixture.h"
#include "design/runtime.h"
#include "http/client.h"
#include "http/server.h"
#include "json/tree.h"
#include "platform/app.h"
#include "platform/host.h"

// An app over real HTTP, on every back end, at a time that the test sets. A test fails when the app
// has read a table by Scan.
//
//   class BooksTest : public AppFixture { BooksTest() { Use(Books()); } };
//   TRESTLE_ON_EVERY_BACKEND(BooksTest);
//   TEST_P(BooksTest, AddsABook) {
//     const Answer answer = As("ann").Post("/books", R"({"title": "Emma"})");
//     EXPECT_EQ(answer.status, 201);
//     EXPECT_EQ(answer.At("title"), "Emma");
//   }

namespace trestle::apps::testing {

// One of All().
[[nodiscard]] const platform::App& AppNamed(std::string_view name);

struct Answer {
  int status = 0;
  std::vector<std::pair<std::string, std::string>> headers = {};  // names in lower case
  std::string body = {};

  [[nodiscard]] std::string Header(std::string_view name) const;  // "" when there is none
  // What the body has at a place: At("items[0].title"). Texts as they are, other values as JSON
  // writes them; "absent" where there is nothing.
  [[nodiscard]] std::string At(std::string_view place) const;
  // How many elements the array at a place has.
  [[nodiscard]] std::size_t Count(std::string_view place) const;
  [[nodiscard]] std::string Code() const { return At("code"); }  // of a problem
};

// Somebody who sends requests. Addresses are below the app.
class Person {
 public:
  Person(http::Client& client, std::string token, std::string mount)
      : client_(client), token_(std::move(token)), mount_(std::move(mount)) {}

  using Headers = std::vector<std::pair<std::string, std::string>>;
  Answer Get(std::string_view path, Headers headers = {}) const;
  Answer Post(std::string_view path, std::string_view body = {}, Headers headers = {}) const;
  Answer Put(std::string_view path, std::string_view body = {}, Headers headers = {}) const;
  Answer Patch(std::string_view path, std::string_view body, Headers headers = {}) const;
  Answer Delete(std::string_view path, Headers headers = {}) const;
  Answer Send(std::string_view method, std::string_view path, std::string_view body,
              Headers headers) const;

 private:
  http::Client& client_;
  std::string token_;  // empty: nobody is signed in
  std::string mount_;
};

class AppFixture : public design::testing::BackendFixture {
 protected:
  AppFixture() = default;
  ~AppFixture() override;

  // What apps that are opened from now on look things up in. It outlives them.
  void SetCatalogue(const platform::Catalogue* catalogue) { catalogue_ = catalogue; }
  // What apps that are opened from now on are told by who runs them.
  void SetEditWindow(std::int64_t ms) { edit_window_ms_ = ms; }
  void RequireIfMatch() { requires_if_match_ = true; }
  // Opens the app's table and serves it, instead of another app.
  void Use(const platform::App& app);
  // All apps at once, with real accounts: who sends a request is what its token says.
  void UseAll();

  // `groups` has blanks between.
  [[nodiscard]] Person As(std::string_view sub, std::string_view groups = {}) const;
  [[nodiscard]] Person Nobody() const;
  // Who has this token, in an app.
  [[nodiscard]] Person With(std::string token, const platform::App& app) const;

  // What the address of an uploaded picture shows to whoever knows it.
  [[nodiscard]] Answer See(const std::string& address, Person::Headers headers = {}) const;

  [[nodiscard]] design::Runtime& runtime() { return *host_->FindRuntime(app_.name); }
  [[nodiscard]] platform::Host& host() { return *host_; }
  // A token that the pool has signed, whatever it says.
  [[nodiscard]] std::string Sign(std::string_view claims);
  // What was sent.
  [[nodiscard]] std::vector<platform::identity::Mail> mails() const { return mail_.mails(); }
  [[nodiscard]] WatchingBackend& watching() { return *watching_; }
  // Waits until what follows from all writes so far is done, jobs included, and indexes show it.
  void Settle();
  // Whether it is.
  [[nodiscard]] bool IsIdle();
  // Has all removed that the person's app knows of them; the state in which the job has ended.
  std::string EraseMe(const Person& person);
  // Ends the app and removes its tables.
  void RemoveTables();

 private:
  void Open(std::vector<const platform::App*> apps, bool has_tokens);
  void Close();

  std::unique_ptr<WatchingBackend> watching_;
  const platform::Catalogue* catalogue_ = nullptr;
  std::optional<std::int64_t> edit_window_ms_;
  bool requires_if_match_ = false;
  std::uint64_t scans_at_start_ = 0;  // of search indexes that are built
  platform::identity::MemoryMail mail_;
  std::unique_ptr<platform::Host> host_;
  platform::App app_;
  std::unique_ptr<http::Server> server_;
  std::unique_ptr<http::Client> client_;
};

}  // namespace trestle::apps::testing

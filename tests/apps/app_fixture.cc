#include "apps/app_fixture.h"

#include <algorithm>
#include <charconv>
#include <variant>

#include <fmt/format.h>

#include "apps/apps.h"
#include "apps/timers.h"
#include "base/check.h"
#include "base/crypto.h"
#include "base/log.h"
#include "main/web_store.h"
#include "platform/identity/auth_app.h"
#include "platform/identity/signing_keys.h"
#include "platform/items.h"
#include "platform/values.h"

namespace trestle::apps::testing {
namespace {

constexpr std::int64_t kTimeoutMs = 30'000;
constexpr std::chrono::milliseconds kIdleWait{50};

// "Bearer ann admin" is ann of the group admin.
Result<std::optional<platform::Principal>> Identify(const http::Request& request) {
  const auto header = request.Find("Authorization");
  if (!header) return std::optional<platform::Principal>();
  std::string_view rest = header->substr(std::string_view("Bearer ").size());
  platform::Principal principal;
  principal.sub = rest.substr(0, rest.find(' '));
  principal.email = principal.sub + "@example.org";
  principal.name = principal.sub;
  rest.remove_prefix(std::min(principal.sub.size() + 1, rest.size()));
  while (!rest.empty()) {
    const std::string_view group = rest.substr(0, rest.find(' '));
    principal.groups.emplace_back(group);
    rest.remove_prefix(std::min(group.size() + 1, rest.size()));
  }
  return std::optional(std::move(principal));
}

// Keys are made once for all tests: it takes a while.
platform::identity::SecretPlace SharedKeys() {
  static std::string text;
  return {.read = []() -> Result<std::string> { return text; },
          .write = [](std::string_view keys) -> Status {
            text = keys;
            return Ok();
          }};
}

// The app's own rule, on a thread that is known to work for requests.
Status AdmitMarked(platform::Call& call) {
  WatchingBackend::MarkThread();
  return AppNamed(call.app().name).admit(call);
}

const json::Tree* Find(const json::Tree& tree, std::string_view place) {
  const json::Tree* at = &tree;
  while (at != nullptr && !place.empty()) {
    if (place.front() == '[') {
      std::size_t index = 0;
      const std::size_t end = place.find(']');
      std::from_chars(place.data() + 1, place.data() + end, index);
      place.remove_prefix(end + 1);
      const auto* array = at->As<json::Tree::Array>();
      at = array != nullptr && index < array->size() ? &(*array)[index] : nullptr;
    } else {
      if (place.front() == '.') place.remove_prefix(1);
      const std::string_view name = place.substr(0, place.find_first_of(".["));
      place.remove_prefix(name.size());
      const auto* object = at->As<json::Tree::Object>();
      if (object == nullptr) return nullptr;
      const auto member = std::ranges::find(*object, name, &json::Member::name);
      at = member == object->end() ? nullptr : &member->value;
    }
  }
  return at;
}

std::string TextOf(const json::Tree& tree) {
  if (const auto* text = tree.As<std::string>()) return *text;
  if (const auto* number = tree.As<json::Tree::Number>()) return number->text;
  if (const auto* boolean = tree.As<bool>()) return *boolean ? "true" : "false";
  if (const auto* array = tree.As<json::Tree::Array>()) {
    std::string out = "[";
    for (const json::Tree& element : *array)
      out += (out.size() > 1 ? "," : "") + TextOf(element);
    return out + "]";
  }
  if (const auto* object = tree.As<json::Tree::Object>()) {
    std::string out = "{";
    for (const json::Member& member : *object)
      out += fmt::format("{}{}:{}", out.size() > 1 ? "," : "", member.name, TextOf(member.value));
    return out + "}";
  }
  return "null";
}

}  // namespace

const platform::App& AppNamed(std::string_view name) {
  return *std::ranges::find(All(), name, &platform::App::name);
}

std::string Answer::Header(std::string_view name) const {
  for (const auto& [header, value] : headers)
    if (header == name) return value;
  return {};
}

std::string Answer::At(std::string_view place) const {
  const auto tree = json::ParseTree(body);
  if (!tree.ok()) return "no JSON";
  const json::Tree* found = Find(*tree, place);
  return found == nullptr ? "absent" : TextOf(*found);
}

std::size_t Answer::Count(std::string_view place) const {
  const auto tree = json::ParseTree(body);
  const json::Tree* found = tree.ok() ? Find(*tree, place) : nullptr;
  const auto* array = found == nullptr ? nullptr : found->As<json::Tree::Array>();
  return array == nullptr ? 0 : array->size();
}

Answer Person::Get(std::string_view path, Headers headers) const {
  return Send("GET", path, {}, std::move(headers));
}
Answer Person::Post(std::string_view path, std::string_view body, Headers headers) const {
  return Send("POST", path, body, std::move(headers));
}
Answer Person::Put(std::string_view path, std::string_view body, Headers headers) const {
  return Send("PUT", path, body, std::move(headers));
}
Answer Person::Patch(std::string_view path, std::string_view body, Headers headers) const {
  return Send("PATCH", path, body, std::move(headers));
}
Answer Person::Delete(std::string_view path, Headers headers) const {
  return Send("DELETE", path, {}, std::move(headers));
}

Answer Person::Send(std::string_view method, std::string_view path, std::string_view body,
                    Headers headers) const {
  const bool has_type = std::ranges::any_of(
      headers, [](const auto& header) { return header.first == "Content-Type"; });
  if (!body.empty() && !has_type) headers.emplace_back("Content-Type", "application/json");
  if (!token_.empty()) headers.emplace_back("Authorization", "Bearer " + token_);
  std::vector<http::Header> sent;
  sent.reserve(headers.size());
  for (const auto& [name, value] : headers)
    sent.push_back({name, value});
  const std::string target = mount_ + std::string(path);
  auto answer = client_.Send({.method = method,
                              .target = target,
                              .headers = sent,
                              .body = body,
                              .timeout_ms = kTimeoutMs});
  if (auto* failure = std::get_if<http::ClientFailure>(&answer)) {
    ADD_FAILURE() << method << " " << target << ": " << failure->reason;
    return {};
  }
  auto& response = std::get<http::ClientResponse>(answer);
  return {.status = response.status,
          .headers = std::move(response.headers),
          .body = std::move(response.body)};
}

AppFixture::~AppFixture() { Close(); }

void AppFixture::Close() {
  if (server_ != nullptr) server_->Shutdown(0);
  if (host_ != nullptr) host_->Stop();
  if (watching_ != nullptr) {
    EXPECT_EQ(watching_->scans(), scans_at_start_);
  }
}

void AppFixture::Use(const platform::App& app) {
  Close();
  app_ = app;
  if (app_.admit != nullptr) app_.admit = AdmitMarked;
  Open({&app_}, false);
}

void AppFixture::UseAll() {
  Close();
  static const std::vector<platform::App> marked = [] {
    std::vector<platform::App> apps(All().begin(), All().end());
    for (platform::App& app : apps)
      app.admit = AdmitMarked;
    return apps;
  }();
  std::vector<const platform::App*> apps;
  for (const platform::App& app : marked)
    apps.push_back(&app);
  Open(std::move(apps), true);
}

void AppFixture::Open(std::vector<const platform::App*> apps, bool has_tokens) {
  log::SetLevel(log::Level::kError);
  watching_ = std::make_unique<WatchingBackend>(backend());
  decltype(platform::HostOptions::identify) identify;
  if (!has_tokens) identify = Identify;
  auto host =
      platform::Host::Open({.backend = watching_.get(),
                            .clock = &clock(),
                            .random = &random(),
                            .designs = {},
                            .apps = std::move(apps),
                            .timers = Timers(),
                            .data_folder = {},
                            .seal_key = SecureRandomBytes(kSealKeyBytes),
                            .signing_keys = SharedKeys(),
                            .issuer = "test",
                            .mail = &mail_,
                            .catalogue = catalogue_,
                            .requires_if_match = requires_if_match_,
                            .edit_window_ms = edit_window_ms_,
                            .index_lag_ms = index_lag_ms(),
                            .identify = std::move(identify),
                            .is_ready = {},
                            .open_scratch = [this] { return OpenScratch(clock(), random()); }});
  CHECK(host.ok(), host.error().message().c_str());
  host_ = *std::move(host);
  EXPECT_TRUE(Eventually([&] { return IsIdle(); }));
  scans_at_start_ = watching_->scans();
  auto server = http::Server::Start({.port = 0}, host_->service());
  CHECK(server.ok(), "a free port");
  server_ = *std::move(server);
  client_ = std::make_unique<http::Client>(http::ClientOptions{
      .origin = {.host = "127.0.0.1", .port = server_->port(), .is_tls = false}});
}

Person AppFixture::As(std::string_view sub, std::string_view groups) const {
  return {*client_, fmt::format("{}{}{}", sub, groups.empty() ? "" : " ", groups),
          platform::MountPath(app_)};
}

Person AppFixture::With(std::string token, const platform::App& app) const {
  return {*client_, std::move(token), platform::MountPath(app)};
}

Answer AppFixture::See(const std::string& address, Person::Headers headers) const {
  return Person(*client_, "", "").Get(address, std::move(headers));
}

std::string AppFixture::Sign(std::string_view claims) {
  const auto keys = platform::identity::SigningKeys::Open(SharedKeys(), clock());
  CHECK(keys.ok(), "the pool's keys");
  return (*keys)->Sign(claims);
}

Person AppFixture::Nobody() const { return {*client_, "", platform::MountPath(app_)}; }

bool AppFixture::IsIdle() {
  if (!host_->Drained(kIdleWait)) return false;
  const auto open =
      platform::RunWhole(*host_->FindRuntime(platform::identity::kAuthApp.name), "openJobs", {});
  return open.ok() && open->empty() && host_->Drained(kIdleWait);
}

void AppFixture::Settle() {
  EXPECT_TRUE(Eventually([&] {
    LetIndexesFollow();
    return IsIdle();
  }));
  LetIndexesFollow();
}

std::string AppFixture::EraseMe(const Person& person) {
  const Answer left = person.Delete("/me");
  EXPECT_EQ(left.status, 202) << left.body;
  Settle();
  const std::string job = left.Header("location");
  design::Runtime& owner = *host_->FindRuntime(platform::identity::kAuthApp.name);
  const auto item = owner.Get(*owner.model().FindEntity("Job"),
                              platform::TextRecord({{"jobId", job.substr(job.rfind('/') + 1)}}));
  EXPECT_TRUE(item.ok() && *item);
  return platform::TextOf((*item)->record, "state");
}

void AppFixture::RemoveTables() {
  if (host_ == nullptr) return;
  std::vector<std::string> tables;
  for (const platform::Host::Design& design : host_->designs())
    tables.emplace_back(design.table);
  Close();
  server_.reset();
  host_.reset();
  for (const std::string& table : tables)
    EXPECT_TRUE(backend().DeleteTable(table).ok());
}

}  // namespace trestle::apps::testing

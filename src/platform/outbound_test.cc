#include "platform/outbound.h"

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/log.h"
#include "base/mutex.h"
#include "design/backend_engine.h"
#include "engine/testing_internal.h"
#include "http/server.h"
#include "platform/testing_internal.h"

namespace trestle::platform {
namespace {

constexpr std::string_view kDesign = R"(design Boxes version 1

table "boxes" {
  key pk
  discriminate by attribute kind
  stream new_and_old
}

entity Box {
  type "BOX"
  key pk "BOX#{boxId}"

  boxId  : id
  label  : string(1..50)
  secret : string(1..50)?
}

mirror Label of Box {
  type "LABEL"
  key pk "LABEL#{boxId}"
  include label
}
)";

constexpr ItemView kViews[] = {{.entity = "Box", .hidden = "secret"}};

// Answers every request with one status, and keeps what it was sent.
class Receiver final : public http::Handler {
 public:
  Receiver() {
    auto server = http::Server::Start({.port = 0}, *this);
    EXPECT_TRUE(server.ok());
    server_ = *std::move(server);
  }
  ~Receiver() override { server_->Shutdown(0); }

  void Handle(const http::Request& request, http::Exchange exchange) override {
    {
      const MutexLock lock(mutex_);
      bodies_.emplace_back(request.body);
      signatures_.emplace_back(request.Find("Trestle-Signature").value_or(""));
    }
    http::Response response;
    response.status = status;
    exchange.Reply(std::move(response));
  }
  [[nodiscard]] http::Response Refusal(int refused) const override {
    http::Response response;
    response.status = refused;
    return response;
  }

  [[nodiscard]] std::string url() const {
    return "http://127.0.0.1:" + std::to_string(server_->port()) + "/events";
  }
  std::vector<std::string> bodies() {
    const MutexLock lock(mutex_);
    return bodies_;
  }
  std::vector<std::string> signatures() {
    const MutexLock lock(mutex_);
    return signatures_;
  }
  std::atomic<int> status = 200;

 private:
  Mutex mutex_;
  std::vector<std::string> bodies_ GUARDED_BY(mutex_);
  std::vector<std::string> signatures_ GUARDED_BY(mutex_);
  std::unique_ptr<http::Server> server_;
};

class OutboundTest : public engine::testing::DatabaseFixture {
 protected:
  OutboundTest() : DatabaseFixture(1'767'323'045'678) {}

  void SetUp() override {
    OpenInMemory();
    backend_ = design::NewEngineBackend(*database_);
    boxes_.emplace(kDesign, *backend_, clock_, random_);
    mount_ = {.app = &app_, .runtime = boxes_->runtime.get()};
    auto outbound = Outbound::Open(
        {.url = receiver_.url(), .secret = "canary", .account_id = "0", .region = "r"}, clock_);
    ASSERT_TRUE(outbound.ok()) << outbound.error().message();
    outbound_ = *std::move(outbound);
  }

  // Sends what happened to the table since the last call.
  Status SendAll() {
    auto reader = TRY(backend_->Follow(boxes_->runtime->table(), position_));
    for (const design::Change& change : TRY(reader->Next(100, std::chrono::milliseconds(0)))) {
      ItemChange item{.runtime = *boxes_->runtime, .change = change};
      if (change.old_image) item.old_item = boxes_->runtime->Recognise(change.old_image->view());
      if (change.new_image) item.new_item = boxes_->runtime->Recognise(change.new_image->view());
      TRY(outbound_->Send(mount_, item));
    }
    position_ = reader->position();
    return Ok();
  }
  void AddBox() {
    const auto created = boxes_->runtime->Create(
        boxes_->Entity("Box"),
        testing::Texts({{"boxId", "b1"}, {"label", "Toys"}, {"secret", "canary"}}));
    ASSERT_TRUE(created.ok()) << created.error().message();
  }

  const App app_{.name = "boxes", .title = "Boxes", .routes = {}, .views = kViews};
  std::unique_ptr<design::Backend> backend_;
  std::optional<testing::DesignAtWork> boxes_;
  Mount mount_;
  Receiver receiver_;
  std::unique_ptr<Outbound> outbound_;
  std::string position_;
};

TEST_F(OutboundTest, AChangeIsAnEventWithoutWhatIsHidden) {
  AddBox();
  const Status sent = SendAll();
  ASSERT_TRUE(sent.ok()) << sent.error().message();
  ASSERT_EQ(receiver_.bodies().size(), 1U);  // none for the mirror
  const std::string body = receiver_.bodies().front();
  for (const std::string_view part :
       {R"("version":"0")", R"("detail-type":"Box created","source":"trestle.boxes","account":"0")",
        R"("time":"2026-01-02T03:04:05Z","region":"r","resources":[])", R"("change":"created")",
        R"("label":"Toys")"}) {
    EXPECT_NE(body.find(part), std::string::npos) << part << " in " << body;
  }
  EXPECT_EQ(body.find("canary"), std::string::npos);
  EXPECT_EQ(body.find(R"("old")"), std::string::npos);
  EXPECT_EQ(
      receiver_.signatures().front(),
      "t=1767323045,v1=" + HexEncode(AsBytes(HmacSha256("canary").Sign("1767323045." + body))));

  const auto deleted =
      boxes_->runtime->Delete(boxes_->Entity("Box"), testing::Texts({{"boxId", "b1"}}));
  ASSERT_TRUE(deleted.ok()) << deleted.error().message();
  ASSERT_TRUE(SendAll().ok());
  ASSERT_EQ(receiver_.bodies().size(), 2U);
  EXPECT_NE(receiver_.bodies().back().find(R"("detail-type":"Box deleted")"), std::string::npos);
  EXPECT_EQ(receiver_.bodies().back().find(R"("new")"), std::string::npos);
}

TEST_F(OutboundTest, TheSameChangeHasTheSameId) {
  AddBox();
  ASSERT_TRUE(SendAll().ok());
  position_.clear();
  clock_.Advance(1000);
  ASSERT_TRUE(SendAll().ok());
  ASSERT_EQ(receiver_.bodies().size(), 2U);
  EXPECT_EQ(receiver_.bodies()[0], receiver_.bodies()[1]);
  EXPECT_NE(receiver_.signatures()[0], receiver_.signatures()[1]);
}

TEST_F(OutboundTest, AnAnswerSaysWhetherToTryAgain) {
  AddBox();
  const auto code = [&](int status) {
    receiver_.status = status;
    position_.clear();
    const Status sent = SendAll();
    return sent.ok() ? std::optional<ErrorCode>() : std::optional(sent.error().code());
  };
  EXPECT_EQ(code(204), std::nullopt);
  for (const int status : {400, 401, 404, 301})
    EXPECT_EQ(code(status), ErrorCode::kValidation) << status;
  for (const int status : {408, 429, 500, 503})
    EXPECT_EQ(code(status), ErrorCode::kUnavailable) << status;
}

TEST(Outbound, EventsLeaveTheMachineOverTlsOnly) {
  const FixedClock clock(0);
  EXPECT_FALSE(Outbound::Open({.url = "http://events.example.org"}, clock).ok());
  EXPECT_FALSE(Outbound::Open({.url = "events"}, clock).ok());
  EXPECT_TRUE(Outbound::Open({.url = "https://events.example.org/x"}, clock).ok());
}

}  // namespace
}  // namespace trestle::platform

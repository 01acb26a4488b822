#include "platform/identity/mail_queue.h"

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/log.h"
#include "platform/identity/smtp_mail.h"

namespace trestle::platform::identity {
namespace {

// Answers as the test says, and then with success.
class FakeSender final : public MailSender {
 public:
  Status Send(const Mail& mail) override {
    asked.push_back(mail.subject);
    if (answers.empty()) return Ok();
    Status answer = std::move(answers.front());
    answers.pop_front();
    return answer;
  }
  std::vector<std::string> asked;
  std::deque<Status> answers;
};

Mail MailOf(std::string subject) {
  return {.to = "a@example.org", .subject = std::move(subject), .text = ""};
}

class MailQueueTest : public ::testing::Test {
 protected:
  MailQueueTest() { log::SetLevel(log::Level::kOff); }
  ~MailQueueTest() override { log::SetLevel(log::Level::kInfo); }

  void Fail(ErrorCode code) { sender_->answers.emplace_back(Error(code, "no")); }

  FixedClock clock_{1'800'000'000'000};
  std::unique_ptr<FakeSender> owned_ = std::make_unique<FakeSender>();
  FakeSender* sender_ = owned_.get();
  MailQueue queue_{
      std::move(owned_), clock_, {.mails_max = 3, .tries_max = 3, .first_pause_ms = 1000}};
};

TEST_F(MailQueueTest, TriesAgainAfterPausesThatDouble) {
  Fail(ErrorCode::kUnavailable);
  ASSERT_TRUE(queue_.Send(MailOf("1")).ok());
  queue_.SendDue();
  queue_.SendDue();  // too early
  EXPECT_EQ(sender_->asked.size(), 1U);
  // Others do not wait for it.
  ASSERT_TRUE(queue_.Send(MailOf("2")).ok());
  queue_.SendDue();
  EXPECT_EQ(sender_->asked, (std::vector<std::string>{"1", "2"}));
  Fail(ErrorCode::kUnavailable);
  clock_.Advance(1000);
  queue_.SendDue();
  clock_.Advance(1999);
  queue_.SendDue();
  EXPECT_EQ(queue_.waiting(), 1U);
  clock_.Advance(1);
  queue_.SendDue();
  EXPECT_EQ(sender_->asked.size(), 4U);
  EXPECT_EQ(queue_.waiting(), 0U);
}

TEST_F(MailQueueTest, GivesUpAfterSomeTriesOrWhenItIsRefused) {
  for (int i = 0; i < 3; ++i)
    Fail(ErrorCode::kUnavailable);
  ASSERT_TRUE(queue_.Send(MailOf("1")).ok());
  for (int i = 0; i < 5; ++i) {
    queue_.SendDue();
    clock_.Advance(10'000);
  }
  EXPECT_EQ(sender_->asked.size(), 3U);
  Fail(ErrorCode::kValidation);
  ASSERT_TRUE(queue_.Send(MailOf("2")).ok());
  queue_.SendDue();
  EXPECT_EQ(queue_.waiting(), 0U);
}

TEST_F(MailQueueTest, KeepsSoManyAndNoMore) {
  for (int i = 0; i < 3; ++i)
    EXPECT_TRUE(queue_.Send(MailOf("x")).ok());
  const Status refused = queue_.Send(MailOf("x"));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), ErrorCode::kUnavailable);
  queue_.SendDue();
  EXPECT_TRUE(queue_.Send(MailOf("x")).ok());
}

TEST_F(MailQueueTest, AThreadSends) {
  queue_.Start();
  ASSERT_TRUE(queue_.Send(MailOf("1")).ok());
  while (queue_.waiting() > 0)
    std::this_thread::yield();
  queue_.Stop();
  EXPECT_EQ(sender_->asked.size(), 1U);
}

TEST(SmtpMail, AMessageHasItsHeadersAndAnyText) {
  const Envelope envelope{
      .from = "trestle@example.org", .id = "00ff", .now_unix_ms = 1'800'000'000'000};
  EXPECT_EQ(
      MessageText({.to = "a@example.org", .subject = "Your code", .text = "123456\n"}, envelope),
      "Date: Fri, 15 Jan 2027 08:00:00 +0000\r\n"
      "From: <trestle@example.org>\r\n"
      "To: <a@example.org>\r\n"
      "Message-ID: <00ff@example.org>\r\n"
      "Subject: Your code\r\n"
      "MIME-Version: 1.0\r\n"
      "Content-Type: text/plain; charset=utf-8\r\n"
      "Content-Transfer-Encoding: base64\r\n"
      "Auto-Submitted: auto-generated\r\n"
      "\r\n"
      "MTIzNDU2Cg==\r\n");
}

TEST(SmtpMail, ASubjectCannotBecomeAHeader) {
  const std::string text =
      MessageText({.to = "a@example.org", .subject = "x\r\nBcc: b@example.org", .text = ""}, {});
  EXPECT_EQ(text.find("Bcc"), std::string::npos);
  const std::string long_text = MessageText(
      {.to = "a@example.org", .subject = std::string(50, 'x') + "\u20ac\u20ac", .text = ""}, {});
  EXPECT_NE(long_text.find("?=\r\n =?UTF-8?B?"), std::string::npos);
}

TEST(SmtpMail, AnAddressIsOnlyAnAddress) {
  const FixedClock clock(0);
  for (const char* from : {"", "a", "@b", "a@", "a@b>\r\nRCPT TO:<c@d", "a b@c"})
    EXPECT_FALSE(SmtpMail::Open({.host = "127.0.0.1", .from = from}, clock).ok()) << from;
  const auto sender = SmtpMail::Open({.host = "127.0.0.1", .port = 1, .from = "a@b"}, clock);
  ASSERT_TRUE(sender.ok()) << sender.error().message();
  const Status sent = (*sender)->Send({.to = "x@y>,<z@y", .subject = "", .text = ""});
  ASSERT_FALSE(sent.ok());
  EXPECT_EQ(sent.error().code(), ErrorCode::kValidation);
  const Status unreachable = (*sender)->Send({.to = "x@y", .subject = "", .text = ""});
  ASSERT_FALSE(unreachable.ok());
  EXPECT_EQ(unreachable.error().code(), ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace trestle::platform::identity

#include "platform/identity/password.h"

#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace trestle::platform::identity {
namespace {

// Settings that cost nothing.
constexpr PasswordHasher::Options kCheap = {.memory_kib = 64, .passes = 1};

std::string HashOf(PasswordHasher& hasher, std::string_view password) {
  const auto hash = hasher.Hash(password);
  return hash.ok() ? *hash : hash.error().message();
}

bool Matches(PasswordHasher& hasher, std::string_view password,
             const std::optional<std::string>& hash) {
  const auto is_same = hasher.Matches(password, hash);
  return is_same.ok() && *is_same;
}

TEST(PasswordHasher, HasTheSettingsThatAreAskedFor) {
  PasswordHasher hasher;
  const std::string hash = HashOf(hasher, "correct horse");
  EXPECT_EQ(hash.substr(0, 31), "$argon2id$v=19$m=19456,t=2,p=1$");
  EXPECT_TRUE(Matches(hasher, "correct horse", hash));
  EXPECT_FALSE(Matches(hasher, "correct Horse", hash));
  EXPECT_FALSE(hasher.NeedsRehash(hash));
}

TEST(PasswordHasher, ReadsTheSettingsOfAHashFromIt) {
  PasswordHasher old(kCheap);
  PasswordHasher now({.memory_kib = 128, .passes = 1});
  const std::string hash = HashOf(old, "correct horse");
  EXPECT_TRUE(Matches(now, "correct horse", hash));
  EXPECT_TRUE(now.NeedsRehash(hash));
  EXPECT_FALSE(old.NeedsRehash(hash));
}

TEST(PasswordHasher, SaltsEachHash) {
  PasswordHasher hasher(kCheap);
  EXPECT_NE(HashOf(hasher, "correct horse"), HashOf(hasher, "correct horse"));
}

TEST(PasswordHasher, NothingMatchesWithoutAHash) {
  PasswordHasher hasher(kCheap);
  EXPECT_FALSE(Matches(hasher, "correct horse", std::nullopt));
  EXPECT_FALSE(Matches(hasher, "", std::nullopt));
  EXPECT_FALSE(Matches(hasher, "correct horse", "no hash"));
  EXPECT_FALSE(Matches(hasher, "correct horse", "$argon2id$v=19$m=64,t=1,p=1$"));
}

TEST(PasswordHasher, TellsTextsApartThatCCallsEqual) {
  PasswordHasher hasher(kCheap);
  const std::string hash = HashOf(hasher, std::string("correct\0horse", 13));
  EXPECT_FALSE(Matches(hasher, "correct", hash));
  EXPECT_FALSE(Matches(hasher, std::string("correct\0Horse", 13), hash));
  EXPECT_TRUE(Matches(hasher, std::string("correct\0horse", 13), hash));
}

TEST(PasswordHasher, TakesWhatLooksTheSameAsTheSame) {
  PasswordHasher hasher(kCheap);
  const std::string hash = HashOf(hasher, "caf\u00e9 au lait");
  EXPECT_TRUE(Matches(hasher, "cafe\u0301 au lait", hash));
}

TEST(PasswordHasher, RefusesWhenTooManyWait) {
  PasswordHasher hasher({.memory_kib = 4096, .passes = 3, .at_once_max = 1, .waiting_max = 1});
  std::atomic<int> done = 0;
  std::atomic<int> refused = 0;
  std::vector<std::thread> threads;
  threads.reserve(16);
  for (int i = 0; i < 16; ++i) {
    threads.emplace_back([&] {
      const auto hash = hasher.Hash("correct horse");
      EXPECT_TRUE(hash.ok() || hash.error().code() == ErrorCode::kUnavailable);
      (hash.ok() ? done : refused).fetch_add(1);
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(done + refused, 16);
  EXPECT_GE(done, 1);
  EXPECT_GE(refused, 1);
  EXPECT_TRUE(hasher.Hash("correct horse").ok());
}

std::string Problem(std::string_view password, std::string_view email = "anna@example.com") {
  return PasswordProblem({.password = password, .email = email}).value_or("good");
}

TEST(PasswordProblem, CountsCharacters) {
  const std::string length = "must have 10 to 128 characters";
  EXPECT_EQ(Problem(""), length);
  EXPECT_EQ(Problem("kzrmw tqp"), length);
  EXPECT_EQ(Problem("kzrmw tqpx"), "good");
  std::string words;
  while (words.size() < 128)
    words += "kzrmw tqpx vb, ";
  EXPECT_EQ(Problem(words.substr(0, 128)), "good");
  EXPECT_EQ(Problem(words.substr(0, 129)), length);
  EXPECT_EQ(Problem("äöüßéèêñçø"), "good");
  EXPECT_EQ(Problem("äöüßé"), length);  // ten bytes
}

TEST(PasswordProblem, RefusesWhatManyPeopleUse) {
  for (const std::string_view password :
       {"1234567890",       "0987654321",    "qwertyuiop",           "QwertyUiop",
        "passwordpassword", "Password1234",  "Password2024!",        "P@ssw0rd1234",
        "iloveyou1234",     "aaaaaaaaaaaa",  "abababababab",         "abcdefghijkl",
        "1q2w3e4r5t",       "letmein12345!", "welcome12345",         "administrator",
        "zyxwvutsrqpo",     "football2024",  "12345678901234567890", "dragondragon",
        "999999999999"}) {
    EXPECT_EQ(Problem(password), "must not be one that many people use") << password;
  }
  for (const std::string_view password :
       {"correct horse battery", "Zq8#kd02Lm", "mein Hund heisst Bello", "fluss-tal-berg-9",
        "passworte sind alt", "tr0ub4dor&3xyz"}) {
    EXPECT_EQ(Problem(password), "good") << password;
  }
}

TEST(PasswordProblem, RefusesTheAddress) {
  EXPECT_EQ(Problem("Anna@Example.com"), "must not be the e-mail address");
  EXPECT_EQ(Problem("annabel.miller", "annabel.miller@example.com"),
            "must not be the e-mail address");
}

}  // namespace
}  // namespace trestle::platform::identity

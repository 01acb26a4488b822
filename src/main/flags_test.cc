#include "main/flags.h"

#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace trestle {
namespace {

using Arguments = std::vector<std::string_view>;

ServeOptions Parsed(const Arguments& arguments) {
  auto options = ParseServe(arguments);
  EXPECT_TRUE(options.ok()) << options.error().message();
  return options.ok() ? *options : ServeOptions();
}

std::string Refusal(const Arguments& arguments) {
  const auto options = ParseServe(arguments);
  return options.ok() ? "accepted" : options.error().message();
}

std::string Config(const std::string& text) {
  std::string file = testing::TempDir() + "trestle.conf";
  std::ofstream(file) << text;
  return file;
}

TEST(Flags, WithoutAnyTheServerIsPrivateAndDurable) {
  const ServeOptions options = Parsed({});
  EXPECT_EQ(options.data_folder, "trestle-data");
  EXPECT_FALSE(options.in_memory);
  EXPECT_EQ(options.bind_address, "127.0.0.1");
  EXPECT_EQ(options.port, 8000);
  EXPECT_EQ(options.durability, storage::Durability::kSync);
  EXPECT_EQ(options.account_id, "000000000000");
  EXPECT_TRUE(options.cors_origins.empty());
}

TEST(Flags, EachSetsItsOption) {
  const ServeOptions options = Parsed({"--data",
                                       "d",
                                       "--port=0",
                                       "--bind",
                                       "0.0.0.0",
                                       "--durability",
                                       "relaxed",
                                       "--access-keys",
                                       "k",
                                       "--tls-cert",
                                       "c",
                                       "--tls-key",
                                       "y",
                                       "--region",
                                       "eu-west-3",
                                       "--account-id",
                                       "123456789012",
                                       "--cors",
                                       "http://a,,http://b",
                                       "--delay-transient-statuses",
                                       "--index-delay-ms",
                                       "250",
                                       "--shard-rate",
                                       "7",
                                       "--ttl-sweep-seconds",
                                       "30",
                                       "--threads",
                                       "3",
                                       "--cache-mb",
                                       "5",
                                       "--log-level",
                                       "warn",
                                       "--no-apps"});
  EXPECT_EQ(options.data_folder, "d");
  EXPECT_EQ(options.port, 0);
  EXPECT_EQ(options.bind_address, "0.0.0.0");
  EXPECT_EQ(options.durability, storage::Durability::kRelaxed);
  EXPECT_EQ(options.cache_bytes, 5u * 1024 * 1024);
  EXPECT_EQ(options.access_keys_file, "k");
  EXPECT_EQ(options.tls_certificate_file, "c");
  EXPECT_EQ(options.tls_key_file, "y");
  EXPECT_EQ(options.region, "eu-west-3");
  EXPECT_EQ(options.account_id, "123456789012");
  EXPECT_EQ(options.cors_origins, (std::vector<std::string>{"http://a", "http://b"}));
  EXPECT_GT(options.transient_status_ms, 0);
  EXPECT_EQ(options.index_lag_ms, 250);
  EXPECT_EQ(options.shard_records_per_second, 7U);
  EXPECT_EQ(options.ttl_sweep_ms, 30'000);
  EXPECT_EQ(options.loop_count, 3U);
  EXPECT_EQ(options.log_level, log::Level::kWarn);
  EXPECT_TRUE(Parsed({"--in-memory"}).in_memory);
}

TEST(Flags, DynamoDbLocalsAreUnderstood) {
  const ServeOptions options =
      Parsed({"-port", "8001", "-inMemory", "-sharedDb", "-cors", "*", "-delayTransientStatuses",
              "-disableTelemetry", "-optimizeDbBeforeStartup"});
  EXPECT_EQ(options.port, 8001);
  EXPECT_TRUE(options.in_memory);
  EXPECT_EQ(options.cors_origins, std::vector<std::string>{"*"});
  EXPECT_GT(options.transient_status_ms, 0);

  // Its folder may hold anything; ours is made inside.
  EXPECT_EQ(Parsed({"-dbPath", "."}).data_folder, "./trestle-data");
  EXPECT_EQ(Parsed({"-dbPath", "/srv/"}).data_folder, "/srv/trestle-data");
}

TEST(Flags, WrongOnesAreRefusedWithASentence) {
  EXPECT_EQ(Refusal({"--prot", "1"}), "--prot is not a flag; `trestle help` lists them");
  EXPECT_EQ(Refusal({"-Port", "1"}), "-Port is not a flag; `trestle help` lists them");
  EXPECT_EQ(Refusal({"data"}), "data is not a flag; `trestle help` lists them");
  EXPECT_EQ(Refusal({""}), " is not a flag; `trestle help` lists them");
  EXPECT_EQ(Refusal({"--port"}), "--port needs N");
  EXPECT_EQ(Refusal({"-port"}), "-port needs N");
  EXPECT_EQ(Refusal({"--in-memory=yes"}), "--in-memory takes no value");
  EXPECT_EQ(Refusal({"--port", "1", "--port", "2"}), "--port is given twice");
  EXPECT_EQ(Refusal({"--port", "1", "-port", "2"}), "-port is given twice");
  EXPECT_EQ(Refusal({"--data", "a", "--in-memory"}), "--data and --in-memory exclude each other");
  EXPECT_EQ(Refusal({"-inMemory", "-dbPath", "a"}), "--data and --in-memory exclude each other");
  EXPECT_EQ(Refusal({"--tls-cert", "a"}), "--tls-cert and --tls-key need each other");
  EXPECT_EQ(Refusal({"--data", ""}), "--data must not be empty");
  EXPECT_EQ(Refusal({"--durability", "none"}), "--durability must be sync or relaxed");
  EXPECT_EQ(Refusal({"--region", "US east"}), "--region must be a region such as us-east-1");
  EXPECT_EQ(Refusal({"--account-id", "12345678901"}), "--account-id must have 12 digits");
  EXPECT_EQ(Refusal({"--account-id", "12345678901x"}), "--account-id must have 12 digits");
  EXPECT_EQ(Refusal({"--log-level", "all"}), "--log-level must be info, warn, error or off");
  for (const std::string_view port : {"65536", "-1", "x", "", "80x"}) {
    EXPECT_EQ(Refusal({"--port", port}), "--port must be a number from 0 to 65535") << port;
  }
  EXPECT_EQ(Refusal({"--cache-mb", "0"}), "--cache-mb must be a number of at least 1");
  for (const std::string_view threads : {"0", "257", "many"}) {
    EXPECT_EQ(Refusal({"--threads", threads}), "--threads must be a number from 1 to 256");
  }
}

TEST(Flags, TheDataCanBeBehindAnEndpoint) {
  const ServeOptions options = Parsed({"--store", "dynamodb", "--endpoint", "http://db:8000"});
  EXPECT_TRUE(options.is_remote);
  EXPECT_EQ(options.endpoint, "http://db:8000");
  EXPECT_FALSE(options.is_region_given);
  EXPECT_TRUE(Parsed({"--store", "dynamodb", "--region", "eu-west-3"}).is_region_given);
  EXPECT_FALSE(Parsed({"--store", "embedded"}).is_remote);
  // There is no DynamoDB API that could be open to all.
  EXPECT_EQ(Refusal({"--store", "dynamodb", "--bind", "0.0.0.0"}), "accepted");
  EXPECT_EQ(Refusal({"--store", "here"}), "--store must be embedded or dynamodb");
  EXPECT_EQ(Refusal({"--endpoint", "http://db"}), "--endpoint needs --store dynamodb");
  EXPECT_EQ(Refusal({"--store", "dynamodb", "--access-keys", "k"}),
            "--access-keys is for the DynamoDB API, which --store dynamodb does not serve");
  EXPECT_EQ(Refusal({"--store", "dynamodb", "--no-apps"}),
            "--store dynamodb serves applications and designs: leave --no-apps out, or give "
            "--design FILE");
  EXPECT_EQ(Refusal({"--store", "dynamodb", "--no-apps", "--design", "a"}), "accepted");
}

TEST(Flags, SomebodySaysWhatIsTooMuch) {
  EXPECT_EQ(Parsed({}).request_limit, 100);
  EXPECT_EQ(Parsed({}).public_write_limit, 60);
  EXPECT_EQ(Parsed({}).edit_window_minutes, 60);
  EXPECT_FALSE(Parsed({}).requires_if_match);
  const ServeOptions options = Parsed({"--request-limit", "7", "--public-write-limit", "0",
                                       "--edit-window", "0", "--require-if-match"});
  EXPECT_EQ(options.request_limit, 7);
  EXPECT_EQ(options.public_write_limit, 0);
  EXPECT_EQ(options.edit_window_minutes, 0);
  EXPECT_TRUE(options.requires_if_match);
  EXPECT_EQ(Refusal({"--edit-window", "soon"}), "--edit-window must be a number from 0 to 5256000");
}

TEST(Flags, SomebodySaysWhoMaySignIn) {
  using platform::identity::SignUpPolicy;
  EXPECT_EQ(Parsed({}).sign_up, SignUpPolicy::kOpen);
  EXPECT_EQ(Parsed({"--sign-up", "code"}).sign_up, SignUpPolicy::kEmailCode);
  EXPECT_EQ(Parsed({"--sign-up", "approval"}).sign_up, SignUpPolicy::kApproval);
  EXPECT_EQ(Refusal({"--sign-up", "closed"}), "--sign-up must be open, code or approval");
  const ServeOptions options = Parsed({"--issuer", "https://a/p/", "--client-id", "web,phone",
                                       "--issuer", "https://b", "--client-id", "x"});
  EXPECT_EQ(options.issuers, (std::vector<std::string>{"https://a/p", "https://b"}));
  EXPECT_EQ(options.issuer_clients,
            (std::vector<std::vector<std::string>>{{"web", "phone"}, {"x"}}));
  for (const Arguments& arguments :
       {Arguments{"--issuer", "https://a"}, Arguments{"--client-id", "x"},
        Arguments{"--issuer", "https://a", "--client-id", ","}}) {
    EXPECT_EQ(Refusal(arguments), "each --issuer needs a --client-id, in the same order");
  }
  EXPECT_EQ(Parsed({"--issuer-url", "https://t.example.org/"}).issuer_url, "https://t.example.org");
  for (const std::string_view wrong : {"t.example.org", "https://t.example.org/?a"}) {
    EXPECT_EQ(Refusal({"--issuer-url", wrong}),
              "--issuer-url is an address such as https://trestle.example.org");
  }
}

TEST(Flags, EventsAreSigned) {
  const ServeOptions options =
      Parsed({"--outbound-url", "https://events.example.org", "--outbound-secret", "file"});
  EXPECT_EQ(options.outbound_url, "https://events.example.org");
  EXPECT_EQ(options.outbound_secret_file, "file");
  EXPECT_EQ(Refusal({"--outbound-url", "https://a"}),
            "--outbound-url and --outbound-secret need each other");
}

TEST(Flags, AMailServerAndASenderNeedEachOther) {
  const ServeOptions options =
      Parsed({"--smtp-server", "mail:25", "--mail-from", "a@example.org", "--smtp-login", "file"});
  EXPECT_EQ(options.smtp_server, "mail:25");
  EXPECT_EQ(options.mail_from, "a@example.org");
  EXPECT_EQ(options.smtp_login_file, "file");
  EXPECT_EQ(Refusal({"--smtp-server", "mail"}), "--smtp-server and --mail-from need each other");
  EXPECT_EQ(Refusal({"--mail-from", "a@b"}), "--smtp-server and --mail-from need each other");
}

TEST(Flags, ApplicationsAreChosen) {
  EXPECT_TRUE(Parsed({}).has_apps);
  EXPECT_FALSE(Parsed({}).apps);
  EXPECT_EQ(Parsed({"--apps", "books,notes"}).apps, (std::vector<std::string>{"books", "notes"}));
  EXPECT_FALSE(Parsed({"--no-apps"}).has_apps);
  EXPECT_FALSE(Parsed({"-inMemory"}).has_apps);  // as DynamoDB Local has none
  EXPECT_TRUE(Parsed({"-inMemory", "--apps", "books"}).has_apps);
  EXPECT_EQ(Refusal({"--no-apps", "--apps", "books"}),
            "--apps and --no-apps contradict each other");
}

TEST(Flags, APublicAddressNeedsKeys) {
  for (const std::string_view address : {"0.0.0.0", "::", "192.168.1.5", "example.com",
                                         "127.0.0.1.example.com", "localhost.example.com"}) {
    EXPECT_TRUE(Refusal({"--bind", address}).find("--access-keys") != std::string::npos) << address;
    EXPECT_EQ(Refusal({"--bind", address, "--access-keys", "file"}), "accepted");
  }
  for (const std::string_view address : {"localhost", "127.0.0.1", "127.1.2.3", "::1"}) {
    EXPECT_EQ(Refusal({"--bind", address}), "accepted") << address;
  }
}

TEST(Flags, DesignsAreServedOnThisMachineOnly) {
  const ServeOptions options =
      Parsed({"--design", "a.design", "--web-port=0", "--design=b.design"});
  EXPECT_EQ(options.design_files, (std::vector<std::string>{"a.design", "b.design"}));
  EXPECT_EQ(options.web_port, 0);
  EXPECT_EQ(Parsed({}).web_port, 8080);
  EXPECT_EQ(Refusal({"--design", ""}), "--design must not be empty");
  EXPECT_EQ(Refusal({"--web-port", "1", "--web-port", "2"}), "--web-port is given twice");
  EXPECT_EQ(Refusal({"--design", "a", "--bind", "0.0.0.0", "--access-keys", "file"}),
            "--design serves everybody who can reach it, so --bind must be a loopback address such "
            "as 127.0.0.1, not 0.0.0.0");
}

TEST(Flags, AConfigFileHasTheSameKeys) {
  const std::string file = Config(
      "# a comment\n\n port = 9000\r\ndurability=relaxed\nin-memory = true\nno-apps = no\n"
      "delay-transient-statuses = no\n");
  const ServeOptions options = Parsed({"--config", file});
  EXPECT_EQ(options.port, 9000);
  EXPECT_EQ(options.durability, storage::Durability::kRelaxed);
  EXPECT_TRUE(options.in_memory);
  EXPECT_EQ(options.transient_status_ms, 0);
}

TEST(Flags, TheCommandLineOverridesTheFile) {
  const std::string file = Config("port = 9000\ndata = from-file\n");
  EXPECT_EQ(Parsed({"--config", file, "--port", "1"}).port, 1);
  EXPECT_TRUE(Parsed({"--config", file, "--in-memory"}).in_memory);
  EXPECT_EQ(Parsed({"--config", file, "--data", "mine"}).data_folder, "mine");
  EXPECT_EQ(Parsed({"--config", file}).data_folder, "from-file");
}

TEST(Flags, AWrongLineOfTheFileIsNamed) {
  const auto refusal = [](const std::string& text) {
    const std::string file = Config(text);
    return Refusal({"--config", file}).substr(testing::TempDir().size());
  };
  EXPECT_EQ(refusal("port = 1\nport = 2\n"), "trestle.conf line 2: port is given twice");
  EXPECT_EQ(refusal("\nnonsense\n"), "trestle.conf line 2: must have the form key = value");
  EXPECT_EQ(refusal("prot = 1"),
            "trestle.conf line 1: --prot is not a flag; `trestle help` lists them");
  EXPECT_EQ(refusal("config = other"),
            "trestle.conf line 1: --config is not a flag; `trestle help` lists them");
  EXPECT_EQ(refusal("in-memory = maybe"), "trestle.conf line 1: in-memory must be true or false");
  EXPECT_EQ(Refusal({"--config", Config("data = a\nin-memory = yes\n")}),
            "--data and --in-memory exclude each other");
  EXPECT_EQ(Refusal({"--config", Config("port = x\n")}), "--port must be a number from 0 to 65535");
  EXPECT_TRUE(Refusal({"--config", "/absent/file"}).starts_with("cannot read /absent/file"));
}

TEST(Flags, HealthcheckTakesAnAddress) {
  const auto options = ParseHealthcheck(Arguments{"--port", "81", "--bind", "::1"});
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->port, 81);
  EXPECT_EQ(options->address, "::1");
  EXPECT_FALSE(ParseHealthcheck(Arguments{"--data", "x"}).ok());
  EXPECT_FALSE(ParseHealthcheck(Arguments{"--port", "x"}).ok());
}

TEST(Flags, TheHelpNamesEachAndNoneThatIsNotThere) {
  const std::string help = HelpText();
  for (const std::string_view flag :
       {"--data DIR", "--in-memory", "--port N", "--access-keys FILE", "-sharedDb", "-dbPath DIR",
        "design format [--check] FILE", "design check FILE", "design diff OLD NEW"}) {
    EXPECT_NE(help.find(flag), std::string::npos) << flag;
  }
  for (const std::string_view absent : {"trestle import", "backup"}) {
    EXPECT_EQ(help.find(absent), std::string::npos) << absent;
  }
  for (std::size_t begin = 0; begin < help.size();) {
    const std::size_t end = help.find('\n', begin);
    EXPECT_LE(end - begin, 100U) << help.substr(begin, end - begin);
    begin = end + 1;
  }
}

}  // namespace
}  // namespace trestle

#include "platform/consumers.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "base/log.h"
#include "base/utf8.h"
#include "design/recognise.h"
#include "design/time_text.h"
#include "design/values.h"
#include "value/item_codec.h"

namespace trestle::platform {
namespace {

using value::ItemBuilder;
using value::ValueView;

constexpr std::size_t kErrorBytesMax = 500;  // of a dead letter
constexpr std::uint32_t kReplayPage = 25;

// A dead letter's `record`: the change as a map.
//
//   keys  M   old  M?   new  M?   expiry  BOOL   time  S   cut  BOOL
//
// `cut` is true when the images are left out, because both together are larger than an item may be.
enum class Images : std::uint8_t { kWhole, kCut };

std::string MapOf(value::ItemView item) {
  ItemBuilder map;
  for (const value::AttributeView attribute : item.attributes())
    map.Add(attribute.name, attribute.value.bytes());
  std::string out;
  map.AppendMapTo(out);
  return out;
}

std::string EncodeBool(bool boolean) {
  std::string out;
  value::AppendBool(out, boolean);
  return out;
}

std::string EncodeChange(const design::Change& change, Images images) {
  const bool is_whole = images == Images::kWhole;
  const std::string keys = MapOf(change.keys.view());
  const std::string old_image =
      is_whole && change.old_image ? MapOf(change.old_image->view()) : std::string();
  const std::string new_image =
      is_whole && change.new_image ? MapOf(change.new_image->view()) : std::string();
  const std::string expiry = EncodeBool(change.is_expiry);
  const std::string time = design::EncodeText(
      design::TimestampText(change.time_unix_ms, design::syntax::Precision::kMilliseconds));
  const std::string cut = EncodeBool(!is_whole);
  ItemBuilder map;
  map.Add("keys", keys);
  if (!old_image.empty()) map.Add("old", old_image);
  if (!new_image.empty()) map.Add("new", new_image);
  map.Add("expiry", expiry);
  map.Add("time", time);
  map.Add("cut", cut);
  std::string out;
  map.AppendMapTo(out);
  return out;
}

std::optional<value::Item> ItemAt(ValueView map, std::string_view name) {
  const auto found = map.Find(name);
  if (!found || found->type() != value::Type::kM) return std::nullopt;
  ItemBuilder item;
  for (const value::AttributeView attribute : value::AttributeRange(found->contents()))
    item.Add(attribute.name, attribute.value.bytes());
  return item.Finish();
}

bool IsTrueAt(ValueView map, std::string_view name) {
  const auto found = map.Find(name);
  return found && found->type() == value::Type::kBool && found->boolean();
}

// kCorruption when it is not what EncodeChange makes. Of a change that was cut, what is stored now
// stands for the new image.
Result<design::Change> DecodeChange(const design::Record& letter, design::Runtime& runtime) {
  const auto record = letter.Find("record");
  auto keys = record && record->type() == value::Type::kM ? ItemAt(*record, "keys") : std::nullopt;
  if (!keys) return CorruptionError("the change cannot be read");
  design::Change change{.sequence = std::string(letter.FindText("sequence").value_or("")),
                        .keys = *std::move(keys),
                        .old_image = ItemAt(*record, "old"),
                        .new_image = ItemAt(*record, "new"),
                        .is_expiry = IsTrueAt(*record, "expiry")};
  const auto time = record->Find("time");
  if (time && time->type() == value::Type::kS) {
    change.time_unix_ms = design::ParseTimestamp(time->text()).value_or(0);
  }
  if (IsTrueAt(*record, "cut")) {
    change.new_image = TRY(runtime.backend().Get(
        {.table = runtime.table(), .key = change.keys, .is_consistent = true}));
  }
  return change;
}

// On one line, and not too long.
std::string Sentence(std::string_view message) {
  std::size_t length = std::min(message.size(), kErrorBytesMax);
  while (length < message.size() && length > 0 && (message[length] & 0xc0) == 0x80)
    --length;
  std::string text(message.substr(0, length));
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
  return IsUtf8(text) ? text : std::string("a failure whose sentence cannot be read");
}

design::Record LetterIdentity(std::string_view app, std::string_view consumer,
                              std::string_view sequence) {
  design::Record record;
  record.SetText("app", app);
  record.SetText("consumer", consumer);
  record.SetText("sequence", sequence);
  return record;
}

const design::Entity& LetterEntity(const design::Runtime& platform) {
  const design::Entity* entity = platform.model().FindEntity("DeadLetter");
  CHECK(entity != nullptr, "the platform's design has dead letters");
  return *entity;
}

}  // namespace

struct Consumers::Line {
  const Consumer* consumer = nullptr;
  std::unique_ptr<design::PositionStore> position;
  std::unique_ptr<design::Follower> follower;
};

Consumers::Consumers(ConsumersOptions options) : options_(std::move(options)) {
  lines_.reserve(options_.consumers.size());
  for (const Consumer& consumer : options_.consumers) {
    const std::string name(consumer.name);
    auto line = std::make_unique<Line>();
    line->consumer = &consumer;
    line->position = design::NewTablePosition(*options_.runtime, name);
    line->follower = std::make_unique<design::Follower>(
        *options_.runtime, *line->position,
        design::FollowerOptions{
            .consumer = name,
            .follow = [this, &consumer](
                          const design::Change& change) { return Handle(consumer, change); },
            .give_up = [this, &consumer](
                           const design::Change& change, const Error& error,
                           int tries) { return Bury(consumer, change, error, tries); },
            .tries_max = options_.tries_max,
            .passing_tries_max = options_.passing_tries_max});
    lines_.push_back(std::move(line));
  }
}

Consumers::~Consumers() { Stop(); }

Status Consumers::Start() {
  for (const auto& line : lines_) {
    Status started = line->follower->Start();
    if (started.ok()) continue;
    if (started.error().code() != ErrorCode::kTrimmedDataAccess) return started;
    log::Error("changes were lost that a consumer follows",
               {{"app", options_.app}, {"consumer", std::string(line->consumer->name)}});
    TRY(line->follower->SkipToNow());
    TRY(line->follower->Start());
  }
  return Ok();
}

void Consumers::Stop() {
  for (const auto& line : lines_)
    line->follower->Stop();
}

bool Consumers::Drained(std::chrono::milliseconds wait) {
  const auto until = std::chrono::steady_clock::now() + wait;
  return std::ranges::all_of(lines_, [&](const auto& line) {
    return line->follower->Drained(std::chrono::duration_cast<std::chrono::milliseconds>(
        until - std::chrono::steady_clock::now()));
  });
}

std::vector<ConsumerState> Consumers::states() {
  std::vector<ConsumerState> states;
  states.reserve(lines_.size());
  for (const auto& line : lines_) {
    states.push_back({.app = options_.app,
                      .consumer = std::string(line->consumer->name),
                      .counters = line->follower->counters()});
  }
  return states;
}

// We do not throw; the standard library may, and one change must not end the program.
Status Consumers::Handle(const Consumer& consumer, const design::Change& change) {
  design::Runtime& runtime = *options_.runtime;
  if (design::IsInternal(runtime.model(), change.keys.view())) return Ok();
  try {
    ItemChange item{.runtime = runtime, .change = change};
    if (change.old_image) item.old_item = runtime.Recognise(change.old_image->view());
    if (change.new_image) item.new_item = runtime.Recognise(change.new_image->view());
    return consumer.handle(item);
  } catch (...) {
    return CorruptionError("an exception");
  }
}

Status Consumers::Bury(const Consumer& consumer, const design::Change& change, const Error& error,
                       int tries) {
  if (options_.platform == nullptr) return Ok();
  design::Record letter = LetterIdentity(options_.app, consumer.name, change.sequence);
  letter.SetText("error", Sentence(error.message()));
  letter.Set("tries", design::EncodeInteger(tries));
  letter.Set("record", EncodeChange(change, Images::kWhole));
  const design::Entity& entity = LetterEntity(*options_.platform);
  const auto buried = options_.platform->Upsert(entity, letter);
  if (buried.ok()) return Ok();
  if (buried.error().code() != ErrorCode::kValidation) return buried.error();
  letter.Set("record", EncodeChange(change, Images::kCut));
  TRY(options_.platform->Upsert(entity, letter));
  return Ok();
}

Status Consumers::ReplayOne(const Consumer& consumer, const design::TypedItem& letter,
                            Replayed& replayed) {
  design::Runtime& platform = *options_.platform;
  const design::Entity& entity = LetterEntity(platform);
  const design::Record identity =
      LetterIdentity(options_.app, consumer.name, letter.record.FindText("sequence").value_or(""));
  const auto change = DecodeChange(letter.record, *options_.runtime);
  const Status handled = change.ok() ? Handle(consumer, *change) : change.error();
  if (handled.ok()) {
    ++replayed.done;
    TRY(platform.Delete(entity, identity));
    return Ok();
  }
  ++replayed.failed;
  design::Changes changes;
  changes.set.push_back({.path = design::Path{{}, {"error"}},
                         .value = design::EncodeText(Sentence(handled.error().message()))});
  changes.increment.push_back(
      {.path = design::Path{{}, {"tries"}}, .value = design::EncodeInteger(1)});
  TRY(platform.Update(entity, identity, changes));
  return Ok();
}

Result<Consumers::Replayed> Consumers::Replay(std::string_view consumer) {
  const auto found = std::ranges::find(options_.consumers, consumer, &Consumer::name);
  if (found == options_.consumers.end() || options_.platform == nullptr) {
    return Error(ErrorCode::kResourceNotFound, "there is no such consumer");
  }
  const design::Access* access = options_.platform->model().FindAccess("deadLetters");
  CHECK(access != nullptr, "the platform's design finds dead letters");
  design::Record arguments;
  arguments.SetText("app", options_.app);
  arguments.SetText("consumer", consumer);
  Replayed replayed;
  design::PageOptions page{.limit = kReplayPage};
  do {
    const design::TypedPage letters = TRY(options_.platform->Run(*access, arguments, page));
    for (const design::TypedItem& letter : letters.items)
      TRY(ReplayOne(*found, letter, replayed));
    page.cursor = letters.cursor;
  } while (!page.cursor.empty());
  return replayed;
}

void AppendConsumerMetrics(std::span<const ConsumerState> states, std::string& text) {
  struct Metric {
    std::string_view name;
    std::string_view type;
    std::string_view help;
    std::int64_t (*value)(const design::Follower::Counters& counters);
  };
  using Counters = design::Follower::Counters;
  static constexpr Metric kMetrics[] = {
      {"trestle_consumer_changes_total", "counter", "Changes that a consumer has dealt with.",
       [](const Counters& it) { return static_cast<std::int64_t>(it.changes); }},
      {"trestle_consumer_retries_total", "counter",
       "Times that a change failed and was tried again.",
       [](const Counters& it) { return static_cast<std::int64_t>(it.retries); }},
      {"trestle_consumer_failures_total", "counter", "Changes that were given up.",
       [](const Counters& it) { return static_cast<std::int64_t>(it.given_up); }},
      {"trestle_consumer_lag_milliseconds", "gauge", "How old the changes are that it is at.",
       [](const Counters& it) { return it.lag_ms; }},
      {"trestle_consumer_running", "gauge", "0 when it follows nothing.",
       [](const Counters& it) { return std::int64_t{it.is_running ? 1 : 0}; }},
  };
  for (const Metric& metric : kMetrics) {
    fmt::format_to(std::back_inserter(text), "# HELP {0} {1}\n# TYPE {0} {2}\n", metric.name,
                   metric.help, metric.type);
    for (const ConsumerState& state : states) {
      fmt::format_to(std::back_inserter(text), "{}{{app=\"{}\",consumer=\"{}\"}} {}\n", metric.name,
                     state.app, state.consumer, metric.value(state.counters));
    }
  }
}

}  // namespace trestle::platform

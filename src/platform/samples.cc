#include "platform/samples.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "base/log.h"
#include "design/apply.h"
#include "design/follower.h"
#include "design/maintainer.h"
#include "design/stored_item.h"
#include "platform/identity/auth_app.h"
#include "platform/items.h"
#include "platform/values.h"

namespace trestle::platform {
namespace {

constexpr std::size_t kItemsAtOnce = 100;
constexpr std::uint64_t kSeed = 7;
// What is made has times of its own, which must be over.
constexpr std::int64_t kBeforeMs = 120'000;
constexpr std::chrono::milliseconds kMakingMax{60'000};

// Each look at it is a millisecond later, so that the same is made again at the same times.
class SteppingClock final : public Clock {
 public:
  explicit SteppingClock(std::int64_t now_unix_ms) : now_unix_ms_(now_unix_ms) {}
  [[nodiscard]] std::int64_t NowUnixMs() const override { return now_unix_ms_++; }
  [[nodiscard]] std::int64_t SteadyNs() const override { return 0; }

 private:
  mutable std::atomic<std::int64_t> now_unix_ms_;
};

std::string EmailOf(std::string_view name) { return fmt::format("{}@example.org", name); }

std::string ShownNameOf(std::string_view name) {
  std::string shown(name);
  shown[0] = static_cast<char>(shown[0] - 'a' + 'A');
  return shown;
}

std::vector<Person> PeopleOf(const JobState& job) {
  const std::vector<std::string> subs = TextsOf(job.input, "subs");
  std::vector<Person> people;
  people.reserve(std::size(kSampleNames));
  for (std::size_t i = 0; i < std::size(kSampleNames) && i < subs.size(); ++i) {
    people.push_back(
        {.sub = subs[i], .email = EmailOf(kSampleNames[i]), .name = ShownNameOf(kSampleNames[i])});
  }
  return people;
}

// What a table has, in the order in which it came to be.
Result<std::vector<value::Item>> ItemsInOrder(const design::Model& model, design::Backend& backend,
                                              const std::string& table) {
  std::vector<std::optional<value::Item>> items;
  std::map<std::string, std::size_t, std::less<>> places;  // by key
  const auto reader = TRY(backend.Follow(table, ""));
  while (true) {
    constexpr std::size_t kChangesMax = 1000;
    const auto changes = TRY(reader->Next(kChangesMax, std::chrono::milliseconds(0)));
    if (changes.empty()) break;
    for (const design::Change& change : changes) {
      if (design::IsOfFollower(model, change.keys.view())) continue;
      const auto [place, is_new] = places.emplace(std::string(change.keys.bytes()), items.size());
      if (is_new) items.emplace_back();
      items[place->second] = change.new_image;
    }
  }
  std::vector<value::Item> left;
  left.reserve(items.size());
  for (std::optional<value::Item>& item : items)
    if (item) left.push_back(*std::move(item));
  return left;
}

}  // namespace

void Samples::Register() {
  options_.jobs->Register(identity::kAuthApp.name, kSamplesJob,
                          [this](JobState& job) { return Step(job); });
}

Status Samples::Start() {
  // In this order: the account of the first is what a load ends with.
  for (const design::TypedItem& open : TRY(RunWhole(*options_.platform, "openJobs", {}))) {
    const auto job = TRY(options_.jobs->Find(TextOf(open.record, "jobId")));
    if (job && TextOf(job->record, "kind") == kSamplesJob) return Ok();
  }
  if (TRY(options_.accounts->FindByEmail(EmailOf(kSampleNames[0])))) return Ok();
  std::vector<std::string> subs;
  subs.reserve(std::size(kSampleNames));
  for (const std::string_view name : kSampleNames) {
    const auto account = TRY(options_.accounts->FindByEmail(EmailOf(name)));
    subs.push_back(account ? TextOf(account->record, "sub") : options_.random->Uuid());
  }
  std::vector<std::string> apps;
  apps.reserve(options_.mounts.size());
  for (const Mount* const mount : options_.mounts)
    apps.emplace_back(mount->app->name);
  design::Record input;
  SetInteger(input, "at", options_.clock->NowUnixMs() - kBeforeMs);
  SetTexts(input, "subs", subs);
  SetTexts(input, "apps", apps);
  TRY(options_.jobs->Start({.app = identity::kAuthApp.name,
                            .kind = kSamplesJob,
                            .sub = subs.front(),
                            .input = std::move(input)}));
  return Ok();
}

Result<JobStep> Samples::Step(JobState& job) {
  const std::vector<std::string> apps = TextsOf(job.input, "apps");
  const auto place = static_cast<std::size_t>(IntegerOf(job.progress, "app").value_or(0));
  if (place >= apps.size()) return MakeAccount(job);
  const auto mount = std::ranges::find_if(
      options_.mounts, [&](const Mount* candidate) { return candidate->app->name == apps[place]; });
  // An app that this start leaves out has no sample.
  const bool is_more = mount != options_.mounts.end() && TRY(WriteSome(**mount, job));
  if (is_more) return JobStep::kMore;
  made_ = {};
  job.progress = {};
  SetInteger(job.progress, "app", static_cast<std::int64_t>(place) + 1);
  return JobStep::kMore;
}

Result<bool> Samples::WriteSome(const Mount& mount, JobState& job) {
  if (made_.app != mount.app->name) TRY(Make(mount, job));
  const auto begin = static_cast<std::size_t>(IntegerOf(job.progress, "item").value_or(0));
  if (begin >= made_.items.size()) return false;
  const std::size_t end = std::min(begin + kItemsAtOnce, made_.items.size());
  const design::Model& model = mount.runtime->model();
  std::vector<value::Item> keys;
  keys.reserve(end - begin);
  for (std::size_t i = begin; i < end; ++i)
    keys.push_back(design::KeyPart(model, made_.items[i].view()));
  std::set<std::string, std::less<>> there;
  for (const value::Item& item :
       TRY(mount.runtime->backend().BatchGet(mount.runtime->table(), keys, true)))
    there.emplace(design::KeyPart(model, item.view()).bytes());
  std::vector<design::WriteItem> puts;
  puts.reserve(end - begin);
  for (std::size_t i = begin; i < end; ++i) {
    if (there.contains(keys[i - begin].bytes())) continue;
    puts.push_back({.kind = design::ActionKind::kPut,
                    .table = mount.runtime->table(),
                    .item = made_.items[i]});
  }
  if (!puts.empty()) TRY(mount.runtime->backend().BatchWrite(puts));
  SetInteger(job.progress, "item", static_cast<std::int64_t>(end));
  job.done += static_cast<std::int64_t>(end - begin);
  return true;
}

Status Samples::Make(const Mount& mount, const JobState& job) {
  const design::Model& model = mount.runtime->model();
  const ScratchBackend scratch = TRY(options_.open_scratch());
  const design::ApplyPlan plan = TRY(design::PlanApply(model, {}, *scratch.backend));
  TRY(design::Apply(plan, *scratch.backend));
  const SteppingClock clock(IntegerOf(job.input, "at").value_or(0));
  Random random(kSeed);
  design::Runtime runtime(model, *scratch.backend, {.clock = &clock, .random = &random});
  Shared shared;
  shared.clock = &clock;
  const Mount making{.app = mount.app, .runtime = &runtime, .shared = &shared};
  const std::vector<Person> people = PeopleOf(job);
  TRY(mount.app->people.load_samples(making, people));
  // What the design derives belongs to it. It has chance of its own, so that what was made above
  // does not depend on how far it was.
  Random other_random(kSeed);
  design::Runtime following(model, *scratch.backend, {.clock = &clock, .random = &other_random});
  design::Maintainer maintainer(following, {});
  TRY(maintainer.Start());
  const bool is_whole = maintainer.Drained(kMakingMax);
  maintainer.Stop();
  if (!is_whole) return Error(ErrorCode::kUnavailable, "the sample is not made in time");
  made_ = {.app = std::string(mount.app->name),
           .items = TRY(ItemsInOrder(model, *scratch.backend, runtime.table()))};
  return Ok();
}

Result<JobStep> Samples::MakeAccount(JobState& job) {
  const std::vector<Person> people = PeopleOf(job);
  const auto made = static_cast<std::size_t>(IntegerOf(job.progress, "accounts").value_or(0));
  if (made >= people.size()) return JobStep::kEnd;
  const std::size_t place = people.size() - 1 - made;
  const Person& person = people[place];
  std::vector<std::string> groups;
  if (place + 1 == people.size()) groups = {"admin"};
  TRY(options_.accounts->Provide({.email = person.email,
                                  .password = std::string(kSamplePassword),
                                  .name = person.name,
                                  .groups = std::move(groups),
                                  .sub = person.sub}));
  SetInteger(job.progress, "accounts", static_cast<std::int64_t>(made) + 1);
  return made + 1 == people.size() ? JobStep::kEnd : JobStep::kMore;
}

}  // namespace trestle::platform

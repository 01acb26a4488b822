#include "platform/operator_app.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "json/json.h"
#include "platform/audit.h"
#include "platform/call.h"
#include "platform/items.h"
#include "platform/openapi.h"

namespace trestle::platform {
namespace {

const OperatorApp& OperatorOf(const Call& call) {
  return static_cast<const OperatorApp&>(call.app());  // its routes are no other app's
}

void WriteCount(std::string_view name, std::uint64_t count, json::Writer& writer) {
  writer.Key(name);
  writer.Integer(static_cast<std::int64_t>(count));
}

void WriteState(const ConsumerState& state, json::Writer& writer) {
  writer.BeginObject();
  writer.Key("app");
  writer.String(state.app);
  writer.Key("consumer");
  writer.String(state.consumer);
  writer.Key("isRunning");
  writer.Bool(state.counters.is_running);
  writer.Key("lagMs");
  writer.Integer(state.counters.lag_ms);
  WriteCount("changes", state.counters.changes, writer);
  WriteCount("retries", state.counters.retries, writer);
  WriteCount("givenUp", state.counters.given_up, writer);
  writer.EndObject();
}

Status ListConsumers(Call& call, json::Writer& reply) {
  reply.BeginObject();
  reply.Key("items");
  reply.BeginArray();
  for (const ConsumerState& state : OperatorOf(call).states())
    WriteState(state, reply);
  reply.EndArray();
  reply.EndObject();
  return Ok();
}

Status ListDeadLetters(Call& call, json::Writer& reply) {
  return ReplyList(
      call, "deadLetters",
      TextRecord({{"app", call.PathValue("app")}, {"consumer", call.PathValue("consumer")}}), {},
      reply);
}

Status ReplayDeadLetters(Call& call, json::Writer& reply) {
  const OperatorApp::Name name{.app = call.PathValue("app"),
                               .consumer = call.PathValue("consumer")};
  const bool is_known =
      std::ranges::any_of(OperatorOf(call).states(), [&](const ConsumerState& state) {
        return state.app == name.app && state.consumer == name.consumer;
      });
  if (!is_known) return NotFound("Consumer");
  // Before it: what was done and not written down would be worse than the reverse.
  TRY(WriteAudit(
      call.runtime(),
      {.action = "REPLAYED", .actor = call.sub(), .app = name.app, .consumer = name.consumer}));
  const Consumers::Replayed replayed = TRY(OperatorOf(call).Replay(name));
  reply.BeginObject();
  WriteCount("done", replayed.done, reply);
  WriteCount("failed", replayed.failed, reply);
  reply.EndObject();
  return Ok();
}

Status ListJobs(Call& call, json::Writer& reply) {
  const auto state = call.arguments().FindText("state");
  if (!state) return ReplyList(call, "listedJobs", {}, {}, reply);
  return ReplyList(call, "listedJobsInState", TextRecord({{"state", *state}}), {}, reply);
}

constexpr Route kRoutes[] = {
    {.method = "GET",
     .path = "/consumers",
     .access = Access::kAdmin,
     .handle = ListConsumers,
     .summary = "How far those are that follow the changes of the apps' tables"},
    {.method = "GET",
     .path = "/consumers/{app}/{consumer}/dead-letters",
     .access = Access::kAdmin,
     .handle = ListDeadLetters,
     .summary = "The changes that a consumer has given up",
     .is_list = true,
     .shows = "DeadLetter"},
    {.method = "POST",
     .path = "/consumers/{app}/{consumer}/replay",
     .access = Access::kAdmin,
     .handle = ReplayDeadLetters,
     .summary = "Gives a consumer again what it has given up"},
    {.method = "GET",
     .path = "/jobs",
     .access = Access::kAdmin,
     .handle = ListJobs,
     .summary = "Long work of all people, the newest first",
     .query = "state : enum(\"QUEUED\", \"RUNNING\", \"DONE\", \"FAILED\", \"CANCELLED\")?",
     .is_list = true,
     .shows = "Job"},
    {.method = "GET",
     .path = "/audit",
     .access = Access::kAdmin,
     .handle = ListAudit,
     .summary = "What administrators have done, the newest first",
     .query = "target : id?",
     .is_list = true,
     .shows = "AuditEntry"},
    kOpenApiRoute,
};

// What people wrote is not for operators.
constexpr ItemView kViews[] = {{.entity = "DeadLetter", .hidden = "record"},
                               {.entity = "Job", .hidden = "input progress result expiresAt"},
                               {.entity = "AuditEntry", .hidden = "expiresAt"}};

}  // namespace

OperatorApp::OperatorApp() {
  name = "operator";
  title = "Operator";
  routes = kRoutes;
  views = kViews;
}

void OperatorApp::Add(std::string app, Consumers* of_app) {
  entries_.push_back({.app = std::move(app), .consumers = of_app});
}

std::vector<ConsumerState> OperatorApp::states() const {
  std::vector<ConsumerState> all;
  for (const Entry& entry : entries_) {
    std::vector<ConsumerState> states = entry.consumers->states();
    std::ranges::move(states, std::back_inserter(all));
  }
  return all;
}

Result<Consumers::Replayed> OperatorApp::Replay(const Name& wanted) const {
  const auto found = std::ranges::find(entries_, wanted.app, &Entry::app);
  if (found == entries_.end()) return Error(ErrorCode::kResourceNotFound, "there is no such app");
  return found->consumers->Replay(wanted.consumer);
}

}  // namespace trestle::platform

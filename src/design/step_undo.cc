#include "design/step_undo.h"

#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/log.h"
#include "design/condition.h"
#include "design/values.h"
#include "value/number.h"

namespace trestle::design {
namespace {

using value::Type;
using value::ValueView;

// More attributes than these are not compared before a write is taken back: an expression is short.
constexpr std::size_t kComparedMax = 100;

// A value that a write has changed, added or removed.
struct Changed {
  Path path;
  std::optional<ValueView> was;
  std::optional<ValueView> is;
};

using Members =
    std::map<std::string, std::pair<std::optional<ValueView>, std::optional<ValueView>>>;

void AppendChanged(const Members& members, const Path& outer, std::vector<Changed>& changed) {
  for (const auto& [name, values] : members) {
    const auto& [was, is] = values;
    if (was == is) continue;
    Path path = outer;
    path.parts.push_back(name);
    if (!was || !is || was->type() != Type::kM || is->type() != Type::kM) {
      changed.push_back({std::move(path), was, is});
      continue;
    }
    Members inner;
    for (const value::AttributeView it : value::AttributeRange(was->contents()))
      inner[std::string(it.name)].first = it.value;
    for (const value::AttributeView it : value::AttributeRange(is->contents()))
      inner[std::string(it.name)].second = it.value;
    AppendChanged(inner, path, changed);
  }
}

std::vector<Changed> ChangedOf(value::ItemView was, value::ItemView is) {
  Members members;
  for (const value::AttributeView it : was.attributes())
    members[std::string(it.name)].first = it.value;
  for (const value::AttributeView it : is.attributes())
    members[std::string(it.name)].second = it.value;
  std::vector<Changed> changed;
  AppendChanged(members, {}, changed);
  return changed;
}

// By how much a number has grown; nothing when it is not one.
std::optional<value::Number> Difference(const Changed& change) {
  if (!change.was || !change.is || change.was->type() != Type::kN ||
      change.is->type() != Type::kN) {
    return std::nullopt;
  }
  const auto difference = value::Subtract(DecodeNumber(*change.is), DecodeNumber(*change.was));
  return difference.ok() ? std::optional(*difference) : std::nullopt;
}

// That what was written is still there.
std::string StillIs(const Changed& change, ExpressionNames& names) {
  const std::string path = PathAlias(names, change.path);
  if (!change.is) return fmt::format("attribute_not_exists({})", path);
  return fmt::format("{} = {}", path, ValueAlias(names, std::string(change.is->bytes())));
}

WriteItem BackToAbsent(const WriteStep& step) {
  WriteItem back{.kind = ActionKind::kDelete, .table = step.table, .item = step.key};
  std::vector<std::string> conditions;
  for (const Changed& change : ChangedOf(step.key.view(), step.is->view()))
    if (conditions.size() < kComparedMax) conditions.push_back(StillIs(change, back.expressions));
  back.condition = fmt::format("{}", fmt::join(conditions, " AND "));
  return back;
}

WriteItem BackToThere(const WriteStep& step) {
  WriteItem back{.kind = ActionKind::kPut, .table = step.table, .item = *step.was};
  const value::AttributeView key = *step.key.view().attributes().begin();
  back.condition = fmt::format("attribute_not_exists({})", NameAlias(back.expressions, key.name));
  return back;
}

// Of a number that was surely changed, the difference is taken back: others may have counted on.
WriteItem BackToOld(const WriteStep& step, bool is_done) {
  WriteItem back{.kind = ActionKind::kUpdate, .table = step.table, .item = step.key};
  std::vector<std::string> conditions;
  std::vector<std::string> sets;
  std::vector<std::string> removes;
  for (const Changed& change : ChangedOf(step.was->view(), step.is->view())) {
    const std::string path = PathAlias(back.expressions, change.path);
    const auto less = is_done ? Difference(change) : std::nullopt;
    if (less) {
      sets.push_back(
          fmt::format("{0} = {0} - {1}", path, ValueAlias(back.expressions, EncodeNumber(*less))));
      continue;
    }
    if (conditions.size() < kComparedMax) conditions.push_back(StillIs(change, back.expressions));
    if (change.was) {
      sets.push_back(fmt::format("{} = {}", path,
                                 ValueAlias(back.expressions, std::string(change.was->bytes()))));
    } else {
      removes.push_back(path);
    }
  }
  if (!sets.empty()) back.update = fmt::format("SET {}", fmt::join(sets, ", "));
  if (!removes.empty()) back.update += fmt::format(" REMOVE {}", fmt::join(removes, ", "));
  back.condition = fmt::format("{}", fmt::join(conditions, " AND "));
  return back;
}

}  // namespace

Status TakeBack(Backend& backend, const WriteStep& step, bool is_done) {
  if (step.was == step.is) return Ok();
  const WriteItem back = !step.was  ? BackToAbsent(step)
                         : !step.is ? BackToThere(step)
                                    : BackToOld(step, is_done);
  Status taken = backend.Write(back);
  const bool is_refused =
      !taken.ok() && (taken.error().code() == ErrorCode::kConditionalCheckFailed ||
                      taken.error().code() == ErrorCode::kValidation);
  if (!is_refused) return taken;
  if (is_done) {
    log::Warn("a step of a write could not be taken back; `trestle design verify` finds it",
              {{"table", back.table}, {"error", taken.error().message()}});
  }
  return Ok();
}

}  // namespace trestle::design

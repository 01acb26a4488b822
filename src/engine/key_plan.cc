#include "engine/key_plan.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/limits.h"
#include "expr/key_condition.h"
#include "value/item_codec.h"

namespace trestle::engine {
namespace {

using expr::ConditionProgram;
using expr::KeyOperator;
using expr::KeyTerm;
using expr::Operand;
using expr::Test;
using expr::TestKind;
using expr::partiql::Connective;
using expr::partiql::Where;
using Terms = std::vector<KeyTerm>;

// Conditions with more ways to match than this are read as a whole.
constexpr std::size_t kBranchesMax = 1000;

// A test of one key attribute against constants: alternatives, of which one holds.
struct KeyTest {
  std::string attribute;
  Terms alternatives;  // several for IN
};

std::optional<KeyOperator> OperatorOf(TestKind kind, bool is_mirrored) {
  switch (kind) {
    case TestKind::kEqual:
      return KeyOperator::kEqual;
    case TestKind::kLess:
      return is_mirrored ? KeyOperator::kGreater : KeyOperator::kLess;
    case TestKind::kLessOrEqual:
      return is_mirrored ? KeyOperator::kGreaterOrEqual : KeyOperator::kLessOrEqual;
    case TestKind::kGreater:
      return is_mirrored ? KeyOperator::kLess : KeyOperator::kGreater;
    case TestKind::kGreaterOrEqual:
      return is_mirrored ? KeyOperator::kLessOrEqual : KeyOperator::kGreaterOrEqual;
    case TestKind::kBetween:
      return KeyOperator::kBetween;
    case TestKind::kBeginsWith:
      return KeyOperator::kBeginsWith;
    default:
      return std::nullopt;
  }
}

bool IsAttribute(const Operand& operand) {
  return operand.kind == Operand::Kind::kPath && operand.path.IsTopLevel();
}

// The test as one of an attribute against constants, if it is such a test.
std::optional<KeyTest> KeyTestOf(const ConditionProgram& program, const Test& test) {
  const auto operands = std::span(program.operands).subspan(test.first_operand, test.operand_count);
  const bool is_mirrored = operands.size() == 2 && !IsAttribute(operands[0]);
  const std::size_t attribute = is_mirrored ? 1 : 0;
  if (is_mirrored && test.kind == TestKind::kBeginsWith) return std::nullopt;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (i == attribute ? !IsAttribute(operands[i]) : operands[i].kind != Operand::Kind::kValue) {
      return std::nullopt;
    }
  }
  KeyTest result{.attribute = operands[attribute].path.attribute(), .alternatives = {}};
  if (test.kind == TestKind::kIn) {
    for (const Operand& operand : operands.subspan(1)) {
      result.alternatives.push_back(
          {.attribute = result.attribute, .op = KeyOperator::kEqual, .value = operand.value});
    }
    return result;
  }
  const auto op = OperatorOf(test.kind, is_mirrored);
  if (!op) return std::nullopt;
  result.alternatives.push_back({.attribute = result.attribute,
                                 .op = *op,
                                 .value = operands[1 - attribute].value,
                                 .second = operands.size() > 2 ? operands[2].value : ""});
  return result;
}

bool IsEquality(const KeyTest& test) {
  return std::ranges::all_of(test.alternatives,
                             [](const KeyTerm& term) { return term.op == KeyOperator::kEqual; });
}

Status CheckTypes(const KeyTest& test, const KeyAttribute& attribute) {
  for (const KeyTerm& term : test.alternatives) {
    for (const std::string& value : {term.value, term.second}) {
      if (value.empty()) continue;
      const value::Type type = value::ValueView(value).type();
      if (type != value::Type::kS && type != value::Type::kN && type != value::Type::kB) {
        return ValidationError(
            fmt::format("Key value must be of type S, N, or B. Key name: {}, Key type: {}",
                        attribute.name, value::TypeName(type)));
      }
      if (type != attribute.type) {
        return ValidationError(fmt::format(
            "Key attribute's data type should match its data type in table's schema: Key {}",
            attribute.name));
      }
    }
  }
  return Ok();
}

// The tests of keys that are true in one alternative of a condition, by their positions.
using Branch = std::vector<std::uint32_t>;

std::vector<Branch> Either(const std::vector<Branch>& left, const std::vector<Branch>& right) {
  std::vector<Branch> either = left;
  either.insert(either.end(), right.begin(), right.end());
  return either;
}

std::vector<Branch> Both(const std::vector<Branch>& left, const std::vector<Branch>& right) {
  std::vector<Branch> both;
  both.reserve(left.size() * right.size());
  for (const Branch& one : left) {
    for (const Branch& other : right) {
      both.push_back(one);
      both.back().insert(both.back().end(), other.begin(), other.end());
    }
  }
  return both;
}

class ReadPlanner {
 public:
  ReadPlanner(const PageSource& source, const Where& where)
      : where_(where),
        source_(source),
        partition_keys_(source.PartitionKeys()),
        sort_keys_(source.SortKeys()) {}

  Result<std::optional<std::vector<KeyedRead>>> Plan();

 private:
  Status FindKeyTests();
  [[nodiscard]] std::optional<std::vector<Branch>> FindBranches() const;
  [[nodiscard]] std::vector<const KeyTest*> TestsOf(const Branch& branch,
                                                    const KeyAttribute& attribute) const;
  // False when the branch leaves a partition key attribute open.
  Result<bool> AddReads(const Branch& branch);
  Status AddRead(const Terms& fixed, const Terms& bounds);
  Status CheckOverlap() const;

  const Where& where_;
  const PageSource& source_;
  const std::vector<KeyAttribute> partition_keys_;
  const std::vector<KeyAttribute> sort_keys_;
  std::map<std::uint32_t, KeyTest> key_tests_;
  std::vector<KeyedRead> reads_;
};

Result<std::optional<std::vector<KeyedRead>>> ReadPlanner::Plan() {
  TRY(FindKeyTests());
  const std::optional<std::vector<Branch>> branches = FindBranches();
  if (!branches) return std::optional<std::vector<KeyedRead>>();
  for (const Branch& branch : *branches) {
    if (!TRY(AddReads(branch))) return std::optional<std::vector<KeyedRead>>();
  }
  if (reads_.size() > kStatementReadsMax) {
    return ValidationError("Too many decomposed read operations for a given query.");
  }
  TRY(CheckOverlap());
  return std::optional(std::move(reads_));
}

// A partition key is fixed by an equality or IN, a sort key also bounded by a range.
Status ReadPlanner::FindKeyTests() {
  for (std::size_t i = 0; i < where_.program.tests.size(); ++i) {
    std::optional<KeyTest> test = KeyTestOf(where_.program, where_.program.tests[i]);
    if (!test) continue;
    const auto partition = std::ranges::find(partition_keys_, test->attribute, &KeyAttribute::name);
    const auto sort = std::ranges::find(sort_keys_, test->attribute, &KeyAttribute::name);
    if (partition != partition_keys_.end() && IsEquality(*test)) {
      TRY(CheckTypes(*test, *partition));
    } else if (sort != sort_keys_.end()) {
      TRY(CheckTypes(*test, *sort));
    } else {
      continue;
    }
    key_tests_.emplace(static_cast<std::uint32_t>(i), *std::move(test));
  }
  return Ok();
}

// The condition as alternatives, each with the key tests that must be true for it. What has no key
// test in it says nothing that could narrow a read, and neither does what is negated.
std::optional<std::vector<Branch>> ReadPlanner::FindBranches() const {
  const std::vector<Branch> anything = {{}};
  std::vector<std::vector<Branch>> operands;
  std::uint32_t test = 0;
  const auto take = [&] {
    std::vector<Branch> last = std::move(operands.back());
    operands.pop_back();
    return last;
  };
  for (const Connective connective : where_.shape) {
    if (connective == Connective::kTest) {
      operands.push_back(key_tests_.contains(test) ? std::vector<Branch>{{test}} : anything);
      ++test;
      continue;
    }
    const std::vector<Branch> right = take();
    if (connective == Connective::kNot) {
      operands.push_back(anything);
      continue;
    }
    const std::vector<Branch> left = take();
    if (connective == Connective::kOr && left == anything && right == anything) {
      operands.push_back(anything);
      continue;
    }
    const bool is_or = connective == Connective::kOr;
    const std::size_t count = is_or ? left.size() + right.size() : left.size() * right.size();
    if (count > kBranchesMax) return std::nullopt;
    operands.push_back(is_or ? Either(left, right) : Both(left, right));
  }
  return operands.back();
}

std::vector<const KeyTest*> ReadPlanner::TestsOf(const Branch& branch,
                                                 const KeyAttribute& attribute) const {
  std::vector<const KeyTest*> tests;
  for (const std::uint32_t position : branch) {
    const KeyTest& test = key_tests_.at(position);
    if (test.attribute == attribute.name) tests.push_back(&test);
  }
  return tests;
}

Result<bool> ReadPlanner::AddReads(const Branch& branch) {
  std::vector<Terms> fixed = {{}};  // each with one equality for every attribute so far
  const auto fix = [&](const KeyTest& test) {
    std::vector<Terms> longer;
    for (const Terms& terms : fixed) {
      for (const KeyTerm& alternative : test.alternatives) {
        longer.push_back(terms);
        longer.back().push_back(alternative);
      }
    }
    fixed = std::move(longer);
  };
  for (const KeyAttribute& attribute : partition_keys_) {
    const std::vector<const KeyTest*> tests = TestsOf(branch, attribute);
    if (tests.empty()) return false;
    fix(*tests.front());
  }
  Terms bounds;  // on the first sort key attribute that is not fixed
  for (const KeyAttribute& attribute : sort_keys_) {
    const std::vector<const KeyTest*> tests = TestsOf(branch, attribute);
    const auto equality = std::ranges::find_if(tests, [](auto* test) { return IsEquality(*test); });
    if (equality != tests.end()) {
      fix(**equality);
      continue;
    }
    for (const KeyTest* test : tests)
      bounds.push_back(test->alternatives.front());
    break;
  }
  for (const Terms& terms : fixed)
    TRY(AddRead(terms, bounds));
  return true;
}

Status ReadPlanner::AddRead(const Terms& fixed, const Terms& bounds) {
  KeyedRead read{.range = TRY(QueryRange(source_, {.terms = fixed})),
                 .partition = fixed.front().value,
                 .is_single_item = source_.index == nullptr &&
                                   fixed.size() == partition_keys_.size() + sort_keys_.size()};
  for (const KeyTerm& bound : bounds) {
    Terms terms = fixed;
    terms.push_back(bound);
    const RowRange range = TRY(QueryRange(source_, {.terms = std::move(terms)}));
    read.range.first = std::max(read.range.first, range.first);
    read.range.end = std::min(read.range.end, range.end);
  }
  reads_.push_back(std::move(read));
  return Ok();
}

Status ReadPlanner::CheckOverlap() const {
  std::vector<const RowRange*> ranges;
  for (const KeyedRead& read : reads_) {
    if (read.range.first < read.range.end) ranges.push_back(&read.range);
  }
  std::ranges::sort(ranges, {}, &RowRange::first);
  const auto overlapping = std::ranges::adjacent_find(
      ranges, [](const RowRange* left, const RowRange* right) { return right->first < left->end; });
  if (overlapping == ranges.end()) return Ok();
  return ValidationError(
      "Overlapping conditions with range keys are not supported in where clause");
}

// Whether every match passes the test at `position` as true: no test before it leads past it, and
// it alone leads on.
std::vector<bool> FindMandatory(const ConditionProgram& program) {
  const std::size_t count = program.tests.size();
  std::vector<bool> is_mandatory(count);
  std::size_t reach = 0;  // the furthest that the tests so far lead
  const auto next = [&](std::uint32_t target) {
    return target == expr::kMatches ? count : std::size_t{target};
  };
  for (std::size_t i = 0; i < count; ++i) {
    const Test& test = program.tests[i];
    is_mandatory[i] =
        reach <= i && test.if_false == expr::kDoesNotMatch && next(test.if_true) == i + 1;
    for (const std::uint32_t target : {test.if_true, test.if_false}) {
      if (target != expr::kDoesNotMatch) reach = std::max(reach, next(target));
    }
  }
  return is_mandatory;
}

// The program without tests that are known to be true.
std::optional<ConditionProgram> Without(const ConditionProgram& program,
                                        const std::vector<bool>& is_known) {
  const std::size_t count = program.tests.size();
  std::vector<std::uint32_t> moved(count + 1, expr::kMatches);
  std::uint32_t kept = 0;
  for (std::size_t i = 0; i < count; ++i)
    moved[i] = is_known[i] ? std::uint32_t{0} : kept++;
  for (std::size_t i = count; i-- > 0;) {
    if (is_known[i]) moved[i] = moved[i + 1];
  }
  if (kept == 0) return std::nullopt;
  const auto target = [&](std::uint32_t old) { return old < count ? moved[old] : old; };
  ConditionProgram rest{.tests = {}, .operands = program.operands};
  for (std::size_t i = 0; i < count; ++i) {
    if (is_known[i]) continue;
    Test test = program.tests[i];
    test.if_true = target(test.if_true);
    test.if_false = target(test.if_false);
    rest.tests.push_back(test);
  }
  return rest;
}

Error IncompleteKey() {
  return ValidationError(
      "Where clause does not contain a mandatory equality on all key attributes");
}

}  // namespace

Result<std::optional<std::vector<KeyedRead>>> PlanReads(const PageSource& source,
                                                        const Where& where) {
  return ReadPlanner(source, where).Plan();
}

Result<KeyedCondition> TakeKey(const TableSchema& table, const std::optional<Where>& where) {
  if (!where) return IncompleteKey();
  const ConditionProgram& program = where->program;
  std::vector<bool> is_key = FindMandatory(program);
  std::map<std::string, std::string> values;
  for (std::size_t i = 0; i < is_key.size(); ++i) {
    if (!is_key[i]) continue;
    const std::optional<KeyTest> test = KeyTestOf(program, program.tests[i]);
    is_key[i] =
        test && program.tests[i].kind == TestKind::kEqual && table.IsKeyAttribute(test->attribute);
    if (!is_key[i]) continue;
    const std::string& value = test->alternatives.front().value;
    const auto [known, is_first] = values.emplace(test->attribute, value);
    if (!is_first && known->second != value) {
      return ValidationError(
          fmt::format("Multiple conditions on same key {}. Only single item "
                      "Update/Insert/Delete are supported",
                      test->attribute));
    }
  }
  if (values.size() != (table.sort ? 2u : 1u)) return IncompleteKey();
  value::SortedItemWriter key;
  for (const auto& [name, value] : values)
    key.Add(name, value);
  return KeyedCondition{.key = std::move(key).Finish(), .rest = Without(program, is_key)};
}

}  // namespace trestle::engine

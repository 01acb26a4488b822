// What conditions and filters accept, refuse and say of an item.

#include "expr/condition.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include "expr/testing_internal.h"

namespace trestle::expr {
namespace {

using testing::ItemOf;
using testing::TestPlaceholders;

std::string Verdict(std::string_view text, const std::optional<value::ItemView>& item) {
  Placeholders placeholders = TestPlaceholders();
  const Result<Condition> condition =
      Condition::Parse(ConditionKind::kCondition, text, placeholders);
  if (!condition.ok()) return condition.error().message();
  return condition->Matches(item) ? "true" : "false";
}

// The refusal without its opening words, or what was not refused.
std::string Refusal(std::string_view text) {
  constexpr std::string_view kOpening = "Invalid ConditionExpression: ";
  std::string message = Verdict(text, std::nullopt);
  return message.starts_with(kOpening) ? message.substr(kOpening.size()) : "not refused";
}

constexpr std::string_view kItem =
    R"({a: "abc", b: "abd", n: 5, n2: 5, big: 10, neg: -3, bin: b"abc", t: true, f: false,
        u: null, l: ["x", 2, ["y"], {k: "v"}], m: {k: "v", deep: {n: 7, l: [1, 2]}},
        ss: <"p", "q">, ns: <1, 2>, bs: <b"p">, s0: "", l0: [], m0: {}, wide: "é𝄞",
        one: 1, x: "x", three: 3})";

struct Row {
  const char* text;
  bool matches;
};

TEST(Condition, SaysWhetherAnItemMatches) {
  const value::Item item = ItemOf(kItem);
  const Row rows[] = {
      // Equality is of type and value.
      {"x = :s", true},
      {"x = :s2", false},
      {"one = :n", true},
      {"one = :s", false},
      {"n = n2", true},
      {"a = b", false},
      {"x <> :s", false},
      {"x <> :s2", true},
      {"x <> :n", true},
      {"t = :t", true},
      {"t = :f", false},
      {"f = :f", true},
      {"u = :u", true},
      {"ss = :ss", true},
      {"ss = :ss1", false},
      {"ns = :ns", true},
      {"bs = :bs", true},
      {"l0 = :l0", true},
      {"m0 = :m", false},
      {"bin = :b", true},
      {":s = x", true},
      {":s = :s", true},
      {":s <> :s2", true},
      // Order is of strings, numbers and binaries, by bytes and by value.
      {"a < b", true},
      {"b < a", false},
      {"a <= b", true},
      {"b > a", true},
      {"b >= a", true},
      {"n < big", true},
      {"big < n", false},
      {"neg < n", true},
      {"neg < :n0", true},
      {"n <= n2", true},
      {"n >= n2", true},
      {"n < n2", false},
      {"n > n2", false},
      {"bin < :b2", true},
      {"bin >= :b", true},
      {"s0 < a", true},
      {"a < n", false},
      {"a > n", false},
      {"a <= n", false},
      {"a >= n", false},
      {"bin < b", false},
      {"t < f", false},
      {"t >= f", false},
      {"l < m", false},
      {"l <= l0", false},
      {"ss > ns", false},
      {"u <= t", false},
      // What is not there differs from everything and compares with nothing.
      {"zz = :s", false},
      {"zz <> :s", true},
      {":s <> zz", true},
      {"zz < :s", false},
      {"zz <= :s", false},
      {"zz > :s", false},
      {"zz >= :s", false},
      {"zz = yy", false},
      {"zz <> yy", true},
      {"zz <= yy", false},
      {"NOT zz = :s", true},
      {"NOT zz < :s", true},
      {"zz IN (:s, yy)", false},
      {"NOT zz IN (:s)", true},
      {"zz BETWEEN :n AND :n2", false},
      {"x BETWEEN zz AND :s", false},
      {"begins_with(zz, :s)", false},
      {"begins_with(x, zz)", false},
      {"contains(zz, :s)", false},
      {"contains(x, zz)", false},
      {"attribute_type(zz, :typeS)", false},
      {"size(zz) = :n", false},
      {"size(zz) <> :n", true},
      {"size(zz) < :n", false},
      // BETWEEN includes both bounds and binds its AND.
      {"one BETWEEN :n AND :n2", true},
      {"n BETWEEN :n AND :n2", false},
      {"n BETWEEN n2 AND big", true},
      {"n BETWEEN big AND n2", false},
      {"a BETWEEN :n AND :n2", false},
      {"a BETWEEN a AND b", true},
      {":n BETWEEN neg AND one", true},
      {"one BETWEEN :n AND :n2 AND x = :s", true},
      {"x = :s AND one BETWEEN :n AND :n2", true},
      {"NOT one BETWEEN :n AND :n2", false},
      {"bin BETWEEN :b AND :b2", true},
      // IN is equality with one of several.
      {"x IN (:s)", true},
      {"x IN (:s2, :s)", true},
      {"x IN (:s2, :n)", false},
      {"n IN (:s, n2)", true},
      {":s IN (a, b, x)", true},
      {"l IN (:l, l)", true},
      {"NOT x IN (:s)", false},
      // Functions.
      {"attribute_exists(a)", true},
      {"attribute_exists(zz)", false},
      {"attribute_not_exists(a)", false},
      {"attribute_not_exists(zz)", true},
      {"attribute_exists(u)", true},
      {"attribute_exists(m.k)", true},
      {"attribute_exists(m.zz)", false},
      {"attribute_exists(a.b)", false},
      {"attribute_exists(a[0])", false},
      {"attribute_exists(l[3].k)", true},
      {"attribute_exists(l[4])", false},
      {"attribute_exists(l[4294967294])", false},
      {"attribute_exists(m[0])", false},
      {"attribute_exists(l.k)", false},
      {"attribute_type(a, :typeS)", true},
      {"attribute_type(a, :typeN)", false},
      {"attribute_type(n, :typeN)", true},
      {"attribute_type(bin, :typeB)", true},
      {"attribute_type(t, :typeBOOL)", true},
      {"attribute_type(u, :typeNULL)", true},
      {"attribute_type(l, :typeL)", true},
      {"attribute_type(m, :typeM)", true},
      {"attribute_type(ss, :typeSS)", true},
      {"attribute_type(ns, :typeNS)", true},
      {"attribute_type(bs, :typeBS)", true},
      {"attribute_type(m.deep, :typeM)", true},
      {"begins_with(x, :s)", true},
      {"begins_with(x, :s2)", false},
      {"begins_with(a, s0)", true},
      {"begins_with(bin, :b)", true},
      {"begins_with(bin, :s)", false},
      {"begins_with(bin, a)", false},
      {"begins_with(a, bin)", false},
      {"contains(a, bin)", false},
      {"begins_with(n, :s)", false},
      {"begins_with(ss, :s)", false},
      {"begins_with(x, n)", false},
      {"begins_with(s0, x)", false},
      {"begins_with(:s, x)", true},
      {"contains(x, :s)", true},
      {"contains(a, :s)", false},
      {"contains(a, :empty)", true},
      {"contains(bin, :b)", true},
      {"contains(bin, :s)", false},
      {"contains(ss, :s)", false},
      {"contains(:ss, x)", false},
      {"contains(ss, :n)", false},
      {"contains(ns, :n)", true},
      {"contains(ns, one)", true},
      {"contains(ns, :n3)", false},
      {"contains(l, :s)", true},
      {"contains(l, :n2)", true},
      {"contains(l, :n)", false},
      {"contains(l, :l)", false},
      {"contains(l, :m)", true},
      {"contains(n, :n)", false},
      {"contains(m, :s)", false},
      {"contains(ns, size(l0))", false},
      {"contains(ns, size(x))", true},
      // Sizes: UTF-16 units, bytes, elements.
      {"size(a) = three", true},
      {"size(s0) = :n0", true},
      {"size(wide) = :n3", true},
      {"size(bin) = :n3", true},
      {"size(l) > :n3", true},
      {"size(l0) = :n0", true},
      {"size(m) = :n2", true},
      {"size(m0) = :n0", true},
      {"size(ss) = :n2", true},
      {"size(ns) = :n2", true},
      {"size(bs) = :n", true},
      {"size(l) = size(a)", false},
      {"size(a) = size(b)", true},
      {"size(a) = size(a)", true},
      {"size(a) BETWEEN :n AND :n3", true},
      {"size(a) IN (:n, :n3)", true},
      {":n2 < size(a)", true},
      {"size(a) = :s", false},
      {"size(a) < :s", false},
      {"size(:s) = :n", true},
      {"size(:l0) = :n0", true},
      {"size(:m) = one", true},
      {"size(m.deep.l) = :n2", true},
      // These have no size.
      {"size(n) = :n", false},
      {"size(n) < :n", false},
      {"size(t) >= :n0", false},
      {"size(u) = :n0", false},
      // Logic: NOT before AND before OR.
      {"x = :s AND one = :n", true},
      {"x = :s AND one = :n2", false},
      {"x = :s2 OR one = :n", true},
      {"x = :s2 OR one = :n2", false},
      {"NOT x = :s", false},
      {"NOT x = :s2", true},
      {"NOT NOT x = :s", true},
      {"NOT (NOT (x = :s))", true},
      {"NOT x = :s2 AND one = :n2", false},
      {"NOT (x = :s2 AND one = :n2)", true},
      {"x = :s OR x = :s2 AND one = :n2", true},
      {"(x = :s OR x = :s2) AND one = :n2", false},
      {"one = :n2 AND x = :s2 OR x = :s", true},
      {"one = :n2 AND (x = :s2 OR x = :s)", false},
      {"NOT x = :s2 OR one = :n2", true},
      {"x = :s2 OR NOT one = :n2 AND a < b", true},
      {"NOT (x = :s OR one = :n)", false},
      {"NOT (x = :s2 OR one = :n2)", true},
      {"NOT (x = :s2 OR NOT (one = :n2 OR a > b))", false},
      {"x = :s AND one = :n AND a < b AND n < big", true},
      {"x = :s AND one = :n AND a > b AND n < big", false},
      {"x = :s2 OR one = :n2 OR a > b OR n < big", true},
      {"(x = :s AND (one = :n AND (a < b)))", true},
      {"attribute_exists(a) AND NOT attribute_exists(zz)", true},
      {"not x = :s2 and one = :n or a > b", true},
      {"Not x In (:s2) aNd one bEtWeEn :n AnD :n2", true},
      // Paths, names and blanks.
      {"#a < #b", true},
      {"m.k = :s", false},
      {"m.deep.n > :n", true},
      {"m.deep.l[1] = :n2", true},
      {"m.deep.l[1] = :n2", true},
      {"m . deep . l [ 1 ] = :n2", true},
      {"l[0] = :s", true},
      {"l[2][0] = :s2", true},
      {"l[3].k <> m.k", false},
      {"x=:s", true},
      {"x<>:s2", true},
      {"one<=:n2", true},
      {" \t\r\nx\n=\t:s ", true},
      {"attribute_exists (a)", true},
      {"attribute_exists( a )", true},
      {"contains(l,:s)", true},
      // Parentheses around operands.
      {"(x) = :s", true},
      {"x = (:s)", true},
      {"((x) = (:s))", true},
      {"(size(a)) = :n3", true},
      {"size((a)) = :n3", true},
      {"attribute_exists((a))", true},
      {"x IN ((:s), (:n))", true},
      {"one BETWEEN (:n) AND (:n2)", true},
      {"NOT (x) = :s2", true},
      {"(attribute_exists(a)) AND (x = :s)", true},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Verdict(row.text, item.view()), row.matches ? "true" : "false") << row.text;
  }
}

TEST(Condition, TreatsAnAbsentItemAsOneWithoutAttributes) {
  const Row rows[] = {
      {"attribute_not_exists(a)", true},
      {"attribute_exists(a)", false},
      {"a = :s", false},
      {"a <> :s", true},
      {"a < :s", false},
      {"NOT a = :s", true},
      {"size(a) = :n0", false},
      {":n < :n2", true},
      {"attribute_not_exists(a) OR a = :s", true},
      {"attribute_exists(a) AND a = :s", false},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Verdict(row.text, std::nullopt), row.matches ? "true" : "false") << row.text;
  }
}

struct RefusalRow {
  const char* text;
  const char* message;
};

// Shows the token that does not fit, and the source from the token before to the token after it.
TEST(Condition, RefusesWhatTheGrammarDoesNotHave) {
  const RefusalRow rows[] = {
      {"a-b", R"~(Syntax error; token: "-", near: "a-b")~"},
      {"a = ", R"~(Syntax error; token: "<EOF>", near: "=")~"},
      {"a", R"~(Syntax error; token: "<EOF>", near: "a")~"},
      {" ", R"~(Syntax error; token: "<EOF>", near: "")~"},
      {"a b", R"~(Syntax error; token: "b", near: "a b")~"},
      {"a  b  c", R"~(Syntax error; token: "b", near: "a  b  c")~"},
      {"= :s", R"~(Syntax error; token: "=", near: "= :s")~"},
      {"a = :s AND", R"~(Syntax error; token: "<EOF>", near: "AND")~"},
      {"a == :s", R"~(Syntax error; token: "=", near: "== :s")~"},
      {"a = :s :n", R"~(Syntax error; token: ":n", near: ":s :n")~"},
      {"a != :s", R"~(Syntax error; token: "!", near: "a !=")~"},
      {"a & b", R"~(Syntax error; token: "&", near: "a & b")~"},
      {"a = : s", R"~(Syntax error; token: ":", near: "= : s")~"},
      {"# = :s", R"~(Syntax error; token: "#", near: "# =")~"},
      {"#a size :s", R"~(Syntax error; token: "size", near: "#a size :s")~"},
      {"a = :s AND __typename = :s", R"~(Syntax error; token: "_", near: "AND __")~"},
      {"_a = :s", R"~(Syntax error; token: "_", near: "_a")~"},
      {"1a = :s", R"~(Syntax error; token: "1", near: "1a")~"},
      {"é = :s", R"~(Syntax error; token: "é", near: "é =")~"},
      {"a = \"x\"", R"~(Syntax error; token: """, near: "= "x")~"},
      {"a = 'x'", R"~(Syntax error; token: "'", near: "= 'x")~"},
      {"a = 1", R"~(Syntax error; token: "1", near: "= 1")~"},
      {"a. = :s", R"~(Syntax error; token: "=", near: ". = :s")~"},
      {"a..b = :s", R"~(Syntax error; token: ".", near: "..b")~"},
      {"a.1 = :s", R"~(Syntax error; token: "1", near: ".1 =")~"},
      {"a.:s = :s", R"~(Syntax error; token: ":s", near: ".:s =")~"},
      {"a[b] = :s", R"~(Syntax error; token: "b", near: "[b]")~"},
      {"a[] = :s", R"~(Syntax error; token: "]", near: "[] =")~"},
      {"a[-1] = :s", R"~(Syntax error; token: "-", near: "[-1")~"},
      {"a[1.5] = :s", R"~(Syntax error; token: ".", near: "1.5")~"},
      {"a[1 = :s", R"~(Syntax error; token: "=", near: "1 = :s")~"},
      {":s.b = :s", R"~(Syntax error; token: ".", near: ":s.b")~"},
      {":s[0] = :s", R"~(Syntax error; token: "[", near: ":s[0")~"},
      {"a AND b = :s", R"~(Syntax error; token: "AND", near: "a AND b")~"},
      {"(a) AND b = :s", R"~(Syntax error; token: "AND", near: ") AND b")~"},
      {"(a)", R"~(Syntax error; token: "<EOF>", near: ")")~"},
      {"NOT a", R"~(Syntax error; token: "<EOF>", near: "a")~"},
      {"(NOT a)", R"~(Syntax error; token: ")", near: "a)")~"},
      {"NOT", R"~(Syntax error; token: "<EOF>", near: "NOT")~"},
      {"AND a", R"~(Syntax error; token: "AND", near: "AND a")~"},
      {"or", R"~(Syntax error; token: "or", near: "or")~"},
      {"a = NOT b", R"~(Syntax error; token: "NOT", near: "= NOT b")~"},
      {"a = b = c", R"~(Syntax error; token: "=", near: "b = c")~"},
      {"(a = b) = c", R"~(Syntax error; token: "=", near: ") = c")~"},
      {"a = (b = c)", R"~(Syntax error; token: "=", near: "b = c")~"},
      {"a = (b AND c)", R"~(Syntax error; token: "AND", near: "b AND c")~"},
      {"a IN :s", R"~(Syntax error; token: ":s", near: "IN :s")~"},
      {"a IN ()", R"~(Syntax error; token: ")", near: "()")~"},
      {"a IN (:s", R"~(Syntax error; token: "<EOF>", near: ":s")~"},
      {"a IN (:s,)", R"~(Syntax error; token: ")", near: ",)")~"},
      {"a IN (:s) IN (:s)", R"~(Syntax error; token: "IN", near: ") IN (")~"},
      {"a IN (b = c)", R"~(Syntax error; token: "=", near: "b = c")~"},
      {"a BETWEEN :n", R"~(Syntax error; token: "<EOF>", near: ":n")~"},
      {"a BETWEEN :n OR :n2", R"~(Syntax error; token: "OR", near: ":n OR :n2")~"},
      {"a BETWEEN :n, :n2", R"~(Syntax error; token: ",", near: ":n, :n2")~"},
      {"a BETWEEN (:n AND :n2)", R"~(Syntax error; token: "AND", near: ":n AND :n2")~"},
      {"(a BETWEEN :n) AND :n2", R"~(Syntax error; token: ")", near: ":n) AND")~"},
      {"a BETWEEN :n AND", R"~(Syntax error; token: "<EOF>", near: "AND")~"},
      {"(a = :s", R"~(Syntax error; token: "<EOF>", near: ":s")~"},
      {"a = :s)", R"~(Syntax error; token: ")", near: ":s)")~"},
      {")", R"~(Syntax error; token: ")", near: ")")~"},
      {"()", R"~(Syntax error; token: ")", near: "()")~"},
      {"a = :s,", R"~(Syntax error; token: ",", near: ":s,")~"},
      {"(a, b) = :s", R"~(Syntax error; token: ",", near: "a, b")~"},
      {"attribute_exists a", R"~(Syntax error; token: "a", near: "attribute_exists a")~"},
      {"attribute_exists(a", R"~(Syntax error; token: "<EOF>", near: "a")~"},
      {"attribute_exists(a,)", R"~(Syntax error; token: ")", near: ",)")~"},
      {"attribute_exists()", R"~(Syntax error; token: ")", near: "()")~"},
      {"contains(a = b, c)", R"~(Syntax error; token: "=", near: "a = b")~"},
      {"contains(size(a) AND b)", R"~(Syntax error; token: "AND", near: ") AND b")~"},
      {"contains(NOT a, b)", R"~(Syntax error; token: "NOT", near: "(NOT a")~"},
      {"contains((a = b), c)", R"~(Syntax error; token: "=", near: "a = b")~"},
      {"#a(b)", R"~(Syntax error; token: "(", near: "#a(b")~"},
      {"a + b = c", R"~(Syntax error; token: "+", near: "a + b")~"},
      {"a< >:s", R"~(Syntax error; token: ">", near: "< >:s")~"},
      {"a < = :s", R"~(Syntax error; token: "=", near: "< = :s")~"},
      {"a = :s xor b = :s", R"~(Syntax error; token: "xor", near: ":s xor b")~"},
      {"", "The expression can not be empty;"},
      {"a[4294967295] = :s", "List index is not within the allowable range; index: [4294967295]"},
      {"a[99999999999999] = :s",
       "List index is not within the allowable range; index: [99999999999999]"},
  };
  for (const RefusalRow& row : rows)
    EXPECT_EQ(Refusal(row.text), row.message) << row.text;
}

TEST(Condition, RefusesWhatTheWordsCannotMean) {
  const RefusalRow rows[] = {
      {"status = :s", "Attribute name is a reserved keyword; reserved keyword: status"},
      {"Status = :s", "Attribute name is a reserved keyword; reserved keyword: Status"},
      {"a.SIZE = :s", "Attribute name is a reserved keyword; reserved keyword: SIZE"},
      {"a = b.data", "Attribute name is a reserved keyword; reserved keyword: data"},
      {"set = :s", "Attribute name is a reserved keyword; reserved keyword: set"},
      {"#w = :s",
       "An expression attribute name used in the document path is not defined; attribute name: #w"},
      {"a.#w = :s",
       "An expression attribute name used in the document path is not defined; attribute name: #w"},
      {"a = :w",
       "An expression attribute value used in expression is not defined; attribute value: :w"},
      {"foo(a)", "Invalid function name; function: foo"},
      {"Size(a) = :n", "Invalid function name; function: Size"},
      {"ATTRIBUTE_EXISTS(a)", "Invalid function name; function: ATTRIBUTE_EXISTS"},
      {"list_append(a, :l) = :l", "Invalid function name; function: list_append"},
      {"if_not_exists(a, :s) = :s", "Invalid function name; function: if_not_exists"},
      {"((a = :s))", "The expression has redundant parentheses;"},
      {"((a = :s)) AND b = :s", "The expression has redundant parentheses;"},
      {"NOT ((a = :s))", "The expression has redundant parentheses;"},
      {"((a)) = :s", "The expression has redundant parentheses;"},
      {"a = ((:s))", "The expression has redundant parentheses;"},
      {"size(((a))) = :n", "The expression has redundant parentheses;"},
      {"a IN ((:s), ((:n)))", "The expression has redundant parentheses;"},
      {"size(a)",
       "The function is not allowed to be used this way in an expression; function: size"},
      {"NOT size(a)",
       "The function is not allowed to be used this way in an expression; function: size"},
      {"a = :s OR size(a)",
       "The function is not allowed to be used this way in an expression; function: size"},
      {"attribute_exists(a) = :s",
       "The function is not allowed to be used this way in an expression; "
       "function: attribute_exists"},
      {"a = contains(a, b)",
       "The function is not allowed to be used this way in an expression; function: contains"},
      {"contains(a, begins_with(b, :s))",
       "The function is not allowed to be used this way in an expression; function: begins_with"},
      {"a IN (:s, begins_with(b, :s))",
       "The function is not allowed to be used this way in an expression; function: begins_with"},
      {"begins_with(a)",
       "Incorrect number of operands for operator or function; operator or function: begins_with, "
       "number of operands: 1"},
      {"contains(a, b, c)",
       "Incorrect number of operands for operator or function; operator or function: contains, "
       "number of operands: 3"},
      {"attribute_exists(a, b)",
       "Incorrect number of operands for operator or function; "
       "operator or function: attribute_exists, number of operands: 2"},
      {"attribute_type(a)",
       "Incorrect number of operands for operator or function; "
       "operator or function: attribute_type, number of operands: 1"},
      {"size(a, b) = :n",
       "Incorrect number of operands for operator or function; operator or function: size, "
       "number of operands: 2"},
      {"attribute_exists(:s)",
       "Operator or function requires a document path; operator or function: attribute_exists"},
      {"attribute_not_exists(size(a))",
       "Operator or function requires a document path; operator or function: attribute_not_exists"},
      {"attribute_type(:s, :typeS)",
       "Operator or function requires a document path; operator or function: attribute_type"},
      {"attribute_type(a, b)",
       "Incorrect operand type for operator or function; operator or function: attribute_type, "
       "operand type: {NS,SS,L,BS,N,M,B,BOOL,NULL,S}"},
      {"attribute_type(a, :n)",
       "Incorrect operand type for operator or function; operator or function: attribute_type, "
       "operand type: N"},
      {"attribute_type(a, :s)",
       "Invalid attribute type name found; type: x, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}"},
      {"begins_with(a, :n)",
       "Incorrect operand type for operator or function; operator or function: begins_with, "
       "operand type: N"},
      {"begins_with(:ss, a)",
       "Incorrect operand type for operator or function; operator or function: begins_with, "
       "operand type: SS"},
      {"begins_with(a, size(b))",
       "Incorrect operand type for operator or function; operator or function: begins_with, "
       "operand type: N"},
      {"contains(:n, a)",
       "Incorrect operand type for operator or function; operator or function: contains, "
       "operand type: N"},
      {"contains(size(a), b)",
       "Incorrect operand type for operator or function; operator or function: contains, "
       "operand type: N"},
      {"size(:n) = :n",
       "Incorrect operand type for operator or function; operator or function: size, "
       "operand type: N"},
      {"size(:t) = :n",
       "Incorrect operand type for operator or function; operator or function: size, "
       "operand type: BOOL"},
      {"size(size(a)) = :n",
       "Incorrect operand type for operator or function; operator or function: size, "
       "operand type: N"},
      {"size(size(:s)) = :n",
       "Incorrect operand type for operator or function; operator or function: size, "
       "operand type: N"},
      {"a < :t",
       "Incorrect operand type for operator or function; operator or function: <, "
       "operand type: BOOL"},
      {"a <= :u",
       "Incorrect operand type for operator or function; operator or function: <=, "
       "operand type: NULL"},
      {":l > a",
       "Incorrect operand type for operator or function; operator or function: >, "
       "operand type: L"},
      {"a >= :ss",
       "Incorrect operand type for operator or function; operator or function: >=, "
       "operand type: SS"},
      {"a BETWEEN :t AND :f",
       "Incorrect operand type for operator or function; operator or function: BETWEEN, "
       "operand type: BOOL"},
      {"a BETWEEN :n AND :s",
       "The BETWEEN operator requires same data type for lower and upper bounds; "
       "lower bound operand: AttributeValue: {N:1}, upper bound operand: AttributeValue: {S:x}"},
      {"a BETWEEN :n2 AND :n",
       "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; "
       "lower bound operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}"},
      {"a BETWEEN :b2 AND :b",
       "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; "
       "lower bound operand: AttributeValue: {B:YWJk}, "
       "upper bound operand: AttributeValue: {B:YWJj}"},
      {"a = a",
       "The first operand must be distinct from the remaining operands for this operator or "
       "function; operator: =, first operand: [a]"},
      {"#a <> a",
       "The first operand must be distinct from the remaining operands for this operator or "
       "function; operator: <>, first operand: [a]"},
      {"a.b[0] < a.b[0]",
       "The first operand must be distinct from the remaining operands for this operator or "
       "function; operator: <, first operand: [a, b, [0]]"},
      {"contains(a, a)",
       "The first operand must be distinct from the remaining operands for this operator or "
       "function; operator: contains, first operand: [a]"},
      {"begins_with(a, a)",
       "The first operand must be distinct from the remaining operands for this operator or "
       "function; operator: begins_with, first operand: [a]"},
  };
  for (const RefusalRow& row : rows)
    EXPECT_EQ(Refusal(row.text), row.message) << row.text;
}

// Faults of one kind are found in the whole text before faults of the next kind.
TEST(Condition, RefusesInTheOrderOfTheService) {
  const RefusalRow rows[] = {
      {"status = :s AND foo(a) AND ((a = b)) AND",
       R"~(Syntax error; token: "<EOF>", near: "AND")~"},
      {"foo(a) AND status = :s AND ((a = :s))", "The expression has redundant parentheses;"},
      {"status = :s AND size(a) AND foo(a)", "Invalid function name; function: foo"},
      {"status = :s AND size(a)",
       "The function is not allowed to be used this way in an expression; function: size"},
      {"size(a) AND attribute_exists(a) = b",
       "The function is not allowed to be used this way in an expression; "
       "function: attribute_exists"},
      {"#w = :w AND begins_with(a) AND status = :s",
       "Attribute name is a reserved keyword; reserved keyword: status"},
      {"begins_with(a) AND #w = :w",
       "Incorrect number of operands for operator or function; operator or function: begins_with, "
       "number of operands: 1"},
      {"#w = :w AND begins_with(a)",
       "An expression attribute name used in the document path is not defined; attribute name: #w"},
      {"a = :w AND #w = :s",
       "An expression attribute value used in expression is not defined; attribute value: :w"},
      {"a = a AND b < :t",
       "The first operand must be distinct from the remaining operands for this operator or "
       "function; operator: =, first operand: [a]"},
  };
  for (const RefusalRow& row : rows)
    EXPECT_EQ(Refusal(row.text), row.message) << row.text;
}

std::string Repeat(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i)
    all += text;
  return all;
}

TEST(Condition, HasLimits) {
  EXPECT_EQ(Refusal("a = :s" + Repeat(" ", 4090)), "not refused");
  EXPECT_EQ(Refusal("a = :s" + Repeat(" ", 4091)),
            "Expression size has exceeded the maximum allowed size;");
  // 150 comparisons with 149 ORs between them.
  EXPECT_EQ(Refusal("a = :s" + Repeat(" OR a = :s", 149)), "not refused");
  EXPECT_EQ(Refusal("NOT a = :s" + Repeat(" OR a = :s", 149)), "not refused");
  EXPECT_EQ(Refusal("NOT NOT a = :s" + Repeat(" OR a = :s", 149)),
            "The expression contains too many operators; operator count: 301");
  EXPECT_EQ(Refusal("a IN (:s" + Repeat(",:s", 99) + ")"), "not refused");
  EXPECT_EQ(Refusal("a IN (:s" + Repeat(",:s", 100) + ")"),
            "The IN operator is provided with too many operands; number of operands: 101");
  EXPECT_EQ(Refusal("a" + Repeat(".b", 31) + " = :s"), "not refused");
  EXPECT_EQ(Refusal("a" + Repeat(".b", 32) + " = :s"),
            "The document path has too many nesting elements; nesting level: 33");
}

void TryDeepNesting() {
  EXPECT_EQ(Refusal(Repeat("(", 4096)), R"~(Syntax error; token: "<EOF>", near: "(")~");
  EXPECT_EQ(Refusal(Repeat("(", 2000) + "a = :s" + Repeat(")", 2000)),
            "The expression has redundant parentheses;");
  EXPECT_EQ(Refusal(Repeat("NOT ", 1000) + "a = :s"),
            "The expression contains too many operators; operator count: 1001");
  EXPECT_EQ(Refusal(Repeat("size(", 600) + "a" + Repeat(")", 600) + " = :n"),
            "The expression contains too many operators; operator count: 601");
  EXPECT_EQ(Verdict(Repeat("NOT (", 299) + "a = :s" + Repeat(")", 299), std::nullopt), "true");
  EXPECT_EQ(Refusal("a" + Repeat("[0]", 1300) + " = :s"),
            "The document path has too many nesting elements; nesting level: 1301");
}

// As deep as the size allows, on less stack than the server's threads have.
TEST(Condition, SurvivesAnyNesting) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, 256 * 1024), 0);
  pthread_t thread;
  const auto run = [](void*) -> void* {
    TryDeepNesting();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, run, nullptr), 0);
  ASSERT_EQ(pthread_join(thread, nullptr), 0);
  ASSERT_EQ(pthread_attr_destroy(&attributes), 0);
}

TEST(Condition, NamesItsParameterInErrors) {
  Placeholders placeholders = TestPlaceholders();
  const auto filter = Condition::Parse(ConditionKind::kFilter, "a", placeholders);
  ASSERT_FALSE(filter.ok());
  EXPECT_EQ(filter.error().code(), ErrorCode::kValidation);
  EXPECT_EQ(filter.error().message(),
            R"(Invalid FilterExpression: Syntax error; token: "<EOF>", near: "a")");
}

TEST(Condition, MatchesEverythingWhenEmpty) {
  const Condition condition;
  EXPECT_TRUE(condition.empty());
  EXPECT_TRUE(condition.Matches(std::nullopt));
  EXPECT_TRUE(condition.Matches(ItemOf(kItem).view()));
  EXPECT_FALSE(condition.Attributes().contains("a"));
  EXPECT_EQ(condition.Fingerprint(), "");
}

TEST(Condition, KnowsWhichAttributesItMentions) {
  Placeholders placeholders = TestPlaceholders();
  const auto condition =
      Condition::Parse(ConditionKind::kFilter, "#a.b = :s OR size(c) > :n AND d = e", placeholders);
  ASSERT_TRUE(condition.ok());
  for (const char* name : {"a", "c", "d", "e"})
    EXPECT_TRUE(condition->Attributes().contains(name)) << name;
  for (const char* name : {"b", "#a", ":s", "x"})
    EXPECT_FALSE(condition->Attributes().contains(name)) << name;
}

TEST(Condition, HasOneFingerprintForOneMeaning) {
  const auto fingerprint = [](std::string_view text) {
    Placeholders placeholders = TestPlaceholders();
    const auto condition = Condition::Parse(ConditionKind::kCondition, text, placeholders);
    return condition.ok() ? condition->Fingerprint() : condition.error().message();
  };
  EXPECT_EQ(fingerprint("a = :s"), fingerprint("#a  =  (:s)"));
  EXPECT_EQ(fingerprint("NOT NOT a = :s"), fingerprint("a = :s"));
  const char* const different[] = {
      "a = :s",    "a <> :s",           "a = :s2",          "b = :s",     "a.b = :s",
      "a[0] = :s", "a = :s AND b = :s", "a = :s OR b = :s", "NOT a = :s", "size(a) = :n",
      "a = :n",    "a IN (:s)"};
  for (const char* one : different) {
    for (const char* other : different) {
      EXPECT_EQ(fingerprint(one) == fingerprint(other), one == other) << one << " / " << other;
    }
  }
}

}  // namespace
}  // namespace trestle::expr

// What updates accept, refuse, and make of an item.

#include "expr/update.h"

#include <gtest/gtest.h>

#include "expr/testing_internal.h"

namespace trestle::expr {
namespace {

using testing::ItemOf;
using testing::Print;
using testing::TestPlaceholders;

// The item after the update, or why there is none.
std::string Outcome(std::string_view text, const std::optional<value::ItemView>& old_item,
                    value::ItemView base) {
  Placeholders placeholders = TestPlaceholders();
  const Result<Update> update = Update::Parse(text, placeholders);
  if (!update.ok()) return update.error().message();
  const Result<value::Item> item = update->Apply(old_item, base);
  return item.ok() ? Print(item->view()) : item.error().message();
}

std::string Outcome(std::string_view text, std::string_view old_item) {
  const value::Item item = ItemOf(old_item);
  return Outcome(text, item.view(), item.view());
}

std::string Refusal(std::string_view text) {
  constexpr std::string_view kOpening = "Invalid UpdateExpression: ";
  std::string message = Outcome(text, "{}");
  return message.starts_with(kOpening) ? message.substr(kOpening.size()) : "not refused";
}

constexpr const char* kMissing =
    "The provided expression refers to an attribute that does not exist in the item";
constexpr const char* kInvalidPath =
    "The document path provided in the update expression is invalid for update";
constexpr const char* kWrongType = "An operand in the update expression has an incorrect data type";

struct Row {
  const char* text;
  const char* item;
  const char* outcome;
};

TEST(Update, MakesTheNewItem) {
  const Row rows[] = {
      // SET of constants and paths. Right-hand sides read the old item.
      {"SET d = :s", "{}", R"({d: "x"})"},
      {"SET d = :s", "{d: 1}", R"({d: "x"})"},
      {"SET d = :s, e = :n", "{a: 1}", R"({a: 1, d: "x", e: 1})"},
      {"SET a = b, b = a", R"({a: 1, b: "y"})", R"({a: "y", b: 1})"},
      {"SET d = a", "{a: [1, {k: 2}]}", "{a: [1, {k: 2}], d: [1, {k: 2}]}"},
      {"SET d = a.k[1]", "{a: {k: [1, 2]}}", "{a: {k: [1, 2]}, d: 2}"},
      {"SET #a = #b", "{b: 1}", "{a: 1, b: 1}"},
      {"SET #dot = :n", "{}", "{x.y: 1}"},
      {"SET d = (:s)", "{}", R"({d: "x"})"},
      {"SET d = ((a))", "{a: 1}", "{a: 1, d: 1}"},
      {"SET d = zz", "{}", kMissing},
      {"SET d = a.zz", "{a: {k: 1}}", kMissing},
      {"SET d = a[3]", "{a: [1]}", kMissing},
      {"SET d = a.k", "{a: 1}", kMissing},
      {"set d = :s remove a", "{a: 1}", R"({d: "x"})"},
      // SET inside documents.
      {"SET m.k = :n", "{m: {}}", "{m: {k: 1}}"},
      {"SET m.k = :n", "{m: {k: {l: 2}, z: 3}}", "{m: {k: 1, z: 3}}"},
      {"SET m.k.l = :n", "{m: {k: {}}}", "{m: {k: {l: 1}}}"},
      {"SET m.a = :n, m.b = :n2", "{m: {c: 3}}", "{m: {a: 1, b: 2, c: 3}}"},
      {"SET m.k = :n", "{}", kInvalidPath},
      {"SET m.k = :n", "{m: 1}", kInvalidPath},
      {"SET m.k = :n", "{m: [1]}", kInvalidPath},
      {"SET m.k.l = :n", "{m: {}}", kInvalidPath},
      {"SET l[0] = :n", "{l: [7, 8]}", "{l: [1, 8]}"},
      {"SET l[1].k = :n", "{l: [7, {}]}", "{l: [7, {k: 1}]}"},
      {"SET l[2] = :n", "{l: [7, 8]}", "{l: [7, 8, 1]}"},
      {"SET l[2000000000] = :n", "{l: [7]}", "{l: [7, 1]}"},
      {"SET l[9] = :n, l[5] = :n2", "{l: [7]}", "{l: [7, 2, 1]}"},
      {"SET l[0] = :n", "{}", kInvalidPath},
      {"SET l[0] = :n", "{l: {k: 1}}", kInvalidPath},
      {"SET l[0] = :n", "{l: <1>}", kInvalidPath},
      {"SET l[5].k = :n", "{l: [7]}", kInvalidPath},
      // Arithmetic.
      {"SET n = n + :n", "{n: 5}", "{n: 6}"},
      {"SET n = n - :n2", "{n: 5}", "{n: 3}"},
      {"SET n = :n - n", "{n: 5}", "{n: -4}"},
      {"SET n = :n + :n2", "{}", "{n: 3}"},
      {"SET n = n + n", "{n: 0.5}", "{n: 1}"},
      {"SET n = a + b", "{a: 1, b: 2}", "{a: 1, b: 2, n: 3}"},
      {"SET n=n+:n", "{n: 5}", "{n: 6}"},
      {"SET n = n-:n", "{n: 5}", "{n: 4}"},
      {"SET n = (n + :n)", "{n: 5}", "{n: 6}"},
      {"SET n = (n) + (:n)", "{n: 5}", "{n: 6}"},
      {"SET n = ((n) + :n)", "{n: 5}", "{n: 6}"},
      {"SET n = zz + :n", "{}", kMissing},
      {"SET n = :n + zz", "{}", kMissing},
      {"SET n = a + :n", R"({a: "x"})", kWrongType},
      {"SET n = :n - a", "{a: [1]}", kWrongType},
      {"SET n = list_append(:l, :l) + :n", "{}", kWrongType},
      {"SET m.n = m.n + :n", "{m: {n: 1}}", "{m: {n: 2}}"},
      // if_not_exists looks at its second operand only when the first is absent.
      {"SET n = if_not_exists(n, :n)", "{}", "{n: 1}"},
      {"SET n = if_not_exists(n, :n)", "{n: 5}", "{n: 5}"},
      {"SET n = if_not_exists(n, zz)", "{n: 5}", "{n: 5}"},
      {"SET n = if_not_exists(n, zz)", "{}", kMissing},
      {"SET n = if_not_exists(a, b)", "{b: 2}", "{b: 2, n: 2}"},
      {"SET n = if_not_exists(a.b.c, :n)", "{a: 1}", "{a: 1, n: 1}"},
      {"SET n = if_not_exists(n, :n0) + :n", "{}", "{n: 1}"},
      {"SET n = if_not_exists(n, :n0) + :n", "{n: 5}", "{n: 6}"},
      {"SET n = :n2 - if_not_exists(n, :n)", "{}", "{n: 1}"},
      {"SET n = if_not_exists(a, if_not_exists(b, :n))", "{b: 3}", "{b: 3, n: 3}"},
      {"SET n = if_not_exists(a, if_not_exists(b, :n))", "{}", "{n: 1}"},
      {"SET n = if_not_exists(n, :s) + :n", "{}", kWrongType},
      {"SET n = if_not_exists(n, list_append(a, :l))", "{n: 1, a: 2}", "{a: 2, n: 1}"},
      {"SET n = if_not_exists(n, list_append(a, :l))", "{a: 2}", kWrongType},
      // list_append.
      {"SET l = list_append(l, :l)", "{l: [1]}", R"({l: [1, "x"]})"},
      {"SET l = list_append(:l, l)", "{l: [1]}", R"({l: ["x", 1]})"},
      {"SET l = list_append(l, l)", "{l: [1, 2]}", "{l: [1, 2, 1, 2]}"},
      {"SET l = list_append(:l0, :l0)", "{}", "{l: []}"},
      {"SET l = list_append(list_append(:l, l), :l)", "{l: [1]}", R"({l: ["x", 1, "x"]})"},
      {"SET l = list_append(if_not_exists(l, :l0), :l)", "{}", R"({l: ["x"]})"},
      {"SET l = list_append(if_not_exists(l, :l0), :l)", "{l: [1]}", R"({l: [1, "x"]})"},
      {"SET l = list_append(:l, if_not_exists(l, :l0))", "{l: [1]}", R"({l: ["x", 1]})"},
      {"SET l = list_append(zz, :l)", "{}", kMissing},
      {"SET l = list_append(a, :l)", "{a: <1>}", kWrongType},
      {"SET l = list_append(:l, a)", "{a: 1}", kWrongType},
      {"SET l = list_append(if_not_exists(zz, :s), :l)", "{}", kWrongType},
      // REMOVE.
      {"REMOVE a", "{a: 1, b: 2}", "{b: 2}"},
      {"REMOVE a, b", "{a: 1, b: 2}", "{}"},
      {"REMOVE zz", "{a: 1}", "{a: 1}"},
      {"REMOVE m.k", "{m: {k: 1, l: 2}}", "{m: {l: 2}}"},
      {"REMOVE m.k", "{m: {k: 1}}", "{m: {}}"},
      {"REMOVE m.zz", "{m: {k: 1}}", "{m: {k: 1}}"},
      {"REMOVE l[0]", "{l: [1, 2, 3]}", "{l: [2, 3]}"},
      {"REMOVE l[0], l[1]", "{l: [1, 2, 3]}", "{l: [3]}"},
      {"REMOVE l[1], l[0]", "{l: [1, 2, 3]}", "{l: [3]}"},
      {"REMOVE l[7]", "{l: [1]}", "{l: [1]}"},
      {"REMOVE l[0]", "{l: [1]}", "{l: []}"},
      {"REMOVE l[0].k", "{l: [{k: 1}]}", "{l: [{}]}"},
      {"REMOVE zz.k", "{}", kInvalidPath},
      {"REMOVE zz[0]", "{}", kInvalidPath},
      {"REMOVE m[0]", "{m: {k: 1}}", kInvalidPath},
      {"REMOVE l.k", "{l: [1]}", kInvalidPath},
      {"REMOVE a.k", "{a: 1}", kInvalidPath},
      {"SET l[0] = :n REMOVE l[1]", "{l: [7, 8, 9]}", "{l: [1, 9]}"},
      {"REMOVE l[0] SET l[1] = :n", "{l: [7, 8, 9]}", "{l: [1, 9]}"},
      // ADD.
      {"ADD n :n", "{}", "{n: 1}"},
      {"ADD n :n", "{n: 5}", "{n: 6}"},
      {"ADD n :neg", "{n: 5}", "{n: 0}"},
      {"ADD #a :n, b :n2", "{a: 1}", "{a: 2, b: 2}"},
      {"ADD t :ss", "{}", R"({t: <"p", "q">})"},
      {"ADD t :ss", R"({t: <"a", "p", "z">})", R"({t: <"a", "p", "q", "z">})"},
      {"ADD t :ns", "{t: <2, 3>}", "{t: <1, 2, 3>}"},
      {"ADD t :bs", R"({t: <b"a">})", R"({t: <b"a", b"p">})"},
      {"ADD m.n :n", "{m: {n: 1}}", "{m: {n: 2}}"},
      {"ADD m.n :n", "{m: {}}", "{m: {n: 1}}"},
      {"ADD m.t :ss", "{m: {}}", R"({m: {t: <"p", "q">}})"},
      {"ADD l[0] :n", "{l: [1]}", "{l: [2]}"},
      {"ADD l[9] :n", "{l: [7]}", "{l: [7, 1]}"},
      {"ADD m.n :n", "{}", kInvalidPath},
      {"ADD a.n :n", "{a: 1}", kInvalidPath},
      {"ADD n :n", R"({n: "x"})", kWrongType},
      {"ADD n :n", "{n: <1>}", kWrongType},
      {"ADD n :ns", "{n: 1}", kWrongType},
      {"ADD t :ss", "{t: <1>}", kWrongType},
      {"ADD t :ss", "{t: [1]}", kWrongType},
      // DELETE.
      {"DELETE t :ss", R"({t: <"p", "q", "z">})", R"({t: <"z">})"},
      {"DELETE t :ss1", R"({t: <"a", "p", "q">})", R"({t: <"a", "q">})"},
      {"DELETE t :ss", R"({t: <"p", "q">, a: 1})", "{a: 1}"},
      {"DELETE t :ss", R"({t: <"z">})", R"({t: <"z">})"},
      {"DELETE t :ns", "{t: <1, 2, 3>}", "{t: <3>}"},
      {"DELETE t :bs", R"({t: <b"p", b"q">})", R"({t: <b"q">})"},
      {"DELETE zz :ss", "{a: 1}", "{a: 1}"},
      {"DELETE m.t :ss", R"({m: {t: <"p">}})", "{m: {}}"},
      {"DELETE m.zz :ss", "{m: {k: 1}}", "{m: {k: 1}}"},
      {"DELETE zz.t :ss", "{}", kInvalidPath},
      {"DELETE t :ss", "{t: <1>}", kWrongType},
      {"DELETE t :ss", R"({t: "p"})", kWrongType},
      {"DELETE t :ss", "{t: [1]}", kWrongType},
      // All sections at once, in any order.
      {"DELETE t :ss1 ADD n :n REMOVE a SET d = :s", R"({a: 1, n: 1, t: <"p", "q">})",
       R"({d: "x", n: 2, t: <"q">})"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Outcome(row.text, row.item), row.outcome) << row.text << " on " << row.item;
  }
}

TEST(Update, GrowsAnAbsentItemFromItsKey) {
  const value::Item key = ItemOf(R"({pk: "k"})");
  EXPECT_EQ(Outcome("SET n = if_not_exists(n, :n0) + :n", std::nullopt, key.view()),
            R"({n: 1, pk: "k"})");
  EXPECT_EQ(Outcome("ADD n :n", std::nullopt, key.view()), R"({n: 1, pk: "k"})");
  EXPECT_EQ(Outcome("SET d = pk", std::nullopt, key.view()), kMissing);
  EXPECT_EQ(Outcome("REMOVE a DELETE t :ss", std::nullopt, key.view()), R"({pk: "k"})");
}

TEST(Update, ReportsNumbersThatDoNotFit) {
  EXPECT_EQ(Outcome("ADD n :max", "{n: 9.9999999999999999999999999999999999999E+125}"),
            "Number overflow. Attempting to store a number with magnitude larger than supported "
            "range");
  EXPECT_EQ(Outcome("SET n = n + :max", "{n: 9.9999999999999999999999999999999999999E+125}"),
            "Number overflow. Attempting to store a number with magnitude larger than supported "
            "range");
}

struct RefusalRow {
  const char* text;
  const char* message;
};

TEST(Update, RefusesWhatTheGrammarDoesNotHave) {
  const RefusalRow rows[] = {
      {"", "The expression can not be empty;"},
      {" ", R"~(Syntax error; token: "<EOF>", near: "")~"},
      {"INVALID SYNTAX HERE", R"~(Syntax error; token: "INVALID", near: "INVALID SYNTAX")~"},
      {"SET", R"~(Syntax error; token: "<EOF>", near: "SET")~"},
      {"SET d", R"~(Syntax error; token: "<EOF>", near: "d")~"},
      {"SET d =", R"~(Syntax error; token: "<EOF>", near: "=")~"},
      {"SET d :s", R"~(Syntax error; token: ":s", near: "d :s")~"},
      {"SET d = :s,", R"~(Syntax error; token: "<EOF>", near: ",")~"},
      {"SET d = :s,, e = :s", R"~(Syntax error; token: ",", near: ",, e")~"},
      {"SET, d = :s", R"~(Syntax error; token: ",", near: "SET, d")~"},
      {"SET d == :s", R"~(Syntax error; token: "=", near: "== :s")~"},
      {"SET :s = d", R"~(Syntax error; token: ":s", near: "SET :s =")~"},
      {"SET (d) = :s", R"~(Syntax error; token: "(", near: "SET (d")~"},
      {"SET 5 = :s", R"~(Syntax error; token: "5", near: "SET 5 =")~"},
      {"SET d = 5", R"~(Syntax error; token: "5", near: "= 5")~"},
      {"SET path = VALUE 1", R"~(Syntax error; token: "1", near: "VALUE 1")~"},
      {"SET d = \"x\"", R"~(Syntax error; token: """, near: "= "x")~"},
      {"SET d = :s; REMOVE e", R"~(Syntax error; token: ";", near: ":s; REMOVE")~"},
      {"set {0} = :s", R"~(Syntax error; token: "{", near: "set {0")~"},
      {"SET d = :n + :n + :n", R"~(Syntax error; token: "+", near: ":n + :n")~"},
      {"SET d = (:n + :n) + :n", R"~(Syntax error; token: "+", near: ") + :n")~"},
      {"SET d = :n + (:n - :n)", R"~(Syntax error; token: "-", near: ":n - :n")~"},
      {"SET d = ((:n + :n))", R"~(Syntax error; token: "+", near: ":n + :n")~"},
      {"SET d = :n * :n", R"~(Syntax error; token: "*", near: ":n * :n")~"},
      {"SET d = -:n", R"~(Syntax error; token: "-", near: "= -:n")~"},
      {"SET d = (:n", R"~(Syntax error; token: "<EOF>", near: ":n")~"},
      {"SET d = :n)", R"~(Syntax error; token: ")", near: ":n)")~"},
      {"SET d = ()", R"~(Syntax error; token: ")", near: "()")~"},
      {"SET d = (:n REMOVE e)", R"~(Syntax error; token: "REMOVE", near: ":n REMOVE e")~"},
      {"SET d = list_append(e + :n, :l)", R"~(Syntax error; token: "+", near: "e + :n")~"},
      {"SET d = list_append()", R"~(Syntax error; token: ")", near: "()")~"},
      {"SET d = list_append(e,)", R"~(Syntax error; token: ")", near: ",)")~"},
      {"SET d = list_append(e", R"~(Syntax error; token: "<EOF>", near: "e")~"},
      {"SET list_append(d, :l) = :l", R"~(Syntax error; token: "(", near: "list_append(d")~"},
      {"SET d = #a(e)", R"~(Syntax error; token: "(", near: "#a(e")~"},
      {"SET set = :s", R"~(Syntax error; token: "set", near: "SET set =")~"},
      {"SET d = remove", R"~(Syntax error; token: "remove", near: "= remove")~"},
      {"REMOVE", R"~(Syntax error; token: "<EOF>", near: "REMOVE")~"},
      {"REMOVE d = :s", R"~(Syntax error; token: "=", near: "d = :s")~"},
      {"REMOVE :s", R"~(Syntax error; token: ":s", near: "REMOVE :s")~"},
      {"REMOVE d,", R"~(Syntax error; token: "<EOF>", near: ",")~"},
      {"REMOVE d e", R"~(Syntax error; token: "e", near: "d e")~"},
      {"ADD d", R"~(Syntax error; token: "<EOF>", near: "d")~"},
      {"ADD d e", R"~(Syntax error; token: "e", near: "d e")~"},
      {"ADD d = :n", R"~(Syntax error; token: "=", near: "d = :n")~"},
      {"ADD d (:n)", R"~(Syntax error; token: "(", near: "d (:n")~"},
      {"ADD d :n + :n", R"~(Syntax error; token: "+", near: ":n + :n")~"},
      {"ADD hits : incr", R"~(Syntax error; token: ":", near: "hits : incr")~"},
      {"DELETE d", R"~(Syntax error; token: "<EOF>", near: "d")~"},
      {"SET d = :s ADD", R"~(Syntax error; token: "<EOF>", near: "ADD")~"},
      {"SET d[4294967295] = :s",
       "List index is not within the allowable range; index: [4294967295]"},
  };
  for (const RefusalRow& row : rows)
    EXPECT_EQ(Refusal(row.text), row.message) << row.text;
}

TEST(Update, RefusesWhatTheWordsCannotMean) {
  const RefusalRow rows[] = {
      {"SET status = :s", "Attribute name is a reserved keyword; reserved keyword: status"},
      {"SET d = e.Date", "Attribute name is a reserved keyword; reserved keyword: Date"},
      {"REMOVE d.list", "Attribute name is a reserved keyword; reserved keyword: list"},
      {"ADD size :n", "Attribute name is a reserved keyword; reserved keyword: size"},
      {"SET d = foo(e)", "Invalid function name; function: foo"},
      {"SET d = size(e)", "Invalid function name; function: size"},
      {"SET d = LIST_APPEND(e, :l)", "Invalid function name; function: LIST_APPEND"},
      {"SET d = :s SET e = :s",
       "The \"SET\" section can only be used once in an update expression;"},
      {"remove d REMOVE e",
       "The \"REMOVE\" section can only be used once in an update expression;"},
      {"ADD d :n ADD e :n", "The \"ADD\" section can only be used once in an update expression;"},
      {"DELETE d :ss SET f = :s DELETE e :ss",
       "The \"DELETE\" section can only be used once in an update expression;"},
      {"SET #w = :s",
       "An expression attribute name used in the document path is not defined; attribute name: #w"},
      {"SET d = #w",
       "An expression attribute name used in the document path is not defined; attribute name: #w"},
      {"ADD d :w",
       "An expression attribute value used in expression is not defined; attribute value: :w"},
      {"SET d = :s, d = :n",
       "Two document paths overlap with each other; must remove or rewrite one of these paths; "
       "path one: [d], path two: [d]"},
      {"SET d.e = :s REMOVE d",
       "Two document paths overlap with each other; must remove or rewrite one of these paths; "
       "path one: [d, e], path two: [d]"},
      {"SET d = :s ADD d.e[1] :n",
       "Two document paths overlap with each other; must remove or rewrite one of these paths; "
       "path one: [d], path two: [d, e, [1]]"},
      {"SET #a = :s, e = :s DELETE a :ss",
       "Two document paths overlap with each other; must remove or rewrite one of these paths; "
       "path one: [a], path two: [a]"},
      {"SET d.e = :s, d[0] = :n",
       "Two document paths conflict with each other; must remove or rewrite one of these paths; "
       "path one: [d, e], path two: [d, [0]]"},
      {"SET d[0].x = :s, f = :s, d.e = :n",
       "Two document paths conflict with each other; must remove or rewrite one of these paths; "
       "path one: [d, [0], x], path two: [d, e]"},
      {"SET d = list_append(e)",
       "Incorrect number of operands for operator or function; operator or function: list_append, "
       "number of operands: 1"},
      {"SET d = if_not_exists(e, :s, :s)",
       "Incorrect number of operands for operator or function; "
       "operator or function: if_not_exists, number of operands: 3"},
      {"SET d = if_not_exists(:s, e)",
       "Operator or function requires a document path; operator or function: if_not_exists"},
      {"SET d = if_not_exists(if_not_exists(e, :s), :s)",
       "Operator or function requires a document path; operator or function: if_not_exists"},
      {"SET d = list_append(e, :s)",
       "Incorrect operand type for operator or function; operator or function: list_append, "
       "operand type: S"},
      {"SET d = list_append(:ss, e)",
       "Incorrect operand type for operator or function; operator or function: list_append, "
       "operand type: SS"},
      {"SET d = e + :s",
       "Incorrect operand type for operator or function; operator or function: +, "
       "operand type: S"},
      {"SET d = :l - e",
       "Incorrect operand type for operator or function; operator or function: -, "
       "operand type: L"},
      {"ADD d :s",
       "Incorrect operand type for operator or function; operator: ADD, operand type: STRING, "
       "typeSet: ALLOWED_FOR_ADD_OPERAND"},
      {"ADD d :l",
       "Incorrect operand type for operator or function; operator: ADD, operand type: LIST, "
       "typeSet: ALLOWED_FOR_ADD_OPERAND"},
      {"ADD d :t",
       "Incorrect operand type for operator or function; operator: ADD, operand type: BOOLEAN, "
       "typeSet: ALLOWED_FOR_ADD_OPERAND"},
      {"ADD d :u",
       "Incorrect operand type for operator or function; operator: ADD, operand type: NULL, "
       "typeSet: ALLOWED_FOR_ADD_OPERAND"},
      {"ADD d :m",
       "Incorrect operand type for operator or function; operator: ADD, operand type: MAP, "
       "typeSet: ALLOWED_FOR_ADD_OPERAND"},
      {"ADD d :b",
       "Incorrect operand type for operator or function; operator: ADD, operand type: BINARY, "
       "typeSet: ALLOWED_FOR_ADD_OPERAND"},
      {"DELETE d :n",
       "Incorrect operand type for operator or function; operator: DELETE, operand type: NUMBER, "
       "typeSet: ALLOWED_FOR_DELETE_OPERAND"},
      {"DELETE d :l",
       "Incorrect operand type for operator or function; operator: DELETE, operand type: LIST, "
       "typeSet: ALLOWED_FOR_DELETE_OPERAND"},
  };
  for (const RefusalRow& row : rows)
    EXPECT_EQ(Refusal(row.text), row.message) << row.text;
}

// Each expression lacks one fault of the one before it.
TEST(Update, RefusesInTheOrderOfTheService) {
  const RefusalRow rows[] = {
      {"SET a = foo(:w, #w), b = :s, b[0] = :s, b.c = list_append(d) ADD status :s REMOVE b, ADD",
       R"~(Syntax error; token: "ADD", near: ", ADD")~"},
      {"SET a = foo(:w, #w), b = :s, b[0] = :s, b.c = list_append(d) ADD status :s REMOVE b ADD e "
       ":n",
       "Attribute name is a reserved keyword; reserved keyword: status"},
      {"SET a = foo(:w, #w), b = :s, b[0] = :s, b.c = list_append(d) ADD f :s ADD e :n",
       "Invalid function name; function: foo"},
      {"SET a = if_not_exists(:w, #w), b = :s, b[0] = :s, b.c = list_append(d) ADD f :s ADD e :n",
       "The \"ADD\" section can only be used once in an update expression;"},
      {"SET a = if_not_exists(:w, #w), b = :s, b[0] = :s, b.c = list_append(d) ADD f :s",
       "An expression attribute name used in the document path is not defined; attribute name: #w"},
      {"SET a = if_not_exists(:w, e), b[0] = :s, b.c = list_append(d), b = :s ADD f :s",
       "An expression attribute value used in expression is not defined; attribute value: :w"},
      {"SET a = if_not_exists(:s, e), b[0] = :s, b.c = list_append(d), b = :s ADD f :s",
       "Two document paths overlap with each other; must remove or rewrite one of these paths; "
       "path one: [b, [0]], path two: [b]"},
      {"SET a = if_not_exists(:s, e), b[0] = :s, b.c = list_append(d) ADD f :s",
       "Two document paths conflict with each other; must remove or rewrite one of these paths; "
       "path one: [b, [0]], path two: [b, c]"},
      {"SET a = if_not_exists(:s, e), b[0] = :s, c = list_append(d) ADD f :s",
       "Incorrect operand type for operator or function; operator: ADD, operand type: STRING, "
       "typeSet: ALLOWED_FOR_ADD_OPERAND"},
      {"SET a = if_not_exists(:s, e), b[0] = :s, c = list_append(d) ADD f :n",
       "Operator or function requires a document path; operator or function: if_not_exists"},
      {"SET a = if_not_exists(d, e), b[0] = :s, c = list_append(d) ADD f :n",
       "Incorrect number of operands for operator or function; operator or function: list_append, "
       "number of operands: 1"},
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

TEST(Update, HasLimitsAndSurvivesAnyNesting) {
  EXPECT_EQ(Refusal("SET d = :s" + Repeat(" ", 4087)),
            "Expression size has exceeded the maximum allowed size;");
  EXPECT_EQ(Refusal("SET d = " + Repeat("(", 4000)),
            R"~(Syntax error; token: "<EOF>", near: "(")~");
  EXPECT_EQ(Outcome("SET d = " + Repeat("(", 2000) + ":n" + Repeat(")", 2000), "{}"), "{d: 1}");
  const auto nested = [](std::size_t depth) {
    return "SET d = " + Repeat("f(a,", depth) + ":n" + Repeat(")", depth);
  };
  EXPECT_EQ(Refusal(nested(301)),
            "The expression contains too many operators; operator count: 301");
  EXPECT_EQ(Refusal(nested(300)), "Invalid function name; function: f");
  EXPECT_EQ(Outcome("SET d = " + Repeat("if_not_exists(a,", 220) + ":n" + Repeat(")", 220), "{}"),
            "{d: 1}");
  std::string many = "REMOVE a0";
  for (int i = 1; i < 700; ++i)
    many += ",a" + std::to_string(i);
  EXPECT_EQ(Outcome(many, "{a5: 1, b: 2}"), "{b: 2}");
}

TEST(Update, SaysWhetherItCreatesAnItem) {
  const auto creates = [](std::string_view text) {
    Placeholders placeholders = TestPlaceholders();
    return (*Update::Parse(text, placeholders)).CreatesItem();
  };
  EXPECT_TRUE(Update().CreatesItem());
  EXPECT_TRUE(creates("SET a = :s"));
  EXPECT_TRUE(creates("ADD a :n"));
  EXPECT_TRUE(creates("REMOVE b SET a = :s"));
  EXPECT_FALSE(creates("REMOVE a"));
  EXPECT_FALSE(creates("REMOVE a DELETE b :ss"));
}

TEST(Update, ListsItsTargetsInTheOrderOfTheText) {
  Placeholders placeholders = TestPlaceholders();
  const auto update = Update::Parse("SET #b.c[2] = a, d = :s REMOVE e ADD a :n", placeholders);
  ASSERT_TRUE(update.ok());
  std::vector<std::string> texts;
  for (const value::DocumentPath& target : update->targets())
    texts.push_back(PathText(target));
  EXPECT_EQ(texts, (std::vector<std::string>{"[b, c, [2]]", "[d]", "[e]", "[a]"}));
}

TEST(Update, DoesNothingWhenEmpty) {
  const Update update;
  EXPECT_TRUE(update.empty());
  EXPECT_TRUE(update.targets().empty());
  EXPECT_EQ(update.Fingerprint(), "");
  const value::Item item = ItemOf("{a: 1}");
  const auto applied = update.Apply(item.view(), item.view());
  ASSERT_TRUE(applied.ok());
  EXPECT_EQ(*applied, item);
}

TEST(Update, HasOneFingerprintForOneMeaning) {
  const auto fingerprint = [](std::string_view text) {
    Placeholders placeholders = TestPlaceholders();
    const auto update = Update::Parse(text, placeholders);
    return update.ok() ? update->Fingerprint() : update.error().message();
  };
  EXPECT_EQ(fingerprint("SET a = :s"), fingerprint("set  #a=(:s)"));
  const char* const different[] = {
      "SET a = :s",     "SET a = :s2",    "SET b = :s",          "SET a.b = :s",
      "REMOVE a",       "ADD a :ss",      "DELETE a :ss",        "SET a = b",
      "SET a = b + :n", "SET a = b - :n", "SET a = :s REMOVE b", "SET a = if_not_exists(a, :s)"};
  for (const char* one : different) {
    for (const char* other : different) {
      EXPECT_EQ(fingerprint(one) == fingerprint(other), one == other) << one << " / " << other;
    }
  }
}

}  // namespace
}  // namespace trestle::expr

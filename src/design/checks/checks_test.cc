#include "design/checks/checks.h"

#include "design/checks/trap_test.h"

// The codes that no trap of the applications is about, and how warnings are accepted.

namespace trestle::design {
namespace {

class Codes : public testing::TestWithParam<Trap> {};

TEST_P(Codes, AreSaidAtTheirPlace) { TestTrap(GetParam()); }

const Trap kCodes[] = {
    {"K3: a number that is wider than its zeroes",
     R"(design D version 1
table "T" { key PK, SK }
entity A {
  key pk "A#{id}" sk "N#{@K3@n:02}"
  id : id
  n  : int(0..100)
}
)",
     R"(design D version 1
table "T" { key PK, SK }
entity A {
  key pk "A#{id}" sk "N#{n:03}"
  id : id
  n  : int(0..100)
}
)"},
    {"K4: an index entry from an attribute that may be absent",
     R"(design D version 1
table "T" { key PK, SK; index G (GPK) project all }
entity A {
  key pk "A#{id}" sk "A"
  index G pk "B#{@K4@other}"
  id    : id
  other : id?
}
)",
     R"(design D version 1
table "T" { key PK, SK; index G (GPK) project all }
entity A {
  key pk "A#{id}" sk "A"
  index G pk "B#{other}" when other
  id    : id
  other : id?
}
)"},
    {"K4: keys that all have a condition",
     R"(design D version 1
table "T" { key PK, SK }
entity A {
  key pk "A#{id}" sk "A#{day}" when @K4@day
  id  : id
  day : date?
}
)",
     R"(design D version 1
table "T" { key PK, SK }
entity A {
  key pk "A#{id}" sk "A#{day}" when day
  key pk "A#{id}" sk "A#NONE"
  id  : id
  day : date?
}
)"},
    {"K7: where a part of the key ends cannot be told",
     R"(design D version 1
table "T" { key PK, SK }
entity A {
  key pk "A#{id}" sk "{@K7@first}-{second}"
  id     : id
  first  : id key_only
  second : id key_only
}
)",
     R"(design D version 1
table "T" { key PK, SK }
entity A {
  key pk "A#{id}" sk "{first}#{second}"
  id     : id
  first  : id key_only
  second : id key_only
}
)"},
    {"K7: the key keeps only part of a value",
     R"(design D version 1
table "T" { key PK, SK }
entity A {
  key pk "A#{id}" sk "{@K7@name:fold:esc}"
  id   : id
  name : string(1..50) key_only
}
)",
     R"(design D version 1
table "T" { key PK, SK }
entity A {
  key pk "A#{id}" sk "{name:fold:esc}"
  id   : id
  name : string(1..50)
}
)"},
    {"K10: the keys of one entity go on where those of another end",
     R"(design D version 1
table "T" { key PK, SK; discriminate by attribute kind }
entity A {
  type "A"
  key pk "P#{p}" sk "X#{a}"
  p : id
  a : id
}
entity B {
  type "B"
  key pk "P#{p}" sk "@K10@X#{a}#Y#{b}"
  p : id
  a : id
  b : id
}
)",
     R"(design D version 1
table "T" { key PK, SK; discriminate by attribute kind }
entity A {
  type "A"
  key pk "P#{p}" sk "X#{a}"
  p : id
  a : id
}
entity B {
  type "B"
  key pk "P#{p}" sk "X#{a}#Y#{b}"
  p : id
  a : id
  b : id
  belongs_to A by (p, a) { must_exist }
}
)"},
    {"K12: a list cannot be part of a key",
     R"(design D version 1
table "T" { key PK, SK }
entity A {
  key pk "A#{id}" sk "A#{@K12@tags}"
  id   : id
  tags : list<string>
}
)",
     R"(design D version 1
table "T" { key PK, SK }
entity A {
  key pk "A#{id}" sk "A"
  id   : id
  tags : list<string>
}
)"},
    {"A3: a query by the beginning of a partition key",
     R"(design D version 1
table "T" { key PK, SK }
entity A {
  key pk "A#{id}" sk "A"
  id : id
}
access all() -> A* = query table pk "@A3@A#"
)",
     R"(design D version 1
table "T" { key PK, SK }
entity A {
  key pk "A#{id}" sk "A"
  id : id
}
access all(id) -> A* = query table pk "A#{id}"
)"},
    {"A4: a query that does not say whose items it reads",
     R"(design D version 1
tenant owner
table "T" { key PK, SK }
entity A {
  key pk "A#{id}" sk "A#{owner}"
  id    : id
  owner : id
}
access all(id) -> A* = query table pk "@A4@A#{id}"
)",
     R"(design D version 1
tenant owner
table "T" { key PK, SK }
entity A {
  key pk "A#{owner}" sk "A#{id}"
  id    : id
  owner : id
}
access all(owner) -> A* = query table pk "A#{owner}"
)"},
    {"A6: what is read beside what is asked for",
     R"(design D version 1
table "T" { key PK, SK; discriminate by attribute kind }
entity A {
  type "A"
  key pk "P#{p}" sk "X#{a}"
  p : id
  a : id
}
entity B {
  type "B"
  key pk "P#{p}" sk "Y#{b}"
  p : id
  b : id
}
access all(p) -> A* = query table pk "@A6@P#{p}" only A
)",
     R"(design D version 1
table "T" { key PK, SK; discriminate by attribute kind }
entity A {
  type "A"
  key pk "P#{p}" sk "X#{a}"
  p : id
  a : id
}
entity B {
  type "B"
  key pk "P#{p}" sk "Y#{b}"
  p : id
  b : id
}
access all(p) -> A* = query table pk "P#{p}" sk begins "X#"
)"},
    {"A10: a consistent read of a global index",
     R"(design D version 1
table "T" { key PK, SK; index G (GPK) project all }
entity A {
  key pk "A#{id}" sk "A"
  index G pk "B#{id}"
  id : id
}
access all(id) -> A* = query G pk "B#{id}" @A10@consistent
)",
     R"(design D version 1
table "T" { key PK, SK; index G (GPK) project all }
entity A {
  key pk "A#{id}" sk "A"
  index G pk "B#{id}"
  id : id
}
access all(id) -> A* = query G pk "B#{id}"
)"},
    {"A11: a loop over an index that lags",
     R"(design D version 1
table "T" { key PK, SK; index G (GPK) project all }
entity A {
  key pk "A#{id}" sk "A"
  index G pk "B#{b}"
  id : id
  b  : id
}
access ofB(b) -> A* = query G pk "B#{b}"
operation clear(b) eventual {
  @A11@each ofB(b) delete
}
)",
     R"(design D version 1
table "T" { key PK, SK }
entity A {
  key pk "B#{b}" sk "A#{id}"
  id : id
  b  : id
}
access ofB(b) -> A* = query table pk "B#{b}"
operation clear(b) eventual {
  each ofB(b) delete
}
)"},
    {"A12: an entity that nobody can ask for",
     R"(design D version 1
table "T" { key PK, SK }
entity @A12@A {
  key pk "A#{id}" sk "A"
  id : id
}
)",
     R"(design D version 1
table "T" { key PK, SK }
entity A {
  key pk "A#{id}" sk "A"
  id : id
}
access getA(id) -> A = get
)"},
    {"R1: a path that also leads to what belongs to others",
     R"(design D version 1
table "T" { key PK, SK }
entity Book {
  key pk "U#{user}" sk "BOOK#{id}"
  user : id
  id   : id
}
entity Day {
  key pk "U#{user}" sk "DAY#{day}#{book}"
  user : id
  day  : date
  book : id
  belongs_to Book by (user, book -> id) {
    on_delete cascade
    @R1@through days
  }
}
access days(user) -> Day* = query table pk "U#{user}" sk begins "DAY#"
)",
     R"(design D version 1
table "T" { key PK, SK }
entity Book {
  key pk "U#{user}" sk "BOOK#{id}"
  user : id
  id   : id
}
entity Day {
  key pk "U#{user}" sk "DAY#{day}#{book}"
  user : id
  day  : date
  book : id
  belongs_to Book by (user, book -> id) {
    on_delete cascade
    through days filter book
  }
}
access days(user) -> Day* = query table pk "U#{user}" sk begins "DAY#"
)"},
    {"R2: a value that follows from itself",
     R"(design D version 1
table "T" { key PK, SK }
entity A {
  key pk "A#{id}" sk "A"
  id  : id
  up  : id?
  sum : int = 0 derived_sum
  belongs_to A by (up -> id) optional {
    @R2@sum sum into sum
  }
}
)",
     R"(design D version 1
table "T" { key PK, SK }
entity A {
  key pk "A#{id}" sk "A"
  id  : id
  up  : id?
  own : int = 0
  sum : int = 0 derived_sum
  belongs_to A by (up -> id) optional {
    sum own into sum
  }
}
)"},
    {"R3: a transaction about any number of items",
     R"(design D version 1
table "T" { key PK, SK }
entity A {
  key pk "B#{b}" sk "A#{id}"
  b  : id
  id : id
}
access ofB(b) -> A* = query table pk "B#{b}"
operation clear(b) {
  @R3@each ofB(b) delete
}
)",
     R"(design D version 1
table "T" { key PK, SK }
entity A {
  key pk "B#{b}" sk "A#{id}"
  b  : id
  id : id
}
access ofB(b) -> A* = query table pk "B#{b}"
operation clear(b) {
  each ofB(b) delete
}
load { item A 200 bytes 40 per b }
)"},
    {"R5: a required attribute is taken away",
     R"(design D version 1
table "T" { key PK, SK }
entity A {
  key pk "A#{a}" sk "A"
  a : id = uuid() immutable
}
entity B {
  key pk "ALL#{id}" sk "B#{a}"
  id : id
  a  : id
  belongs_to A by (a) {
    @R5@on_delete detach (a)
    through ofA
  }
}
access ofA(id, a) -> B* = query table pk "ALL#{id}" sk begins "B#"
)",
     R"(design D version 1
table "T" { key PK, SK }
entity A {
  key pk "A#{a}" sk "A"
  a : id = uuid() immutable
}
entity B {
  key pk "ALL#{id}" sk "B"
  id : id
  a  : id?
  belongs_to A by (a) optional {
    on_delete detach (a)
    through ofA
  }
}
access ofA(a) -> B* = query table pk "ALL#{a}"
)"},
    {"R7: a unique name that is copied",
     R"(design D version 1
table "T" { key PK, SK }
entity A {
  key pk "A#{a}" sk "A"
  a    : id
  name : string
}
entity B {
  key pk "A#{a}" sk "B"
  a    : id
  name : string derived_copy
  unique @R7@byName (name)
  belongs_to A by (a) {
    copy name = name
    through ofA
  }
}
access ofA(a) -> B* = query table pk "A#{a}" sk "B"
)",
     R"(design D version 1
table "T" { key PK, SK }
entity A {
  key pk "A#{a}" sk "A"
  a    : id
  name : string
  unique byName (name)
}
)"},
    {"H2: more is read of one key than it gives",
     R"(design D version 1
table "T" { key PK, SK; index G (GPK, GSK) project all }
entity A {
  key pk "A#{id}" sk "A"
  index G pk "ALL" sk "{id}"
  id : id
}
access all() -> A* = query G pk "ALL" limit 20
load {
  item A 1500 bytes
  rate @H2@all 800 per_second
}
)",
     R"(design D version 1
table "T" { key PK, SK; index G (GPK, GSK) project all }
entity A {
  key pk "A#{id}" sk "A"
  index G pk "ALL" sk "{id}"
  id : id
}
access all() -> A* = query G pk "ALL" limit 20
load {
  item A 1500 bytes
  rate all 300 per_second
}
)"},
    {"H3: an item that does not fit",
     R"(design D version 1
table "T" { key PK, SK }
entity A {
  key pk "A#{id}" sk "A"
  id   : id
  @H3@text : string(0..300000)
}
)",
     R"(design D version 1
table "T" { key PK, SK }
entity A {
  key pk "A#{id}" sk "A"
  id   : id
  text : string(0..60000)
}
)"},
    {"H4: too much in one partition of a table with a local index",
     R"(design D version 1
table "T" { key PK, SK; index @H4@L (PK, at) local project all }
entity A {
  key pk "A#{a}" sk "A#{id}"
  a  : id
  id : id
  at : timestamp
}
load { item A 4000 bytes 3000000 per a }
)",
     R"(design D version 1
table "T" { key PK, SK; index L (PK, at) local project all }
entity A {
  key pk "A#{a}" sk "A#{id}"
  a  : id
  id : id
  at : timestamp
}
load { item A 4000 bytes 3000 per a }
)"},
    {"H5: a large attribute in an index of everything",
     R"(design D version 1
table "T" { key PK, SK; index G (GPK) project all }
entity A {
  key pk "A#{id}" sk "A"
  index G pk "B#{id}"
  id   : id
  @H5@text : string(0..60000)
}
)",
     R"(design D version 1
table "T" { key PK, SK; index G (GPK) project keys }
entity A {
  key pk "A#{id}" sk "A"
  index G pk "B#{id}"
  id   : id
  text : string(0..60000)
}
)"},
    {"H7: one counter that everything writes",
     R"(design D version 1
table "T" { key PK, SK }
entity Total {
  key pk "TOTAL" sk "TOTAL#{kind}"
  kind : enum("A")
  n    : int = 0 derived_count
}
entity A {
  key pk "A#{id}" sk "A"
  id   : id
  kind : enum("A")
  belongs_to Total by (kind) {
    @H7@count into n
  }
}
)",
     R"(design D version 1
table "T" { key PK, SK }
entity Total {
  key pk "TOTAL#{day}" sk "TOTAL"
  day : date
  n   : int = 0 derived_count
}
entity A {
  key pk "A#{id}" sk "A"
  id  : id
  day : date
  belongs_to Total by (day) {
    count into n
  }
}
)"},
    {"N6: what is accepted is not said",
     R"(design D version 1
table "T" { key PK, SK }
// accepts H1: there are few of them
@N6@entity A {
  key pk "A#{id}" sk "A"
  id : id
}
access getA(id) -> A = get
)",
     R"(design D version 1
table "T" { key PK, SK }
// accepts A12: written for another program
entity A {
  key pk "A#{id}" sk "A"
  id : id
}
)"},
    {"N6: a warning is accepted without a reason",
     R"(design D version 1
table "T" { key PK, SK }
@N6@entity A {  // accepts A12
  key pk "A#{id}" sk "A"
  id : id
}
)",
     R"(design D version 1
table "T" { key PK, SK }
entity A {  // accepts A12: written for another program
  key pk "A#{id}" sk "A"
  id : id
}
)"},
};

INSTANTIATE_TEST_SUITE_P(Checks, Codes, testing::ValuesIn(kCodes));

TEST(Checks, AnErrorCannotBeAccepted) {
  const ResolvedDesign resolved = Compile(R"(design D version 1
table "T" { key PK, SK }
entity A {
  // accepts K5: nobody writes so much
  key pk "A#{id}" sk "{name:fold:esc}"
  id   : id
  name : string
}
access getA(id, name) -> A = get
)");
  EXPECT_EQ(resolved.model, nullptr);
  EXPECT_TRUE(HasErrors(resolved.diagnostics));
}

TEST(Checks, AlternatorIsNamedForWhatWeakensThere) {
  const std::string_view text = R"(design D version 1
table "T" { key PK, SK; pitr on; index G (GPK) project keys }
entity A {
  key pk "A#{id}" sk "A#{day}"
  index G pk "B#{id}"
  rekey on (day)
  id   : id
  day  : date
  name : string(1..40)
  n    : int = 0 derived_count
  unique name (name)
}
mirror Copy of A {
  key pk "C#{id}" sk "C#{day}"
}
entity B {
  key pk "A#{id}" sk "B#{day}#{b}"
  id  : id
  day : date
  b   : id
  belongs_to A by (id, day) {
    must_exist
    count into n
    on_delete cascade
    on_rekey move
    through ofA
  }
}
access ofA(id, day) -> B* = query table pk "A#{id}" sk begins "B#{day}#"
access ofId(id) -> A* = query G pk "B#{id}" hydrate
operation both(id, day, b) {
  create A { id, day, name = "x" }
  create B { id, day, b }
}
)";
  std::string codes;
  for (const Diagnostic& it : Compile(text, Target::kAlternator).diagnostics) {
    EXPECT_EQ(it.severity, Severity::kWarning) << Print(it, "d");
    if (it.code.starts_with('B')) codes += it.code + " ";
  }
  EXPECT_EQ(codes, "B7 B6 B2 B4 B1 B4 B5 B4 B3 ");
  for (const Diagnostic& it : Compile(text).diagnostics)
    EXPECT_FALSE(it.code.starts_with('B'));
}

}  // namespace
}  // namespace trestle::design

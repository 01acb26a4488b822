#include "design/checks/trap_test.h"

// The traps in the design of the book tracker, as in its document and cured. T47 (a crash between
// the deletes of a cascade) and T48 (the end of `between` is extended over the key's suffix) are
// matters of the run time.

namespace trestle::design {
namespace {

class BookTraps : public testing::TestWithParam<Trap> {};

TEST_P(BookTraps, AreCaughtAndCured) { TestTrap(GetParam()); }

const Trap kTraps[] = {
    {"T1: user metadata has a key, but no attributes and no type",
     R"(design Books version 1
table "Books" { key pk, sk; discriminate by attribute entityType }
entity @N4@UserMetadata { key pk "USER" sk "METADATA" }
)",
     R"(design Books version 1
table "Books" { key pk, sk; discriminate by attribute entityType }
entity UserMetadata {
  type "USER"
  key pk "USER#{userId}" sk "METADATA"
  userId : id immutable
}
)"},
    {"T2: the index on the last update rewrites an entry on every update",
     R"(design Books version 1
table "Books" { key pk, sk; discriminate by attribute entityType
  index GSI1 (gsi1pk, gsi1sk) project all }
entity Book {
  type "BOOK"
  key pk "USER#{userId}" sk "BOOK#{id}"
  index GSI1 pk "USER#{userId}" sk "STATUS#{status}#{@H6@updatedAt}"
  userId    : id immutable
  id        : id = uuid() immutable
  status    : enum("READ", "UNREAD")
  updatedAt : timestamp = now() on_update now()
}
)",
     R"(design Books version 1
table "Books" { key pk, sk; discriminate by attribute entityType
  index GSI1 (gsi1pk, gsi1sk) project all }
entity Book {
  type "BOOK"
  key pk "USER#{userId}" sk "BOOK#{id}"
  // accepts H6: one reader changes few books
  index GSI1 pk "USER#{userId}" sk "STATUS#{status}#{updatedAt}"
  userId    : id immutable
  id        : id = uuid() immutable
  status    : enum("READ", "UNREAD")
  updatedAt : timestamp = now() on_update now()
}
)"},
    {"T3: events are append-only, yet go with their book",
     R"(design Books version 1
table "Books" { key pk, sk; discriminate by attribute entityType }
entity Book {
  type "BOOK"
  key pk "USER#{userId}" sk "BOOK#{id}"
  userId : id immutable
  id     : id = uuid() immutable
}
entity Event append_only {
  type "EVENT"
  key pk "USER#{userId}" sk "EVENT#{bookId}#{id}"
  userId : id immutable
  bookId : id immutable
  id     : id = uuid() immutable
  belongs_to Book by (userId, bookId -> id) {
    @R4@on_delete cascade
    through listEvents
  }
}
access listEvents(userId, bookId) -> Event* =
  query table pk "USER#{userId}" sk begins "EVENT#{bookId}#"
)",
     R"(design Books version 1
table "Books" { key pk, sk; discriminate by attribute entityType }
entity Book {
  type "BOOK"
  key pk "USER#{userId}" sk "BOOK#{id}"
  userId : id immutable
  id     : id = uuid() immutable
}
entity Event append_only {
  type "EVENT"
  key pk "USER#{userId}" sk "EVENT#{bookId}#{id}"
  userId : id immutable
  bookId : id immutable
  id     : id = uuid() immutable
  belongs_to Book by (userId, bookId -> id) {
    on_delete cascade  // accepts R4: only a cascade removes events
    through listEvents
  }
}
access listEvents(userId, bookId) -> Event* =
  query table pk "USER#{userId}" sk begins "EVENT#{bookId}#"
)"},
    {"T49: notes come back in the order of their ids, and are wanted by time",
     R"(design Books version 1
table "Books" { key pk, sk; discriminate by attribute entityType }
entity Note {
  type "NOTE"
  key pk "USER#{userId}" sk "NOTE#{id}"
  userId    : id immutable
  id        : id immutable
  createdAt : timestamp = now() immutable
}
access listNotes(userId) -> Note* =
  query table pk "USER#{userId}" sk begins "NOTE#" sort @A9@createdAt
)",
     R"(design Books version 1
table "Books" { key pk, sk; discriminate by attribute entityType }
entity Note {
  type "NOTE"
  key pk "USER#{userId}" sk "NOTE#{id}"
  userId    : id immutable
  id        : id = uuid() immutable
  createdAt : timestamp = now() immutable
}
access listNotes(userId) -> Note* =
  query table pk "USER#{userId}" sk begins "NOTE#" order either
)"},
    {"T50: the ids of the examples are no UUIDs",
     R"(design Books version 1
table "Books" { key pk, sk; discriminate by attribute entityType }
entity Book {
  type "BOOK"
  key pk "BOOK#{id}" sk "METADATA"
  id : @S3@uuid
}
)",
     R"(design Books version 1
table "Books" { key pk, sk; discriminate by attribute entityType }
entity Book {
  type "BOOK"
  key pk "BOOK#{id}" sk "METADATA"
  id : id = uuid() immutable
}
)"},
};

INSTANTIATE_TEST_SUITE_P(Checks, BookTraps, testing::ValuesIn(kTraps));

}  // namespace
}  // namespace trestle::design

#include "design/checks/trap_test.h"

// The traps in the design of the notes, as in its document and cured. T52 (statements of PartiQL)
// is a matter of the wire.

namespace trestle::design {
namespace {

class NoteTraps : public testing::TestWithParam<Trap> {};

TEST_P(NoteTraps, AreCaughtAndCured) { TestTrap(GetParam()); }

const Trap kTraps[] = {
    {"T40: a changed e-mail moves the user, and leaves the notes behind",
     R"(design Notes version 1
tenant email
table "Notes" { key PK, SK; discriminate by key }
entity User {
  key pk "USER#{email}" sk "PROFILE"
  rekey on (email)
  email : email normalise lower
  id    : id immutable
}
entity Note {
  key pk "USER#{email}" sk "NOTE#{deadline}#{id}"
  email    : email key_only normalise lower
  id       : id = uuid() immutable
  deadline : moment immutable
  @R6@belongs_to User by (email) {
    must_exist
    on_delete cascade
    through notesOfUser
  }
}
access notesOfUser(email) -> Note* = query table pk "USER#{email}" sk begins "NOTE#"
)",
     R"(design Notes version 1
tenant email
table "Notes" { key PK, SK; discriminate by key }
entity User {
  key pk "USER#{email}" sk "PROFILE"
  rekey on (email)
  email : email normalise lower
  id    : id immutable
}
entity Note {
  key pk "USER#{email}" sk "NOTE#{deadline}#{id}"
  email    : email key_only normalise lower
  id       : id = uuid() immutable
  deadline : moment immutable
  belongs_to User by (email) {
    must_exist
    on_delete cascade
    on_rekey move
    through notesOfUser
  }
}
access notesOfUser(email) -> Note* = query table pk "USER#{email}" sk begins "NOTE#"
)"},
    {"T41: what is due after a date goes on to the profile",
     R"(design Notes version 1
tenant email
table "Notes" { key PK, SK; discriminate by key }
entity User {
  key pk "USER#{email}" sk "PROFILE"
  email : email normalise lower
  id    : id immutable
}
entity Note {
  key pk "USER#{email}" sk "NOTE#{deadline}#{id}"
  email    : email key_only normalise lower
  id       : id = uuid() immutable
  deadline : moment immutable
  belongs_to User by (email) {
    must_exist
  }
}
access dueAfter(email, day: date) -> Note* =
  query table pk "USER#{email}" sk after "@A5@NOTE#{day}"
)",
     R"(design Notes version 1
tenant email
table "Notes" { key PK, SK; discriminate by key }
entity User {
  key pk "USER#{email}" sk "PROFILE"
  email : email normalise lower
  id    : id immutable
}
entity Note {
  key pk "USER#{email}" sk "NOTE#{deadline}#{id}"
  email    : email key_only normalise lower
  id       : id = uuid() immutable
  deadline : moment immutable
  belongs_to User by (email) {
    must_exist
  }
}
access dueAfter(email, day: date) -> Note* =
  query table pk "USER#{email}" sk after "NOTE#{day}" within "NOTE#"
)"},
    {"T41: what is due before a date begins before all notes",
     R"(design Notes version 1
tenant email
table "Notes" { key PK, SK; discriminate by key }
entity User {
  key pk "USER#{email}" sk "PROFILE"
  email : email normalise lower
  id    : id immutable
}
entity Note {
  key pk "USER#{email}" sk "NOTE#{deadline}#{id}"
  email    : email key_only normalise lower
  id       : id = uuid() immutable
  deadline : moment immutable
  belongs_to User by (email) {
    must_exist
  }
}
access dueBefore(email, day: date) -> Note* =
  query table pk "USER#{email}" sk before "@A5@NOTE#{day}"
)",
     R"(design Notes version 1
tenant email
table "Notes" { key PK, SK; discriminate by key }
entity User {
  key pk "USER#{email}" sk "PROFILE"
  email : email normalise lower
  id    : id immutable
}
entity Note {
  key pk "USER#{email}" sk "NOTE#{deadline}#{id}"
  email    : email key_only normalise lower
  id       : id = uuid() immutable
  deadline : moment immutable
  belongs_to User by (email) {
    must_exist
  }
}
access dueBefore(email, day: date) -> Note* =
  query table pk "USER#{email}" sk before "NOTE#{day}" within "NOTE#"
)"},
    {"T42: a note without a deadline has no key",
     R"(design Notes version 1
tenant email
table "Notes" { key PK, SK; discriminate by key }
entity User {
  key pk "USER#{email}" sk "PROFILE"
  email : email normalise lower
  id    : id immutable
}
entity Note {
  key pk "USER#{email}" sk "NOTE#{@K4@deadline}#{id}"
  email    : email key_only normalise lower
  id       : id = uuid() immutable
  deadline : moment?
  belongs_to User by (email) {
    must_exist
  }
}
)",
     R"(design Notes version 1
tenant email
table "Notes" { key PK, SK; discriminate by key }
entity User {
  key pk "USER#{email}" sk "PROFILE"
  email : email normalise lower
  id    : id immutable
}
entity Note {
  key pk "USER#{email}" sk "NOTE#{deadline}#{id}" when deadline
  key pk "USER#{email}" sk "NOTE#NONE#{id}"
  email    : email key_only normalise lower
  id       : id = uuid() immutable
  deadline : moment?
  belongs_to User by (email) {
    must_exist
  }
}
)"},
    {"T43: a note is asked for without its deadline",
     R"(design Notes version 1
tenant email
table "Notes" { key PK, SK; discriminate by key }
entity User {
  key pk "USER#{email}" sk "PROFILE"
  email : email normalise lower
  id    : id immutable
}
entity Note {
  key pk "USER#{email}" sk "NOTE#{deadline}#{id}"
  email    : email key_only normalise lower
  id       : id = uuid() immutable
  deadline : moment immutable
  belongs_to User by (email) {
    must_exist
  }
}
access @A3@getNote(email, id) -> Note = get
)",
     R"(design Notes version 1
tenant email
table "Notes" { key PK, SK; discriminate by key }
entity User {
  key pk "USER#{email}" sk "PROFILE"
  email : email normalise lower
  id    : id immutable
}
entity Note {
  key pk "USER#{email}" sk "NOTE#{deadline}#{id}"
  identity (email, id) via NoteRef
  email    : email key_only normalise lower
  id       : id = uuid() immutable
  deadline : moment immutable
  belongs_to User by (email) {
    must_exist
  }
}
access getNote(email, id) -> Note = get
mirror NoteRef of Note {
  key pk "NOTEREF#{email}" sk "{id}"
  include deadline
}
)"},
    {"T44: a note is stored under an e-mail that it does not have",
     R"(design Notes version 1
tenant email
table "Notes" { key PK, SK; discriminate by key }
entity User {
  key pk "USER#{email}" sk "PROFILE"
  email : email normalise lower
  id    : id immutable
}
entity Note {
  key pk "USER#{@K1@email}" sk "NOTE#{id}"
  id     : id = uuid() immutable
  userId : id
}
)",
     R"(design Notes version 1
tenant email
table "Notes" { key PK, SK; discriminate by key }
entity User {
  key pk "USER#{email}" sk "PROFILE"
  email : email normalise lower
  id    : id immutable
}
entity Note {
  key pk "USER#{email}" sk "NOTE#{id}"
  email  : email key_only normalise lower
  id     : id = uuid() immutable
  userId : id derived_copy
  belongs_to User by (email) {
    must_exist
    copy userId = id
    through notesOfUser
  }
}
access notesOfUser(email) -> Note* = query table pk "USER#{email}" sk begins "NOTE#"
)"},
    {"T45: an e-mail in capitals is another user",
     R"(design Notes version 1
tenant email
table "Notes" { key PK, SK; discriminate by key }
entity User {
  key pk "USER#{@K9@email}" sk "PROFILE"
  email : email
  id    : id immutable
}
)",
     R"(design Notes version 1
tenant email
table "Notes" { key PK, SK; discriminate by key }
entity User {
  key pk "USER#{email}" sk "PROFILE"
  email : email normalise lower
  id    : id immutable
}
)"},
    {"T46: a deadline is part of the key, and changes",
     R"(design Notes version 1
tenant email
table "Notes" { key PK, SK; discriminate by key }
entity User {
  key pk "USER#{email}" sk "PROFILE"
  email : email normalise lower
  id    : id immutable
}
entity Note {
  key pk "USER#{email}" sk "NOTE#{deadline}#{id}"
  email    : email key_only normalise lower
  id       : id = uuid() immutable
  deadline : moment
  belongs_to User by (email) {
    must_exist
  }
}
operation postpone(email, deadline, id, later) {
  update Note(email, deadline, id) { @R6@deadline = later }
}
)",
     R"(design Notes version 1
tenant email
table "Notes" { key PK, SK; discriminate by key }
entity User {
  key pk "USER#{email}" sk "PROFILE"
  email : email normalise lower
  id    : id immutable
}
entity Note {
  key pk "USER#{email}" sk "NOTE#{deadline}#{id}"
  rekey on (deadline)
  email    : email key_only normalise lower
  id       : id = uuid() immutable
  deadline : moment
  belongs_to User by (email) {
    must_exist
  }
}
operation postpone(email, deadline, id, later) {
  update Note(email, deadline, id) { deadline = later }
}
)"},
};

INSTANTIATE_TEST_SUITE_P(Checks, NoteTraps, testing::ValuesIn(kTraps));

}  // namespace
}  // namespace trestle::design

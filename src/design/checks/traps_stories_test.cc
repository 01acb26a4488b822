#include "design/checks/trap_test.h"

// The traps in the design of the stories, as in its document and cured. T36 (root chapters are
// counted as chapters, not as branches), T37 (a counter in a map that is missing) and T51 (sizes of
// batches) are matters of the run time.

namespace trestle::design {
namespace {

class StoryTraps : public testing::TestWithParam<Trap> {};

TEST_P(StoryTraps, AreCaughtAndCured) { TestTrap(GetParam()); }

const Trap kTraps[] = {
    {"T30: no type is stored, and two entities have one shape of key",
     R"(design Stories version 1
table "Stories" { key PK, SK; discriminate by key }
entity Story {
  key pk "ITEM#{storyId}" sk "METADATA"
  storyId : id = ulid() immutable
}
entity Chapter {
  key pk "@K6@ITEM#{nodeId}" sk "METADATA"
  nodeId : id = ulid() immutable
}
)",
     R"(design Stories version 1
table "Stories" { key PK, SK; discriminate by key }
entity Story {
  key pk "STORY#{storyId}" sk "METADATA"
  storyId : id = ulid() immutable
}
entity Chapter {
  key pk "CHAPTER#{nodeId}" sk "METADATA"
  nodeId : id = ulid() immutable
}
)"},
    {"T31: a version is compared that no item has",
     R"(design Stories version 1
table "Stories" { key PK, SK; discriminate by key }
entity Story {
  key pk "STORY#{storyId}" sk "METADATA"
  storyId : id = ulid() immutable
  title   : string(1..200)
}
operation rename(storyId, title, seen: int) {
  update Story(storyId) { title } where @N1@version = seen
}
)",
     R"(design Stories version 1
table "Stories" { key PK, SK; discriminate by key; lock version }
entity Story {
  key pk "STORY#{storyId}" sk "METADATA"
  storyId : id = ulid() immutable
  title   : string(1..200)
}
operation rename(storyId, title) {
  update Story(storyId) { title }
}
)"},
    {"T32: a user's stories are asked for where none is written",
     R"(design Stories version 1
table "Stories" { key PK, SK; discriminate by key
  index GSI1 (GSI1PK, GSI1SK) project all }
entity Story {
  key pk "STORY#{storyId}" sk "METADATA"
  index GSI1 pk "STORY_LIST" sk "{createdAt}#{storyId}"
  storyId   : id = ulid() immutable
  authorId  : id immutable
  createdAt : timestamp = now() immutable
}
access storiesOfUser(authorId) -> Story* =
  query GSI1 pk "USER#{authorId}" sk begins "@A1@STORY#"
)",
     R"(design Stories version 1
table "Stories" { key PK, SK; discriminate by key
  index GSI1 (GSI1PK, GSI1SK) project all }
entity Story {
  key pk "STORY#{storyId}" sk "METADATA"
  index GSI1 pk "STORY_LIST" sk "{createdAt}#{storyId}"
  storyId   : id = ulid() immutable
  authorId  : id immutable
  createdAt : timestamp = now() immutable
}
mirror StoryByAuthor of Story {
  key pk "STORY#{storyId}" sk "AUTHOR#{authorId}"
  index GSI1 pk "USER#{authorId}" sk "STORY#{createdAt}#{storyId}"
}
access storiesOfUser(authorId) -> StoryByAuthor* =
  query GSI1 pk "USER#{authorId}" sk begins "STORY#"
)"},
    {"T33: a number without zeroes in front",
     R"(design Stories version 1
table "Stories" { key PK, SK; discriminate by key }
entity Child {
  key pk "CHAPTER#{parentId}" sk "CHILD#{@K3@order}#{nodeId}"
  parentId : id immutable
  nodeId   : id = ulid() immutable
  order    : int(0..199) immutable
}
)",
     R"(design Stories version 1
table "Stories" { key PK, SK; discriminate by key }
entity Child {
  key pk "CHAPTER#{parentId}" sk "CHILD#{order:05}#{nodeId}"
  parentId : id immutable
  nodeId   : id = ulid() immutable
  order    : int(0..199) immutable
}
)"},
    {"T34: drafts are in the list, and thrown away after reading",
     R"(design Stories version 1
table "Stories" { key PK, SK; discriminate by key
  index GSI1 (GSI1PK, GSI1SK) project all }
entity Story {
  key pk "STORY#{storyId}" sk "METADATA"
  index GSI1 pk "STORY_LIST" sk "{storyId}"
  storyId : id = ulid() immutable
  status  : enum("DRAFT", "PUBLISHED") = "DRAFT"
}
access browse() -> Story* = query GSI1 pk "STORY_LIST" filter @A6@status = "PUBLISHED"
)",
     R"(design Stories version 1
table "Stories" { key PK, SK; discriminate by key
  index GSI1 (GSI1PK, GSI1SK) project all }
entity Story {
  key pk "STORY#{storyId}" sk "METADATA"
  index GSI1 pk "STORY_LIST" sk "{storyId}" when status <> "DRAFT"
  storyId : id = ulid() immutable
  status  : enum("DRAFT", "PUBLISHED") = "DRAFT"
}
access browse() -> Story* = query GSI1 pk "STORY_LIST"
)"},
    {"T35: a key is made from a time that no attribute holds",
     R"(design Stories version 1
table "Stories" { key PK, SK; discriminate by key }
entity Notification {
  key pk "USER#{userId}" sk "NOTIFICATION#{@K1@timestamp}"
  userId    : id immutable
  createdAt : timestamp = now() immutable monotonic
}
)",
     R"(design Stories version 1
table "Stories" { key PK, SK; discriminate by key }
entity Notification {
  key pk "USER#{userId}" sk "NOTIFICATION#{createdAt}"
  userId    : id immutable
  createdAt : timestamp = now() immutable monotonic
}
)"},
    {"T35: no access reads the index that notifications are in",
     R"(design Stories version 1
table "Stories" { key PK, SK; discriminate by key
  index @A7@GSI1 (GSI1PK, GSI1SK) project all }
entity Notification {
  key pk "USER#{userId}" sk "NOTIFICATION#{id}"
  index GSI1 pk "NOTIFICATION#{id}" sk "USER#{userId}"
  userId : id immutable
  id     : id = ulid() immutable
}
)",
     R"(design Stories version 1
table "Stories" { key PK, SK; discriminate by key
  index GSI1 (GSI1PK, GSI1SK) project all }
entity Notification {
  key pk "USER#{userId}" sk "NOTIFICATION#{id}"
  index GSI1 pk "NOTIFICATION#{id}" sk "USER#{userId}"
  userId : id immutable
  id     : id = ulid() immutable
}
access getNotification(id) -> Notification = query GSI1 pk "NOTIFICATION#{id}" limit 1
)"},
    {"T38: no path leads from a chapter to its votes",
     R"(design Stories version 1
table "Stories" { key PK, SK; discriminate by key }
entity Chapter {
  key pk "STORY#{storyId}" sk "CHAPTER#{nodeId}"
  storyId : id immutable
  nodeId  : id = ulid() immutable
}
entity Vote {
  key pk "USER#{userId}" sk "VOTE#{nodeId}"
  userId  : id immutable
  storyId : id immutable
  nodeId  : id immutable
  belongs_to Chapter by (storyId, nodeId) {
    must_exist
    @R1@on_delete cascade
  }
}
)",
     R"(design Stories version 1
table "Stories" { key PK, SK; discriminate by key }
entity Chapter {
  key pk "STORY#{storyId}" sk "CHAPTER#{nodeId}"
  storyId : id immutable
  nodeId  : id = ulid() immutable
}
entity Vote {
  key pk "USER#{userId}" sk "VOTE#{nodeId}"
  userId  : id immutable
  storyId : id immutable
  nodeId  : id immutable
  belongs_to Chapter by (storyId, nodeId) {
    must_exist
    on_delete ignore
  }
}
)"},
    {"T39: every story is in one partition",
     R"(design Stories version 1
table "Stories" { key PK, SK; discriminate by key
  index GSI1 (GSI1PK, GSI1SK) project all }
entity Story {
  key pk "STORY#{storyId}" sk "METADATA"
  index GSI1 pk "@H1@STORY_LIST" sk "{storyId}"
  storyId : id = ulid() immutable
}
access browse() -> Story* = query GSI1 pk "STORY_LIST" limit 20
load {
  item Story 1500 bytes
  rate create Story 2 per_second
}
)",
     R"(design Stories version 1
table "Stories" { key PK, SK; discriminate by key
  index GSI1 (GSI1PK, GSI1SK) project all }
entity Story {
  key pk "STORY#{storyId}" sk "METADATA"
  index GSI1 pk "STORY_LIST" sk "{storyId}" shards 8
  storyId : id = ulid() immutable
}
access browse() -> Story* = query GSI1 pk "STORY_LIST" limit 20
load {
  item Story 1500 bytes
  rate create Story 2 per_second
}
)"},
    {"T39: more is written to one partition than it takes",
     R"(design Stories version 1
table "Stories" { key PK, SK; discriminate by key
  index GSI1 (GSI1PK, GSI1SK) project all }
entity Story {
  key pk "STORY#{storyId}" sk "METADATA"
  index GSI1 pk "@H2@STORY_LIST" sk "{storyId}"
  storyId : id = ulid() immutable
}
access browse() -> Story* = query GSI1 pk "STORY_LIST" limit 20
load {
  item Story 1500 bytes
  rate create Story 600 per_second
}
)",
     R"(design Stories version 1
table "Stories" { key PK, SK; discriminate by key
  index GSI1 (GSI1PK, GSI1SK) project all }
entity Story {
  key pk "STORY#{storyId}" sk "METADATA"
  index GSI1 pk "STORY_LIST" sk "{storyId}" shards 8
  storyId : id = ulid() immutable
}
access browse() -> Story* = query GSI1 pk "STORY_LIST" limit 20
load {
  item Story 1500 bytes
  rate create Story 600 per_second
}
)"},
};

INSTANTIATE_TEST_SUITE_P(Checks, StoryTraps, testing::ValuesIn(kTraps));

}  // namespace
}  // namespace trestle::design

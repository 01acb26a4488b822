#include "design/checks/trap_test.h"

// The traps in the design of the media library, as in its document and cured. T19 (counts from a
// stream that tells twice) is a matter of the run time.

namespace trestle::design {
namespace {

class LibraryTraps : public testing::TestWithParam<Trap> {};

TEST_P(LibraryTraps, AreCaughtAndCured) { TestTrap(GetParam()); }

const Trap kTraps[] = {
    {"T4: collections are asked for by a prefix that none has",
     R"(design Library version 1
table "Library" { key PK, SK; discriminate by attribute EntityType
  index GSI1 (GSI1PK, GSI1SK) project all }
entity Collection {
  type "COLLECTION"
  key pk "owner#{OwnerId}" sk "library#{LibraryId}#collection#{CollectionId}"
  index GSI1 pk "owner#{OwnerId}#library#{LibraryId}" sk "item#{Name:esc}"
  OwnerId      : id immutable
  LibraryId    : id immutable
  CollectionId : id = uuid() immutable
  Name         : string(1..100)
}
access collections(OwnerId, LibraryId) -> Collection* =
  query GSI1 pk "owner#{OwnerId}#library#{LibraryId}" sk begins "@A1@collection#"
)",
     R"(design Library version 1
table "Library" { key PK, SK; discriminate by attribute EntityType
  index GSI1 (GSI1PK, GSI1SK) project all }
entity Collection {
  type "COLLECTION"
  key pk "owner#{OwnerId}" sk "library#{LibraryId}#collection#{CollectionId}"
  index GSI1 pk "owner#{OwnerId}#library#{LibraryId}" sk "item#{Name:esc}"
  OwnerId      : id immutable
  LibraryId    : id immutable
  CollectionId : id = uuid() immutable
  Name         : string(1..100)
}
access collections(OwnerId, LibraryId) -> Collection* =
  query GSI1 pk "owner#{OwnerId}#library#{LibraryId}" sk begins "item#"
)"},
    {"T5: the prefix of libraries is also that of everything in them",
     R"(design Library version 1
table "Library" { key PK, SK; discriminate by attribute EntityType
  index GSI1 (GSI1PK, GSI1SK) project all }
entity Library {
  type "LIBRARY"
  key pk "owner#{OwnerId}" sk "library#{LibraryId}"
  OwnerId   : id immutable
  LibraryId : id = uuid() immutable
}
entity Book {
  type "BOOK"
  key pk "owner#{OwnerId}" sk "library#{LibraryId}#item#{ItemId}"
  OwnerId   : id immutable
  LibraryId : id immutable
  ItemId    : id = uuid() immutable
  belongs_to Library by (OwnerId, LibraryId) { must_exist }
}
access libraries(OwnerId) -> Library* =
  query table pk "owner#{OwnerId}" sk begins "@A2@library#"
)",
     R"(design Library version 1
table "Library" { key PK, SK; discriminate by attribute EntityType
  index GSI1 (GSI1PK, GSI1SK) project all }
entity Library {
  type "LIBRARY"
  key pk "owner#{OwnerId}" sk "library#{LibraryId}"
  OwnerId   : id immutable
  LibraryId : id = uuid() immutable
}
entity Book {
  type "BOOK"
  key pk "owner#{OwnerId}" sk "library#{LibraryId}#item#{ItemId}"
  OwnerId   : id immutable
  LibraryId : id immutable
  ItemId    : id = uuid() immutable
  belongs_to Library by (OwnerId, LibraryId) { must_exist }
}
access libraries(OwnerId) -> Library* =
  query table pk "owner#{OwnerId}" sk begins "library#" only Library
)"},
    {"T6: the prefix of items is also that of their events",
     R"(design Library version 1
table "Library" { key PK, SK; discriminate by attribute EntityType
  index GSI1 (GSI1PK, GSI1SK) project all }
entity Library {
  type "LIBRARY"
  key pk "owner#{OwnerId}" sk "library#{LibraryId}"
  OwnerId   : id immutable
  LibraryId : id = uuid() immutable
}
entity Book {
  type "BOOK"
  key pk "owner#{OwnerId}" sk "library#{LibraryId}#item#{ItemId}"
  OwnerId   : id immutable
  LibraryId : id immutable
  ItemId    : id = uuid() immutable
  belongs_to Library by (OwnerId, LibraryId) { must_exist }
}
entity LendingEvent {
  type "EVENT"
  key pk "owner#{OwnerId}" sk "library#{LibraryId}#item#{ItemId}#event#{At}"
  OwnerId   : id key_only
  LibraryId : id key_only
  ItemId    : id key_only
  At        : timestamp = now() immutable monotonic
  belongs_to Book by (OwnerId, LibraryId, ItemId) { must_exist }
}
access items(OwnerId, LibraryId) -> Book* =
  query table pk "owner#{OwnerId}" sk begins "@A2@library#{LibraryId}#item#"
)",
     R"(design Library version 1
table "Library" { key PK, SK; discriminate by attribute EntityType
  index GSI1 (GSI1PK, GSI1SK) project all }
entity Library {
  type "LIBRARY"
  key pk "owner#{OwnerId}" sk "library#{LibraryId}"
  OwnerId   : id immutable
  LibraryId : id = uuid() immutable
}
entity Book {
  type "BOOK"
  key pk "owner#{OwnerId}" sk "library#{LibraryId}#item#{ItemId}"
  OwnerId   : id immutable
  LibraryId : id immutable
  ItemId    : id = uuid() immutable
  belongs_to Library by (OwnerId, LibraryId) { must_exist }
}
entity LendingEvent {
  type "EVENT"
  key pk "owner#{OwnerId}" sk "library#{LibraryId}#item#{ItemId}#event#{At}"
  OwnerId   : id key_only
  LibraryId : id key_only
  ItemId    : id key_only
  At        : timestamp = now() immutable monotonic
  belongs_to Book by (OwnerId, LibraryId, ItemId) { must_exist }
}
access items(OwnerId, LibraryId) -> Book* =
  query table pk "owner#{OwnerId}" sk begins "library#{LibraryId}#item#" only Book
)"},
    {"T7: a blank sorts before the separator, so clusters break",
     R"(design Library version 1
table "Library" { key PK, SK; discriminate by attribute EntityType
  index GSI1 (GSI1PK, GSI1SK) project all }
entity Book {
  type "BOOK"
  key pk "owner#{OwnerId}" sk "item#{ItemId}"
  index GSI1 pk "owner#{OwnerId}" sk "item#{@K9@Series:esc}#{Order:05}"
  OwnerId  : id immutable
  ItemId   : id = uuid() immutable
  Series   : string(1..100)
  Order    : int(1..1000)
  Title    : string(1..100)
}
access byTitle(OwnerId) -> Book* = query GSI1 pk "owner#{OwnerId}"
)",
     R"(design Library version 1
table "Library" { key PK, SK; discriminate by attribute EntityType
  index GSI1 (GSI1PK, GSI1SK) project all }
entity Book {
  type "BOOK"
  key pk "owner#{OwnerId}" sk "item#{ItemId}"
  index GSI1 pk "owner#{OwnerId}" sk "item#{Series:fold:clust}#{Order:05}"
  OwnerId  : id immutable
  ItemId   : id = uuid() immutable
  Series   : string(1..100)
  Order    : int(1..1000)
  Title    : string(1..100)
}
access byTitle(OwnerId) -> Book* = query GSI1 pk "owner#{OwnerId}"
)"},
    {"T8: what is called alphabetical is the order of bytes",
     R"(design Library version 1
table "Library" { key PK, SK; discriminate by attribute EntityType
  index GSI1 (GSI1PK, GSI1SK) project all }
entity Book {
  type "BOOK"
  key pk "owner#{OwnerId}" sk "item#{ItemId}"
  index GSI1 pk "owner#{OwnerId}" sk "item#{@K9@Title:esc}"
  OwnerId  : id immutable
  ItemId   : id = uuid() immutable
  Series   : string(1..100)
  Order    : int(1..1000)
  Title    : string(1..100)
}
access byTitle(OwnerId) -> Book* = query GSI1 pk "owner#{OwnerId}"
)",
     R"(design Library version 1
table "Library" { key PK, SK; discriminate by attribute EntityType
  index GSI1 (GSI1PK, GSI1SK) project all }
entity Book {
  type "BOOK"
  key pk "owner#{OwnerId}" sk "item#{ItemId}"
  index GSI1 pk "owner#{OwnerId}" sk "item#{Title:fold:esc}"
  OwnerId  : id immutable
  ItemId   : id = uuid() immutable
  Series   : string(1..100)
  Order    : int(1..1000)
  Title    : string(1..100)
}
access byTitle(OwnerId) -> Book* = query GSI1 pk "owner#{OwnerId}"
)"},
    {"T9: a title with a separator in it lands in a series",
     R"(design Library version 1
table "Library" { key PK, SK; discriminate by attribute EntityType
  index GSI1 (GSI1PK, GSI1SK) project all }
entity Book {
  type "BOOK"
  key pk "owner#{OwnerId}" sk "item#{ItemId}"
  index GSI1 pk "owner#{OwnerId}" sk "item#{@K2@Series}#{Order:05}" when Volume
  index GSI1 pk "owner#{OwnerId}" sk "item#{@K2@Title}"
  OwnerId  : id immutable
  ItemId   : id = uuid() immutable
  Series   : string(1..100)
  Order    : int(1..1000)
  Title    : string(1..100)
  Volume   : int?
}
access byTitle(OwnerId) -> Book* = query GSI1 pk "owner#{OwnerId}"
)",
     R"(design Library version 1
table "Library" { key PK, SK; discriminate by attribute EntityType
  index GSI1 (GSI1PK, GSI1SK) project all }
entity Book {
  type "BOOK"
  key pk "owner#{OwnerId}" sk "item#{ItemId}"
  index GSI1 pk "owner#{OwnerId}" sk "item#{Series:esc}#{Order:05}" when Volume
  index GSI1 pk "owner#{OwnerId}" sk "item#{Title:esc}"
  OwnerId  : id immutable
  ItemId   : id = uuid() immutable
  Series   : string(1..100)
  Order    : int(1..1000)
  Title    : string(1..100)
  Volume   : int?
}
access byTitle(OwnerId) -> Book* = query GSI1 pk "owner#{OwnerId}"
)"},
    {"T10: the owner's name is copied from nowhere",
     R"(design Library version 1
table "Library" { key PK, SK; discriminate by attribute EntityType
  index GSI1 (GSI1PK, GSI1SK) project all }
entity Library {
  type "LIBRARY"
  key pk "owner#{OwnerId}" sk "library"
  OwnerId   : id immutable
  @R8@OwnerName : string(1..200) derived_copy
}
)",
     R"(design Library version 1
table "Library" { key PK, SK; discriminate by attribute EntityType
  index GSI1 (GSI1PK, GSI1SK) project all }
entity Library {
  type "LIBRARY"
  key pk "owner#{OwnerId}" sk "library"
  OwnerId   : id immutable
  OwnerName : string(1..200) external
}
)"},
    {"T11: two events in one millisecond have the same key",
     R"(design Library version 1
table "Library" { key PK, SK; discriminate by attribute EntityType
  index GSI1 (GSI1PK, GSI1SK) project all }
entity LendingEvent {
  type "EVENT"
  key pk "owner#{OwnerId}" sk "event#{@K11@UpdatedAt}"
  OwnerId   : id immutable
  UpdatedAt : timestamp = now() immutable
}
)",
     R"(design Library version 1
table "Library" { key PK, SK; discriminate by attribute EntityType
  index GSI1 (GSI1PK, GSI1SK) project all }
entity LendingEvent {
  type "EVENT"
  key pk "owner#{OwnerId}" sk "event#{UpdatedAt}"
  OwnerId   : id immutable
  UpdatedAt : timestamp = now() immutable monotonic
}
)"},
    {"T12: the key of an event is made from ids that it does not list",
     R"(design Library version 1
table "Library" { key PK, SK; discriminate by attribute EntityType
  index GSI1 (GSI1PK, GSI1SK) project all }
entity LendingEvent {
  type "EVENT"
  key pk "owner#{@K1@OwnerId}" sk "item#{@K1@ItemId}#event#{UpdatedAt}"
  Event     : string(1..200) immutable
  UpdatedAt : timestamp = now() immutable monotonic
}
)",
     R"(design Library version 1
table "Library" { key PK, SK; discriminate by attribute EntityType
  index GSI1 (GSI1PK, GSI1SK) project all }
entity LendingEvent {
  type "EVENT"
  key pk "owner#{OwnerId}" sk "item#{ItemId}#event#{UpdatedAt}"
  OwnerId   : id key_only
  ItemId    : id key_only
  Event     : string(1..200) immutable
  UpdatedAt : timestamp = now() immutable monotonic
}
)"},
    {"T13: a deleted library cannot find its shares in other partitions",
     R"(design Library version 1
table "Library" { key PK, SK; discriminate by attribute EntityType
  index GSI1 (GSI1PK, GSI1SK) project all }
entity Library {
  type "LIBRARY"
  key pk "owner#{OwnerId}" sk "library#{LibraryId}"
  OwnerId   : id immutable
  LibraryId : id = uuid() immutable
}
entity SharedLibrary {
  type "SHARED"
  key pk "owner#{SharedToId}" sk "shared-library#{LibraryId}"
  SharedToId   : id immutable
  SharedFromId : id immutable
  LibraryId    : id immutable
  belongs_to Library by (SharedFromId -> OwnerId, LibraryId) {
    @R1@on_delete cascade
  }
}
)",
     R"(design Library version 1
table "Library" { key PK, SK; discriminate by attribute EntityType
  index GSI1 (GSI1PK, GSI1SK) project all }
entity Library {
  type "LIBRARY"
  key pk "owner#{OwnerId}" sk "library#{LibraryId}"
  OwnerId   : id immutable
  LibraryId : id = uuid() immutable
}
entity SharedLibrary {
  type "SHARED"
  key pk "owner#{SharedToId}" sk "shared-library#{LibraryId}"
  index GSI1 pk "owner#{SharedFromId}#shares" sk "library#{LibraryId}#{SharedToId}"
  SharedToId   : id immutable
  SharedFromId : id immutable
  LibraryId    : id immutable
  belongs_to Library by (SharedFromId -> OwnerId, LibraryId) {
    on_delete cascade
    through shares
  }
}
access shares(SharedFromId, LibraryId) -> SharedLibrary* =
  query GSI1 pk "owner#{SharedFromId}#shares" sk begins "library#{LibraryId}#"
)"},
    {"T14: a title without a limit",
     R"(design Library version 1
table "Library" { key PK, SK; discriminate by attribute EntityType
  index GSI1 (GSI1PK, GSI1SK) project all }
entity Book {
  type "BOOK"
  key pk "owner#{OwnerId}" sk "item#{ItemId}"
  index GSI1 pk "owner#{OwnerId}" sk "item#{Series:esc}#{Order:05}#{@K5@Title:esc}"
  OwnerId : id immutable
  ItemId  : id = uuid() immutable
  Series  : string(1..100)
  Order   : int(1..1000)
  Title   : string
}
access byTitle(OwnerId) -> Book* = query GSI1 pk "owner#{OwnerId}"
)",
     R"(design Library version 1
table "Library" { key PK, SK; discriminate by attribute EntityType
  index GSI1 (GSI1PK, GSI1SK) project all }
entity Book {
  type "BOOK"
  key pk "owner#{OwnerId}" sk "item#{ItemId}"
  index GSI1 pk "owner#{OwnerId}" sk "item#{Series:esc}#{Order:05}#{Title:esc}"
  OwnerId : id immutable
  ItemId  : id = uuid() immutable
  Series  : string(1..100)
  Order   : int(1..1000)
  Title   : string(1..150)
}
access byTitle(OwnerId) -> Book* = query GSI1 pk "owner#{OwnerId}"
)"},
    {"T14: a title that is too long behind the name of its series",
     R"(design Library version 1
table "Library" { key PK, SK; discriminate by attribute EntityType
  index GSI1 (GSI1PK, GSI1SK) project all }
entity Book {
  type "BOOK"
  key pk "owner#{OwnerId}" sk "item#{ItemId}"
  index GSI1 pk "owner#{OwnerId}" sk "item#{Series:esc}#{Order:05}#{@K5@Title:esc}"
  OwnerId : id immutable
  ItemId  : id = uuid() immutable
  Series  : string(1..100)
  Order   : int(1..1000)
  Title   : string(1..255)
}
access byTitle(OwnerId) -> Book* = query GSI1 pk "owner#{OwnerId}"
)",
     R"(design Library version 1
table "Library" { key PK, SK; discriminate by attribute EntityType
  index GSI1 (GSI1PK, GSI1SK) project all }
entity Book {
  type "BOOK"
  key pk "owner#{OwnerId}" sk "item#{ItemId}"
  index GSI1 pk "owner#{OwnerId}" sk "item#{Series:esc}#{Order:05}#{Title:esc}"
  OwnerId : id immutable
  ItemId  : id = uuid() immutable
  Series  : string(1..100)
  Order   : int(1..1000)
  Title   : string(1..150)
}
access byTitle(OwnerId) -> Book* = query GSI1 pk "owner#{OwnerId}"
)"},
    {"T15: who is shared with is known by an e-mail, and keyed by an id",
     R"(design Library version 1
table "Library" { key PK, SK; discriminate by attribute EntityType
  index GSI1 (GSI1PK, GSI1SK) project all }
entity SharedLibrary {
  type "SHARED"
  key pk "owner#{SharedToId}" sk "shared-library#{LibraryId}"
  SharedToId    : id immutable
  SharedToEmail : email
  LibraryId     : id immutable
}
operation shareLibrary(LibraryId, email) {
  create SharedLibrary { @N1@SharedToId, SharedToEmail = email, LibraryId }
}
)",
     R"(design Library version 1
table "Library" { key PK, SK; discriminate by attribute EntityType
  index GSI1 (GSI1PK, GSI1SK) project all }
entity SharedLibrary {
  type "SHARED"
  key pk "owner#{SharedToId}" sk "shared-library#{LibraryId}"
  SharedToId    : id immutable
  SharedToEmail : email
  LibraryId     : id immutable
}
operation shareLibrary(LibraryId, email, SharedToId) {
  create SharedLibrary { SharedToId, SharedToEmail = email, LibraryId }
}
)"},
    {"T16: a rename asks for its members by the old name, of an index that lags",
     R"(design Library version 1
table "Library" { key PK, SK; discriminate by attribute EntityType
  index GSI1 (GSI1PK, GSI1SK) project all }
entity Collection {
  type "COLLECTION"
  key pk "owner#{OwnerId}" sk "collection#{CollectionId}"
  OwnerId      : id immutable
  CollectionId : id = uuid() immutable
  Name         : string(1..100)
}
entity Book {
  type "BOOK"
  key pk "owner#{OwnerId}" sk "item#{ItemId}"
  index GSI1 pk "owner#{OwnerId}" sk "item#{CollectionName:esc}#{ItemId}"
  OwnerId        : id immutable
  ItemId         : id = uuid() immutable
  CollectionId   : id
  CollectionName : string(1..100) derived_copy
  belongs_to Collection by (OwnerId, CollectionId) {
    must_exist
    copy CollectionName = Name
    @A11@through itemsOfCollection filter CollectionId
  }
}
access items(OwnerId) -> Book* = query table pk "owner#{OwnerId}" sk begins "item#"
access itemsOfCollection(OwnerId, CollectionName) -> Book* =
  query GSI1 pk "owner#{OwnerId}" sk begins "item#{CollectionName:esc}#"
)",
     R"(design Library version 1
table "Library" { key PK, SK; discriminate by attribute EntityType
  index GSI1 (GSI1PK, GSI1SK) project all }
entity Collection {
  type "COLLECTION"
  key pk "owner#{OwnerId}" sk "collection#{CollectionId}"
  OwnerId      : id immutable
  CollectionId : id = uuid() immutable
  Name         : string(1..100)
}
entity Book {
  type "BOOK"
  key pk "owner#{OwnerId}" sk "item#{ItemId}"
  index GSI1 pk "owner#{OwnerId}" sk "item#{CollectionName:esc}#{ItemId}"
  OwnerId        : id immutable
  ItemId         : id = uuid() immutable
  CollectionId   : id
  CollectionName : string(1..100) derived_copy
  belongs_to Collection by (OwnerId, CollectionId) {
    must_exist
    copy CollectionName = Name
    through items filter CollectionId
  }
}
access items(OwnerId) -> Book* = query table pk "owner#{OwnerId}" sk begins "item#"
access itemsOfCollection(OwnerId, CollectionName) -> Book* =
  query GSI1 pk "owner#{OwnerId}" sk begins "item#{CollectionName:esc}#"
)"},
    {"T17: a value that is null when it is not there",
     R"(design Library version 1
table "Library" { key PK, SK; discriminate by attribute EntityType
  index GSI1 (GSI1PK, GSI1SK) project all }
entity Library {
  type "LIBRARY"
  key pk "owner#{OwnerId}" sk "library#{LibraryId}"
  OwnerId   : id immutable
  LibraryId : id = uuid() immutable
  LentTo    : string = @N1@null
}
)",
     R"(design Library version 1
table "Library" { key PK, SK; discriminate by attribute EntityType
  index GSI1 (GSI1PK, GSI1SK) project all }
entity Library {
  type "LIBRARY"
  key pk "owner#{OwnerId}" sk "library#{LibraryId}"
  OwnerId   : id immutable
  LibraryId : id = uuid() immutable
  LentTo    : string?
}
)"},
    {"T18: one name has two types, and an index is keyed on it",
     R"(design Library version 1
table "Library" { key PK, SK; discriminate by attribute EntityType
  index ByType (Type) project all }
entity Book {
  type "BOOK"
  key pk "owner#{OwnerId}" sk "item#{ItemId}"
  index ByType direct
  OwnerId : id immutable
  ItemId  : id = uuid() immutable
  Type    : int const 0
}
entity LendingEvent {
  type "EVENT"
  key pk "owner#{OwnerId}" sk "event#{EventId}"
  OwnerId : id immutable
  EventId : id = uuid() immutable
  @K13@Type    : enum("LENT", "RETURNED")
}
)",
     R"(design Library version 1
table "Library" { key PK, SK; discriminate by attribute EntityType
  lock Version }
entity Book {
  type "BOOK"
  key pk "owner#{OwnerId}" sk "item#{ItemId}"
  OwnerId : id immutable
  ItemId  : id = uuid() immutable
  Type    : int const 0
}
entity LendingEvent {
  type "EVENT"
  key pk "owner#{OwnerId}" sk "event#{EventId}"
  OwnerId : id immutable
  EventId : id = uuid() immutable
  Type    : enum("LENT", "RETURNED")
}
)"},
};

INSTANTIATE_TEST_SUITE_P(Checks, LibraryTraps, testing::ValuesIn(kTraps));

}  // namespace
}  // namespace trestle::design

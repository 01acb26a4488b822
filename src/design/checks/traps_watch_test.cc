#include "design/checks/trap_test.h"

// The traps in the design of the watchlists, as in its document and cured. T20 (an index does not
// make an e-mail unique, `unique` does) is a matter of the run time.

namespace trestle::design {
namespace {

class WatchTraps : public testing::TestWithParam<Trap> {};

TEST_P(WatchTraps, AreCaughtAndCured) { TestTrap(GetParam()); }

const Trap kTraps[] = {
    {"T21: a guard with the attribute that an index is keyed on is in that index",
     R"(design Watch version 1
table "Watch" { key PK, SK; discriminate by attribute entityType
  index GSI1 (email) project all }
entity User {
  type "USER"
  key pk "USER#{userId}" sk "PROFILE"
  index GSI1 direct
  userId : id = uuid() immutable
  email  : email normalise lower
}
entity @K15@EmailGuard {
  type "GUARD"
  key pk "EMAIL#{email}" sk "UNIQUE"
  email  : email normalise lower
  userId : id
}
)",
     R"(design Watch version 1
table "Watch" { key PK, SK; discriminate by attribute entityType
  index GSI1 (email) project all }
entity User {
  type "USER"
  key pk "USER#{userId}" sk "PROFILE"
  index GSI1 direct
  userId : id = uuid() immutable
  email  : email normalise lower
}
entity EmailGuard {
  type "GUARD"
  key pk "EMAIL#{address}" sk "UNIQUE"
  address : email normalise lower
  userId  : id
}
)"},
    {"T21: internal items are in an index on the table's own keys",
     R"(design Watch version 1
table "Watch" { key PK, SK; discriminate by attribute entityType
  index @K14@Inverted (SK, PK) project all }
entity User {
  type "USER"
  key pk "USER#{userId}" sk "PROFILE"
  index Inverted pk "PROFILE" sk "USER#{userId}"
  userId : id = uuid() immutable
}
)",
     R"(design Watch version 1
table "Watch" { key PK, SK; discriminate by attribute entityType
  index Inverted (GSI1PK, GSI1SK) project all }
entity User {
  type "USER"
  key pk "USER#{userId}" sk "PROFILE"
  index Inverted pk "PROFILE" sk "USER#{userId}"
  userId : id = uuid() immutable
}
)"},
    {"T22: an item of a list does not say of which list",
     R"(design Watch version 1
table "Watch" { key PK, SK; discriminate by attribute entityType }
entity WatchlistItem {
  type "ITEM"
  key pk "WATCHLIST#{@K1@watchlistId}" sk "ITEM#{contentId}"
  contentId : id immutable
}
)",
     R"(design Watch version 1
table "Watch" { key PK, SK; discriminate by attribute entityType }
entity WatchlistItem {
  type "ITEM"
  key pk "WATCHLIST#{watchlistId}" sk "ITEM#{contentId}"
  watchlistId : id key_only
  contentId   : id immutable
}
)"},
    {"T23: the rating of a movie is an average of nothing",
     R"(design Watch version 1
table "Watch" { key PK, SK; discriminate by attribute entityType }
entity Movie {
  type "MOVIE"
  key pk "MOVIE#{movieId}" sk "METADATA"
  movieId : id = uuid() immutable
  @R8@rating  : number(0..10)? derived_average
}
entity Rating {
  type "RATING"
  key pk "USER#{userId}" sk "RATING#{movieId}"
  userId  : id immutable
  movieId : id immutable
  rating  : int(1..10)
  belongs_to Movie by (movieId) {
    must_exist
  }
}
)",
     R"(design Watch version 1
table "Watch" { key PK, SK; discriminate by attribute entityType }
entity Movie {
  type "MOVIE"
  key pk "MOVIE#{movieId}" sk "METADATA"
  movieId : id = uuid() immutable
  rating  : number(0..10)? derived_average
}
entity Rating {
  type "RATING"
  key pk "USER#{userId}" sk "RATING#{movieId}"
  userId  : id immutable
  movieId : id immutable
  rating  : int(1..10)
  belongs_to Movie by (movieId) {
    must_exist
    average rating into rating
  }
}
)"},
    {"T24: no path leads from a list to who saved it",
     R"(design Watch version 1
table "Watch" { key PK, SK; discriminate by attribute entityType }
entity Watchlist {
  type "LIST"
  key pk "LIST#{listId}" sk "METADATA"
  listId : id = uuid() immutable
}
entity Saved {
  type "SAVED"
  key pk "USER#{userId}" sk "SAVED#{listId}"
  userId : id immutable
  listId : id immutable
  belongs_to Watchlist by (listId) {
    @R1@on_delete cascade
  }
}
)",
     R"(design Watch version 1
table "Watch" { key PK, SK; discriminate by attribute entityType }
entity Watchlist {
  type "LIST"
  key pk "LIST#{listId}" sk "METADATA"
  listId : id = uuid() immutable
}
entity Saved {
  type "SAVED"
  key pk "USER#{userId}" sk "SAVED#{listId}"
  userId : id immutable
  listId : id immutable
  belongs_to Watchlist by (listId) {
    on_delete cascade
    through saversOfList
  }
}
mirror Saver of Saved {
  type "SAVER"
  key pk "LIST#{listId}" sk "SAVER#{userId}"
}
access saversOfList(listId) -> Saver* = query table pk "LIST#{listId}" sk begins "SAVER#"
)"},
    {"T25: an index cannot be keyed on a boolean",
     R"(design Watch version 1
table "Watch" { key PK, SK; discriminate by attribute entityType
  index GSI3 (isPublic, createdAt) project all }
entity Watchlist {
  type "LIST"
  key pk "LIST#{listId}" sk "METADATA"
  index @K12@GSI3 direct
  listId    : id = uuid() immutable
  isPublic  : bool = true
  createdAt : timestamp = now() immutable
}
)",
     R"(design Watch version 1
table "Watch" { key PK, SK; discriminate by attribute entityType
  index GSI3 (isPublicStr, createdAt) project all }
entity Watchlist {
  type "LIST"
  key pk "LIST#{listId}" sk "METADATA"
  index GSI3 direct
  listId    : id = uuid() immutable
  isPublic  : bool = true
  isPublicStr : string computed "{isPublic}"
  createdAt : timestamp = now() immutable
}
)"},
    {"T25: every public list is in one partition",
     R"(design Watch version 1
table "Watch" { key PK, SK; discriminate by attribute entityType
  index GSI3 (isPublicStr, createdAt) project all }
entity Watchlist {
  type "LIST"
  key pk "LIST#{listId}" sk "METADATA"
  index @H1@GSI3 direct
  listId    : id = uuid() immutable
  isPublic  : bool = true
  isPublicStr : string computed "{isPublic}"
  createdAt : timestamp = now() immutable
}
)",
     R"(design Watch version 1
table "Watch" { key PK, SK; discriminate by attribute entityType
  index GSI3 (GSI3PK, GSI3SK) project all }
entity Watchlist {
  type "LIST"
  key pk "LIST#{listId}" sk "METADATA"
  index GSI3 pk "PUBLIC" sk "{createdAt}#{listId}" when isPublic = true shards 8
  listId    : id = uuid() immutable
  isPublic  : bool = true
  createdAt : timestamp = now() immutable
}
)"},
    {"T26: an index with keys alone is asked for whole items",
     R"(design Watch version 1
table "Watch" { key PK, SK; discriminate by attribute entityType
  index GSI4 (entityType, createdAt) project keys }
entity Movie {
  type "MOVIE"
  key pk "MOVIE#{movieId}" sk "METADATA"
  index GSI4 direct
  movieId   : id = uuid() immutable
  title     : string(1..200)
  createdAt : timestamp = now() immutable
}
access @A8@ofType(entityType: string) -> Movie* = query GSI4 pk "{entityType}"
)",
     R"(design Watch version 1
table "Watch" { key PK, SK; discriminate by attribute entityType
  index GSI4 (entityType, createdAt) project keys }
entity Movie {
  type "MOVIE"
  key pk "MOVIE#{movieId}" sk "METADATA"
  index GSI4 direct
  movieId   : id = uuid() immutable
  title     : string(1..200)
  createdAt : timestamp = now() immutable
}
access ofType(entityType: string) -> Movie* = query GSI4 pk "{entityType}" hydrate
)"},
    {"T26: an entity without the attribute of an index is not in it",
     R"(design Watch version 1
table "Watch" { key PK, SK; discriminate by attribute entityType
  index GSI4 (entityType, createdAt) project keys }
entity Saved {
  type "SAVED"
  key pk "USER#{userId}" sk "SAVED"
  index @N3@GSI4 direct
  userId  : id immutable
  savedAt : timestamp = now() immutable
}
)",
     R"(design Watch version 1
table "Watch" { key PK, SK; discriminate by attribute entityType
  index GSI4 (entityType, createdAt) project keys }
entity Saved {
  type "SAVED"
  key pk "USER#{userId}" sk "SAVED"
  index GSI4 direct
  userId    : id immutable
  createdAt : timestamp = now() immutable
}
)"},
    {"T27: a list is ordered by its positions, which are in no key",
     R"(design Watch version 1
table "Watch" { key PK, SK; discriminate by attribute entityType }
entity WatchlistItem {
  type "ITEM"
  key pk "LIST#{listId}" sk "ITEM#{contentId}"
  listId    : id immutable
  contentId : id immutable
  position  : int(0..99999) immutable
}
access items(listId) -> WatchlistItem* =
  query table pk "LIST#{listId}" sk begins "ITEM#" sort @A9@position
)",
     R"(design Watch version 1
table "Watch" { key PK, SK; discriminate by attribute entityType }
entity WatchlistItem {
  type "ITEM"
  key pk "LIST#{listId}" sk "ITEM#{position:05}#{contentId}"
  listId    : id immutable
  contentId : id immutable
  position  : int(0..99999) immutable
}
access items(listId) -> WatchlistItem* =
  query table pk "LIST#{listId}" sk begins "ITEM#"
)"},
    {"T28: the id of the example is no UUID",
     R"(design Watch version 1
table "Watch" { key PK, SK; discriminate by attribute entityType }
entity Watchlist {
  type "LIST"
  key pk "LIST#{listId}" sk "METADATA"
  listId : @S3@uuid
}
)",
     R"(design Watch version 1
table "Watch" { key PK, SK; discriminate by attribute entityType }
entity Watchlist {
  type "LIST"
  key pk "LIST#{listId}" sk "METADATA"
  listId : id
}
)"},
    {"T29: times with and without milliseconds do not sort by time",
     R"(design Watch version 1
table "Watch" { key PK, SK; discriminate by attribute entityType }
entity Comment {
  type "COMMENT"
  key pk "LIST#{listId}" sk "COMMENT#{createdAt}#{userId}"
  listId    : id immutable
  userId    : id immutable
  createdAt : timestamp(ms) = now() immutable
}
access commentsSince(listId, from: timestamp(s)) -> Comment* =
  query table pk "LIST#{listId}" sk between "COMMENT#{@K8@from}" and "COMMENT#Z"
)",
     R"(design Watch version 1
table "Watch" { key PK, SK; discriminate by attribute entityType }
entity Comment {
  type "COMMENT"
  key pk "LIST#{listId}" sk "COMMENT#{createdAt}#{userId}"
  listId    : id immutable
  userId    : id immutable
  createdAt : timestamp(ms) = now() immutable
}
access commentsSince(listId, from: timestamp(ms)) -> Comment* =
  query table pk "LIST#{listId}" sk between "COMMENT#{from}" and "COMMENT#Z"
)"},
};

INSTANTIATE_TEST_SUITE_P(Checks, WatchTraps, testing::ValuesIn(kTraps));

}  // namespace
}  // namespace trestle::design

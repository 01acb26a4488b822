#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "design/runtime.h"
#include "json/json.h"
#include "platform/call.h"

// What the routes of apps do with the items of a design, again and again. Items are shown as
// App::views say.

namespace trestle::platform {

// Of texts: {{"userId", sub}, {"id", id}}.
[[nodiscard]] design::Record TextRecord(
    std::initializer_list<std::pair<std::string_view, std::string_view>> texts);

// The parts of an app's design by their names, which an app knows to be there.
[[nodiscard]] const design::Entity& EntityNamed(const Call& call, std::string_view name);

// One item as JSON: an object, or the members into one that is open.
void WriteItem(const Call& call, const design::TypedItem& item, json::Writer& writer);
void WriteItemMembers(const Call& call, const design::TypedItem& item, json::Writer& writer);

// Answers with an item and its ETag; with 304 when the caller has it already.
[[nodiscard]] Status ReplyItem(Call& call, const design::TypedItem& item, json::Writer& reply);
// With 201 and where it is now: a path below the app.
[[nodiscard]] Status ReplyCreated(Call& call, const design::TypedItem& item, std::string_view path,
                                  json::Writer& reply);
// With 204.
[[nodiscard]] Status ReplyNothing(Call& call);

// What the body says of a new item, or changes in one (RFC 7396). What callers may not give is
// refused as unknown, or as read-only.
[[nodiscard]] Result<design::Record> NewItem(const Call& call, std::string_view entity);
[[nodiscard]] Result<design::Changes> ItemChanges(const Call& call, std::string_view entity);

// kResourceNotFound, as for what others may not see.
[[nodiscard]] Error NotFound(std::string_view what);

// The item, or NotFound.
[[nodiscard]] Result<design::TypedItem> GetItem(const Call& call, std::string_view entity,
                                                const design::Record& identity);

// Those of them that are there, in no order, in as few reads as the back end can; what cannot be an
// identity is not there.
[[nodiscard]] Result<std::vector<design::TypedItem>> GetMany(
    design::Runtime& runtime, std::string_view entity, std::span<const design::Record> identities,
    bool is_consistent = false);

// With what If-Match asks for. The problem version-mismatch, with the tag that the item has now,
// when it has another.
[[nodiscard]] Result<design::TypedItem> UpdateItem(Call& call, std::string_view entity,
                                                   const design::Record& identity,
                                                   const design::Changes& changes,
                                                   design::WriteOptions options = {});
[[nodiscard]] Result<design::TypedItem> DeleteItem(Call& call, std::string_view entity,
                                                   const design::Record& identity,
                                                   design::WriteOptions options = {});
// Creates it, or changes it to these attributes. `identity` is its own.
[[nodiscard]] Result<design::TypedItem> UpsertItem(Call& call, std::string_view entity,
                                                   const design::Record& identity,
                                                   const design::Record& attributes,
                                                   design::WriteOptions options = {});
// The problem version-mismatch, with the tag that the item has now.
[[nodiscard]] Error ChangedMeanwhile(Call& call, const design::TypedItem& current);
// The problem already-exists when it is there.
[[nodiscard]] Result<design::TypedItem> CreateItem(Call& call, std::string_view entity,
                                                   const design::Record& attributes,
                                                   design::WriteOptions options = {});

// The attributes of a record that say which item of the entity it is.
[[nodiscard]] design::Record IdentityOf(const design::Entity& entity, const design::Record& record);
[[nodiscard]] design::Record IdentityOf(const design::TypedItem& item);
// Outside of a call; gone meanwhile is as good as deleted. Of an entity, not a mirror.
[[nodiscard]] Status DeleteIfThere(design::Runtime& runtime, const design::TypedItem& item);

// An access pattern by its name.
[[nodiscard]] Result<design::TypedPage> RunAccess(const Call& call, std::string_view access,
                                                  const design::Record& arguments,
                                                  const design::PageOptions& options = {});
// All of its items, page by page; kLimitExceeded when they are more than `items_max`.
struct WholeOptions {
  std::size_t items_max = 100'000;
  std::vector<std::string> attributes = {};  // as in PageOptions
};
[[nodiscard]] Result<std::vector<design::TypedItem>> RunWhole(design::Runtime& runtime,
                                                              std::string_view access,
                                                              const design::Record& arguments,
                                                              const WholeOptions& whole = {});
[[nodiscard]] Result<std::vector<design::TypedItem>> RunOperation(
    Call& call, std::string_view operation, const design::Record& arguments,
    design::WriteOptions options = {});
// The same with what If-Match asks for. The last step of the operation is about an item of the
// entity, which the arguments name.
[[nodiscard]] Result<std::vector<design::TypedItem>> RunOperationOn(
    Call& call, std::string_view entity, std::string_view operation,
    const design::Record& arguments);

// Makes the caller's own item in an app if there is none. `attributes` name it.
[[nodiscard]] Status EnsureProfile(Call& call, std::string_view entity,
                                   const design::Record& attributes);

// A page of an access pattern: {"items": […], "nextCursor": "…"}, with its Link. The route is a
// list (Route::is_list).
struct ListOptions {
  std::optional<bool> is_descending = std::nullopt;
  // Leaves items out after reading; the page is filled up with others.
  std::function<bool(const design::TypedItem&)> keep = nullptr;
  // Writes further members of the answer.
  std::function<Status(json::Writer&)> add = nullptr;
  // Of ReplyList: reads what `write` needs for items that were read together.
  std::function<Status(std::span<const design::TypedItem>)> prepare = nullptr;
  // Writes an item otherwise than by its view.
  std::function<void(const design::TypedItem&, json::Writer&)> write = nullptr;
};
[[nodiscard]] Status ReplyList(Call& call, std::string_view access, const design::Record& arguments,
                               const ListOptions& options, json::Writer& reply);

// The same for items that were read already, in the order of `key_of` and then of their identity.
[[nodiscard]] Status ReplySorted(Call& call, std::span<const design::TypedItem> items,
                                 const std::function<std::string(const design::TypedItem&)>& key_of,
                                 const ListOptions& options, json::Writer& reply);

// The same for lists that are not an access pattern: a position in the caller's own words.
[[nodiscard]] Result<std::string> OpenCursor(const Call& call);
// Writes nextCursor and its Link. Empty: the last page.
void WriteCursor(Call& call, std::string_view position, json::Writer& reply);
[[nodiscard]] std::uint32_t LimitOf(const Call& call);

}  // namespace trestle::platform

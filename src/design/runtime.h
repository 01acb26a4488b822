#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "design/backend.h"
#include "design/model.h"
#include "design/record.h"

namespace trestle::design {

struct RuntimeState;

struct RuntimeOptions {
  const Clock* clock = nullptr;  // both must outlive the run time
  Random* random = nullptr;
  // Values of the design's parameters; those not given have their defaults.
  std::map<std::string, std::string, std::less<>> parameters;
};

// What a caller changes in an item. A value that is set to absent is removed.
struct Changes {
  struct Set {
    Path path;
    std::string value;  // encoded
  };
  std::vector<Set> set;
  std::vector<Path> remove;
  std::vector<Set> append;  // to lists: one element each
  std::vector<Set> drop;    // from lists: the first equal element each
  std::vector<Set> increment;
};
[[nodiscard]] Changes SetAll(const Record& attributes);

// What a design cannot say of attributes. Sees the item as it is, nothing of a new one, and as it
// will be, as far as the design has nothing against it; adds to what is wrong, by attribute.
using FieldRules =
    std::function<void(const Record& now, const Record& next, std::vector<FieldFailure>& failures)>;

struct WriteOptions {
  // The lock's value that was seen (by an operation's last step), or else kConditionalCheckFailed.
  std::optional<std::int64_t> expected_version;
  // Must hold for the item as it is, with `arguments` for the names in it.
  const Condition* where = nullptr;
  const Record* arguments = nullptr;
  // The caller's own rules, asked again when somebody else changed the item in between. `rule` is
  // of an update: it sees the item as it is, and may add to the changes. `check` sees the item that
  // is created or changed as it will be, when the design has nothing against it. What `fields`
  // finds wrong is told together with what the design has against the attributes.
  std::function<Status(const Record& now, Changes& changes)> rule;
  std::function<Status(const Record& next)> check;
  FieldRules fields;
  // Of the maintainer, which finishes what a design derives: `restrict` and `append_only` do not
  // bind, derived attributes may change, and neither the version nor `on_update` follows.
  bool is_maintenance = false;
  // Joins the transaction of the write, such as an idempotency record in another table.
  std::vector<WriteItem> together_with;
};

struct PageOptions {
  std::optional<std::uint32_t> limit;  // items of the page; else the access's own, else 100
  std::optional<bool> is_descending;   // for `order either`
  std::string cursor;                  // of the page before; empty: the first page
  std::uint32_t read_budget = 5000;    // items read at most for one page
  // The attributes that items of a query are given with; none: all. Beside them, only what a filter
  // or an order needs is read.
  std::vector<std::string> attributes;
};

struct TypedItem {
  KindReference kind;
  Record record;  // with key_only attributes and averages, without keys and internal attributes
  std::optional<std::int64_t> version;  // the lock's value; none: the item has none
};

struct TypedPage {
  std::vector<TypedItem> items;
  std::string cursor;  // empty: the last page
};

// A design at work on one back end. Safe from many threads; calls block.
//
// What is wrong with a caller's attributes is kValidation, with every failure by attribute in
// ErrorDetails::fields. An item that is not there is kResourceNotFound; one that is there already,
// a `unique` that is taken, a version or a `where` that does not hold is kConditionalCheckFailed,
// with a sentence that says which.
class Runtime {
 public:
  // The model and the back end must outlive it.
  Runtime(const Model& model, Backend& backend, const RuntimeOptions& options);
  ~Runtime();
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  [[nodiscard]] const Model& model() const;
  [[nodiscard]] Backend& backend() const;
  [[nodiscard]] const std::string& table() const;  // its name

  // The item as it is stored now.
  [[nodiscard]] Result<TypedItem> Create(const Entity& entity, const Record& attributes,
                                         const WriteOptions& options = {});
  // Creates the item, or changes it to these attributes when it is there.
  [[nodiscard]] Result<TypedItem> Upsert(const Entity& entity, const Record& attributes,
                                         const WriteOptions& options = {});
  // The actions of Create, for a transaction of another run time (WriteOptions::together_with). The
  // item must not be there; each call draws ids and times anew.
  [[nodiscard]] Result<std::vector<WriteItem>> PlanCreate(const Entity& entity,
                                                          const Record& attributes,
                                                          const WriteOptions& options = {});
  // `identity` holds Entity::identity.
  [[nodiscard]] Result<std::optional<TypedItem>> Get(const Entity& entity, const Record& identity,
                                                     bool is_consistent = true);
  [[nodiscard]] Result<TypedItem> Update(const Entity& entity, const Record& identity,
                                         const Changes& changes, const WriteOptions& options = {});
  // The item as it was.
  [[nodiscard]] Result<TypedItem> Delete(const Entity& entity, const Record& identity,
                                         const WriteOptions& options = {});

  // An access pattern by its parameters. A get gives a page of one or none.
  [[nodiscard]] Result<TypedPage> Run(const Access& access, const Record& arguments,
                                      const PageOptions& options = {});
  // All items that it created or changed.
  [[nodiscard]] Result<std::vector<TypedItem>> Run(const Operation& operation,
                                                   const Record& arguments,
                                                   const WriteOptions& options = {});

  // An item of the table as what the design calls it; nothing for internal items and for items
  // that the design does not know.
  [[nodiscard]] std::optional<TypedItem> Recognise(value::ItemView item) const;

  // For what keeps a design's data right beside it (maintainer.h, verify.h).
  [[nodiscard]] RuntimeState& state();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace trestle::design

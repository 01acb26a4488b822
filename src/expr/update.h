#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "expr/placeholders.h"
#include "value/document_path.h"
#include "value/item.h"

namespace trestle::expr {

struct UpdateClauses;  // ast.h

// An UpdateExpression with its names and values resolved. Immutable and cheap to copy.
class Update {
 public:
  Update() = default;  // no action: creates the bare key, or leaves the item as it is

  // Everything that can be wrong without an item is found here, overlapping paths included.
  [[nodiscard]] static Result<Update> Parse(std::string_view text, Placeholders& placeholders);

  // An update that no text says, such as one of a legacy parameter.
  explicit Update(UpdateClauses clauses);

  [[nodiscard]] bool empty() const { return clauses_ == nullptr; }

  // Whether AttributeUpdates said it: some error texts do not speak of an expression then.
  [[nodiscard]] bool is_attribute_updates() const;

  // Whether an update of an absent item creates it: not when its only actions are REMOVE and
  // DELETE.
  [[nodiscard]] bool CreatesItem() const;

  // The item after the update. Every right-hand side reads `old_item`. `base` is what the result
  // grows from: the old item, or the bare key when there is none.
  [[nodiscard]] Result<value::Item> Apply(const std::optional<value::ItemView>& old_item,
                                          value::ItemView base) const;

  // What the actions name on their left-hand sides, for UPDATED_OLD and UPDATED_NEW and for the
  // refusal to change a key attribute.
  [[nodiscard]] const std::vector<value::DocumentPath>& targets() const;

  // A byte string that is equal for equal updates, for comparing two requests.
  [[nodiscard]] std::string Fingerprint() const;

 private:
  std::shared_ptr<const UpdateClauses> clauses_;
};

}  // namespace trestle::expr

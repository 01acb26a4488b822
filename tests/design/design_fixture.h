#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "design/backend_fixture.h"
#include "design/model.h"
#include "design/runtime.h"
#include "design/testing_internal.h"

namespace trestle::design::testing {

// A design at work on a fresh table.
class DesignFixture : public BackendFixture {
 protected:
  // One of the applications' designs: "books". Its table has a name of the test's own.
  void Use(std::string_view app);
  void UseText(std::string text);

  [[nodiscard]] Runtime& runtime() { return *runtime_; }
  [[nodiscard]] const Entity& entity(std::string_view name) const;
  [[nodiscard]] const Operation& operation(std::string_view name) const;
  [[nodiscard]] const Access& access(std::string_view name) const;

  // By their text: {userId: "u1"}. Failures fail the test, and give an empty item.
  TypedItem Create(std::string_view name, std::string_view attributes);
  TypedItem Update(std::string_view name, std::string_view identity, std::string_view set);
  void Delete(std::string_view name, std::string_view identity);
  void RunOperation(std::string_view name, std::string_view arguments);
  // The error's code and sentence, or "ok".
  std::string Refusal(std::string_view name, std::string_view arguments);
  std::string CreateRefusal(std::string_view name, std::string_view attributes);
  std::string UpdateRefusal(std::string_view name, std::string_view identity, std::string_view set);
  std::string DeleteRefusal(std::string_view name, std::string_view identity);

  // The item, or none.
  std::optional<TypedItem> Get(std::string_view name, std::string_view identity);
  // What the item has at a path, as text; "absent".
  std::string At(std::string_view name, std::string_view identity, std::string_view path);

  // Raw: all items of the table as "pk|sk", in order.
  std::vector<std::string> Keys();
  std::optional<value::Item> Raw(std::string_view partition_key, std::string_view sort_key);

 private:
  std::unique_ptr<const Model> model_;
  std::unique_ptr<Runtime> runtime_;
};

// {a: 1} as changes that set.
[[nodiscard]] Changes SetOf(std::string_view attributes);
[[nodiscard]] std::string TextOf(const std::optional<value::ValueView>& value);
[[nodiscard]] Path PathOf(std::string_view text);

}  // namespace trestle::design::testing

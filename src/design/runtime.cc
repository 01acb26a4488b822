#include "design/runtime.h"

#include "base/check.h"
#include "design/recognise.h"
#include "design/runtime_internal.h"

namespace trestle::design {
namespace {

std::string TableName(const Model& model, const RuntimeOptions& options) {
  Record parameters;
  for (const DesignParameter& parameter : model.parameters) {
    const auto given = options.parameters.find(parameter.name);
    parameters.SetText(parameter.name,
                       given == options.parameters.end() ? parameter.default_value : given->second);
  }
  const auto name = model.table.name.Compose(parameters);
  CHECK(name.ok(), "a table's name of parameters that the design does not have");
  return *name;
}

}  // namespace

RuntimeState::RuntimeState(const Model& of, Backend& on, const RuntimeOptions& options)
    : model(of),
      backend(on),
      clock(*options.clock),
      random(*options.random),
      table(TableName(of, options)),
      identifiers(random),
      validator(of) {}

Runtime::Runtime(const Model& model, Backend& backend, const RuntimeOptions& options)
    : impl_(std::make_unique<Impl>(model, backend, options)) {}
Runtime::~Runtime() = default;

const Model& Runtime::model() const { return impl_->model; }
Backend& Runtime::backend() const { return impl_->backend; }
const std::string& Runtime::table() const { return impl_->table; }
RuntimeState& Runtime::state() { return *impl_; }

std::optional<TypedItem> Runtime::Recognise(value::ItemView item) const {
  return design::Recognise(impl_->model, item);
}

}  // namespace trestle::design

#include "design/resolve_internal.h"

// What the reports on heat and cost assume.

namespace trestle::design {
namespace {

struct LoadResolver {
  const Resolving& in;

  void operator()(const syntax::ItemLoad& load) const {
    std::vector<KindReference> kinds;
    ResolveKinds(in, load.entity, kinds);
    if (kinds.empty() || !load.per) return;
    const Entity* entity =
        kinds.front().entity != nullptr ? kinds.front().entity : kinds.front().mirror->of;
    if (entity == nullptr) return;
    const Scope scope{.entities = {entity}, .parameters = {}, .name = entity->name};
    ResolveAttribute(in, scope, load.per->attribute);
  }
  void operator()(const syntax::AccessRate& rate) const { ResolveAccess(in, rate.access); }
  void operator()(const syntax::WriteRate& rate) const { (void)ResolveEntities(in, rate.entity); }
};

}  // namespace

void ResolveLoad(const Resolving& in) {
  for (const auto* statement : StatementsOf<syntax::Load>(in.tree)) {
    for (const auto& assumption :
         std::get<syntax::Load>(statement->content).assumptions.statements) {
      std::visit(LoadResolver{in}, assumption.content);
      in.model.load.push_back(assumption);
    }
  }
}

}  // namespace trestle::design

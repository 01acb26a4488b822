#include "studio/studio.h"

#include <algorithm>
#include <utility>

#include "platform/problem.h"

namespace trestle::studio {

Studio::Studio(StudioOptions options) : options_(std::move(options)) {
  const platform::Access access =
      options_.is_open ? platform::Access::kPublic : platform::Access::kAdmin;
  const auto add = [&](std::string_view method, std::string_view path, platform::Handle handle,
                       std::string_view summary) {
    routes_.push_back({.method = method,
                       .path = path,
                       .access = access,
                       .handle = handle,
                       .summary = summary,
                       .subject = {}});
  };
  add("POST", "/dynamodb", CallDynamoDb, "An operation of DynamoDB");
  add("GET", "/designs", ListDesigns, "The designs that are known");
  add("POST", "/designs/check", CheckDesign, "What is right and wrong with a design");
  add("POST", "/designs/apply", ApplyDesign, "Makes the table that a design asks for");
  add("GET", "/designs/{design}", ShowDesign, "One design with its text");
  add("POST", "/designs/{design}/access/{access}", RunAccess, "Runs an access with its cost");
  add("POST", "/designs/{design}/recognise", RecogniseItems, "What items are");
  name = "studio";
  title = "Studio";
  routes = routes_;
}

const KnownDesign* Studio::Find(std::string_view wanted) const {
  const auto found = std::ranges::find_if(
      designs_, [&](const KnownDesign& it) { return it.model->name == wanted; });
  return found == designs_.end() ? nullptr : &*found;
}

const Studio& StudioOf(const platform::Call& call) {
  return static_cast<const Studio&>(call.app());  // its routes are no other app's
}

Result<const KnownDesign*> DesignOf(const platform::Call& call) {
  const KnownDesign* design = StudioOf(call).Find(call.PathValue("design"));
  if (design == nullptr) return platform::ProblemError("not-found", "there is no such design");
  return design;
}

Status CallDynamoDb(platform::Call& call, json::Writer& reply) {
  const StudioOptions& options = StudioOf(call).options();
  const wire::LocalReply answer = TRY(
      options.call({.target = call.Header("X-Amz-Target").value_or(""), .body = call.raw_body()}));
  call.SetStatus(answer.status);
  reply.Raw(answer.body);
  return Ok();
}

}  // namespace trestle::studio

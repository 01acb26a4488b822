#pragma once

#include <deque>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "design/backend.h"
#include "design/model.h"
#include "platform/app.h"
#include "platform/call.h"
#include "wire/local_call.h"

namespace trestle::studio {

// A design that the studio shows.
struct KnownDesign {
  std::string text;                      // as in its file
  const design::Model* model = nullptr;  // outlives the studio
  std::string table;                     // its name
};

struct StudioOptions {
  // Runs an operation of DynamoDB where the data is. Fails when nobody answers.
  std::function<Result<wire::LocalReply>(const wire::LocalRequest& request)> call;
  design::Backend* backend = nullptr;  // these outlive the studio
  const Clock* clock = nullptr;
  Random* random = nullptr;
  // Who may use it: anybody who reaches the port where only this machine does, else the group
  // `admin`.
  bool is_open = false;
};

// The studio's routes, at /api/studio/v1:
//
//   POST /dynamodb                          an operation of DynamoDB, named by X-Amz-Target
//   GET  /designs                           the designs that are known
//   GET  /designs/{design}                  one of them, with its text
//   POST /designs/check                     what is right and wrong with a text
//   POST /designs/apply                     makes the table that a text asks for
//   POST /designs/{design}/access/{access}  runs an access that reads, with its cost
//   POST /designs/{design}/recognise        what items are
//
// An app like others to the service. Safe from many threads once it serves.
class Studio : public platform::App {
 public:
  explicit Studio(StudioOptions options);
  Studio(const Studio&) = delete;
  Studio& operator=(const Studio&) = delete;

  // Before it serves.
  void Add(KnownDesign known) { designs_.push_back(std::move(known)); }

  [[nodiscard]] const StudioOptions& options() const { return options_; }
  [[nodiscard]] const std::deque<KnownDesign>& designs() const { return designs_; }
  // Null when there is none.
  [[nodiscard]] const KnownDesign* Find(std::string_view wanted) const;

 private:
  const StudioOptions options_;
  std::deque<KnownDesign> designs_;
  std::vector<platform::Route> routes_;
};

// The studio that a call is to.
[[nodiscard]] const Studio& StudioOf(const platform::Call& call);
// The design that a call's path names; kResourceNotFound.
[[nodiscard]] Result<const KnownDesign*> DesignOf(const platform::Call& call);

// The routes' handlers.
Status CallDynamoDb(platform::Call& call, json::Writer& reply);
Status ListDesigns(platform::Call& call, json::Writer& reply);
Status ShowDesign(platform::Call& call, json::Writer& reply);
Status CheckDesign(platform::Call& call, json::Writer& reply);
Status ApplyDesign(platform::Call& call, json::Writer& reply);
Status RunAccess(platform::Call& call, json::Writer& reply);
Status RecogniseItems(platform::Call& call, json::Writer& reply);

}  // namespace trestle::studio

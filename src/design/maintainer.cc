#include "design/maintainer.h"

#include <utility>

#include "design/follow_change_internal.h"
#include "design/runtime_internal.h"

namespace trestle::design {

// What the follower's thread works with. An expiry's mark goes when the position behind it is
// stored.
struct Maintainer::Work final : PositionStore {
  Work(Runtime& runtime, const std::string& consumer)
      : position(NewTablePosition(runtime, consumer)), follower(runtime.state()) {}

  Result<std::string> Read() override { return position->Read(); }
  Status Write(const std::string& text) override {
    TRY(position->Write(text));
    return follower.ForgetExpiries();
  }

  std::unique_ptr<PositionStore> position;
  ChangeFollower follower;
};

Maintainer::Maintainer(Runtime& runtime, const MaintainerOptions& options)
    : work_(std::make_unique<Work>(runtime, options.consumer)),
      follower_(runtime, *work_,
                {.consumer = options.consumer,
                 .follow = [work = work_.get()](
                               const Change& change) { return work->follower.Follow(change); },
                 .give_up = [](const Change& /*change*/, const Error& /*error*/,
                               int /*tries*/) { return Ok(); },
                 .tries_max = options.tries_max}) {}

Maintainer::~Maintainer() = default;

}  // namespace trestle::design

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "platform/app.h"
#include "platform/consumers.h"

namespace trestle::platform {

// What whoever runs a server sees of it, at /api/operator/v1, for the group admin:
//
//   GET  /consumers                                 how far all consumers are
//   GET  /consumers/{app}/{consumer}/dead-letters   the changes that one has given up
//   POST /consumers/{app}/{consumer}/replay         gives them to it again
//   GET  /jobs                                      long work of all people
//   GET  /audit                                     what administrators have done
//
// Its mount has the run time of platform.design. Safe from many threads once it serves.
class OperatorApp : public App {
 public:
  OperatorApp();
  OperatorApp(const OperatorApp&) = delete;
  OperatorApp& operator=(const OperatorApp&) = delete;

  // Before it serves. The consumers outlive it.
  void Add(std::string app, Consumers* of_app);

  [[nodiscard]] std::vector<ConsumerState> states() const;
  // kResourceNotFound when there is no such app or consumer.
  struct Name {
    std::string_view app;
    std::string_view consumer;
  };
  [[nodiscard]] Result<Consumers::Replayed> Replay(const Name& name) const;

 private:
  struct Entry {
    std::string app;
    Consumers* consumers;
  };
  std::vector<Entry> entries_;
};

}  // namespace trestle::platform

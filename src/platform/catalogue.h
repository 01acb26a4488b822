#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace trestle::platform {

// Where things are looked up that somebody holds in the hand: by the code that is printed on one,
// or by its title. What an app does with a kind of catalogue is its own; a server has one or none.
class Catalogue {
 public:
  virtual ~Catalogue() = default;

  struct Question {
    std::string type;   // what the app calls such things
    std::string code;   // in the app's one form; empty: by title
    std::string title;  // as somebody types it
    std::size_t limit = 10;
  };
  // What is known of one thing: names of columns and their texts.
  using Entry = std::vector<std::pair<std::string, std::string>>;
  // Best first. Safe from many threads; may block.
  [[nodiscard]] virtual Result<std::vector<Entry>> Find(const Question& question) const = 0;
};

}  // namespace trestle::platform

#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "design/model.h"
#include "design/record.h"

namespace trestle::design {

// A request that an access pattern becomes.
struct ExplainedRequest {
  std::string operation;  // "Query"
  std::string json;       // its body, a member on each line
  std::string command;    // the same as a command of the AWS command line
};

struct ExplainedAccess {
  std::vector<ExplainedRequest> requests;  // in the order in which they are sent
  std::string remark;                      // what no request shows; empty: nothing
};

// What an access becomes on `table`. Arguments that are not given are shown as <name>.
[[nodiscard]] Result<ExplainedAccess> Explain(const Model& model, const Access& access,
                                              const std::string& table, const Record& arguments);

}  // namespace trestle::design

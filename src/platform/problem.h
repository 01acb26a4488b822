#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

// Errors as clients of the web port see them: RFC 9457, application/problem+json.

namespace trestle::platform {

// What may go wrong, as programs tell it apart. docs/reference/http-api.md lists all of them.
struct ProblemKind {
  std::string_view code;  // "not-found"; its type is "/problems/not-found"
  int status;
  std::string_view title;
};

// Null when there is none.
[[nodiscard]] const ProblemKind* FindProblemKind(std::string_view code);
// What a status alone says.
[[nodiscard]] const ProblemKind& ProblemKindOf(int status);

// An error that a handler gives to name its problem. `code` is one that FindProblemKind knows.
[[nodiscard]] Error ProblemError(std::string_view code, std::string detail);
// What is wrong with one field or parameter: kValidation with one failure.
[[nodiscard]] Error FieldError(FieldFailure failure);

struct Problem {
  const ProblemKind* kind;
  std::string detail;
  std::vector<FieldFailure> errors;
};

// The kind is the one the error names (ErrorDetails::name), else follows from its code. What went
// wrong inside is not told.
[[nodiscard]] Problem ToProblem(const Error& error);

// Appends the body. A failure's field is written as the JSON pointer that it stands for; one that
// begins with ? is a parameter of the query.
struct ProblemContext {
  std::string_view instance;  // the request's path
  std::string_view request_id;
};
void AppendProblem(const Problem& problem, const ProblemContext& context, std::string& out);

// "stats.reads" is "/stats/reads", "tags[2]" is "/tags/2"; a pointer stays what it is.
[[nodiscard]] std::string PointerOf(std::string_view field);

}  // namespace trestle::platform

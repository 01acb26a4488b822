#include "design/syntax/json_twin.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "design/syntax/parser.h"
#include "design/syntax/printer.h"

namespace trestle::design::syntax {
namespace {

std::string Refusal(std::string_view json) {
  const ParsedDesign read = FromJson(json);
  return read.diagnostics.empty() ? "taken" : Print(read.diagnostics.front(), "f");
}

// `declaration` inside a design.
std::string Refused(std::string_view declaration) {
  return Refusal(R"({"design":"D","version":1,"declarations":[)" + std::string(declaration) + "]}");
}

TEST(JsonTwin, SaysWhatTheTextSays) {
  const ParsedDesign parsed = ParseDesign(
      "// Top.\ndesign D version 2\n\nentity E {  // open\n  a : int(0..)? = 1 immutable  // end\n"
      "  // last\n}  // close\n");
  EXPECT_EQ(ToJson(parsed.design),
            R"({"design":"D","version":2,"comments":[{"text":"Top."}],"declarations":[)"
            R"({"kind":"entity","name":"E","members":[{"kind":"attribute","name":"a",)"
            R"("type":{"kind":"ranged","name":"int","range":{"min":"0"}},"optional":true,)"
            R"("default":{"kind":"number","digits":"1"},)"
            R"("modifiers":[{"kind":"flag","flag":"immutable"}],"comment":"end"}],)"
            R"("end_comments":[{"text":"last"}],"end_comment":"close","blank_before":true,)"
            R"("comment":"open"}]})");
}

TEST(JsonTwin, RefusesWithThePlace) {
  EXPECT_EQ(Refusal("{"), "f: error S8: this is not JSON: " +
                              Refusal("{").substr(Refusal("{").find("JSON: ") + 6));
  EXPECT_EQ(Refusal("[]"), "f: error S8: at the top: expected an object");
  EXPECT_EQ(Refusal(R"({"version":1})"), "f: error S8: at the top: \"design\" is missing");
  EXPECT_EQ(Refused(R"({"kind":"tenant"})"),
            "f: error S8: at /declarations/0: \"attribute\" is missing");
  EXPECT_EQ(Refused(R"({"kind":"tenant","attribute":5})"),
            "f: error S8: at /declarations/0/attribute: expected a text");
  EXPECT_EQ(Refused(R"({"kind":"tenants","attribute":"a"})"),
            "f: error S8: at /declarations/0: the kind \"tenants\" is none of tenant, param, "
            "table, entity, shape, group, mirror, access, external_access, operation, load");
  EXPECT_EQ(Refused(R"({"kind":"tenant","attribute":"a","coment":"x"})"),
            "f: error S8: at /declarations/0: \"coment\" is not known here; did you mean "
            "\"comment\"?");
  EXPECT_EQ(Refused(R"({"kind":"group","name":"G","entities":[]})"),
            "f: error S8: at /declarations/0: \"entities\" needs at least 1");
  EXPECT_EQ(Refused(R"({"kind":"table","name":"{x"})"),
            "f: error S8: at /declarations/0/name: `{` opens a placeholder that is not closed; "
            "write `{{` for a brace");
}

// The text is what counts: JSON cannot say what no text can say.
TEST(JsonTwin, RefusesWhatTheTextCannotHold) {
  EXPECT_EQ(Refused(R"({"kind":"tenant","attribute":"a b"})"),
            "f: error S8: as text it would have an error at 2:10: expected the end of the line, "
            "not `b`");
  EXPECT_EQ(Refused(R"({"kind":"tenant","attribute":"a\ntenant b"})").substr(0, 48),
            "f: error S8: as text it would say something else");
  EXPECT_EQ(Refused(R"({"kind":"tenant","attribute":"a","comment":"x\ny"})").substr(0, 38),
            "f: error S8: as text it would have an ");
}

TEST(JsonTwin, RefusesWhatIsNestedTooDeep) {
  std::string condition = R"({"kind":"presence","path":"a"})";
  for (int i = 0; i < 200; ++i)
    condition = R"({"kind":"not","operand":)" + condition + "}";
  const std::string refusal =
      Refused(R"({"kind":"mirror","name":"M","entity":"E","when":)" + condition + "}");
  EXPECT_NE(refusal.find("nested too deep"), std::string::npos) << refusal.substr(0, 200);
}

}  // namespace
}  // namespace trestle::design::syntax

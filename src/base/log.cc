#include "base/log.h"

#include <cstdio>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "base/clock.h"

namespace trestle::log {
namespace {

Level g_level = Level::kInfo;  // NOLINT(readability-identifier-naming): set once at start

void AppendQuoted(std::string& line, std::string_view text) {
  line.push_back('"');
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      line.push_back('\\');
      line.push_back(c);
    } else if (static_cast<unsigned char>(c) < 0x20) {
      line += fmt::format("\\u{:04x}", static_cast<int>(c));
    } else {
      line.push_back(c);
    }
  }
  line.push_back('"');
}

void Write(Level level, std::string_view name, std::string_view sentence, Fields fields) {
  if (level < g_level) return;
  const std::int64_t now_ms = SystemClock().NowUnixMs();
  const std::time_t now_s = now_ms / 1000;
  std::string line = fmt::format("{{\"time\":\"{:%Y-%m-%dT%H:%M:%S}.{:03}Z\",\"level\":\"{}\",",
                                 fmt::gmtime(now_s), now_ms % 1000, name);
  line += "\"event\":";
  AppendQuoted(line, sentence);
  for (const auto& [key, value] : fields) {
    line.push_back(',');
    AppendQuoted(line, key);
    line.push_back(':');
    AppendQuoted(line, value);
  }
  line += "}\n";
  // One call, so that lines of several threads do not mix.
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace

void SetLevel(Level level) { g_level = level; }
void Info(std::string_view sentence, Fields fields) {
  Write(Level::kInfo, "info", sentence, fields);
}
void Warn(std::string_view sentence, Fields fields) {
  Write(Level::kWarn, "warn", sentence, fields);
}
void Error(std::string_view sentence, Fields fields) {
  Write(Level::kError, "error", sentence, fields);
}

}  // namespace trestle::log

#include "platform/identity/mail.h"

#include <cerrno>
#include <memory>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "design/time_text.h"
#include "json/json.h"

namespace trestle::platform::identity {
namespace {

constexpr std::size_t kMemoryMailsMax = 1000;

std::string Line(const Mail& mail, std::int64_t now_unix_ms) {
  std::string line;
  json::Writer writer(line);
  writer.BeginObject();
  writer.Key("at");
  writer.String(design::TimestampText(now_unix_ms, design::syntax::Precision::kMilliseconds));
  writer.Key("to");
  writer.String(mail.to);
  writer.Key("subject");
  writer.String(mail.subject);
  writer.Key("text");
  writer.String(mail.text);
  writer.EndObject();
  line += '\n';
  return line;
}

}  // namespace

Status MemoryMail::Send(const Mail& mail) {
  const MutexLock lock(mutex_);
  if (mails_.size() >= kMemoryMailsMax) mails_.erase(mails_.begin());
  mails_.push_back(mail);
  return Ok();
}

std::vector<Mail> MemoryMail::mails() const {
  const MutexLock lock(mutex_);
  return mails_;
}

Status FileMail::Send(const Mail& mail) {
  const std::string line = Line(mail, clock_.NowUnixMs());
  // Appending in one piece, lines of several threads do not mix.
  const int descriptor =
      ::open(file_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, S_IRUSR | S_IWUSR);
  const bool is_written = descriptor >= 0 && ::write(descriptor, line.data(), line.size()) ==
                                                 static_cast<ssize_t>(line.size());
  const int reason = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (is_written) return Ok();
  return Error(ErrorCode::kUnavailable,
               fmt::format("cannot write {}: {}", file_, std::generic_category().message(reason)));
}

}  // namespace trestle::platform::identity

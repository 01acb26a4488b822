#include "platform/search/sqlite.h"

#include <utility>

#include <fmt/format.h>
#include <sqlite3.h>

namespace trestle::platform::search {
namespace {

constexpr int kBusyMs = 10'000;

Error ErrorOf(sqlite3* connection, int code) {
  const std::string message = fmt::format(
      "the search index: {}", connection != nullptr ? sqlite3_errmsg(connection) : "no memory");
  switch (code & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_FORMAT:
      return CorruptionError(message);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_FULL:
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
      return {ErrorCode::kUnavailable, message};
    default:
      return {ErrorCode::kInternal, message};
  }
}

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

void Connection::Close::operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }

// Binding fails only for a parameter that the statement does not have, or without memory; the row
// is then missing something, and Step says so.
Statement& Statement::Bind(int parameter, std::int64_t value) {
  sqlite3_bind_int64(statement_.get(), parameter, value);
  return *this;
}

Statement& Statement::Bind(int parameter, double value) {
  sqlite3_bind_double(statement_.get(), parameter, value);
  return *this;
}

Statement& Statement::Bind(int parameter, std::string_view text) {
  sqlite3_bind_text64(statement_.get(), parameter, text.data() == nullptr ? "" : text.data(),
                      text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  return *this;
}

Statement& Statement::BindBlob(int parameter, std::string_view bytes) {
  sqlite3_bind_blob64(statement_.get(), parameter, bytes.data() == nullptr ? "" : bytes.data(),
                      bytes.size(), SQLITE_TRANSIENT);
  return *this;
}

Statement& Statement::BindPointer(int parameter, void* pointer, const char* type) {
  sqlite3_bind_pointer(statement_.get(), parameter, pointer, type, nullptr);
  return *this;
}

Result<bool> Statement::Step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  const Error error = ErrorOf(sqlite3_db_handle(statement_.get()), code);
  Reset();
  return error;
}

Status Statement::Run() {
  const auto stepped = Step();
  if (!stepped.ok()) return stepped.error();
  Reset();
  return Ok();
}

void Statement::Reset() {
  sqlite3_reset(statement_.get());
  sqlite3_clear_bindings(statement_.get());
}

std::int64_t Statement::Integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

double Statement::Real(int column) const { return sqlite3_column_double(statement_.get(), column); }

std::string_view Statement::Text(int column) const {
  const void* bytes = sqlite3_column_blob(statement_.get(), column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
  return bytes == nullptr ? std::string_view()
                          : std::string_view(static_cast<const char*>(bytes), size);
}

Result<std::unique_ptr<Connection>> Connection::Open(const std::string& file) {
  sqlite3* opened = nullptr;
  const int code =
      sqlite3_open_v2(file.empty() ? ":memory:" : file.c_str(), &opened,
                      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
  std::unique_ptr<Connection> connection(new Connection(opened));
  if (code != SQLITE_OK) return ErrorOf(opened, code);
  sqlite3_extended_result_codes(opened, 1);
  sqlite3_busy_timeout(opened, kBusyMs);
  return connection;
}

Status Connection::Run(const std::string& sql) {
  const int code = sqlite3_exec(handle(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return ErrorOf(handle(), code);
  return Ok();
}

Result<Statement*> Connection::Prepare(std::string_view sql) {
  const auto found = statements_.find(sql);
  if (found != statements_.end()) {
    found->second.Reset();
    return &found->second;
  }
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(handle(), sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (code != SQLITE_OK) return ErrorOf(handle(), code);
  return &statements_.emplace(sql, Statement(statement)).first->second;
}

std::int64_t Connection::last_row() const { return sqlite3_last_insert_rowid(handle()); }

Result<Transaction> Transaction::Begin(Connection& connection, Kind kind) {
  TRY(connection.Run(kind == Kind::kWrite ? "BEGIN IMMEDIATE" : "BEGIN"));
  return Transaction(connection);
}

Transaction::Transaction(Transaction&& other) noexcept
    : connection_(std::exchange(other.connection_, nullptr)) {}

// There is nothing to roll back when SQLite has done so itself.
Transaction::~Transaction() {
  if (connection_ != nullptr) static_cast<void>(connection_->Run("ROLLBACK"));
}

Status Transaction::Commit() {
  TRY(connection_->Run("COMMIT"));
  connection_ = nullptr;
  return Ok();
}

}  // namespace trestle::platform::search

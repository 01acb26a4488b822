#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

struct sqlite3;
struct sqlite3_stmt;

// SQLite, wrapped. Nothing outside this folder knows it.
//
// kCorruption: the file is not what SQLite wrote. kUnavailable: the disk, or a lock that somebody
// holds for too long.

namespace trestle::platform::search {

// A prepared statement. What it gives is valid until the next Step or Reset. One thread.
class Statement {
 public:
  explicit Statement(sqlite3_stmt* statement) : statement_(statement) {}

  // Parameters count from 1. Texts and blobs are copied.
  Statement& Bind(int parameter, std::int64_t value);
  Statement& Bind(int parameter, double value);
  Statement& Bind(int parameter, std::string_view text);
  Statement& BindBlob(int parameter, std::string_view bytes);
  // For a function of ours that asks for a pointer of this type.
  Statement& BindPointer(int parameter, void* pointer, const char* type);

  // Whether there is a row.
  [[nodiscard]] Result<bool> Step();
  // For what gives no rows; it can be bound and run again.
  [[nodiscard]] Status Run();
  void Reset();

  // Columns count from 0.
  [[nodiscard]] std::int64_t Integer(int column) const;
  [[nodiscard]] double Real(int column) const;
  [[nodiscard]] std::string_view Text(int column) const;  // and blobs

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

// One thread at a time.
class Connection {
 public:
  // An empty name is a database in memory.
  [[nodiscard]] static Result<std::unique_ptr<Connection>> Open(const std::string& file);

  // Statements without rows and parameters, divided by semicolons.
  [[nodiscard]] Status Run(const std::string& sql);
  // A statement, prepared once for the connection and reset. `sql` is a constant of the program.
  [[nodiscard]] Result<Statement*> Prepare(std::string_view sql);
  // The row's number that the last INSERT has made.
  [[nodiscard]] std::int64_t last_row() const;

  [[nodiscard]] sqlite3* handle() const { return connection_.get(); }

 private:
  struct Close {
    void operator()(sqlite3* connection) const;
  };
  explicit Connection(sqlite3* connection) : connection_(connection) {}

  std::unique_ptr<sqlite3, Close> connection_;
  std::map<std::string_view, Statement> statements_;  // go before the connection
};

// A transaction that ends without Commit has not happened.
class Transaction {
 public:
  enum class Kind : std::uint8_t { kRead, kWrite };
  [[nodiscard]] static Result<Transaction> Begin(Connection& connection, Kind kind);
  ~Transaction();
  Transaction(Transaction&& other) noexcept;
  Transaction& operator=(Transaction&&) = delete;

  [[nodiscard]] Status Commit();

 private:
  explicit Transaction(Connection& connection) : connection_(&connection) {}
  Connection* connection_;
};

}  // namespace trestle::platform::search

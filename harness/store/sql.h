#pragma once
#include <SQLiteCpp/SQLiteCpp.h>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

// Rows of SQLite as values: statements take any number of them, in the order of their parameters,
// and rows are read into any number of variables, in the order of their columns.
namespace assay::harness {

/// Integers of any width and bool as 64 bits (unsigned ones keep their bits), an unset optional as
/// NULL.
template <class Value>
void bind_one(SQLite::Statement& statement, int index, const Value& value) {
    if constexpr (std::is_integral_v<Value>)
        statement.bind(index, static_cast<std::int64_t>(value));
    else if constexpr (std::is_convertible_v<Value, std::string_view>)
        statement.bind(index, std::string(std::string_view(value)));
    else
        statement.bind(index, value);
}

template <class Value>
void bind_one(SQLite::Statement& statement, int index, const std::optional<Value>& value) {
    if (value)
        bind_one(statement, index, *value);
    else
        statement.bind(index);
}

/// Binds `values` to the parameters 1, 2, …
template <class... Values>
void bind_all(SQLite::Statement& statement, const Values&... values) {
    int index = 0;
    (bind_one(statement, ++index, values), ...);
}

/// Runs `sql` once and returns how many rows it changed.
template <class... Values>
int execute(SQLite::Database& database, const std::string& sql, const Values&... values) {
    SQLite::Statement statement(database, sql);
    bind_all(statement, values...);
    return statement.exec();
}

/// Reads a column into `value`, whatever type SQLite keeps it in.
template <class Value>
void read_column(const SQLite::Column& column, Value& value) {
    if constexpr (std::is_same_v<Value, bool>)
        value = column.getInt() != 0;
    else if constexpr (std::is_integral_v<Value>)
        value = static_cast<Value>(column.getInt64());
    else if constexpr (std::is_floating_point_v<Value>)
        value = static_cast<Value>(column.getDouble());
    else
        value = column.getString();
}

template <class Value>
void read_column(const SQLite::Column& column, std::optional<Value>& value) {
    value.reset();
    if (!column.isNull()) read_column(column, value.emplace());
}

/// Reads the columns `first`, `first` + 1, … into `values`; the column behind the last one.
template <class... Values>
int read_columns(SQLite::Statement& row, int first, Values&... values) {
    (read_column(row.getColumn(first++), values), ...);
    return first;
}

/// The text of a column, without a copy; lives until the row is left.
inline std::string_view view_of(const SQLite::Column& column) {
    // getText() first: it converts the value, and getBytes() then counts the converted text.
    const char* const text = column.getText();
    return {text, static_cast<std::size_t>(column.getBytes())};
}

/// A statement that is prepared once and kept in `slot`; ready to be bound.
inline SQLite::Statement& prepared(std::unique_ptr<SQLite::Statement>& slot,
                                   SQLite::Database& database, std::string_view sql) {
    if (!slot) slot = std::make_unique<SQLite::Statement>(database, std::string(sql));
    slot->tryReset();  // an error of the previous use is not an error of this one
    return *slot;
}

}  // namespace assay::harness

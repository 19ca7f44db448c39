#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "gtql/lang/lexer.h"
#include "gtql/lang/syntax.h"

namespace assay::gtql {

/// What an expression is. BitTest is a number by `&` that may also stand for a truth value.
enum class Type : std::uint8_t { Truth, BitTest, Number, Real, Move };

/// "a truth value", "a number" or "a move".
[[nodiscard]] std::string_view words_for(Type type);
[[nodiscard]] bool is_number(Type type);

/// Precedences, from what binds least to what binds most.
inline constexpr int kNone = 0;
inline constexpr int kOr = 1;
inline constexpr int kAnd = 2;
inline constexpr int kNot = 3;
inline constexpr int kRelation = 4;
inline constexpr int kBitOr = 5;
inline constexpr int kBitAnd = 6;
inline constexpr int kSum = 7;
inline constexpr int kProduct = 8;

struct Operator {
    Op op = Op::Or;
    int precedence = kNone;
};

/// The operator that a symbol is; words (`and`, `or`, `in`) are none.
[[nodiscard]] std::optional<Operator> symbol_operator(Symbol symbol);

/// In the order of Function.
inline constexpr std::array<std::string_view, 5> kFunctionNames{"count", "min", "max", "sum",
                                                                "avg"};

[[nodiscard]] std::optional<Function> function_of(std::string_view name);
[[nodiscard]] std::optional<Role> role_of(Symbol symbol);

}  // namespace assay::gtql

#include "gtql/lang/operators.h"

#include <algorithm>

namespace assay::gtql {

std::optional<Operator> symbol_operator(Symbol symbol) {
    struct Row {
        Symbol symbol;
        Operator meaning;
    };

    constexpr std::array<Row, 13> kRows{{{Symbol::Less, {Op::Less, kRelation}},
                                         {Symbol::Greater, {Op::Greater, kRelation}},
                                         {Symbol::LessEqual, {Op::LessEqual, kRelation}},
                                         {Symbol::GreaterEqual, {Op::GreaterEqual, kRelation}},
                                         {Symbol::Equal, {Op::Equal, kRelation}},
                                         {Symbol::NotEqual, {Op::NotEqual, kRelation}},
                                         {Symbol::BitOr, {Op::BitOr, kBitOr}},
                                         {Symbol::BitAnd, {Op::BitAnd, kBitAnd}},
                                         {Symbol::Plus, {Op::Add, kSum}},
                                         {Symbol::Minus, {Op::Subtract, kSum}},
                                         {Symbol::Star, {Op::Multiply, kProduct}},
                                         {Symbol::Slash, {Op::Divide, kProduct}},
                                         {Symbol::Percent, {Op::Modulo, kProduct}}}};
    const auto* const found = std::ranges::find(kRows, symbol, &Row::symbol);
    return found == kRows.end() ? std::nullopt : std::optional(found->meaning);
}

std::optional<Function> function_of(std::string_view name) {
    const auto* const found = std::ranges::find(kFunctionNames, name);
    if (found == kFunctionNames.end()) return std::nullopt;
    return static_cast<Function>(found - kFunctionNames.begin());
}

std::optional<Role> role_of(Symbol symbol) {
    switch (symbol) {
        case Symbol::ChildRole:
            return Role::Child;
        case Symbol::PreviousRole:
            return Role::Previous;
        case Symbol::ParentRole:
            return Role::Parent;
        case Symbol::QueriedRole:
            return Role::Queried;
        default:
            return std::nullopt;
    }
}

std::string_view words_for(Type type) {
    switch (type) {
        case Type::Truth:
            return "a truth value";
        case Type::BitTest:
        case Type::Number:
        case Type::Real:
            return "a number";
        case Type::Move:
            break;
    }
    return "a move";
}

bool is_number(Type type) {
    return type == Type::BitTest || type == Type::Number || type == Type::Real;
}

}  // namespace assay::gtql

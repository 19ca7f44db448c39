#include "gtql/lang/operators.h"

#include <algorithm>

namespace assay::gtql {

std::optional<Operator> symbol_operator(Symbol symbol) {
    switch (symbol) {
        case Symbol::Less:
            return Operator{Op::Less, kRelation};
        case Symbol::Greater:
            return Operator{Op::Greater, kRelation};
        case Symbol::LessEqual:
            return Operator{Op::LessEqual, kRelation};
        case Symbol::GreaterEqual:
            return Operator{Op::GreaterEqual, kRelation};
        case Symbol::Equal:
            return Operator{Op::Equal, kRelation};
        case Symbol::NotEqual:
            return Operator{Op::NotEqual, kRelation};
        case Symbol::BitOr:
            return Operator{Op::BitOr, kBitOr};
        case Symbol::BitAnd:
            return Operator{Op::BitAnd, kBitAnd};
        case Symbol::Plus:
            return Operator{Op::Add, kSum};
        case Symbol::Minus:
            return Operator{Op::Subtract, kSum};
        case Symbol::Star:
            return Operator{Op::Multiply, kProduct};
        case Symbol::Slash:
            return Operator{Op::Divide, kProduct};
        case Symbol::Percent:
            return Operator{Op::Modulo, kProduct};
        default:
            return std::nullopt;
    }
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

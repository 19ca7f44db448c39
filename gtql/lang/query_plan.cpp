// Binds a parsed query to the schema of one tree. The parser knows no tree, so that one query file
// is parsed once and used for logs of different engines; this step looks its names up: an attribute
// becomes a column, a constant or a quoted move an integer, `size` and the like a built-in. After
// it no name is left, and the executor works on numbers alone.
//
// The steps are in postfix order, and types are checked by running them on a stack of types,
// exactly as the evaluator will run them on values. That takes one pass and no tree. A type is
// needed only to keep moves apart from numbers: a move is stored as a code, and `last_move + 1` or
// `last_move < 5` would compute something without a meaning.
//
// A move that the tree never played becomes -1, a code that no node has, so that `=` with it is
// false and not an error: a query about e2e4 is valid in a tree without it. The names of a schema
// may differ between trees, and a query may be valid for one log only; errors therefore name the
// nearest name that this log has.
#include "gtql/lang/query_plan.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "base/diagnostic.h"

namespace assay::gtql {

namespace {

constexpr std::array<std::string_view, 8> kBuiltins{
    "node_id", "parent_id", "level", "child_index", "children", "size", "thread", "unfinished"};

enum class Type : std::uint8_t { Number, Move, Truth };

struct TypedOperand {
    Type type = Type::Number;
    Span span;
};

std::optional<Builtin> builtin_of(std::string_view name) {
    const auto* const found = std::ranges::find(kBuiltins, name);
    if (found == kBuiltins.end()) return std::nullopt;
    return static_cast<Builtin>(found - kBuiltins.begin());
}

/// Like e2e4 or e7e8q: a move without quotes is a common mistake.
bool looks_like_move(std::string_view name) {
    const auto is_square = [name](std::size_t at) {
        return name[at] >= 'a' && name[at] <= 'h' && name[at + 1] >= '1' && name[at + 1] <= '8';
    };
    return (name.size() == 4 || name.size() == 5) && is_square(0) && is_square(2);
}

class Binder {
public:
    Binder(Plan& plan, const TreeSchema& schema, const std::vector<std::string>& moves)
        : plan_(plan),
          query_(plan.query),
          source_(query_.text->path, query_.text->text),
          schema_(schema),
          moves_(moves) {}

    void bind_all() {
        for (Expression& each : query_.parts) bind(each);
        is_statement_ = true;
        for (Expression& each : query_.columns) bind(each);
        is_statement_ = false;
        for (Expression& each : query_.keys) plan_.is_move_key.push_back(bind(each) == Type::Move);
        for (Call& call : query_.calls) {
            const Type type = bind(call.value);
            if (type == Type::Move) {
                fail(call.value.steps.back().span, "functions take numbers, found a move");
            }
            bind(call.condition);
        }
        std::ranges::sort(plan_.columns);
        plan_.columns.erase(std::unique(plan_.columns.begin(), plan_.columns.end()),
                            plan_.columns.end());
    }

private:
    [[noreturn]] void fail(Span span, std::string message) const {
        throw SyntaxError(source_.at(span, std::move(message)));
    }

    /// Looks the names up in place and returns the type of the expression.
    Type bind(Expression& expression) {
        stack_.clear();
        for (Step& step : expression.steps) bind(step);
        return stack_.empty() ? Type::Truth : stack_.back().type;
    }

    void bind(Step& step) {
        switch (step.op) {
            case Op::Integer:
            case Op::Call:
                stack_.push_back({Type::Number, step.span});
                return;
            case Op::Name:
                bind_name(step);
                return;
            case Op::Text:
                bind_text(step);
                return;
            case Op::Column:
            case Op::Builtin:
                return;
            case Op::Truth:
                stack_.back().type = Type::Truth;
                return;
            case Op::Not:
                return;
            case Op::And:
            case Op::Or:
                stack_.pop_back();
                return;
            case Op::In:
                bind_in(step);
                return;
            default:
                break;
        }
        const TypedOperand right = stack_.back();
        stack_.pop_back();
        const TypedOperand left = stack_.back();
        const bool is_relation = step.op >= Op::Less && step.op <= Op::NotEqual;
        check_moves(step, left, right, is_relation);
        stack_.back() = {is_relation ? Type::Truth : Type::Number,
                         {left.span.begin, right.span.end}};
    }

    void check_moves(const Step& step, const TypedOperand& left, const TypedOperand& right,
                     bool is_relation) const {
        const bool has_move = left.type == Type::Move || right.type == Type::Move;
        if (!has_move) return;
        const std::string name = "'" + std::string(query_.spelled(step.span)) + "'";
        if (is_relation && step.op != Op::Equal && step.op != Op::NotEqual) {
            fail(step.span, "moves can be compared with '=' and '!=' only");
        }
        if (!is_relation) fail(step.span, name + " takes numbers, found a move");
        if (left.type != right.type) {
            fail(left.type == Type::Move ? right.span : left.span,
                 "a move can be compared only with another move or a quoted one, as in \"e2e4\"");
        }
    }

    void bind_in(const Step& step) {
        const auto count = static_cast<std::size_t>(step.value);
        const TypedOperand left = stack_[stack_.size() - count - 1];
        for (std::size_t i = 0; i < count; ++i) {
            const TypedOperand each = stack_[stack_.size() - count + i];
            if (each.type != left.type) {
                fail(each.span,
                     left.type == Type::Move
                         ? "a move can be compared only with another move or a quoted one"
                         : "a number can be compared only with numbers");
            }
        }
        stack_.resize(stack_.size() - count);
        stack_.back() = {Type::Truth, {left.span.begin, step.span.end}};
    }

    void bind_text(Step& step) {
        const std::string_view quoted = query_.spelled(step.span);
        const auto found = std::ranges::find(moves_, quoted.substr(1, quoted.size() - 2));
        step.value = found == moves_.end() ? -1 : found - moves_.begin();
        step.op = Op::Integer;
        stack_.push_back({Type::Move, step.span});
    }

    void bind_name(Step& step) {
        const std::string_view name = query_.spelled(step.span);
        if (const int index = schema_.attribute(name); index >= 0) {
            use_attribute(step);
            step.op = Op::Column;
            step.value = index;
            plan_.columns.push_back(index);
            const bool is_move = schema_.attributes[static_cast<std::size_t>(index)].is_move;
            stack_.push_back({is_move ? Type::Move : Type::Number, step.span});
            return;
        }
        if (const Constant* const constant = schema_.constant(name)) {
            if (step.role != Role::Bare) {
                fail(step.span,
                     "'" + std::string(name) + "' is a constant; only attributes belong to a node");
            }
            step.op = Op::Integer;
            step.value = constant->value;
            stack_.push_back({Type::Number, step.span});
            return;
        }
        const auto builtin = builtin_of(name);
        if (!builtin) refuse(step, name);
        use_attribute(step);
        use_builtin(step, *builtin);
        stack_.push_back({Type::Number, step.span});
    }

    void use_attribute(const Step& step) const {
        if (!is_statement_) return;
        fail(step.span,
             "'" + std::string(query_.spelled(step.span)) +
                 "' must be inside a function: a statement about the tree has no node of "
                 "its own");
    }

    void use_builtin(Step& step, Builtin builtin) {
        const bool is_level_1 = builtin == Builtin::NodeId || builtin == Builtin::ParentId;
        if (query_.level < 2 && !is_level_1) {
            fail(step.span, "the built-in '" + std::string(query_.spelled(step.span)) +
                                "' is level 2, but level 1 was requested");
        }
        // Without such a column the value is 0 for every node, but missing where the role has no
        // node.
        const bool is_surely_there = step.role != Role::Parent && step.role != Role::Previous;
        const auto use_column = [this, &step, is_surely_there](ColumnId id, bool is_there) {
            if (!is_there && !is_surely_there) return;
            step.op = is_there ? Op::Column : Op::Integer;
            step.value = is_there ? id : 0;
            if (is_there) plan_.columns.push_back(id);
        };
        step.op = Op::Builtin;
        step.value = static_cast<std::int64_t>(builtin);
        switch (builtin) {
            case Builtin::Level:
                use_column(kLevelColumn, true);
                break;
            case Builtin::Thread:
                use_column(kThreadColumn, schema_.has_thread);
                break;
            case Builtin::Unfinished:
                use_column(kUnfinishedColumn, schema_.has_unfinished);
                break;
            case Builtin::Children:
            case Builtin::Size:
                plan_.uses_size = true;
                break;
            default:
                break;
        }
    }

    [[noreturn]] void refuse(const Step& step, std::string_view name) const {
        constexpr std::size_t kLongestShown = 60;
        const bool is_long = name.size() > kLongestShown;
        std::string message = "unknown name '" + std::string(name.substr(0, kLongestShown)) +
                              (is_long ? "...'" : "'");
        if (is_long) {
            // No declared name is similar.
        } else if (looks_like_move(name)) {
            message += "; write a move in quotes, as in \"" + std::string(name) + "\"";
        } else {
            message += did_you_mean(name, names_in(schema_));
        }
        fail(step.span, message);
    }

    Plan& plan_;
    Query& query_;
    Source source_;
    const TreeSchema& schema_;
    const std::vector<std::string>& moves_;
    std::vector<TypedOperand> stack_;
    bool is_statement_ = false;
};

}  // namespace

std::vector<std::string_view> names_in(const TreeSchema& schema) {
    std::vector<std::string_view> names;
    for (const Attribute& each : schema.attributes) names.push_back(each.name);
    for (const Constant& each : schema.constants) names.push_back(each.name);
    names.insert(names.end(), kBuiltins.begin(), kBuiltins.end());
    return names;
}

Plan bind(const Query& query, const TreeSchema& schema, const std::vector<std::string>& moves) {
    Plan plan;
    plan.query = query;
    Binder(plan, schema, moves).bind_all();
    return plan;
}

}  // namespace assay::gtql

// The form as text, for people and for golden files. A statement stands in one line with its line
// in the file before it; children are indented. Names are printed, not indices, so that a dump says
// the same when declarations change places.
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "rules/multigame/form/form.h"
#include "rules/multigame/form/op_facts.h"

namespace assay::rules::multigame {

namespace {

constexpr std::array<std::string_view, 6> kRelationWords{"=", "<>", "<", "<=", ">", ">="};

std::string_view word_of(Owner owner) {
    if (owner == Owner::Own) return "own";
    return owner == Owner::Enemy ? "enemy" : "any";
}

class Dump {
public:
    explicit Dump(const Form& form) : form_(form) {}

    std::string all() {
        out_ = fmt::format("board {} x {}, {} players, side {} starts\n", form_.board.columns,
                           form_.board.rows, form_.players, form_.first_side);
        for (const Piece& piece : form_.pieces) {
            out_ += fmt::format("piece {} {}", piece.name, piece.symbols[0]);
            if (piece.is_owned()) out_ += fmt::format(" {}", piece.symbols[1]);
            out_ += '\n';
        }
        for (const Zone& zone : form_.zones) zone_line(zone);
        for (const Variable& variable : form_.variables) variable_line(variable);
        for (const Rule& rule : form_.rules) {
            out_ += fmt::format("rule {}{}{}\n", rule.name, rule.is_base ? " (base)" : "",
                                rule.is_recursive ? " (recursive)" : "");
            statement(item(form_.statements, rule.body), 1);
        }
        return out_;
    }

private:
    void zone_line(const Zone& zone) {
        out_ += "zone " + zone.name;
        for (std::size_t side = 0; side < 2; ++side) {
            if (side == 1 && zone.holds[0] == zone.holds[1]) break;
            out_ += side == 0 ? ":" : " |";
            for (std::size_t field = 0; field < form_.board.size(); ++field) {
                if (zone.holds[side][field] == 0) continue;
                out_ += ' ' + form_.board.algebraic(static_cast<int>(field));
            }
        }
        out_ += '\n';
    }

    void variable_line(const Variable& variable) {
        out_ += fmt::format(
            "slot {}: {}{}{}{}{} {}", variable.slot, variable.is_silent ? "silent " : "",
            variable.is_volatile ? "volatile " : "", variable.is_local ? "local " : "",
            variable.is_field ? "field" : "number", variable.is_each ? " each" : "", variable.name);
        if (!variable.is_field) out_ += fmt::format(" = {}", variable.initial);
        for (const int constant : variable.compared) out_ += fmt::format(" ~{}", constant);
        out_ += '\n';
    }

    [[nodiscard]] std::string pattern(int index) const {
        const Pattern& each = item(form_.patterns, index);
        if (each.piece == Pattern::kEmptyField) return "empty field";
        return fmt::format(
            "{} {}", word_of(each.owner),
            each.piece == Pattern::kAnyPiece ? "piece" : item(form_.pieces, each.piece).name);
    }

    [[nodiscard]] std::string variable(int index, Owner owner) const {
        const Variable& each = item(form_.variables, index);
        return each.is_each ? fmt::format("{} {}", word_of(owner), each.name) : each.name;
    }

    [[nodiscard]] std::string zone(int index, Owner owner) const {
        return fmt::format("{} {}", word_of(owner), item(form_.zones, index).name);
    }

    [[nodiscard]] std::string expression(int index) const {
        const Expression& each = item(form_.expressions, index);
        switch (each.kind) {
            case Expression::Kind::Constant:
                return std::to_string(each.value);
            case Expression::Kind::Variable:
                return variable(each.value, each.owner);
            case Expression::Kind::Count:
                return "count " + pattern(each.pattern) +
                       (each.zone == kNone ? "" : " in " + zone(each.zone, each.owner));
            default:
                break;
        }
        return fmt::format("({} {} {})", expression(each.left),
                           each.kind == Expression::Kind::Plus ? '+' : '-', expression(each.right));
    }

    [[nodiscard]] std::string quoted(int index) const {
        return index == kNone ? "" : fmt::format(" \"{}\"", item(form_.texts, index));
    }

    /// What follows the word of the statement.
    [[nodiscard]] std::string operands(const Statement& each) const {
        switch (each.op) {
            case Op::Repeat:
                return fmt::format(" {} .. {}", each.least,
                                   each.most == kInfinity ? "infinity" : std::to_string(each.most));
            case Op::Find:
            case Op::PointsAt:
            case Op::Replace:
                return ' ' + pattern(each.index);
            case Op::Rotate:
                return fmt::format(" {}", each.index * 45);
            case Op::InZone:
                return ' ' + zone(each.index, each.owner);
            case Op::At:
            case Op::Goto:
            case Op::Mark:
            case Op::Forget:
                return ' ' + variable(each.index, each.owner);
            case Op::Set:
                return fmt::format(" {} to {}", variable(each.index, each.owner),
                                   expression(each.left));
            case Op::Add:
                return fmt::format(" {} to {}", expression(each.left),
                                   variable(each.index, each.owner));
            case Op::Check:
                return fmt::format(" {} {} {}", expression(each.left),
                                   kRelationWords[static_cast<std::size_t>(each.relation)],
                                   expression(each.right));
            case Op::Matches:
                return fmt::format(" picture {}", each.index);
            case Op::Verdict:
            case Op::WriteText:
                return quoted(each.index);
            case Op::Most:
                return ' ' + expression(each.left);
            case Op::Call:
                return ' ' + item(form_.rules, each.index).name;
            default:
                return "";
        }
    }

    void statement(const Statement& each, std::size_t depth) {
        out_ += fmt::format("{:>5} {}{}{}\n", each.place.line, std::string(2 * depth, ' '),
                            word_of(each), operands(each));
        for (int n = 0; n < each.count; ++n) {
            if (each.weights != kNone) {
                out_ += fmt::format("{:>5} {}weight {}\n", each.place.line,
                                    std::string(2 * depth + 2, ' '),
                                    expression(item(form_.weights, each.weights + n)));
            }
            statement(form_.child(each, n), depth + 1);
        }
    }

    const Form& form_;
    std::string out_;
};

}  // namespace

std::string dump(const Form& form) {
    return Dump(form).all();
}

}  // namespace assay::rules::multigame

// Names become indices. Rules are reached from main on, over a list of those still to do instead of
// by recursion, so that a long chain of calls costs no stack. Nesting of statements is bounded by
// the parser.
#include "rules/multigame/check/lowering.h"

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "rules/multigame/check/declarations.h"
#include "rules/multigame/syntax/words.h"

namespace assay::rules::multigame {

namespace {

template <class Row, class Value>
int append(Row& row, Value value) {
    row.push_back(std::move(value));
    return static_cast<int>(row.size()) - 1;
}

constexpr std::array<std::string_view, 1> kMainNames{"main"};

void add_calls(const WrittenStatement& written, std::set<std::string, std::less<>>& called) {
    if (written.op == Op::Call) called.insert(written.name.text);
    for (const WrittenStatement& each : written.children) add_calls(each, called);
}

/// The one constant or variable that an expression is, or null.
const WrittenTerm* single(const WrittenExpression& written, WrittenTerm::Kind kind) {
    const bool is_it = written.terms.size() == 1 && written.terms.front().kind == kind;
    return is_it ? &written.terms.front() : nullptr;
}

}  // namespace

void Lowering::reach_roots() {
    const int main = program_.rule_called("main");
    if (main == kNone) {
        report_no_main();
    } else {
        form_.main_rule = rule(main, false);
    }
    if (const int setup = program_.rule_called("setup"); setup != kNone) {
        form_.setup_rule = rule(setup, false);
    }
    if (program_.repetition != nullptr) {
        const WrittenRepetition& written = *program_.repetition;
        form_.repetition.occurrences = written.occurrences;
        form_.repetition.verdict = written.verdict;
        if (!written.perpetual.text.empty()) {
            const int perpetual = program_.rule_called(written.perpetual.text);
            if (perpetual == kNone) {
                problems_.error(written.perpetual.place,
                                fmt::format("unknown rule '{}'", written.perpetual.text));
            } else {
                form_.repetition.perpetual = rule(perpetual, false);
            }
        }
    }
    pending_rules();
    for (const auto& [merged, lowered] : rules_) reached_.insert(merged);
}

/// At the rule that was probably meant to be it, or at the end of the file.
void Lowering::report_no_main() {
    std::set<std::string, std::less<>> called;
    for (const MergedRule& each : program_.rules) add_calls(each.rule->body, called);
    for (const MergedRule& each : program_.rules) {
        const Name& name = each.rule->name;
        if (each.level != program_.top || called.contains(name.text)) continue;
        const std::string advice = did_you_mean(name.text, kMainNames);
        if (advice.empty()) continue;
        problems_.error(name.place, fmt::format("no rule 'main', which makes the moves, but '{}'{}",
                                                name.text, advice));
        return;
    }
    problems_.error(program_.end,
                    "no rule 'main': it makes the moves, as in 'main = find empty field, replace "
                    "by own man.'");
}

void Lowering::reach_own_rules() {
    for (std::size_t n = 0; n < program_.rules.size(); ++n) {
        if (program_.rules[n].level == program_.top) rule(static_cast<int>(n), false);
    }
    pending_rules();
    for (const WrittenZone* each : program_.zones) {
        if (each->name.place.file == program_.top && !zones_.contains(each->name.text)) {
            (void)lowered_zone(*each, form_, problems_);
        }
    }
}

std::vector<Lowering::Unused> Lowering::unused() const {
    std::vector<Unused> out;
    for (std::size_t n = 0; n < program_.rules.size(); ++n) {
        const MergedRule& each = program_.rules[n];
        if (each.level == program_.top && !reached_.contains(static_cast<int>(n))) {
            out.push_back({"rule", each.rule->name});
        }
    }
    for (const WrittenZone* each : program_.zones) {
        if (each->name.place.file == program_.top && !zones_.contains(each->name.text)) {
            out.push_back({"zone", each->name});
        }
    }
    for (const WrittenVariable* each : program_.variables) {
        const int index = variable_called(form_, each->name.text);
        const bool is_in_text = std::ranges::any_of(form_.text, [&](const TextItem& text) {
            return text.kind != TextItem::Kind::Squares &&
                   std::ranges::find(text.indices, index) != text.indices.end();
        });
        if (each->name.place.file == program_.top && !is_in_text &&
            !used_variables_.contains(each->name.text)) {
            out.push_back({"variable", each->name});
        }
    }
    return out;
}

int Lowering::rule(int merged_index, bool is_base) {
    const auto [known, is_new] = rules_.emplace(merged_index, static_cast<int>(form_.rules.size()));
    if (is_new) {
        Rule made;
        made.name = item(program_.rules, merged_index).rule->name.text;
        made.place = item(program_.rules, merged_index).rule->name.place;
        made.is_base = is_base;
        form_.rules.push_back(std::move(made));
        pending_.push_back(merged_index);
    }
    return known->second;
}

void Lowering::pending_rules() {
    // In the order in which they were reached: the form is then in reading order from main.
    for (std::size_t n = 0; n < pending_.size(); ++n) {
        const MergedRule& each = item(program_.rules, pending_[n]);
        rule_ = rules_.at(pending_[n]);
        level_ = each.level;
        const int body = statement(each.rule->body);
        item(form_.rules, rule_).body = body;
    }
    pending_.clear();
}

int Lowering::statement(const WrittenStatement& written) {
    if (written.op == Op::Sequence && written.children.size() == 1) {
        return statement(written.children.front());
    }
    Statement made;
    made.op = written.op;
    made.owner = written.owner.value_or(Owner::Own);
    made.relation = written.relation;
    made.verdict = written.verdict;
    made.index = written.index;
    made.least = written.least;
    made.most = written.most;
    made.rule = rule_;
    made.place = written.place;
    fields_of(written, made);
    std::vector<int> children;
    children.reserve(written.children.size());
    for (const WrittenStatement& each : written.children) children.push_back(statement(each));
    made.first = static_cast<int>(form_.children.size());
    made.count = static_cast<int>(children.size());
    form_.children.insert(form_.children.end(), children.begin(), children.end());
    return append(form_.statements, made);
}

void Lowering::fields_of(const WrittenStatement& written, Statement& made) {
    switch (written.op) {
        case Op::Find:
        case Op::PointsAt:
            made.index = pattern(written.pattern, false);
            break;
        case Op::Replace:
            made.index = pattern(written.pattern, true);
            break;
        case Op::InZone:
            made.index = zone(written.name);
            break;
        case Op::At:
        case Op::Goto:
        case Op::Mark:
        case Op::Forget:
        case Op::Set:
        case Op::Add:
            named_variable(written, made);
            break;
        case Op::Check:
            made.left = expression(written.expressions[0]);
            made.right = expression(written.expressions[1]);
            comparison(written);
            break;
        case Op::Most:
            made.left = expression(written.expressions[0]);
            break;
        case Op::Random:
            weights(written, made);
            break;
        case Op::Matches:
            made.index = picture(written);
            break;
        case Op::Verdict:
            made.index = written.has_text ? text(written.name.text) : kNone;
            break;
        case Op::WriteText:
            made.index = text(written.name.text);
            break;
        case Op::Call:
            named_rule(written, made);
            break;
        default:
            break;
    }
}

void Lowering::weights(const WrittenStatement& written, Statement& made) {
    std::vector<int> indices;
    indices.reserve(written.expressions.size());
    for (const WrittenExpression& each : written.expressions) indices.push_back(expression(each));
    made.weights = static_cast<int>(form_.weights.size());
    form_.weights.insert(form_.weights.end(), indices.begin(), indices.end());
}

void Lowering::named_rule(const WrittenStatement& written, Statement& made) {
    made.index = 0;
    if (written.is_base && level_ == 0) {
        problems_.error(written.place, fmt::format("'base {}' in a file that is based on nothing",
                                                   written.name.text));
        return;
    }
    const int found = written.is_base ? program_.rule_below(written.name.text, level_)
                                      : program_.rule_called(written.name.text);
    if (found != kNone) {
        made.index = rule(found, written.is_base);
        return;
    }
    std::vector<std::string_view> names;
    for (const MergedRule& each : program_.rules) names.push_back(each.rule->name.text);
    if (!written.is_base) {
        const auto words = statement_words();
        names.insert(names.end(), words.begin(), words.end());
    }
    const bool is_new = std::ranges::find(names, written.name.text) != names.end();
    const std::string advice = is_new ? "; it is new in this file, and called without 'base'"
                                      : did_you_mean(written.name.text, names);
    std::string_view other;
    if (piece_called(form_, written.name.text) != kNone) other = "; it is a piece";
    if (variable_called(form_, written.name.text) != kNone) other = "; it is a variable";
    for (const WrittenZone* each : program_.zones) {
        if (each->name.text == written.name.text) other = "; it is a zone, and 'in' tests zones";
    }
    problems_.error(written.name.place,
                    written.is_base
                        ? fmt::format("the files this one is based on have no rule '{}'{}",
                                      written.name.text, advice)
                        : fmt::format("unknown rule '{}'{}", written.name.text,
                                      other.empty() ? std::string_view(advice) : other));
}

void Lowering::named_variable(const WrittenStatement& written, Statement& made) {
    const bool is_number = written.op == Op::Set || written.op == Op::Add;
    made.index = variable(written.name, written.owner, !is_number);
    if (is_number) made.left = expression(written.expressions[0]);
}

/// Remembers constants that silent variables are compared with (SEMANTICS 1.7.11).
void Lowering::comparison(const WrittenStatement& written) {
    for (std::size_t n = 0; n < 2; ++n) {
        const WrittenTerm* name = single(written.expressions[n], WrittenTerm::Kind::Variable);
        const WrittenTerm* value = single(written.expressions[1 - n], WrittenTerm::Kind::Constant);
        if (name == nullptr || value == nullptr) continue;
        const int index = variable_called(form_, name->name.text);
        if (index == kNone || !item(form_.variables, index).is_silent) continue;
        std::vector<int>& compared = item(form_.variables, index).compared;
        const auto at = std::ranges::lower_bound(compared, value->value);
        if (at == compared.end() || *at != value->value) compared.insert(at, value->value);
    }
}

int Lowering::added(const Expression& made) {
    return append(form_.expressions, made);
}

int Lowering::expression(const WrittenExpression& written) {
    int left = term(written.terms.front());
    for (std::size_t n = 1; n < written.terms.size(); ++n) {
        Expression made;
        made.kind =
            written.terms[n].is_subtracted ? Expression::Kind::Minus : Expression::Kind::Plus;
        made.left = left;
        made.right = term(written.terms[n]);
        left = added(made);
    }
    return left;
}

int Lowering::term(const WrittenTerm& written) {
    Expression made;
    made.owner = written.owner.value_or(Owner::Own);
    switch (written.kind) {
        case WrittenTerm::Kind::Constant:
            made.value = written.value;
            break;
        case WrittenTerm::Kind::Variable:
            made.kind = Expression::Kind::Variable;
            made.value = number(written);
            break;
        case WrittenTerm::Kind::Count:
            made.kind = Expression::Kind::Count;
            made.pattern = pattern(written.pattern, false);
            if (!written.name.text.empty()) made.zone = zone(written.name);
            break;
    }
    return added(made);
}

/// The variable of an expression.
int Lowering::number(const WrittenTerm& written) {
    const int index = variable(written.name, written.owner, std::nullopt);
    if (index != kNone && item(form_.variables, index).is_field) {
        problems_.error(written.name.place,
                        fmt::format("'{}' is a field variable, and expressions have numbers; 'at' "
                                    "tests whether the finger is on its field",
                                    written.name.text));
    }
    return index;
}

int Lowering::pattern(const WrittenPattern& written, bool is_replacement) {
    Pattern made;
    if (written.is_empty_field) {
        made.piece = Pattern::kEmptyField;
    } else if (written.is_any_piece) {
        made.owner = written.owner.value_or(Owner::Any);
    } else {
        const std::string& name = written.piece.text;
        made.piece = piece_called(form_, name);
        made.owner = written.owner.value_or(Owner::Any);
        if (made.piece == kNone) {
            problems_.error(written.piece.place, fmt::format("unknown piece '{}'{}", name,
                                                             advice_on_piece(form_, name)));
            made.piece = Pattern::kAnyPiece;
        } else if (item(form_.pieces, made.piece).is_owned() && !written.owner) {
            problems_.error(written.place,
                            fmt::format("expected 'own', 'enemy' or 'any' before '{}'", name));
        } else if (is_replacement && item(form_.pieces, made.piece).is_owned() &&
                   written.owner == Owner::Any) {
            problems_.error(written.place, "'replace by' needs 'own' or 'enemy', not 'any'");
        } else if (!is_replacement && !item(form_.pieces, made.piece).is_owned() &&
                   made.owner != Owner::Any) {
            problems_.warning(written.place,
                              fmt::format("'{}' has one symbol and belongs to nobody, so this is "
                                          "never found; leave out 'own' or 'enemy'",
                                          name));
        }
    }
    const auto known = std::ranges::find(form_.patterns, made);
    if (known != form_.patterns.end()) return static_cast<int>(known - form_.patterns.begin());
    return append(form_.patterns, made);
}

int Lowering::zone(const Name& name) {
    const auto known = zones_.find(name.text);
    if (known != zones_.end()) return known->second;
    std::vector<std::string_view> names;
    for (const WrittenZone* each : program_.zones) {
        names.push_back(each->name.text);
        if (each->name.text != name.text) continue;
        const int index = append(form_.zones, lowered_zone(*each, form_, problems_));
        zones_.emplace(name.text, index);
        return index;
    }
    problems_.error(name.place,
                    fmt::format("unknown zone '{}'{}", name.text, did_you_mean(name.text, names)));
    return kNone;
}

int Lowering::variable(const Name& name, const WrittenOwner& owner, std::optional<bool> is_field) {
    const int index = variable_called(form_, name.text);
    if (index == kNone) {
        problems_.error(name.place, fmt::format("unknown variable '{}'{}", name.text,
                                                advice_on_variable(form_, name.text)));
        return kNone;
    }
    used_variables_.insert(name.text);
    const Variable& found = item(form_.variables, index);
    if (owner && !found.is_each) {
        problems_.error(
            name.place,
            fmt::format("'{}' is one variable for both sides: no 'own' or 'enemy' before "
                        "it, or declare it with 'each'",
                        name.text));
    }
    if (is_field && *is_field != found.is_field) {
        problems_.error(
            name.place,
            *is_field
                ? fmt::format("'{}' is a number variable; expected a field variable", name.text)
                : fmt::format("'{}' is a field variable; 'mark' and 'forget' "
                              "change it",
                              name.text));
    }
    return index;
}

int Lowering::picture(const WrittenStatement& written) {
    BoardPicture made;
    made.contents.assign(form_.board.size(), BoardPicture::kAnything);
    if (content_of_picture(form_, '?') != kNone) {
        problems_.error(written.place,
                        "in 'matches', '?' stands for anything; no piece may have "
                        "this symbol in the same program");
    }
    if (has_board_size(written.picture, "matches", program_, problems_)) {
        for (int row = 0; row < form_.board.rows; ++row) {
            const Name& line = item(written.picture.rows, form_.board.rows - 1 - row);
            for (int column = 0; column < form_.board.columns; ++column) {
                const char symbol = item(line.text, column);
                const int content =
                    symbol == '?' ? BoardPicture::kAnything : content_of_picture(form_, symbol);
                if (symbol != '?' && content == kNone) {
                    Place place = line.place;
                    place.column += column + 1;
                    place.width = 1;
                    problems_.error(place,
                                    fmt::format("unknown symbol '{}'; a picture of 'matches' "
                                                "has the symbols of 'pieces', '.' for an "
                                                "empty field and '?' for anything",
                                                printable_utf8(line.text.substr(
                                                    static_cast<std::size_t>(column), 1))));
                }
                const int field = row * form_.board.columns + column;
                if (item(form_.board.is_field, field) != 0) {
                    item(made.contents, field) = static_cast<std::int16_t>(content);
                }
            }
        }
    }
    return append(form_.pictures, std::move(made));
}

int Lowering::text(const std::string& text) {
    const auto known = std::ranges::find(form_.texts, text);
    if (known != form_.texts.end()) return static_cast<int>(known - form_.texts.begin());
    return append(form_.texts, text);
}

}  // namespace assay::rules::multigame

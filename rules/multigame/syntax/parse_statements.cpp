// Statements, patterns and expressions by recursive descent: one token of look-ahead decides every
// choice of the grammar. The depth is bounded (kMostNested), so that no text can exhaust the stack.
#include "rules/multigame/syntax/parse_statements.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "rules/multigame/syntax/parser.h"
#include "rules/multigame/syntax/words.h"

namespace assay::rules::multigame {

namespace {

struct Simple {
    std::string_view word;
    Op op;
    int index = 0;
    int stride = 0;
};

/// Statements of one word.
constexpr std::array kSimple{
    Simple{"pickup", Op::Pickup},
    Simple{"putdown", Op::Putdown},
    Simple{"remove", Op::Remove},
    Simple{"step", Op::Step},
    Simple{"pass", Op::Pass},
    Simple{"again", Op::Again},
    Simple{"north", Op::Direction, 0},
    Simple{"northeast", Op::Direction, 1},
    Simple{"east", Op::Direction, 2},
    Simple{"southeast", Op::Direction, 3},
    Simple{"south", Op::Direction, 4},
    Simple{"southwest", Op::Direction, 5},
    Simple{"west", Op::Direction, 6},
    Simple{"northwest", Op::Direction, 7},
    Simple{"forward", Op::Forward, 0},
    Simple{"backward", Op::Forward, 4},
    Simple{"alldir", Op::Directions, 0, 1},
    Simple{"orthogonal", Op::Directions, 0, 2},
    Simple{"diagonal", Op::Directions, 1, 2},
};

struct RelationSign {
    std::string_view sign;
    Relation relation;
};

constexpr std::array kRelations{
    RelationSign{"=", Relation::Equal},   RelationSign{"<>", Relation::NotEqual},
    RelationSign{"<", Relation::Less},    RelationSign{"<=", Relation::LessEqual},
    RelationSign{">", Relation::Greater}, RelationSign{">=", Relation::GreaterEqual},
};

bool is_printable(std::string_view text, char least) {
    return std::ranges::all_of(text, [&](char c) { return c >= least && c < 0x7f; });
}

}  // namespace

WrittenStatement StatementParser::begun(Op op) {
    WrittenStatement made;
    made.op = op;
    made.place = cursor_.take().place;
    return made;
}

WrittenStatement StatementParser::sequence() {
    WrittenStatement made;
    made.op = Op::Sequence;
    made.place = cursor_.now().place;
    do {
        made.children.push_back(statement());
    } while (cursor_.accept(","));
    return made;
}

WrittenStatement StatementParser::statement() {
    if (++depth_ > kMostNested) {
        cursor_.fail(cursor_.now().place,
                     fmt::format("statements are nested more than {} deep", kMostNested));
    }
    WrittenStatement made = any_statement();
    --depth_;
    return made;
}

WrittenStatement StatementParser::any_statement() {
    const Token& token = cursor_.now();
    for (const Simple& each : kSimple) {
        if (!token.is(each.word)) continue;
        WrittenStatement made = begun(each.op);
        made.index = each.index;
        made.least = each.stride;
        return made;
    }
    if (token.is("[")) {
        cursor_.take();
        WrittenStatement made = sequence();
        if (!cursor_.is("]")) cursor_.fail_missing("',' or ']'", advice_on_end());
        cursor_.take();
        return made;
    }
    if (token.is("try")) {
        WrittenStatement made = begun(Op::Try);
        made.children.push_back(statement());
        if (cursor_.accept("else")) made.children.push_back(statement());
        return made;
    }
    if (token.is("either")) return alternatives(Op::Either);
    if (token.is("random")) return random();
    if (token.is("repeat")) return repeat();
    if (token.is("test")) return with_child(Op::Test);
    if (token.is("not")) return with_child(Op::Not);
    if (token.is("spread")) return with_child(Op::Spread);
    if (token.is("as")) {
        WrittenStatement made = begun(Op::AsEnemy);
        cursor_.expect("enemy");
        made.children.push_back(statement());
        return made;
    }
    if (token.is("most")) {
        WrittenStatement made = begun(Op::Most);
        made.expressions.push_back(expression());
        cursor_.expect(":");
        made.children.push_back(statement());
        return made;
    }
    if (token.is("find") || token.is("points") || token.is("replace")) {
        const Op op = token.is("find") ? Op::Find : token.is("points") ? Op::PointsAt : Op::Replace;
        WrittenStatement made = begun(op);
        if (op == Op::PointsAt) cursor_.expect("at");
        if (op == Op::Replace) cursor_.expect("by");
        made.pattern = pattern();
        if (op == Op::Replace && made.pattern.is_any_piece) {
            cursor_.fail(made.pattern.place,
                         "'replace by' needs one kind of piece, or 'empty field'");
        }
        return made;
    }
    if (token.is("in")) return with_owned_name(Op::InZone, "a zone");
    if (token.is("at")) return with_owned_name(Op::At, "a field variable");
    if (token.is("goto")) return with_owned_name(Op::Goto, "a field variable");
    if (token.is("mark")) return with_owned_name(Op::Mark, "a field variable");
    if (token.is("forget")) return with_owned_name(Op::Forget, "a field variable");
    if (token.is("set") || token.is("add")) return set_or_add();
    if (token.is("check")) return check();
    if (token.is("rotate")) return rotate();
    if (token.is("win") || token.is("draw") || token.is("lose")) return verdict();
    if (token.is("write")) return write();
    if (token.is("matches")) {
        WrittenStatement made = begun(Op::Matches);
        made.picture = picture();
        return made;
    }
    return call();
}

WrittenStatement StatementParser::alternatives(Op op) {
    WrittenStatement made = begun(op);
    do {
        made.children.push_back(statement());
    } while (cursor_.accept("or"));
    return made;
}

WrittenStatement StatementParser::random() {
    WrittenStatement made = begun(Op::Random);
    cursor_.expect("either");
    do {
        if (std::ranges::binary_search(statement_words(), cursor_.now().text) || cursor_.is("[")) {
            cursor_.fail_expected("the weight of the alternative, as in '1 : pass'");
        }
        made.expressions.push_back(expression());
        cursor_.expect(":");
        made.children.push_back(statement());
    } while (cursor_.accept("or"));
    return made;
}

WrittenStatement StatementParser::repeat() {
    WrittenStatement made = begun(Op::Repeat);
    const Place place = cursor_.now().place;
    made.least = made.most = cursor_.integer();
    if (cursor_.accept("..")) {
        made.most = cursor_.accept("infinity") ? kInfinity : cursor_.integer();
    }
    if (made.most < made.least) {
        cursor_.fail(place,
                     fmt::format("a repeat from {} to {} times: the second number may not be "
                                 "the smaller one",
                                 made.least, made.most));
    }
    cursor_.expect("times");
    made.children.push_back(statement());
    return made;
}

WrittenStatement StatementParser::with_child(Op op) {
    WrittenStatement made = begun(op);
    made.children.push_back(statement());
    return made;
}

WrittenStatement StatementParser::with_owned_name(Op op, std::string_view what) {
    WrittenStatement made = begun(op);
    const Place place = cursor_.now().place;
    made.owner = owner();
    if (made.owner == Owner::Any) {
        cursor_.fail(place, fmt::format("{} is 'own' or 'enemy', not 'any'", what));
    }
    made.name = cursor_.name(what);
    return made;
}

WrittenStatement StatementParser::set_or_add() {
    const bool is_set = cursor_.is("set");
    WrittenStatement made = begun(is_set ? Op::Set : Op::Add);
    if (!is_set) {
        made.expressions.push_back(expression());
        cursor_.expect("to");
    }
    const Place place = cursor_.now().place;
    made.owner = owner();
    if (made.owner == Owner::Any) {
        cursor_.fail(place, "a variable is 'own' or 'enemy', not 'any'");
    }
    made.name = cursor_.name("a number variable");
    if (is_set) {
        cursor_.expect("to");
        made.expressions.push_back(expression());
    }
    return made;
}

WrittenStatement StatementParser::check() {
    WrittenStatement made = begun(Op::Check);
    made.expressions.push_back(expression());
    for (const RelationSign& each : kRelations) {
        if (!cursor_.accept(each.sign)) continue;
        made.relation = each.relation;
        if (cursor_.is("=")) cursor_.fail_expected("a number", "; 'equal' is written '='");
        made.expressions.push_back(expression());
        return made;
    }
    cursor_.fail_expected("'=', '<>', '<', '<=', '>' or '>='");
}

WrittenStatement StatementParser::rotate() {
    WrittenStatement made = begun(Op::Rotate);
    const Place place = cursor_.now().place;
    const int degrees = cursor_.integer(true);
    if (degrees % 45 != 0) {
        cursor_.fail(place, fmt::format("'rotate {}': expected a multiple of 45 degrees", degrees));
    }
    made.index = (degrees / 45 % kDirections + kDirections) % kDirections;
    return made;
}

WrittenStatement StatementParser::verdict() {
    const bool is_win = cursor_.is("win");
    const bool is_draw = cursor_.is("draw");
    WrittenStatement made = begun(Op::Verdict);
    made.verdict = is_win ? Verdict::Win : is_draw ? Verdict::Draw : Verdict::Lose;
    if (cursor_.now().kind == Token::Kind::String) {
        const Token& token = cursor_.take();
        if (!is_said(token.text)) {
            cursor_.fail(token.place,
                         fmt::format("a reason has 1 to {} printable characters", kLongestReason));
        }
        made.has_text = true;
        made.name = {std::string(token.text), token.place};
    }
    return made;
}

WrittenStatement StatementParser::write() {
    WrittenStatement made = begun(Op::WriteText);
    if (cursor_.accept("field")) {
        made.op = Op::WriteField;
    } else if (cursor_.accept("piece")) {
        made.op = Op::WritePiece;
    } else if (cursor_.now().kind == Token::Kind::String) {
        const Token& token = cursor_.take();
        if (!is_printable(token.text, '!')) {
            cursor_.fail(token.place, "a move's name has printable characters and no blank");
        }
        made.name = {std::string(token.text), token.place};
    } else {
        cursor_.fail_expected("a text in double quotes, 'field' or 'piece'");
    }
    return made;
}

WrittenStatement StatementParser::call() {
    const Token& token = cursor_.now();
    if (token.is("base")) {
        WrittenStatement made = begun(Op::Call);
        made.is_base = true;
        made.name = cursor_.name("a rule");
        return made;
    }
    if (token.kind != Token::Kind::Word) {
        const bool is_bracket = token.is("(") || token.is("{");
        cursor_.fail_expected("a statement", is_bracket ? "; brackets are written [ .., .. ]" : "");
    }
    if (is_reserved(token.text)) cursor_.fail_expected("a statement", advice_on_end());
    WrittenStatement made = begun(Op::Call);
    made.name = {std::string(token.text), token.place};
    behind_call_ = cursor_.position();
    called_ = token.text;
    return made;
}

std::string StatementParser::advice_on_end() const {
    if (cursor_.is("or")) {
        return "; a comma ends an 'either': several statements in one alternative need brackets: "
               "[ .., .. ]";
    }
    if (cursor_.is("else")) {
        return "; 'else' goes with the one statement behind 'try': several need brackets: "
               "[ .., .. ]";
    }
    if (cursor_.is("times")) return "; several statements in one place need brackets: [ .., .. ]";
    // What more words follow is no call of a rule, but a statement that is written wrong.
    const bool is_behind_call = !called_.empty() && behind_call_ == cursor_.position();
    return is_behind_call ? did_you_mean(called_, statement_words()) : "";
}

WrittenOwner StatementParser::owner() {
    if (cursor_.accept("own")) return Owner::Own;
    if (cursor_.accept("enemy")) return Owner::Enemy;
    if (cursor_.accept("any")) return Owner::Any;
    return std::nullopt;
}

WrittenPattern StatementParser::pattern() {
    WrittenPattern made;
    made.place = cursor_.now().place;
    if (cursor_.accept("empty")) {
        cursor_.expect("field");
        made.is_empty_field = true;
        return made;
    }
    made.owner = owner();
    if (cursor_.is("piece")) {
        if (!made.owner) {
            cursor_.fail(made.place, "expected 'own', 'enemy' or 'any' before 'piece'");
        }
        cursor_.take();
        made.is_any_piece = true;
        return made;
    }
    made.piece = cursor_.name("a piece", true);
    return made;
}

WrittenTerm StatementParser::term(bool is_subtracted) {
    WrittenTerm made;
    made.is_subtracted = is_subtracted;
    if (cursor_.is("-") || cursor_.now().kind == Token::Kind::Integer) {
        made.value = cursor_.integer(true);
        return made;
    }
    const bool is_count = cursor_.accept("count");
    if (is_count) {
        made.kind = WrittenTerm::Kind::Count;
        made.pattern = pattern();
        if (!cursor_.accept("in")) return made;
    } else {
        made.kind = WrittenTerm::Kind::Variable;
    }
    const Place place = cursor_.now().place;
    made.owner = owner();
    if (made.owner == Owner::Any) {
        cursor_.fail(place, fmt::format("a {} is 'own' or 'enemy', not 'any'",
                                        is_count ? "zone" : "variable"));
    }
    made.name = cursor_.name(is_count ? "a zone" : "a number variable");
    return made;
}

WrittenExpression StatementParser::expression() {
    WrittenExpression made;
    made.terms.push_back(term(false));
    while (cursor_.is("+") || cursor_.is("-")) {
        if (made.terms.size() >= kMostTerms) {
            cursor_.fail(cursor_.now().place,
                         fmt::format("an expression has at most {} terms", kMostTerms));
        }
        const bool is_subtracted = cursor_.take().is("-");
        made.terms.push_back(term(is_subtracted));
    }
    return made;
}

WrittenPicture StatementParser::picture() {
    WrittenPicture made;
    made.place = cursor_.now().place;
    cursor_.expect("{");
    while (!cursor_.accept("}")) {
        if (cursor_.now().kind != Token::Kind::String) {
            cursor_.fail_missing("a row of the picture in double quotes, or '}'");
        }
        const Token& row = cursor_.take();
        made.rows.push_back({std::string(row.text), row.place});
    }
    return made;
}

}  // namespace assay::rules::multigame

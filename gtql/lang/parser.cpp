// The parser: operator precedence over a vector of tokens (Pratt 1973; precedence climbing), which
// writes the steps of an expression in postfix order at once. There is no tree: the evaluator works
// on a stack, and everything that a later phase needs (operands, conjuncts) can be found in
// postfix.
//
// Only parentheses and functions recurse, and their depth is limited; chains of operators of any
// length, and of `not`, are loops. A query is text from outside, and must not be able to overflow
// the stack.
//
// The type of an expression (truth value, bit test, number, average, move) is known while it is
// read, so that most type errors are found without a tree. Names are left for query_plan.cpp, which
// knows the tree's schema. `flags & InCheck` is a bit test: a number in arithmetic and a truth
// value in a condition, which is decided by what is expected where it stands (want_truth).
//
// Parts must come in the order in which they are evaluated (node, parent, ancestor, sibling, child,
// subtree), so that equal queries have equal text. Errors say what was expected at the place, and
// advise where the mistake is a common one (parser_advice.h).
#include "gtql/lang/parser.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "base/text.h"
#include "gtql/lang/lexer.h"
#include "gtql/lang/operators.h"
#include "gtql/lang/parser_advice.h"

namespace assay::gtql {

namespace {

struct Operand {
    Type type = Type::Number;
    Span span;
    Op op = Op::Integer;  // the operator that made it
};

class Parser {
public:
    Parser(Query& query, const ParseOptions& options)
        : query_(query),
          options_(options),
          source_(query.text->path, query.text->text),
          tokens_(tokens_of(source_, query.range)) {}

    void parse() {
        if (peek().symbol == Symbol::End) fail(peek().span, "expected a query, found nothing");
        int last = -1;
        while (peek().symbol != Symbol::End) {
            last = parse_part(last);
            if (peek().symbol == Symbol::End) break;
            if (peek().symbol != Symbol::Semicolon) refuse_after_expression();
            ++at_;
        }
    }

private:
    [[noreturn]] void fail(Span span, std::string message) const {
        throw SyntaxError(source_.at(span, std::move(message)));
    }

    [[nodiscard]] const Token& peek(std::size_t ahead = 0) const {
        return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
    }

    [[nodiscard]] std::string_view spelled(const Token& token) const {
        return query_.spelled(token.span);
    }

    [[nodiscard]] std::string found() const {
        if (peek().symbol == Symbol::End) return "the end";
        std::string text = printable_utf8(spelled(peek()).substr(0, 40));
        return "'" + text + "'";
    }

    [[nodiscard]] bool is_word(std::string_view word) const {
        return peek().symbol == Symbol::Name && spelled(peek()) == word;
    }

    void expect(Symbol symbol, const std::string& what) {
        if (peek().symbol != symbol) fail(peek().span, "expected " + what + ", found " + found());
        ++at_;
    }

    void need_level_2(Span span, const std::string& what) const {
        if (options_.level < 2) fail(span, what + " is level 2, but level 1 was requested");
    }

    void emit(Op op, Span span, std::int64_t value = 0, Role role = Role::Bare) {
        out_->steps.push_back({op, role, value, span});
    }

    // ---- parts

    int parse_part(int last) {
        const Span span = peek().span;
        const bool is_part = peek().symbol == Symbol::Name && peek(1).symbol == Symbol::Colon;
        const auto* const known =
            is_part ? std::ranges::find(kPartNames, spelled(peek())) : kPartNames.end();
        // A name of a part without its colon: the most likely mistake deserves its own message.
        const bool lacks_colon = !is_part && peek().symbol == Symbol::Name &&
                                 std::ranges::find(kPartNames, spelled(peek())) != kPartNames.end();
        if (lacks_colon) {
            fail(span, "expected ':' after '" + std::string(spelled(peek())) + "'");
        }
        if (known == kPartNames.end()) {
            const std::string near = peek().symbol == Symbol::Name
                                         ? did_you_mean(spelled(peek()).substr(0, 40), kPartNames)
                                         : "";
            fail(span, "expected a part such as 'node:' or 'child:', found " + found() + near);
        }
        const int index = static_cast<int>(known - kPartNames.begin());
        part_ = static_cast<Part>(index);
        if (part_ == Part::Parent || part_ == Part::Ancestor || part_ == Part::Sibling) {
            need_level_2(span, "the part '" + std::string(*known) + ":'");
        }
        if (index == last) fail(span, "the part '" + std::string(*known) + ":' occurs twice");
        if (index < last) {
            fail(span, "the part '" + std::string(*known) + ":' must come before '" +
                           std::string(kPartNames.at(static_cast<std::size_t>(last))) + ":'");
        }
        at_ += 2;
        if (peek().symbol == Symbol::End || peek().symbol == Symbol::Semicolon) {
            fail(peek().span, "the part '" + std::string(*known) + ":' is empty");
        }
        if (part_ == Part::Node) {
            parse_node();
        } else {
            out_ = &query_.parts.at(static_cast<std::size_t>(index));
            want_truth(parse_expression(kNone));
        }
        return index;
    }

    void parse_node() {
        Expression first;
        out_ = &first;
        const std::size_t begin = peek().span.begin;
        const Operand operand = parse_expression(kNone);
        // Without a function this is a condition on each node; with one it is about the whole tree.
        if (query_.calls.empty()) {
            want_truth(operand);
            query_.parts.at(0) = std::move(first);
            return;
        }
        const bool is_count = first.steps.size() == 1 && is_call(Function::Count);
        const bool is_truth = operand.type == Type::Truth || operand.type == Type::BitTest;
        if (is_truth) need_level_2(operand.span, "a statement about the tree");
        if (operand.type == Type::BitTest) want_truth(operand);
        query_.kind =
            is_truth ? AnswerKind::Bool : (is_count ? AnswerKind::Count : AnswerKind::Value);
        std::vector<std::string> titles{title(begin)};
        query_.columns.push_back(std::move(first));
        if (peek().symbol == Symbol::Comma || is_word("by")) parse_table(operand, titles);
        query_.titles.insert(query_.titles.end(), titles.begin(), titles.end());
    }

    [[nodiscard]] bool is_call(Function function) const {
        return query_.calls.size() == 1 && query_.calls[0].function == function;
    }

    [[nodiscard]] std::string title(std::size_t begin) const {
        Query piece;
        piece.text = query_.text;
        piece.range = {begin, peek(0).span.begin};
        return piece.one_line();
    }

    void parse_table(const Operand& first, std::vector<std::string>& titles) {
        need_level_2(peek().span, "a table");
        query_.kind = AnswerKind::Table;
        want_number(first, "a column of a table");
        while (peek().symbol == Symbol::Comma) {
            ++at_;
            Expression column;
            out_ = &column;
            const std::size_t begin = peek().span.begin;
            want_number(parse_expression(kNone), "a column of a table");
            titles.push_back(title(begin));
            query_.columns.push_back(std::move(column));
            check_columns();
        }
        if (!is_word("by")) return;
        ++at_;
        place_ = "a key of a table";
        while (true) {
            Expression key;
            out_ = &key;
            const std::size_t begin = peek().span.begin;
            parse_expression(kNone);
            query_.titles.push_back(title(begin));
            query_.keys.push_back(std::move(key));
            check_columns();
            if (peek().symbol != Symbol::Comma) break;
            ++at_;
        }
        place_ = nullptr;
    }

    void check_columns() const {
        if (query_.columns.size() + query_.keys.size() > kMostColumns) {
            fail(peek().span, "a table has at most " + std::to_string(kMostColumns) + " columns");
        }
    }

    [[noreturn]] void refuse_after_expression() const {
        const Token& token = peek();
        if (token.symbol == Symbol::Close) fail(token.span, "')' without a matching '('");
        if (token.symbol == Symbol::Name && peek(1).symbol == Symbol::Colon) {
            fail(token.span, "expected ';' before the next part, found " + found());
        }
        const std::string near =
            token.symbol == Symbol::Name ? advice_after_expression(spelled(token)) : "";
        fail(token.span, "expected an operator or ';', found " + found() + near);
    }

    // ---- types

    /// Turns a bit test into a truth value. Throws for anything else that is not one.
    void want_truth(const Operand& operand) {
        if (operand.type == Type::Truth) return;
        if (operand.type == Type::BitTest) return emit(Op::Truth, operand.span);
        const std::string_view next = peek().symbol == Symbol::Name ? spelled(peek()) : "";
        const bool is_call = operand.op == Op::Call && part_ != Part::Node;
        fail(operand.span,
             "expected a truth value, found " + std::string(words_for(operand.type)) +
                 advice_for_truth(query_.spelled(operand.span), operand.op, is_call, next));
    }

    void want_number(const Operand& operand, const std::string& what) const {
        if (is_number(operand.type)) return;
        fail(operand.span,
             what + " must be a number, found " + std::string(words_for(operand.type)));
    }

    Operand combine(const Operator& with, Span symbol, const Operand& left, const Operand& right) {
        const Span span{left.span.begin, right.span.end};
        const std::string name = "'" + std::string(query_.spelled(symbol)) + "'";
        if (with.precedence == kRelation) {
            const bool has_move = left.type == Type::Move || right.type == Type::Move;
            if (has_move && with.op != Op::Equal && with.op != Op::NotEqual) {
                fail(symbol, "moves can be compared with '=' and '!=' only");
            }
            for (const Operand* each : {&left, &right}) {
                if (each->type == Type::Truth) {
                    fail(each->span, name + " compares numbers, found a truth value");
                }
            }
            emit(with.op, symbol);
            return {Type::Truth, span, with.op};
        }
        want_number(left, "an operand of " + name);
        want_number(right, "an operand of " + name);
        const bool is_real = left.type == Type::Real || right.type == Type::Real;
        const bool is_whole_only =
            with.op == Op::BitAnd || with.op == Op::BitOr || with.op == Op::Modulo;
        if (is_real && is_whole_only) {
            fail(left.type == Type::Real ? left.span : right.span,
                 name + " takes integers, not an average");
        }
        emit(with.op, symbol);
        if (with.op == Op::BitAnd) return {Type::BitTest, span, with.op};
        return {is_real ? Type::Real : Type::Number, span, with.op};
    }

    // ---- expressions

    [[nodiscard]] std::optional<Operator> next_operator() const {
        if (peek().symbol != Symbol::Name) return symbol_operator(peek().symbol);
        if (is_word("and")) return Operator{Op::And, kAnd};
        if (is_word("or")) return Operator{Op::Or, kOr};
        const bool is_in = is_word("in") && peek(1).symbol == Symbol::Open;
        if (is_in) return Operator{Op::In, kRelation};
        return std::nullopt;
    }

    /// Reads an expression of operators that bind tighter than `floor`. The loop makes operators of
    /// the same precedence group to the left.
    Operand parse_expression(int floor) {
        Operand left = parse_prefix(floor);
        while (const auto with = next_operator()) {
            if (with->precedence <= floor) break;
            const Span symbol = peek().span;
            if (with->op == Op::BitOr) need_level_2(symbol, "'|'");
            if (with->precedence >= kSum) {
                need_level_2(symbol, "'" + std::string(query_.spelled(symbol)) + "'");
            }
            if (with->op == Op::In) {
                left = parse_in(left);
            } else if (with->precedence < kNot) {
                left = parse_logical(*with, left);
            } else {
                ++at_;
                left = combine(*with, symbol, left, parse_expression(with->precedence));
            }
            if (with->precedence == kRelation) refuse_chain();
        }
        return left;
    }

    Operand parse_logical(const Operator& with, const Operand& left) {
        const Span symbol = peek().span;
        want_truth(left);
        ++at_;
        const Operand right = parse_expression(with.precedence);
        want_truth(right);
        emit(with.op, symbol);
        return {Type::Truth, {left.span.begin, right.span.end}, with.op};
    }

    void refuse_chain() const {
        const auto next = next_operator();
        if (next && next->precedence == kRelation) {
            fail(peek().span, "comparisons cannot be chained; join them with 'and'");
        }
    }

    Operand parse_in(const Operand& left) {
        const Span symbol = peek().span;
        need_level_2(symbol, "'in'");
        if (left.type == Type::Truth) {
            fail(left.span, "'in' compares numbers, found a truth value");
        }
        at_ += 2;
        std::int64_t count = 0;
        while (true) {
            const Operand each = parse_expression(kRelation);
            if (each.type == Type::Truth) {
                fail(each.span, "'in' compares numbers, found a truth value");
            }
            ++count;
            if (count > static_cast<std::int64_t>(kMostCalls)) {
                fail(each.span, "more than " + std::to_string(kMostCalls) + " values after 'in'");
            }
            if (peek().symbol != Symbol::Comma) break;
            ++at_;
        }
        const std::size_t end = peek().span.end;
        expect(Symbol::Close, "',' or ')'");
        emit(Op::In, symbol, count);
        return {Type::Truth, {left.span.begin, end}, Op::In};
    }

    Operand parse_prefix(int floor) {
        if (!is_word("not") || floor > kNot) return parse_primary();
        const Span first = peek().span;
        // Any number of `not` without recursion: only whether it is even counts.
        bool is_negated = false;
        while (is_word("not")) {
            is_negated = !is_negated;
            ++at_;
        }
        const Operand operand = parse_expression(kNot);
        want_truth(operand);
        if (is_negated) emit(Op::Not, first);
        return {Type::Truth, {first.begin, operand.span.end}, Op::Not};
    }

    Operand parse_primary() {
        const Token token = peek();
        if (const auto role = role_of(token.symbol)) return parse_role(*role);
        switch (token.symbol) {
            case Symbol::Integer:
                return parse_integer(token.span.begin, false);
            case Symbol::Minus:
                return parse_negative();
            case Symbol::Text:
                need_level_2(token.span, "a quoted move");
                ++at_;
                emit(Op::Text, token.span);
                return {Type::Move, token.span, Op::Text};
            case Symbol::Open:
                return parse_parentheses();
            case Symbol::Name:
                break;
            case Symbol::Star:
                if (peek(1).symbol == Symbol::End) {
                    fail(peek(1).span, "expected ')', found the end");
                }
                fail(token.span, "'*' is allowed only in 'count(*)'");
            default:
                fail(token.span, "expected an attribute, a constant or a number, found " + found());
        }
        return parse_name(token, Role::Bare);
    }

    Operand parse_name(const Token& token, Role role) {
        const std::string_view name = spelled(token);
        if (peek(1).symbol == Symbol::Open && role == Role::Bare) {
            if (const auto function = function_of(name)) return parse_call(*function);
            if (name != "and" && name != "or" && name != "not") {
                fail(token.span, "unknown function '" + std::string(name.substr(0, 40)) + "'" +
                                     did_you_mean(name.substr(0, 40), kFunctionNames));
            }
        }
        if (name == "and" || name == "or" || name == "not") {
            fail(token.span, "expected an attribute, a constant or a number, found " + found());
        }
        ++at_;
        emit(Op::Name, token.span, 0, role);
        return {Type::Number, token.span, Op::Name};
    }

    Operand parse_role(Role role) {
        const Token token = peek();
        const std::string name = "'" + std::string(spelled(token)) + "'";
        const bool is_child = role == Role::Child || role == Role::Previous;
        if (is_child && !(call_ && part_ == Part::Child)) {
            fail(token.span, name + " is allowed only inside the functions of a 'child:' part");
        }
        if (role == Role::Parent || role == Role::Queried) need_level_2(token.span, name);
        if (role == Role::Queried && part_ == Part::Child) {
            fail(
                token.span,
                name + " is not allowed in 'child:', where a bare attribute is the queried node's");
        }
        if (role == Role::Queried && (!call_ || part_ == Part::Node)) {
            fail(token.span, name +
                                 " is allowed only inside the functions of 'parent:', 'ancestor:', "
                                 "'sibling:' and 'subtree:' parts");
        }
        ++at_;
        if (peek().symbol != Symbol::Name || peek(1).symbol == Symbol::Open) {
            fail(peek().span, "expected an attribute after " + name + ", found " + found());
        }
        Operand operand = parse_name(peek(), role);
        operand.span.begin = token.span.begin;
        return operand;
    }

    Operand parse_integer(std::size_t begin, bool is_negative) {
        const Token token = peek();
        constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
        const Span span{begin, token.span.end};
        if (token.value > kMost && !is_negative) fail(span, "the number does not fit in 64 bits");
        ++at_;
        // In unsigned arithmetic, since 2^63 has no positive counterpart.
        const std::uint64_t bits = is_negative ? 0 - token.value : token.value;
        emit(Op::Integer, span, static_cast<std::int64_t>(bits));
        return {Type::Number, span, Op::Integer};
    }

    Operand parse_negative() {
        const Token minus = peek();
        if (peek(1).symbol != Symbol::Integer || peek(1).span.begin != minus.span.end) {
            fail(minus.span,
                 "a sign is allowed only directly before a digit; write '0 - x' instead");
        }
        ++at_;
        return parse_integer(minus.span.begin, true);
    }

    void go_deeper(Span span) {
        if (++depth_ > kDeepestNesting) {
            fail(span, "nested deeper than " + std::to_string(kDeepestNesting));
        }
    }

    Operand parse_parentheses() {
        const Span open = peek().span;
        go_deeper(open);
        ++at_;
        Operand operand = parse_expression(kNone);
        operand.span = {open.begin, peek().span.end};
        expect(Symbol::Close, "an operator or ')'");
        --depth_;
        return operand;
    }

    Operand parse_call(Function function) {
        const Token name = peek();
        if (call_) fail(name.span, "a function cannot contain a function");
        if (place_ != nullptr) {
            fail(name.span, "a function is not allowed in " + std::string(place_));
        }
        if (function != Function::Count) {
            need_level_2(name.span, "'" + std::string(spelled(name)) + "'");
        }
        if (query_.calls.size() == kMostCalls) {
            fail(name.span, "more than " + std::to_string(kMostCalls) + " functions");
        }
        at_ += 2;
        Call call;
        call.function = function;
        call.scope = part_;
        // Steps of the argument and the condition go to the call; those after it go on in `outer`.
        Expression* const outer = std::exchange(out_, &call.condition);
        call_ = true;
        go_deeper(name.span);
        if (function == Function::Count) {
            parse_condition();
        } else {
            out_ = &call.value;
            parse_argument(name);
            if (is_word("where")) {
                ++at_;
                out_ = &call.condition;
                parse_condition();
            }
        }
        --depth_;
        call_ = false;
        out_ = outer;
        call.span = {name.span.begin, peek().span.end};
        expect(Symbol::Close, "an operator or ')'");
        const Span span = call.span;
        query_.calls.push_back(std::move(call));
        emit(Op::Call, span, static_cast<std::int64_t>(query_.calls.size()) - 1);
        return {function == Function::Avg ? Type::Real : Type::Number, span, Op::Call};
    }

    void parse_condition() {
        if (peek().symbol == Symbol::Star && peek(1).symbol == Symbol::Close) {
            ++at_;
            return;
        }
        want_truth(parse_expression(kNone));
    }

    void parse_argument(const Token& name) {
        const Operand operand = parse_expression(kNone);
        want_number(operand, "the argument of '" + std::string(spelled(name)) + "'");
    }

    Query& query_;
    const ParseOptions& options_;
    Source source_;
    std::vector<Token> tokens_;
    std::size_t at_ = 0;
    Part part_ = Part::Node;
    Expression* out_ = nullptr;    // receives the steps
    bool call_ = false;            // inside a function
    const char* place_ = nullptr;  // a construct without functions, for the message; or null
    int depth_ = 0;
};

}  // namespace

Query parse_query(std::shared_ptr<const QueryText> text, Span range, const ParseOptions& options) {
    Query query;
    query.text = std::move(text);
    query.range = range;
    query.level = options.level;
    Parser(query, options).parse();
    return query;
}

Query parse_query(const std::string& path, const std::string& text, const ParseOptions& options) {
    const auto shared = std::make_shared<const QueryText>(QueryText{path, text});
    return parse_query(shared, {0, text.size()}, options);
}

}  // namespace assay::gtql

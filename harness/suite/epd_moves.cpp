// Reads the solutions of test positions (bm, am) and checks them against the rules, since test
// suites that are passed around have errors: moves that are not legal, ambiguous or in the wrong
// notation, and a position that no program could solve would count against all of them. SAN is
// tried first and then coordinates. Errors point at the word and name the move that was probably
// meant.
#include "harness/suite/epd_moves.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/diagnostic.h"
#include "base/text.h"
#include "openings/read/epd_line.h"

namespace assay::harness {

namespace {

using openings::EpdOperation;
using openings::Remark;
using rules::Notation;

constexpr std::size_t kMostNamed = 6;  // moves in a message

std::string in_quotes(std::string_view text) {
    return "'" + printable_utf8(text) + "'";
}

/// `word` is what is left of `whole` without one or two letters.
bool is_short_for(std::string_view word, std::string_view whole) {
    if (word.size() >= whole.size() || whole.size() - word.size() > 2) return false;
    std::size_t at = 0;
    for (const char c : whole)
        if (at < word.size() && word[at] == c) ++at;
    return at == word.size();
}

class OperationReader {
public:
    OperationReader(std::string_view line, const rules::Position& position, SuitePosition& out)
        : line_(line), position_(position), out_(out) {}

    [[nodiscard]] std::vector<Remark> read(std::string_view operations) {
        while (const auto operation = openings::take_operation(operations)) read(*operation);
        check();
        return std::move(wrong_);
    }

private:
    void read(const EpdOperation& operation) {
        const bool is_best = operation.opcode == "bm";
        const bool is_avoid = operation.opcode == "am";
        const bool is_text = operation.opcode == "id" || operation.opcode == "c0";
        if (!is_best && !is_avoid && !is_text) return;
        if (operation.has_open_quote) {
            const std::size_t quote = operation.operands.rfind('"');
            complain(operation.operands.substr(quote, 1), "this quote is not closed");
            return;
        }
        if (is_text)
            add_text(operation.opcode == "id" ? out_.id : out_.comment, operation.operands);
        else
            add_moves(operation, is_best ? out_.best : out_.avoid);
    }

    static void add_text(std::string& text, std::string_view operands) {
        for (const std::string_view one : openings::split_operands(operands)) {
            if (trim(one).empty()) continue;
            if (!text.empty()) text += ' ';
            text += printable_utf8(trim(one));
        }
    }

    void add_moves(const EpdOperation& operation, std::vector<std::string>& moves) {
        const auto words = openings::split_operands(operation.operands);
        if (words.empty())
            complain(operation.opcode, in_quotes(operation.opcode) + " names no move");
        for (const std::string_view word : words) {
            auto move = position_.move_of(word, Notation::Text);
            if (!move) move = position_.move_of(word, Notation::Canonical);
            if (!move) {
                complain(word, complaint_of(word));
                continue;
            }
            std::string name = position_.name_of(*move, Notation::Canonical);
            if (std::find(moves.begin(), moves.end(), name) == moves.end())
                moves.push_back(std::move(name));
        }
        last_moves_ = operation.operands;
    }

    [[nodiscard]] std::string complaint_of(std::string_view word) const {
        std::vector<rules::Move> legal;
        position_.moves(legal);
        std::vector<std::string> names;
        for (const rules::Move move : legal)
            names.push_back(position_.name_of(move, Notation::Text));
        const std::size_t texts = names.size();
        std::vector<std::string> longer;
        for (const std::string& name : names)
            if (is_short_for(word, name)) longer.push_back(name);
        if (longer.size() > 1 && longer.size() <= kMostNamed)
            return in_quotes(word) + " is no move by itself; did you mean " +
                   joined(longer, " or ") + "?";
        for (std::size_t i = 0; i < texts; ++i)
            names.push_back(position_.name_of(legal[i], Notation::Canonical));
        const std::vector<std::string_view> candidates(names.begin(), names.end());
        return in_quotes(word) + " is no legal move here" + did_you_mean(word, candidates);
    }

    /// What only all operations together show.
    void check() {
        for (const std::string& move : out_.best) {
            if (std::find(out_.avoid.begin(), out_.avoid.end(), move) == out_.avoid.end()) continue;
            complain(last_moves_, in_quotes(move) + " is in both bm and am");
            return;
        }
        if (out_.avoid.empty()) return;
        std::vector<rules::Move> legal;
        position_.moves(legal);
        if (out_.avoid.size() >= legal.size()) complain(last_moves_, "am leaves no legal move");
    }

    void complain(std::string_view part, std::string message) {
        wrong_.push_back({openings::offset_in(line_, part), std::max<std::size_t>(part.size(), 1),
                          std::move(message)});
    }

    std::string_view line_;
    const rules::Position& position_;
    SuitePosition& out_;
    std::string_view last_moves_;  // of bm or am, to point at
    std::vector<Remark> wrong_;
};

}  // namespace

std::vector<Remark> read_epd_operations(std::string_view line, std::string_view operations,
                                        const rules::Position& position, SuitePosition& out) {
    return OperationReader(line, position, out).read(operations);
}

std::string nearest_solution_opcode(std::string_view operations) {
    constexpr std::array kWanted{std::string_view("bm"), std::string_view("am")};
    // Opcodes of the standard that are one letter away from these.
    constexpr std::array<std::string_view, 3> kOthers{"dm", "pm", "sm"};
    while (const auto operation = openings::take_operation(operations)) {
        if (std::find(kOthers.begin(), kOthers.end(), operation->opcode) != kOthers.end()) continue;
        std::string said = did_you_mean(operation->opcode, kWanted);
        if (!said.empty()) return said;
    }
    return "";
}

}  // namespace assay::harness

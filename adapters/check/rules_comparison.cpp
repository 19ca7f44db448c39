// The descent is depth first along the first move whose count differs. It ends, because at depth 1
// every count is 1: lists that are equal there have equal counts. A difference that cancels out
// within one count (one move too few and one too many below it) is not seen at that depth; a
// smaller depth finds it.
//
// Compares a program's move generation with assay's rules by counting (perft): the counts of
// sequences below each move are compared, and the comparison goes down into the first move whose
// count differs, until a list of moves itself differs. That names one position and the moves that
// are missing or too many there, in a few divides instead of a search over all positions.
#include "adapters/check/rules_comparison.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "adapters/check/compliance_talk.h"
#include "base/text.h"

namespace assay::adapters {

namespace {

using DivideCounts = std::map<std::string, std::uint64_t>;

std::uint64_t move_sequences(rules::Position& position, int depth) {
    if (depth == 0) return 1;
    if (position.to_move() == rules::kNobody) return 0;
    std::vector<rules::Move> moves;
    position.moves(moves);
    if (depth == 1) return moves.size();
    std::uint64_t sum = 0;
    for (const rules::Move move : moves) {
        position.make(move);
        sum += move_sequences(position, depth - 1);
        position.undo();
    }
    return sum;
}

class RulesDescent {
public:
    RulesDescent(const rules::Game& game, const rules::Position& from, bool from_start,
                 const ProgramSpec& program, Micros patience, const Clock& clock)
        : game_(game),
          notation_(game.notation_of(kDefaultProtocol)),
          position_(from.clone()),
          root_(from_start ? "position startpos" : "position fen " + from.text()),
          talk_(program, spawner_, clock, notes_),
          program_(program),
          patience_(patience),
          clock_(clock) {}

    RulesComparison all(int depth) {
        out_.trouble = talk_.start();
        if (out_.trouble.empty() && shake_hands()) descend(depth);
        talk_.terminate();
        return std::move(out_);
    }

private:
    /// Lines until one that begins so; false after trouble, which `take` may note.
    template <class Take>
    bool read_until(std::string_view last, Take take) {
        const TimePoint limit = clock_.now() + patience_;
        while (const auto line = talk_.line(limit)) {
            if (line->text.starts_with(last)) return true;
            take(line->text);
            if (!out_.trouble.empty()) return false;
        }
        out_.trouble = talk_.trouble().empty()
                           ? "did not answer with '" + std::string(last) + "' in time"
                           : talk_.trouble();
        return false;
    }

    bool shake_hands() {
        bool knows_variant = false;
        talk_.send("uci\n");
        const std::string& variant = game_.info().variant;
        if (!read_until("uciok", [&](const std::string& line) {
                knows_variant = knows_variant ||
                                (line.starts_with("option name UCI_Variant ") &&
                                 (line + ' ').find(" var " + variant + ' ') != std::string::npos);
            })) {
            return false;
        }
        std::string words;
        if (variant == "chess960") words += "setoption name UCI_Chess960 value true\n";
        const auto is_set = [&](std::string_view name) {
            return std::ranges::any_of(program_.options,
                                       [&](const auto& each) { return each.first == name; });
        };
        if (knows_variant && !variant.empty() && !is_set("UCI_Variant")) {
            words += "setoption name UCI_Variant value " + variant + "\n";
        }
        for (const auto& [name, value] : program_.options) {
            words.append("setoption name ").append(name).append(" value ");
            words.append(value).append("\n");
        }
        talk_.send(words + "isready\n");
        return read_until("readyok", [](const std::string&) {});
    }

    [[nodiscard]] std::string command() const {
        std::string words = root_;
        for (std::size_t n = 0; n < path_.size(); ++n) {
            words += (n == 0 ? " moves " : " ") + path_[n];
        }
        return words;
    }

    std::optional<DivideCounts> of_program(int depth) {
        DivideCounts counts;
        ++out_.divides;
        talk_.send(command() + "\ngo perft " + std::to_string(depth) + "\n");
        const bool is_whole = read_until("Nodes searched", [&](const std::string& line) {
            if (auto entry = divide_line(line)) counts.insert(std::move(*entry));
            // It would search for ever: without a limit that it knows.
            if (line.starts_with("info ") && line.find(" pv ") != std::string::npos)
                out_.trouble = "searches instead of counting: it does not know 'go perft'";
        });
        return is_whole ? std::optional(std::move(counts)) : std::nullopt;
    }

    DivideCounts of_rules(int depth) {
        DivideCounts counts;
        if (position_->to_move() == rules::kNobody) return counts;
        std::vector<rules::Move> moves;
        position_->moves(moves);
        for (const rules::Move move : moves) {
            const std::string name = position_->name_of(move, notation_);
            position_->make(move);
            counts[name] = move_sequences(*position_, depth - 1);
            position_->undo();
        }
        return counts;
    }

    void descend(int depth) {
        for (; depth > 0; --depth) {
            const auto theirs = of_program(depth);
            if (!theirs) return;
            const DivideCounts ours = of_rules(depth);
            if (path_.empty()) {
                for (const auto& [name, count] : ours) out_.nodes += count;
            }
            RulesDifference difference;
            for (const auto& [name, count] : ours) {
                if (!theirs->contains(name)) difference.missing.push_back(name);
            }
            for (const auto& [name, count] : *theirs) {
                if (!ours.contains(name)) difference.surplus.push_back(name);
            }
            if (!difference.missing.empty() || !difference.surplus.empty()) {
                difference.text = position_->text();
                difference.path = path_;
                difference.command = command() + "\ngo perft 1";
                out_.difference = std::move(difference);
                return;
            }
            const auto differing = std::ranges::find_if(
                ours, [&](const auto& each) { return theirs->at(each.first) != each.second; });
            if (differing == ours.end()) return;
            position_->make(*position_->move_of(differing->first, notation_));
            path_.push_back(differing->first);
        }
    }

    const rules::Game& game_;
    rules::Notation notation_;
    std::unique_ptr<rules::Position> position_;
    std::string root_;
    std::vector<std::string> path_;
    Spawner spawner_;
    StreamNotes notes_;
    Talk talk_;
    const ProgramSpec& program_;
    Micros patience_;
    const Clock& clock_;
    RulesComparison out_;
};

}  // namespace

std::optional<std::pair<std::string, std::uint64_t>> divide_line(std::string_view line) {
    const std::size_t colon = line.find(": ");
    if (colon == std::string_view::npos || colon == 0) return std::nullopt;
    const std::string_view name = line.substr(0, colon);
    const auto count = to_number<std::uint64_t>(trim(line.substr(colon + 2)));
    if (!count || name.find(' ') != std::string_view::npos) return std::nullopt;
    return std::pair(std::string(name), *count);
}

RulesComparison compare_rules(const rules::Game& game, const rules::Position& from, bool from_start,
                              const ProgramSpec& program, int depth, Micros patience,
                              const Clock& clock) {
    return RulesDescent(game, from, from_start, program, patience, clock).all(depth);
}

}  // namespace assay::adapters

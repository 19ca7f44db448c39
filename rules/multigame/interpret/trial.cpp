#include "rules/multigame/interpret/trial.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "base/random.h"
#include "rules/multigame/interpret/perft.h"

namespace assay::rules::multigame {

namespace {

class Trials {
public:
    Trials(const std::shared_ptr<const Tables>& tables, const TrialOptions& options)
        : form_(tables->form()),
          options_(options),
          random_(options.seed),
          machine_(tables),
          starts_(start_states(tables)) {
        out_.counts.reached.assign(form_.statements.size(), 0);
        out_.counts.succeeded.assign(form_.statements.size(), 0);
        machine_.count_statements(&out_.counts);
    }

    Trial all() {
        for (; out_.games < options_.games; ++out_.games) {
            try {
                game();
            } catch (const RuleError& error) {
                note_error(error);
                if (out_.rule_errors.size() >= kMostErrors) break;
            }
        }
        return std::move(out_);
    }

private:
    static constexpr std::size_t kMostErrors = 5;

    void note_error(const RuleError& error) {
        const std::pair place(error.place().file, error.place().line);
        if (std::ranges::find(places_, place) != places_.end()) return;
        places_.push_back(place);
        out_.rule_errors.emplace_back(error.what());
    }

    void game() {
        machine_.load(starts_[random_.below(starts_.size())]);
        for (int ply = 0; ply < options_.most_plies; ++ply) {
            machine_.moves(list_, true);
            if (list_.silent_difference != kNone) note_silent();
            const int move = random_move();
            const int mover = machine_.side();
            if (move == kNone) return end(list_.moves.front(), mover, ply);
            const MoveEntry made = item(list_.moves, move);
            machine_.apply(list_, static_cast<std::size_t>(move));
            ++out_.plies;
            if (made.verdict != Verdict::None) return end(made, mover, ply + 1);
        }
        ++out_.unfinished;
    }

    /// A real move, each equally likely whatever chance then draws; kNone where there is none.
    int random_move() {
        real_.clear();
        for (int n = 0; n < static_cast<int>(list_.moves.size()); ++n) {
            if (!item(list_.moves, n).is_claim) real_.push_back(n);
        }
        ++out_.positions;
        out_.moves += real_.size();
        return real_.empty() ? kNone : real_[random_.below(real_.size())];
    }

    void note_silent() {
        const int slot = list_.silent_difference - static_cast<int>(form_.board.size());
        for (const Variable& each : form_.variables) {
            if (slot >= each.slot && slot < each.slot + each.values()) ++out_.silent[each.name];
        }
    }

    void end(const MoveEntry& last, int mover, int plies) {
        out_.longest = std::max(out_.longest, plies);
        ++out_.endings[last.reason == kNone ? "" : item(form_.texts, last.reason)];
        if (last.verdict == Verdict::Draw) {
            ++out_.draws;
        } else {
            ++item(out_.wins, last.verdict == Verdict::Win ? mover : mover ^ 1);
        }
    }

    const Form& form_;
    TrialOptions options_;
    Random random_;
    Machine machine_;
    MoveList list_;
    std::vector<State> starts_;
    std::vector<int> real_;
    std::vector<std::pair<int, int>> places_;
    Trial out_;
};

std::string words_of(const Form& form, const Statement& each) {
    const FormFile& file = item(form.files, each.place.file);
    const Diagnostic shown = Source(file.path, file.text)
                                 .at_line(static_cast<std::size_t>(each.place.line),
                                          static_cast<std::size_t>(each.place.column),
                                          static_cast<std::size_t>(each.place.width), "");
    const auto column = static_cast<std::size_t>(each.place.column) - 1;
    const std::string& line = shown.source_line;
    const std::size_t end = line.find_first_of(",.]#", column);
    std::string words = line.substr(std::min(column, line.size()), end - column);
    while (words.ends_with(' ')) words.pop_back();
    return words;
}

}  // namespace

Trial tried(const std::shared_ptr<const Tables>& tables, const TrialOptions& options) {
    return Trials(tables, options).all();
}

std::vector<std::string> uncovered(const Form& form, const StatementCounts& counts) {
    struct Line {
        Place place;
        std::string text;
    };

    std::vector<Line> lines;
    for (std::size_t n = 0; n < form.statements.size(); ++n) {
        const Statement& each = form.statements[n];
        if (counts.reached[n] == 0 || counts.succeeded[n] != 0) continue;
        lines.push_back({each.place, fmt::format("{}:{}: '{}' never succeeded",
                                                 item(form.files, each.place.file).path,
                                                 each.place.line, words_of(form, each))});
    }
    std::ranges::stable_sort(lines, {}, [](const Line& each) {
        return std::tuple(each.place.file, each.place.line, each.place.column);
    });
    std::vector<std::string> out;
    for (Line& each : lines) out.push_back(std::move(each.text));
    return out;
}

}  // namespace assay::rules::multigame

// The conversation of `assay check` with one program. The steps (compliance_steps.h) say what is
// asked; here is what a step may rely on: a search ends with a bestmove or with a program that is
// dropped, and each search is followed by a ping. The ping is why a step can be blamed for its own
// fault: a program that no longer answers, or that says a second bestmove, is found before the
// next step begins, which starts it anew. What a program says in passing (its info lines, its long
// lines) is kept as notes and judged at the end, so that one bad line costs one step and not all.
#include "adapters/check/compliance.h"

#include <algorithm>
#include <csignal>
#include <utility>

#include "adapters/check/check_limits.h"
#include "adapters/check/compliance_lines.h"
#include "adapters/check/compliance_steps.h"
#include "adapters/check/random_game.h"
#include "adapters/uci/uci_info.h"
#include "base/enum_names.h"
#include "base/text.h"
#include "rules/make_game.h"

namespace assay::adapters {

namespace {

constexpr std::size_t kMostHandshakeLines = 10'000;

}  // namespace

std::string_view name_of(StepState state) {
    return enum_names<StepState>("ok", "note", "warning", "fail", "skipped").of(state);
}

std::size_t ComplianceReport::count(StepState state) const {
    return static_cast<std::size_t>(
        std::count_if(steps.begin(), steps.end(),
                      [state](const ComplianceStep& step) { return step.state == state; }));
}

Checkup::Checkup(const ProgramSpec& spec, const ComplianceLimits& limits, const Clock& clock,
                 ComplianceReport& report, const OnStep& on_step)
    : CheckSession(spec, limits, clock, report, on_step), is_chess960_(spec.game == "chess960") {}

void Checkup::drop_if_broken() {
    if (talk_ && !talk_->trouble().empty()) talk_.reset();
}

std::string Checkup::launch() {
    talk_ = std::make_unique<Talk>(spec(), spawner_, clock(), notes_);
    std::string why = talk_->start();
    if (!why.empty()) talk_.reset();
    return why;
}

std::string Checkup::silence(std::string_view what, Micros limit) const {
    if (!talk_->trouble().empty()) {
        return "it " + talk_->trouble() + " in place of " + std::string(what);
    }
    std::string text = "no " + std::string(what) + " within " + time_text(limit);
    const std::size_t kib = talk_->bytes() >> 10U;
    if (kib >= 1024) return text + " but a flood of " + std::to_string(kib >> 10U) + " MiB";
    if (kib > 0) return text + " but " + std::to_string(kib) + " KiB of other lines";
    return text + "; " + talk_->state();
}

std::string Checkup::shake_hands() {
    const TimePoint limit = now() + limits().handshake;
    handshake_.clear();
    options_.clear();
    more_uciok_ = 0;
    first_late_option_.clear();
    talk_->send("uci\n");
    while (auto line = talk_->line(limit)) {
        std::string_view rest = line->text;
        const std::string_view word = take_word(rest);
        if (word == "uciok") return {};
        // More lines than any program needs are not kept; a flood is bounded in bytes.
        if (handshake_.size() == kMostHandshakeLines) continue;
        if (word == "option")
            if (auto found = read_uci_option(rest)) options_.push_back(std::move(*found));
        handshake_.push_back(std::move(line->text));
    }
    return silence("uciok", limits().handshake);
}

std::string Checkup::settle() {
    std::string lines;
    for (const auto& [name, value] : spec().options) {
        lines += setoption_line(option(name), name, value);
    }
    if (spec().game == "chess960")
        lines += setoption_line(option("UCI_Chess960"), "UCI_Chess960", "true");
    std::string why = ping(lines, limits().handshake);
    if (why.empty()) talk_->mark_memory();
    return why;
}

std::string Checkup::ping(std::string_view lines, Micros time) {
    const TimePoint limit = now() + time;
    talk_->send(std::string(lines) + "isready\n");
    while (const auto line = talk_->line(limit)) {
        std::string_view rest = line->text;
        const std::string_view word = take_word(rest);
        if (word == "readyok") return {};
        if (word == "bestmove") ++notes_.surplus_answers;
        if (word == "uciok") ++more_uciok_;
        if (word == "option") read_late_option(line->text);
    }
    return silence("readyok", time);
}

/// An option behind uciok: it is known all the same, and the step uciok-once names it.
void Checkup::read_late_option(const std::string& line) {
    std::string_view text = line;
    take_word(text);
    auto found = read_uci_option(text);
    if (!found || find_option(options_, found->name) != nullptr) return;
    if (first_late_option_.empty()) first_late_option_ = found->name;
    handshake_.push_back(line);
    options_.push_back(std::move(*found));
}

std::string Checkup::restart() {
    std::string why = launch();
    if (why.empty()) why = shake_hands();
    if (why.empty()) why = settle();
    return why;
}

std::unique_ptr<rules::Position> Checkup::position_of(const SearchTask& task) const {
    const auto game = rules::make_game(is_chess960_ ? "chess960" : "chess");
    return played_position(*game, task.fen, task.moves);
}

Answer Checkup::search(const SearchTask& task) {
    begin(task);
    return await(task, now());
}

void Checkup::begin(const SearchTask& task) {
    has_searched = true;
    std::string line = "position startpos";
    if (!task.fen.empty()) line = "position fen " + std::string(task.fen);
    if (!task.moves.empty()) line.append(" moves ").append(task.moves);
    talk_->send(line.append("\n").append(task.go).append("\n"));
}

// Where the search runs already, `since` is the moment before a stop or a ponderhit was sent.
Answer Checkup::await(const SearchTask& task, TimePoint since) {
    Answer answer;
    TimePoint limit = since + task.allowed;
    while (true) {
        const auto line = talk_->line(limit);
        if (!line) {
            if (answer.was_stopped || !talk_->trouble().empty()) {
                answer.trouble =
                    silence("bestmove", answer.was_stopped ? limits().stop : task.allowed);
                if (answer.was_stopped) answer.trouble += ", and it had been told to stop";
                drop();
                return answer;
            }
            answer.was_stopped = true;
            limit = now() + limits().stop;
            talk_->send("stop\n", true);
            continue;
        }
        std::string_view rest = line->text;
        const std::string_view word = take_word(rest);
        if (word == "info") read_info(rest, answer);
        if (word != "bestmove") continue;
        answer.took = micros_between(since, line->stamp);
        read_best(rest, task, answer);
        break;
    }
    // Checks that it still answers, and that no second bestmove came.
    const std::string after = ping();
    if (!after.empty()) {
        if (answer.trouble.empty()) answer.trouble = after + " after its bestmove";
        drop();
    }
    return answer;
}

bool Checkup::answers_early(Micros limit) {
    const TimePoint end = now() + limit;
    // What it says early is read for the notes alone: the answer is awaited later.
    Answer unused;
    while (const auto line = talk_->line(end)) {
        std::string_view rest = line->text;
        const std::string_view word = take_word(rest);
        if (word == "bestmove") return true;
        if (word == "info") read_info(rest, unused);
    }
    return false;
}

void Checkup::read_info(std::string_view rest, Answer& answer) {
    if (notes_.info.empty()) notes_.info = info_complaint(trim(rest));
    if (notes_.fake_info.empty() && looks_like_result(rest)) {
        notes_.fake_info = printable_utf8(trim(rest).substr(0, 80));
    }
    read_uci_info(rest, answer.info);
    std::string_view words = rest;
    if (take_word(words) == "string") return;
    words = rest;
    while (true) {
        const std::string_view word = take_word(words);
        if (word.empty() || word == "pv") return;
        if (word != "multipv") continue;
        answer.most_lines =
            std::max(answer.most_lines, to_number<int>(take_word(words)).value_or(0));
    }
}

void Checkup::read_best(std::string_view rest, const SearchTask& task, Answer& answer) const {
    const std::string_view best = take_word(rest);
    if (take_word(rest) == "ponder") answer.ponder = printable_utf8(take_word(rest));
    answer.best = printable_utf8(best.substr(0, 40));
    const auto position = position_of(task);
    std::vector<rules::Move> moves;
    position->moves(moves);
    const auto move = position->move_of(best, rules::Notation::Canonical);
    if (move) {
        position->make(*move);
        if (answer.ponder.empty() || answer.ponder == "(none)") return;
        if (!position->move_of(answer.ponder, rules::Notation::Canonical)) {
            answer.trouble = "the ponder move " + answer.ponder + " is not legal after " +
                             answer.best + " in " + position->text();
        }
        return;
    }
    const bool names_none = best == "(none)" || best == "0000" || best == "NULL";
    if (moves.empty() && (best.empty() || names_none)) return;
    if (best.empty()) {
        answer.trouble = "a bestmove that names no move";
    } else if (names_none) {
        answer.trouble = "bestmove " + answer.best + " although there are " +
                         std::to_string(moves.size()) + " legal moves";
    } else if (position->move_of(lower(best), rules::Notation::Canonical)) {
        answer.trouble =
            "bestmove " + answer.best + "; UCI writes moves in small letters: " + lower(best);
    } else {
        answer.trouble = "the illegal move " + answer.best + " in " + position->text();
    }
}

ComplianceReport check_uci(const ProgramSpec& spec, const ComplianceLimits& limits,
                           const Clock& clock, const Checkup::OnStep& on_step) {
    static_cast<void>(std::signal(SIGPIPE, SIG_IGN));
    ComplianceReport report;
    Checkup checkup(spec, limits, clock, report, on_step);
    report.start_failure = checkup.launch();
    if (!report.start_failure.empty()) return report;
    for (const auto& steps :
         {handshake_steps(), search_steps(), long_search_steps(), end_steps()}) {
        for (const CheckStep& step : steps) {
            if (!step.needs_ready || checkup.ensure_ready()) step.run(checkup, step);
            checkup.skip_rest(step.names);
        }
    }
    return report;
}

}  // namespace assay::adapters

#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/check/compliance.h"
#include "adapters/check/compliance_talk.h"
#include "adapters/protocol/search.h"
#include "adapters/uci/uci_options.h"
#include "rules/game.h"

namespace assay::adapters {

/// A search that a step asks for.
struct SearchTask {
    std::string_view fen = "";                // empty: the start position
    std::string_view moves = "";              // from there
    std::string_view go = "go depth 2";       // the command
    Micros allowed{std::chrono::seconds(5)};  // then it is told to stop
    std::string_view move = "";               // the one that must come; empty: any legal one
};

/// Its result.
struct Answer {
    std::string trouble;  // empty: a legal move came; else a sentence fragment, "it …"
    std::string best;     // printable
    std::string ponder;
    Micros took{0};            // from the written go to the answer
    bool was_stopped = false;  // it did not end by itself within `allowed`
    SearchInfo info;
    int most_lines = 0;  // the highest multipv number it said
};

/// Writes a report, step by step.
class StepWriter {
public:
    using OnStep = std::function<void(const ComplianceStep&)>;

    StepWriter(ComplianceReport& report, const OnStep& on_step)
        : report_(report), on_step_(on_step) {}

    /// Adds a step to the report.
    void say(std::string_view name, StepState state, std::string text);
    /// Ok with `good`, or Fail with `bad` where that is not empty.
    void judge(std::string_view name, std::string good, std::string bad);
    /// Skips those of the blank-separated names that were not said.
    void skip_rest(std::string_view names, const std::string& why);

    [[nodiscard]] ComplianceReport& report() { return report_; }

private:
    ComplianceReport& report_;
    const OnStep& on_step_;
};

/// The UCI program under check, with what all steps share. One thread.
class Checkup : public StepWriter {
public:
    Checkup(const ProgramSpec& spec, const ComplianceLimits& limits, const Clock& clock,
            ComplianceReport& report, const OnStep& on_step);

    /// Starts the program where none runs, up to readyok. False where it cannot be had any more;
    /// then why_not() says why, and all that remains is skipped.
    [[nodiscard]] bool ensure_ready();

    [[nodiscard]] const std::string& why_not() const { return why_not_; }

    /// A new process on purpose, up to readyok; not counted as a restart.
    [[nodiscard]] bool start_fresh();

    /// Starts the process and sends nothing; empty or why not.
    [[nodiscard]] std::string launch();
    /// Sends uci and reads up to uciok; fills handshake lines, options and identity.
    [[nodiscard]] std::string shake_hands();
    /// Lines, then isready, up to readyok. Empty, or a fragment of why not. A bestmove meanwhile
    /// is a surplus answer.
    [[nodiscard]] std::string ping(std::string_view lines = {},
                                   Micros time = std::chrono::seconds(5));
    /// REQUIRES: ensure_ready().
    [[nodiscard]] Answer search(const SearchTask& task);
    /// The bestmove of an open search, sent at `since`.
    [[nodiscard]] Answer await(const SearchTask& task, TimePoint since);
    /// True where a bestmove came before the limit, although none was due.
    [[nodiscard]] bool answers_early(Micros limit);
    /// "position …\n"
    [[nodiscard]] static std::string position_line(const SearchTask& task);
    [[nodiscard]] std::unique_ptr<rules::Position> position_of(const SearchTask& task) const;

    /// Ends the process, by a kill if need be.
    void drop();
    /// After a ping or search found trouble.
    void drop_if_broken();

    [[nodiscard]] const UciOption* option(std::string_view name) const {
        return find_option(options_, name);
    }

    [[nodiscard]] const std::vector<UciOption>& options() const { return options_; }

    [[nodiscard]] const std::vector<std::string>& handshake() const { return handshake_; }

    /// How many came behind the first.
    [[nodiscard]] int more_uciok() const { return more_uciok_; }

    /// The first option that was declared behind uciok; empty: none was.
    [[nodiscard]] const std::string& first_late_option() const { return first_late_option_; }

    [[nodiscard]] Talk& talk() { return *talk_; }

    [[nodiscard]] bool has_talk() const { return talk_ != nullptr; }

    [[nodiscard]] StreamNotes& notes() { return notes_; }

    [[nodiscard]] const ProgramSpec& spec() const { return spec_; }

    [[nodiscard]] const ComplianceLimits& limits() const { return limits_; }

    [[nodiscard]] TimePoint now() const { return clock_.now(); }

    void give_up(std::string why) { why_not_ = std::move(why); }

    void set_chess960(bool on) { is_chess960_ = on; }

    bool has_searched = false;   // a search was begun
    bool keeps_to_nodes = true;  // found by the step `nodes`, for those after it

private:
    [[nodiscard]] std::string settle();
    [[nodiscard]] std::string silence(std::string_view what, Micros limit) const;
    void read_late_option(const std::string& line);
    void read_info(std::string_view rest, Answer& answer);
    void read_best(std::string_view rest, const SearchTask& task, Answer& answer) const;

    const ProgramSpec& spec_;
    const ComplianceLimits& limits_;
    const Clock& clock_;
    TimePoint end_;
    Spawner spawner_;
    StreamNotes notes_;
    std::unique_ptr<Talk> talk_;
    std::vector<std::string> handshake_;
    std::vector<UciOption> options_;
    int more_uciok_ = 0;  // of this process
    std::string first_late_option_;
    std::string why_not_;
    int restarts_ = 0;
    bool is_chess960_ = false;
};

/// A step, or some that belong together: it says all its names, or those that it did not are
/// skipped. The tables of steps are the checks of a protocol, in their order.
struct CheckStep {
    std::string_view names;  // blank-separated
    void (*run)(Checkup&, const CheckStep&) = nullptr;
    SearchTask search = {};  // of a step that is one search
    bool needs_ready = true;
};

[[nodiscard]] std::span<const CheckStep> handshake_steps();
[[nodiscard]] std::span<const CheckStep> search_steps();
[[nodiscard]] std::span<const CheckStep> long_search_steps();
[[nodiscard]] std::span<const CheckStep> end_steps();

/// "12 ms", "1.25 s".
[[nodiscard]] std::string time_text(Micros time);

}  // namespace assay::adapters

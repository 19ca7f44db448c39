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
struct Quest {
    std::string fen;                          // empty: the start position
    std::string moves;                        // from there
    std::string go;                           // "go depth 1"
    Micros allowed{std::chrono::seconds(5)};  // then it is told to stop
};

/// What came of it.
struct Answer {
    std::string trouble;  // empty: a legal move came; else a sentence fragment, "it …"
    std::string best;     // printable
    std::string ponder;
    Micros took{0};            // from the written go to the answer
    bool was_stopped = false;  // it did not end by itself within `allowed`
    SearchInfo info;
    int most_lines = 0;  // the highest multipv number it said
};

/// The program under check, with what all steps share. One thread.
class Checkup {
public:
    using OnStep = std::function<void(const ComplianceStep&)>;

    Checkup(const ProgramSpec& spec, const ComplianceLimits& limits, const Clock& clock,
            ComplianceReport& report, const OnStep& on_step);

    /// Adds a step to the report.
    void say(std::string_view name, StepState state, std::string text);
    /// Ok with `good`, or Fail with `bad` where that is not empty.
    void judge(std::string_view name, std::string good, std::string bad);
    [[nodiscard]] bool was_said(std::string_view name) const;

    /// Starts the program where none runs, up to readyok. False where it cannot be had any more;
    /// then why_not() says why, and all that remains is skipped.
    [[nodiscard]] bool ensure_ready();

    [[nodiscard]] const std::string& why_not() const { return why_not_; }

    /// A new process on purpose, up to readyok; not counted as a restart.
    [[nodiscard]] bool start_fresh();

    /// The process only, without a word; empty or why not.
    [[nodiscard]] std::string launch();
    /// Sends uci and reads up to uciok; fills handshake lines, options and identity.
    [[nodiscard]] std::string shake_hands();
    /// Lines, then isready, up to readyok. Empty, or a fragment of why not. A bestmove meanwhile
    /// is a surplus answer.
    [[nodiscard]] std::string ping(std::string_view lines = {},
                                   Micros time = std::chrono::seconds(5));
    /// REQUIRES: ensure_ready().
    [[nodiscard]] Answer search(const Quest& quest);
    /// The bestmove of an open search, sent at `since`.
    [[nodiscard]] Answer await(const Quest& quest, TimePoint since);
    /// True where a bestmove came before the limit, although none was due.
    [[nodiscard]] bool answers_early(Micros limit);
    /// "position …\n"
    [[nodiscard]] static std::string position_line(const Quest& quest);
    [[nodiscard]] std::unique_ptr<rules::Position> position_of(const Quest& quest) const;

    /// The talk is over: the process is killed if need be.
    void drop();
    /// After a ping or search found trouble.
    void drop_if_broken();

    [[nodiscard]] const UciOption* option(std::string_view name) const {
        return find_option(options_, name);
    }

    [[nodiscard]] const std::vector<UciOption>& options() const { return options_; }

    [[nodiscard]] const std::vector<std::string>& handshake() const { return handshake_; }

    [[nodiscard]] Talk& talk() { return *talk_; }

    [[nodiscard]] bool has_talk() const { return talk_ != nullptr; }

    [[nodiscard]] StreamNotes& notes() { return notes_; }

    [[nodiscard]] const ProgramSpec& spec() const { return spec_; }

    [[nodiscard]] const ComplianceLimits& limits() const { return limits_; }

    [[nodiscard]] TimePoint now() const { return clock_.now(); }

    [[nodiscard]] ComplianceReport& report() { return report_; }

    void give_up(std::string why) { why_not_ = std::move(why); }

    void set_chess960(bool on) { is_chess960_ = on; }

    bool has_searched = false;   // a search was begun
    bool keeps_to_nodes = true;  // found by the step `nodes`, for those after it

private:
    [[nodiscard]] std::string settle();
    [[nodiscard]] std::string silence(std::string_view what, Micros limit) const;
    void read_info(std::string_view rest, Answer& answer);
    void read_best(std::string_view rest, const Quest& quest, Answer& answer) const;

    const ProgramSpec& spec_;
    const ComplianceLimits& limits_;
    const Clock& clock_;
    ComplianceReport& report_;
    const OnStep& on_step_;
    TimePoint end_;
    Spawner spawner_;
    StreamNotes notes_;
    std::unique_ptr<Talk> talk_;
    std::vector<std::string> handshake_;
    std::vector<UciOption> options_;
    std::string why_not_;
    int restarts_ = 0;
    bool is_chess960_ = false;
};

/// Steps that belong together: they say all their names, or those that they did not are skipped.
struct Act {
    std::vector<std::string_view> names;
    void (*run)(Checkup&) = nullptr;
    bool needs_ready = true;
};

[[nodiscard]] std::vector<Act> handshake_acts();
[[nodiscard]] std::vector<Act> command_acts();
[[nodiscard]] std::vector<Act> search_acts();
[[nodiscard]] std::vector<Act> long_search_acts();
[[nodiscard]] std::vector<Act> end_acts();

/// "12 ms", "1.25 s".
[[nodiscard]] std::string time_text(Micros time);

}  // namespace assay::adapters

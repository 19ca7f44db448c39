#pragma once
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "adapters/check/compliance.h"
#include "adapters/process/process.h"
#include "adapters/protocol/search.h"

namespace assay::adapters {

/// The result of a search that a step asked for.
struct Answer {
    std::string trouble;  // empty: a legal move came; else a sentence fragment, "it …"
    std::string best;     // printable
    std::string ponder;
    Micros took{0};            // from the written request to the answer
    bool was_stopped = false;  // it did not end by itself within what was allowed
    SearchInfo info;
    int most_lines = 0;  // the highest number of a line of several that it said
};

/// What the checks of all protocols share: a report that is written step by step, a program that is
/// started again within limits, and what steps of one kind say. One thread.
class CheckSession {
public:
    using OnStep = std::function<void(const ComplianceStep&)>;

    CheckSession(const ProgramSpec& spec, const ComplianceLimits& limits, const Clock& clock,
                 ComplianceReport& report, const OnStep& on_step)
        : spec_(spec),
          limits_(limits),
          clock_(clock),
          end_(clock.now() + limits.total),
          report_(report),
          on_step_(on_step) {}

    CheckSession(const CheckSession&) = delete;
    CheckSession& operator=(const CheckSession&) = delete;
    virtual ~CheckSession() = default;

    /// Adds a step to the report.
    void say(std::string_view name, StepState state, std::string text);
    /// Ok with `good`, or Fail with `bad` where that is not empty.
    void judge(std::string_view name, std::string good, std::string bad);
    /// Skips those of the blank-separated names that were not said.
    void skip_rest(std::string_view names, const std::string& why);
    /// The same for what was not reached.
    void skip_rest(std::string_view names);

    /// Starts the program where none is ready. False where it cannot be had any more; then
    /// why_not_ says why, and all that remains is skipped.
    [[nodiscard]] bool ensure_ready();

    /// A new process on purpose, up to readiness; not counted as a restart.
    [[nodiscard]] bool start_fresh();

    /// Ends the process, by a kill if need be.
    virtual void drop() = 0;

    void give_up(std::string why) { why_not_ = std::move(why); }

    /// True where a legal move came to what was `asked` (" to 'go depth 2'", or nothing); else the
    /// step has failed.
    bool is_well(std::string_view name, std::string_view asked, const Answer& answer);
    /// Of a search to depth 2.
    void judge_depth(std::string_view name, const Answer& answer, Micros allowed);
    /// Of a search of 2000 nodes. True where it kept to them.
    bool judge_nodes(std::string_view name, const Answer& answer, Micros allowed);
    /// Of a search with so much time, which was not stopped until it was much too late.
    void judge_time(std::string_view name, const Answer& answer, Micros allowed);
    /// Of equal searches, each by a new process. `what`: "go nodes 5000".
    void judge_repeatable(std::string_view name, const std::string& what,
                          std::span<const Answer> answers);
    /// Of an end after quit.
    void judge_end(std::string_view name, const ExitStatus& status, Micros took);

    [[nodiscard]] ComplianceReport& report() { return report_; }

    [[nodiscard]] const ProgramSpec& spec() const { return spec_; }

    [[nodiscard]] const ComplianceLimits& limits() const { return limits_; }

    [[nodiscard]] const Clock& clock() const { return clock_; }

    [[nodiscard]] TimePoint now() const { return clock_.now(); }

private:
    /// A new process, up to readiness. Empty, or why not.
    [[nodiscard]] virtual std::string restart() = 0;
    [[nodiscard]] virtual bool is_ready() = 0;

    const ProgramSpec& spec_;
    const ComplianceLimits& limits_;
    const Clock& clock_;
    TimePoint end_;
    ComplianceReport& report_;
    const OnStep& on_step_;
    std::string why_not_;
    int restarts_ = 0;
};

/// "12 ms", "1.25 s".
[[nodiscard]] std::string time_text(Micros time);

/// "e2e4 after 12 ms".
[[nodiscard]] std::string played(const Answer& answer);

/// Behind "it": "exited with code 3", "was killed by signal 11".
[[nodiscard]] std::string did_text(std::string_view what);

}  // namespace assay::adapters

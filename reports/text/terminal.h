#pragma once
#include <functional>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "harness/record/listener.h"
#include "reports/view/match_left.h"
#include "reports/view/run_view.h"

namespace assay::reports {

/// What the other end of a stream can do.
struct TerminalStyle {
    bool is_live = false;        // cursor movements: one block is redrawn in place
    bool has_colour = false;     // ANSI colours
    std::function<int()> width;  // columns now; null: unlimited
};

/// Asks the system about a descriptor: a terminal is live unless TERM is "dumb", and coloured
/// unless NO_COLOR is set to something; FORCE_COLOR gives colours to anything.
[[nodiscard]] TerminalStyle terminal_style(int descriptor);

/// Shows the progress of a run and its results at the end. On a terminal it redraws one block in
/// place, at most four times a second; elsewhere it prints the same facts as one line each minute
/// and after each change. Warnings and failures are printed when they happen, each
/// kind of warning and each program's first few failures only.
class Terminal final : public harness::Listener {
public:
    /// All must outlive it.
    Terminal(std::ostream& out, TerminalStyle style, const Clock& clock, std::string store_path);

    void on_run_start(const harness::RunRecord& run) override;
    void on_match_start(const harness::RunRecord& run, std::size_t match, int concurrency) override;
    void on_tournament_start(const harness::RunRecord& run, const harness::TournamentState& state,
                             int concurrency) override;
    void on_game_end(const harness::GameRecord& game, bool is_void) override;
    void on_pair(const harness::PairDigest& pair, const harness::MatchTally& tally) override;
    void on_tick(std::size_t match, const harness::MatchTally& tally) override;
    void on_tournament_tick(const harness::TournamentProgress& progress) override;
    void on_warning(std::string_view kind, std::string_view text) override;
    void on_note(std::string_view text) override;
    void on_speed_progress(const harness::SpeedProgress& progress) override;
    void on_machines(const harness::RunRecord& run) override;
    void on_match_end(std::size_t match, const harness::MatchTally& tally) override;
    void on_tournament_end(const harness::RunRecord& run,
                           const harness::TournamentState& state) override;
    void on_suite_start(const harness::RunRecord& run, int concurrency) override;
    void on_search_end(const harness::SearchRecord& search, std::size_t done) override;
    void on_suite_end(const harness::RunRecord& run, const harness::SuiteResult& result) override;
    void on_run_end(const harness::RunRecord& run) override;

private:
    /// A match in play, or the tournament.
    struct InPlay {
        TimePoint started{};  // in this session
        std::optional<TimePoint> shown;
        std::optional<std::int64_t> first_pairs;  // counted when it began in this session
        harness::Verdict verdict = harness::Verdict::None;
        std::vector<FailedGame> failed;
    };

    void begin(std::size_t match);
    InPlay& in_play(std::size_t match);
    /// Its facts are to be shown again.
    [[nodiscard]] bool is_due(const InPlay& one) const;
    void show_facts(const std::vector<std::string>& facts);
    void show(std::size_t match, const harness::MatchTally& tally, bool is_due_now);
    void print(const std::string& text);
    void erase_block();
    void draw_block(const std::vector<std::string>& facts);
    /// That of this session, with so many pairs by now.
    [[nodiscard]] MatchSpeed speed_of(const InPlay& one, std::int64_t pairs) const;

    std::ostream& out_;
    TerminalStyle style_;
    const Clock& clock_;
    std::string store_path_;
    harness::RunRecord run_;
    harness::PlayedMeetings played_{1};      // of a tournament
    std::map<std::size_t, InPlay> in_play_;  // by match; a tournament is the first
    std::vector<std::string> warnings_;      // those shown
    TimePoint started_{};                    // of a benchmark or a suite
    std::optional<TimePoint> shown_;         // likewise
    std::size_t failed_searches_ = 0;
    std::size_t block_lines_ = 0;
    std::string block_;
};

}  // namespace assay::reports

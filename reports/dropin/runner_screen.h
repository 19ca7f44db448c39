#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/match/match_setting.h"
#include "harness/record/listener.h"
#include "harness/record/result_counts.h"
#include "reports/dropin/classic_numbers.h"
#include "reports/dropin/cutechess_lines.h"
#include "reports/dropin/runner_lines.h"
#include "reports/dropin/runner_pgn.h"
#include "reports/dropin/runner_words.h"

namespace assay::reports::dropin {

/// What a runner's flags say of its output.
struct ScreenSettings {
    Runner runner = Runner::Fastchess;
    bool has_cutechess_lines = false;  // -output format=cutechess
    bool has_pairs = true;             // results are counted by pairs
    std::int64_t rating_interval = 10;
    std::int64_t score_interval = 1;
    std::int64_t outcome_interval = 0;
    std::int64_t autosave_interval = 0;
    std::int64_t games = 0;  // with those of an earlier session
    bool recovers = true;
    bool is_test = false;          // warnings on one line
    bool checks_mate_pvs = false;  // also the warnings about lines with a mate
    std::string book;              // the file's name; empty: none
    std::optional<ClassicSprt> sprt;
    harness::ResultCounts earlier;  // of a session that is in no store of ours
    std::optional<RunnerPgnOptions> pgn;
    std::string pgn_file;
    bool pgn_appends = true;
    bool has_crc = false;
    std::string epd_file;  // empty: none
    bool epd_appends = true;
};

/// Prints a match as fastchess or cutechess-cli do, line by line as things happen, and appends
/// games to the files that they would write. A game is in its file before its line is printed. Once
/// an SPRT has decided, nothing of games that were still being played is told, as there.
class RunnerScreen final : public harness::Listener {
public:
    using Print = std::function<void(const std::string& line)>;
    using Save = std::function<void(const harness::ResultCounts& counts)>;
    using Warned = std::function<void()>;

    /// `save` is called at autosave intervals, `warned` after each warning. Throws Error where a
    /// file cannot be opened.
    RunnerScreen(ScreenSettings settings, Print print, Save save, Warned warned);
    ~RunnerScreen() override;

    void on_match_start(const harness::RunRecord& run, std::size_t match, int concurrency) override;
    void on_restored(const harness::MatchTally& tally,
                     const std::vector<harness::PairDigest>& pairs,
                     const std::vector<harness::GameRecord>& open) override;
    void on_program_start(int program, const adapters::Identity& identity) override;
    void on_game_start(const harness::GameStarted& game) override;
    void on_game_end(const harness::GameRecord& game, bool is_void) override;
    void on_match_end(std::size_t match, const harness::MatchTally& tally) override;
    void on_pv_finding(const harness::PvFinding& finding) override;

    /// What stands below the last game: losses on time and crashes, or outcomes.
    void print_end();

    [[nodiscard]] const harness::ResultCounts& counts() const { return counts_; }

private:
    struct Engine {
        std::string name;
        adapters::Identity identity;
        std::int64_t timeouts = 0;
        std::int64_t crashes = 0;
        std::map<std::string, std::int64_t> reasons;
    };

    [[nodiscard]] GameNames names_of(std::int64_t number, int first) const;
    [[nodiscard]] int first_program(std::int64_t number) const;
    [[nodiscard]] EngineFacts facts_of(std::size_t program) const;
    [[nodiscard]] ResultsView results() const;

    /// Of the games in which this program plays the first side.
    [[nodiscard]] harness::ResultCounts& sides_of(int first_program) {
        return first_program == 0 ? sides_.as_first : sides_.as_second;
    }

    void count(const harness::GameRecord& game);
    void count_end(const harness::GameRecord& game);
    void warn_of_game(const harness::GameRecord& game);
    void write(const harness::GameRecord& game);
    void print_results(std::int64_t pair);
    void print_score();
    void print_block();
    void print_cutechess_results();
    void warn(const std::string& text);

    ScreenSettings settings_;
    Print print_;
    Save save_;
    Warned warned_;
    std::unique_ptr<RunnerFile> pgn_;
    std::unique_ptr<RunnerFile> epd_;
    std::unique_ptr<rules::Game> rules_;
    harness::RunnerPlan runner_;
    std::vector<harness::TimeControl> time_;
    std::vector<std::vector<std::pair<std::string, std::string>>> options_;
    std::vector<Engine> engines_;
    harness::ResultCounts counts_;
    SideCounts sides_;
    std::map<std::int64_t, int> open_pairs_;  // half points of the game that is over, by pair
    std::int64_t games_over_ = 0;             // with those of earlier sessions
    bool is_pair_over_ = false;               // the last game was the second of its pair
    bool is_decided_ = false;
};

}  // namespace assay::reports::dropin

#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/match/match_setting.h"
#include "harness/record/listener.h"
#include "harness/record/result_counts.h"
#include "harness/tournament/tournament_state.h"
#include "reports/dropin/classic_numbers.h"
#include "reports/dropin/cutechess_lines.h"
#include "reports/dropin/ranking.h"
#include "reports/dropin/runner_file.h"
#include "reports/dropin/runner_lines.h"
#include "reports/dropin/runner_pgn.h"
#include "reports/dropin/runner_words.h"
#include "reports/dropin/scoreboard.h"

namespace assay::reports::dropin {

struct FoundTail;

/// What a runner's flags say of its output.
struct ScreenSettings {
    Runner runner = Runner::Fastchess;
    bool has_cutechess_lines = false;  // -output format=cutechess
    bool has_pairs = true;             // results are counted by pairs
    std::int64_t rating_interval = 10;
    std::int64_t score_interval = 1;
    std::int64_t outcome_interval = 0;
    std::int64_t autosave_interval = 0;
    std::int64_t games = 0;               // with those of an earlier session
    std::int64_t games_an_encounter = 2;  // -games
    bool recovers = true;
    bool is_test = false;          // warnings on one line
    bool checks_mate_pvs = false;  // also the warnings about lines with a mate
    std::string book;              // the file's name; empty: none
    std::optional<ClassicSprt> sprt;
    harness::ResultCounts earlier;              // of a session of two that is in no store of ours
    std::vector<std::string> result_fields;     // cutechess-cli's table of more than two
    std::optional<std::size_t> gauntlet_seeds;  // cutechess-cli: those that stand above its table
    std::optional<RunnerPgnOptions> pgn;
    std::string pgn_file;
    bool pgn_appends = true;
    bool has_crc = false;
    std::string epd_file;  // empty: none
    bool epd_appends = true;
    bool swaps = true;  // sides change from game to game
    /// Gives the games that the store has of a run, one by one; unset: none.
    std::function<void(const harness::RunRecord& run,
                       const std::function<void(const harness::GameRecord&)>& visit)>
        stored_games;
    /// Where the first run of the store that began later than this one began to write in that file,
    /// at or behind `from`; nullopt, or unset: there is none.
    std::function<std::optional<std::uint64_t>(const harness::RunRecord& run,
                                               const std::string& file, std::uint64_t from)>
        next_begin_in;
};

/// Prints a match or a tournament as fastchess or cutechess-cli do, line by line as things happen,
/// and appends games to the files that they would write. A game is in its file before its line is
/// printed. What a killed session has written there and not stored is cut off when the run goes on,
/// as these games are played again; where it may be somebody else's it stays, and a line says why.
/// Once an SPRT has decided, nothing of games that were still
/// being played is told, as there.
class RunnerScreen final : public harness::Listener {
public:
    using Print = std::function<void(const std::string& line)>;
    using Save = std::function<void(const Scoreboard& board)>;
    using Warned = std::function<void()>;

    /// `save` is called at autosave intervals, `warned` after each warning. Throws Error where a
    /// file cannot be opened.
    RunnerScreen(ScreenSettings settings, Print print, Save save, Warned warned);
    ~RunnerScreen() override;

    void on_match_start(const harness::RunRecord& run, std::size_t match, int concurrency) override;
    void on_restored(const harness::MatchTally& tally,
                     const std::vector<harness::PairDigest>& pairs,
                     const std::vector<harness::GameRecord>& open) override;
    void on_tournament_start(const harness::RunRecord& run, const harness::TournamentState& state,
                             int concurrency) override;
    void on_tournament_restored(std::size_t match, const std::vector<harness::PairDigest>& pairs,
                                const std::vector<harness::GameRecord>& open) override;
    void on_program_start(int program, const adapters::Identity& identity) override;
    void on_game_start(const harness::GameStarted& game) override;
    void on_game_end(const harness::GameRecord& game, bool is_void) override;
    void on_pair(const harness::PairDigest& pair, const harness::MatchTally& tally) override;
    void on_match_end(std::size_t match, const harness::MatchTally& tally) override;
    void on_pv_finding(const harness::PvFinding& finding) override;

    /// What stands below the last game: losses on time and crashes, or ranking and outcomes.
    void print_end();

    [[nodiscard]] const Scoreboard& board() const { return board_; }

    /// With those of earlier sessions.
    [[nodiscard]] std::int64_t games_over() const { return games_over_; }

private:
    struct Engine {
        std::string name;
        harness::TimeControl time;
        std::vector<std::pair<std::string, std::string>> options;
        adapters::Identity identity;
        std::int64_t timeouts = 0;
        std::int64_t crashes = 0;
        RankedEngine failures;                         // by cause, as a table has them
        std::map<std::string, std::int64_t> outcomes;  // cutechess-cli
    };

    /// A match, and an encounter or a game of it.
    using Key = std::pair<std::size_t, std::int64_t>;

    [[nodiscard]] std::size_t engine_of(std::size_t match, int program) const;
    [[nodiscard]] std::vector<std::string> names_of(std::size_t match) const;
    [[nodiscard]] GameNames names_of(const harness::GameRecord& game) const;

    [[nodiscard]] bool is_cutechess() const { return settings_.runner == Runner::Cutechess; }

    [[nodiscard]] bool is_of_two() const { return engines_.size() == 2; }

    [[nodiscard]] harness::ResultCounts& counts_of(std::size_t match);

    void begin(const harness::RunRecord& run, const harness::MatchPlan& plan,
               const std::vector<std::size_t>& programs);
    void restore(std::size_t match, const std::vector<harness::PairDigest>& pairs,
                 const std::vector<harness::GameRecord>& open);
    void add_played(const harness::PairDigest& pair);
    void count(const harness::GameRecord& game);
    void count_end(const harness::GameRecord& game);
    void count_sides(const harness::GameRecord& game);
    void warn_of_game(const harness::GameRecord& game);
    void write(const harness::GameRecord& game);
    void cut_unstored(const harness::RunRecord& run, int concurrency);
    /// Says what was done.
    void cut(const harness::RunRecord& run, RunnerFile& file, const std::string& name,
             FoundTail tail);
    [[nodiscard]] std::vector<RunnerPlayer> players_of(const harness::GameRecord& game) const;
    [[nodiscard]] std::int64_t round_of(const harness::GameRecord& game);
    void print_results(const harness::GameRecord& game);
    void print_score(std::size_t match);
    void print_block(std::size_t match);
    void print_cutechess_results();
    void print_ranking();
    void print_outcomes();
    void warn(const std::string& text);
    [[nodiscard]] EngineFacts facts_of(std::size_t engine) const;
    [[nodiscard]] std::vector<RankedEngine> ranked() const;
    [[nodiscard]] std::string knockout() const;

    ScreenSettings settings_;
    Print print_;
    Save save_;
    Warned warned_;
    std::unique_ptr<RunnerFile> pgn_;
    std::unique_ptr<RunnerFile> epd_;
    std::unique_ptr<rules::Game> rules_;
    std::vector<std::array<std::size_t, 2>> between_;  // of a tournament, by match
    std::optional<harness::TournamentSetup> setup_;    // of a tournament
    std::optional<harness::PlayedMeetings> played_;    // of a knockout
    std::vector<Engine> engines_;                      // of a match in the order of `between`
    Scoreboard board_;
    std::map<Key, int> open_pairs_;       // half points of the game that is over
    std::map<Key, std::int64_t> rounds_;  // of games in play, from 0
    std::int64_t games_over_ = 0;         // with those of earlier sessions
    bool is_pair_over_ = false;           // the last game was the second of its pair
    bool is_decided_ = false;
};

}  // namespace assay::reports::dropin

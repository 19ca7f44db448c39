#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <boost/json/object.hpp>

#include "harness/record/listener.h"

namespace assay::reports {

/// Writes one JSON object a line for each thing that happens: run_start, match_start, game_start,
/// game_end, pair, warning, match_end, run_end; tournament_start and tournament_end in place of the
/// two of a match. Every line has "event" and "time" (seconds since
/// 1970). A pair has "left", what the match still needs at the speed of this session, at most once
/// a second, since it takes about a millisecond. `write` gets a whole line with its line end, on
/// the runner's thread.
class EventWriter final : public harness::Listener {
public:
    using Write = std::function<void(const std::string& line)>;
    using Now = std::function<long long()>;  // microseconds since 1970

    EventWriter(Write write, Now now) : write_(std::move(write)), now_(std::move(now)) {}

    void on_run_start(const harness::RunRecord& run) override;
    void on_match_start(const harness::RunRecord& run, std::size_t match, int concurrency) override;
    void on_game_start(const harness::GameStarted& game) override;
    void on_game_end(const harness::GameRecord& game, bool is_void) override;
    void on_pair(const harness::PairDigest& pair, const harness::MatchTally& tally) override;
    void on_warning(std::string_view kind, std::string_view text) override;
    void on_note(std::string_view text) override;
    void on_speed_progress(const harness::SpeedProgress& progress) override;
    void on_tournament_start(const harness::RunRecord& run, const harness::TournamentState& state,
                             int concurrency) override;
    void on_tournament_end(const harness::RunRecord& run,
                           const harness::TournamentState& state) override;
    void on_match_end(std::size_t match, const harness::MatchTally& tally) override;
    void on_suite_start(const harness::RunRecord& run, int concurrency) override;
    void on_search_end(const harness::SearchRecord& search, std::size_t done) override;
    void on_suite_end(const harness::RunRecord& run, const harness::SuiteResult& result) override;
    void on_run_end(const harness::RunRecord& run) override;

private:
    struct MatchProgress {
        long long began_us = 0;                   // in this session
        std::optional<std::int64_t> first_pairs;  // counted when it began
        std::optional<long long> left_us;         // when "left" was told last
    };

    /// An event's line: its name, the time, and these fields.
    void write(std::string_view name, boost::json::object fields) const;
    /// REQUIRES: called once for each pair of the match.
    void add_left(boost::json::object& fields, const harness::PairDigest& pair,
                  const harness::MatchTally& tally);

    Write write_;
    Now now_;
    bool is_tournament_ = false;
    std::map<std::size_t, MatchProgress> progress_;  // by match
    harness::RunRecord suite_run_;                   // whose suite is being searched
};

}  // namespace assay::reports

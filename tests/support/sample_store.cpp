#include "tests/support/sample_store.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "base/random.h"
#include "harness/match/tally.h"
#include "rules/game.h"
#include "rules/make_game.h"
#include "tests/support/pair_of.h"

namespace assay::test {

namespace {

using harness::GameRecord;
using harness::MoveRecord;
using harness::Termination;

constexpr int kLines = 48;
constexpr int kMostPlies = 140;

/// The moves of a game that random play made.
struct Line {
    std::vector<std::string> opening;
    std::vector<std::string> moves;
};

constexpr std::array<std::array<const char*, 4>, 16> kOpenings{{
    {"e2e4", "e7e5", "g1f3", "b8c6"},
    {"e2e4", "c7c5", "g1f3", "d7d6"},
    {"e2e4", "e7e6", "d2d4", "d7d5"},
    {"e2e4", "c7c6", "d2d4", "d7d5"},
    {"d2d4", "d7d5", "c2c4", "e7e6"},
    {"d2d4", "g8f6", "c2c4", "g7g6"},
    {"d2d4", "g8f6", "c2c4", "e7e6"},
    {"c2c4", "e7e5", "b1c3", "g8f6"},
    {"g1f3", "d7d5", "g2g3", "g8f6"},
    {"e2e4", "d7d6", "d2d4", "g8f6"},
    {"e2e4", "e7e5", "f2f4", "e5f4"},
    {"d2d4", "f7f5", "g2g3", "g8f6"},
    {"e2e4", "d7d5", "e4d5", "d8d5"},
    {"d2d4", "d7d5", "c2c4", "c7c6"},
    {"b2b3", "e7e5", "c1b2", "b8c6"},
    {"e2e4", "e7e5", "f1c4", "g8f6"},
}};

Line random_line(const rules::Game& chess, std::size_t opening, Random& random) {
    Line line;
    const std::unique_ptr<rules::Position> position = chess.start();
    for (const char* move : kOpenings[opening % kOpenings.size()]) {
        line.opening.emplace_back(move);
        position->make(*position->move_of(move, rules::Notation::Canonical));
    }
    std::vector<rules::Move> legal;
    const int plies = 30 + static_cast<int>(random.below(kMostPlies - 30));
    for (int ply = 0; ply < plies && !position->result(); ++ply) {
        position->moves(legal);
        if (legal.empty()) break;
        const rules::Move move = legal[random.below(legal.size())];
        line.moves.push_back(position->name_of(move, rules::Notation::Canonical));
        position->make(move);
    }
    return line;
}

std::vector<Line> random_lines() {
    const std::unique_ptr<rules::Game> chess = rules::make_game("chess");
    Random random(7);
    std::vector<Line> lines;
    for (std::size_t i = 0; i < kLines; ++i) lines.push_back(random_line(*chess, i, random));
    return lines;
}

double uniform(Random& random) {
    return static_cast<double>(random.below(1'000'000)) / 1e6;
}

/// About normal, standard deviation 1.
double bell(Random& random) {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += uniform(random);
    return sum;
}

harness::RunRecord record_of(const SampleRun& settings) {
    harness::RunRecord run;
    run.name = settings.name;
    run.plan.name = settings.name;
    run.plan.programs.resize(2);
    run.plan.programs[0].name = settings.first;
    run.plan.programs[1].name = settings.second;
    for (harness::ProgramPlan& program : run.plan.programs) program.options = {{"Hash", "16"}};
    run.plan.seed = 8841;
    run.plan.matches.resize(1);
    harness::MatchPlan& match = run.plan.matches[0];
    match.pairs = std::max<std::int64_t>({settings.pairs, settings.planned, 1});
    match.stop = settings.stop;
    match.concurrency = 8;
    harness::TimeControl time;
    time.periods = {{0, Micros(8'000'000), Micros(80'000)}};
    match.time = {time, time};
    match.openings.book = "openings.epd";
    match.require.crashes = 0;
    for (std::size_t i = 1; i < settings.matches; ++i) {
        run.plan.matches.push_back(run.plan.matches[0]);
        run.plan.matches[i].name = "match " + std::to_string(i + 1);
    }
    run.plan_hash = "5d0ce1";
    run.versions = {
        {settings.first, "/opt/head/engine", settings.first_hash, "Engine 2", "its authors", {}},
        {settings.second, "/opt/base/engine", settings.second_hash, "Engine 1", "its authors", {}}};
    run.machine = {settings.host, "A processor", "Linux 6.1", 16, 8, 32ULL << 30U};
    run.book_hashes = {"c04b77"};
    run.assay_version = "0.1.0";
    run.command_line = settings.command;
    run.started_us = settings.started_us;
    return run;
}

/// Half points of the first program in the two games of a pair.
std::array<int, 2> results_of(const SampleRun& settings, Random& random) {
    std::array<int, 2> out{};
    // The opening helps who moves first in both games; the first program has its own strength.
    const double bias = 0.9;
    for (int game = 0; game < 2; ++game) {
        const double value = bell(random) + (game == 0 ? bias : -bias) + 2 * settings.strength;
        out[static_cast<std::size_t>(game)] = value > 0.75 ? 2 : value < -0.75 ? 0 : 1;
    }
    return out;
}

void fill_moves(GameRecord& game, const Line& line, const SampleRun& settings, Random& random) {
    std::array<double, 2> clock{8e6, 8e6};
    double score = 20;
    const double end = game.scores[0] == 1 ? 620 : game.scores[0] == 0 ? -620 : 0;
    const auto count = static_cast<double>(std::max<std::size_t>(1, line.moves.size()));
    for (std::size_t i = 0; i < std::min(line.moves.size(), settings.most_plies); ++i) {
        const std::size_t player = i % 2;
        MoveRecord move;
        move.name = line.moves[i];
        move.player = static_cast<int>(player);
        const double used =
            std::min(clock[player] * 0.9, clock[player] / 32 * (0.6 + 0.8 * uniform(random)));
        const double delay = std::exp(bell(random) * 0.5 + std::log(45.0));
        move.used = Micros(static_cast<long long>(used + delay));
        clock[player] += 80'000 - used - delay;
        move.left = Micros(static_cast<long long>(clock[player]));
        move.delay = Micros(static_cast<long long>(delay));
        const double share = static_cast<double>(i) / count;
        score += (end * share * share - score) * 0.15 + 30 * bell(random);
        const double own = player == 0 ? score : -score;
        move.score = adapters::Score{false, static_cast<int>(own), {}};
        move.depth = 14 + static_cast<int>(random.below(8));
        const double speed = settings.nodes_per_second * (1 + 0.05 * bell(random));
        move.nodes = static_cast<std::uint64_t>(used / 1e6 * speed);
        game.moves.push_back(std::move(move));
    }
}

void end_game(GameRecord& game, int first_half_points, const SampleRun& settings, Random& random) {
    const std::size_t first_player = game.program[0] == 0 ? 0 : 1;
    game.scores.players = 2;
    game.scores.value[first_player] = static_cast<float>(first_half_points) / 2;
    game.scores.value[1 - first_player] = 1 - game.scores.value[first_player];
    const std::array<Termination, 5> draws{
        Termination::by_rules("repetition"), Termination::by_rules("fifty"),
        Termination::by_rules("insufficient"), Termination::DrawAdjudicated,
        Termination::DrawAdjudicated};
    const std::array<Termination, 3> wins{Termination::by_rules("mate"),
                                          Termination::WinAdjudicated, Termination::WinAdjudicated};
    if (first_half_points == 1) {
        game.termination = draws[random.below(draws.size())];
        game.reason = "a draw";
        return;
    }
    game.termination = wins[random.below(wins.size())];
    game.reason = "a win";
    if (uniform(random) >= settings.failure_rate) return;
    game.guilty = first_half_points == 2 ? static_cast<int>(1 - first_player)
                                         : static_cast<int>(first_player);
    const bool is_crash = random.below(3) == 0;
    game.termination = is_crash ? Termination::Crash : Termination::Time;
    const auto guilty = static_cast<std::size_t>(game.guilty);
    const std::string& name = game.program[guilty] == 0 ? settings.first : settings.second;
    game.reason =
        name + (is_crash ? " crashed: killed by signal 11" : " lost on time: 12 ms too late");
    game.last_command =
        "position startpos moves e2e4 e7e5\ngo wtime 812 btime 2210 winc 80 binc 80\n";
    game.last_lines = "info depth 19 score cp -211 nodes 882113\n";
}

std::array<GameRecord, 2> games_of_pair(const SampleRun& settings, std::int64_t pair,
                                        const std::vector<Line>& lines, Random& random) {
    const auto opening = settings.openings > 0
                             ? random.below(static_cast<std::uint64_t>(settings.openings))
                             : static_cast<std::uint64_t>(pair);
    const std::array<int, 2> results = results_of(settings, random);
    std::array<GameRecord, 2> games;
    for (int g = 0; g < 2; ++g) {
        GameRecord& game = games[static_cast<std::size_t>(g)];
        game.number = 2 * pair + g + 1;
        game.pair = pair;
        game.game = g;
        game.program = g == 0 ? harness::Lineup{0, 1} : harness::Lineup{1, 0};
        game.opening_index = opening;
        const Line& line = lines[(opening % 16 + 16 * random.below(kLines / 16)) % kLines];
        game.opening = line.opening;
        end_game(game, results[static_cast<std::size_t>(g)], settings, random);
        fill_moves(game, line, settings, random);
        game.started_us = settings.started_us + 30'000'000 * pair / 8;
        game.ended_us = game.started_us + 30'000'000;
    }
    return games;
}

void write_match(harness::Store& store, std::int64_t run, std::size_t match,
                 const SampleRun& settings, const harness::MatchPlan& plan,
                 const std::vector<Line>& lines, Random& random) {
    harness::MatchTally tally(plan);
    std::int64_t after_stop = 0;
    // Pairs that were being played when the rule stopped the run are finished, as in real ones.
    for (std::int64_t pair = 0; pair < settings.pairs && after_stop < 4;) {
        store.transaction([&] {
            for (int i = 0; i < 500 && pair < settings.pairs && after_stop < 4; ++i, ++pair) {
                const auto games = games_of_pair(settings, pair, lines, random);
                const bool is_decided = tally.verdict() != harness::Verdict::None;
                if (is_decided) ++after_stop;
                for (const GameRecord& game : games) store.write_game(run, match, game);
                const harness::PairDigest digest = pair_of(
                    games[0], games[1],
                    is_decided ? harness::PairState::AfterStop : harness::PairState::Counted);
                store.write_pair(run, match, digest);
                tally.add(digest);
            }
        });
    }
    harness::RunMeters meters;
    meters.delay = {45, 160, 1900, 7.5};
    meters.wall_us = 30'000'000 * settings.pairs / 8;
    store.set_meters(run, match, meters);
}

}  // namespace

std::int64_t write_sample_run(harness::Store& store, const SampleRun& settings) {
    static const std::vector<Line> lines = random_lines();
    Random random(settings.seed);
    const harness::RunRecord record = record_of(settings);
    const std::int64_t run = store.begin_run(record);
    for (std::size_t match = 0; match < record.plan.matches.size(); ++match)
        write_match(store, run, match, settings, record.plan.matches[match], lines, random);
    if (settings.state != harness::RunState::Running)
        store.set_state(run, settings.state, settings.end_reason);
    return run;
}

}  // namespace assay::test

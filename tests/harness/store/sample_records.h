#pragma once
#include <string>

#include "base/random.h"
#include "harness/record/game.h"
#include "harness/record/pair.h"
#include "harness/record/run.h"
#include "harness/record/version.h"
#include "harness/store/store.h"
#include "tests/support/pair_of.h"

namespace assay::test {

using harness::BenchRecord;
using harness::BuildRecord;
using harness::GameRecord;
using harness::Lineup;
using harness::MoveRecord;
using harness::PairDigest;
using harness::PairState;
using harness::RunRecord;
using harness::SourceRecord;
using harness::SpeedFinding;
using harness::Store;
using harness::Termination;
using harness::VersionRecord;

/// A game of `plies` moves with every field set to something; the same arguments, the same game.
inline GameRecord sample_game(std::int64_t pair, int game, int attempt, int plies = 60) {
    Random random(mix64(static_cast<std::uint64_t>(pair), static_cast<std::uint64_t>(game)));
    GameRecord record;
    record.number = 2 * pair + game + 1;
    record.pair = pair;
    record.game = game;
    record.attempt = attempt;
    record.program = game == 0 ? Lineup{0, 1} : Lineup{1, 0};
    record.opening = {"e2e4", "e7e5"};
    std::array<Micros, 2> clock{Micros(8'000'000), Micros(8'000'000)};
    for (int ply = 0; ply < plies; ++ply) {
        MoveRecord move;
        move.name = std::string{static_cast<char>('a' + random.below(8)), '2',
                                static_cast<char>('a' + random.below(8)), '4'};
        move.player = ply % 2;
        move.used = Micros(random.below(100'000));
        Micros& left = clock[static_cast<std::size_t>(ply % 2)];
        left += Micros(80'000) - move.used;
        move.left = left;
        move.delay = Micros(random.below(40));
        move.score = adapters::Score{false, static_cast<int>(random.below(200)) - 100, {}};
        move.depth = 12 + static_cast<int>(random.below(8));
        move.seldepth = *move.depth + 7;
        move.nodes = 100'000 + random.below(100'000);
        move.nps = 1'000'000 + random.below(100'000);
        move.hashfull = static_cast<int>(random.below(1000));
        move.said = move.used;
        record.moves.push_back(std::move(move));
    }
    const std::uint64_t result = random.below(3);
    record.scores.players = 2;
    record.scores.value[0] = static_cast<float>(result) / 2;
    record.scores.value[1] = 1 - record.scores.value[0];
    record.termination =
        result == 1 ? Termination::by_rules("repetition") : Termination::by_rules("mate");
    record.reason = "White mates";
    record.opening_index = 17 + static_cast<std::uint64_t>(pair);
    record.started_us = 1'700'000'000'000'000 + pair;
    record.ended_us = record.started_us + 60'000'000;
    record.slot = static_cast<int>(pair % 4);
    return record;
}

inline PairDigest sample_pair(std::int64_t pair, int attempt = 0,
                              PairState state = PairState::Counted, int plies = 60) {
    return assay::test::pair_of(sample_game(pair, 0, attempt, plies),
                                sample_game(pair, 1, attempt, plies), state);
}

inline RunRecord sample_run(const std::string& name = "quickstart") {
    RunRecord run;
    run.name = name;
    run.plan.name = name;
    run.plan.programs.resize(2);
    run.plan.programs[0].name = "head";
    run.plan.programs[0].command = {"/usr/games/stockfish", "--with space"};
    run.plan.programs[1].name = "base";
    run.plan.programs[1].command = {"/usr/games/stockfish"};
    run.plan.matches.resize(1);
    run.plan.matches[0].name = "match";
    run.plan.seed = 0xFFFF'FFFF'FFFF'FFF0ULL;
    run.plan_hash = "abc";
    run.versions.resize(2);
    VersionRecord& head = run.versions[0];
    head.name = "head";
    head.path = "/usr/games/stockfish";
    head.sha256 = "00ff";
    head.id_name = "Stockfish 15.1";
    head.id_author = "the authors";
    head.files = {{"/nets/\"a\".nnue", "11"}, {"b", "22"}};
    head.source = SourceRecord{"/src/\"engine\"", "merge-base main",    "a1b2c3d4e5", "99",
                               "A \\ subject",    1'700'000'000'000'001};
    head.build = BuildRecord{"key", "/b/tree", "/b/log.txt", "g++ 12", true, 1.5, "no\nluck"};
    head.bench = BenchRecord{18'000'000'000'000'000'001ULL, 1234.5, std::nullopt};
    run.versions[1].name = "base";
    run.versions[1].path = "/usr/games/stockfish";
    run.versions[1].sha256 = "00ff";
    run.findings.speed.push_back(
        {1, 16, -2.5, -3, 0.25, 12.5, -3, {1e6, 2e6}, SpeedFinding::State::Undecided});
    run.findings.exit_code = 3;
    run.findings.control = "it differs";
    run.findings.drift = {"slower", "faster"};
    run.machine = {"host", "AMD EPYC", "6.1.0", 4, 2, 8'000'000'000ULL};
    run.book_hashes = {"cc", ""};
    run.assay_version = "0.1.0";
    run.command_line = "assay run 'a b.yaml'";
    run.started_us = 1'700'000'000'000'000;
    return run;
}

/// Both games of a pair and its row.
inline void write_sample_pair(Store& store, std::int64_t run, std::int64_t pair, int attempt = 0,
                              PairState state = PairState::Counted) {
    store.transaction([&] {
        store.write_game(run, 0, sample_game(pair, 0, attempt));
        store.write_game(run, 0, sample_game(pair, 1, attempt));
        store.write_pair(run, 0, sample_pair(pair, attempt, state));
    });
}

}  // namespace assay::test

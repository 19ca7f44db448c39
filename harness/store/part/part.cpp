// A part comes from another machine over a network, a shared folder or a CI system's artefacts, and
// any of them may cut it short, change it, or hand over another file of the same name. Its seal
// (part_seal.cpp) tells that.
//
// What the seal does not tell is checked on a copy in memory, so that nothing is written beside the
// part, no lock is asked of a network drive, and a part of an older schema can be migrated. A
// worker is trusted not to lie about results (docs/security.md), but whatever the bytes are, they
// give a sentence and no crash, and the work that SQLite does for them is bounded
// (Store::in_memory).
//
// Cost: reading decodes all moves, some 40 µs a game.
#include "harness/store/part/part.h"

#include <algorithm>
#include <map>
#include <new>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "harness/record/run_identity.h"
#include "harness/store/part/part_seal.h"
#include "harness/store/store.h"

namespace assay::harness {

namespace {

using PartFaultKind = PartFault::Kind;

PartFault part_fault(const std::string& file, const PartRefusal& refusal) {
    return {refusal.kind, printable_utf8(file) + ": " + printable_utf8(refusal.why)};
}

/// Runs `work`, and gives a PartFault for whatever it meets in the bytes of the part.
template <class Result, class Work>
std::variant<Result, PartFault> read_guarded(const std::string& file, const Work& work) {
    try {
        return work();
    } catch (const PartRefusal& refusal) {
        return part_fault(file, refusal);
    } catch (const Error& error) {
        std::string_view why = error.what();
        if (why.starts_with(file + ": ")) why.remove_prefix(file.size() + 2);
        return part_fault(file, {PartFaultKind::Damaged, std::string(why)});
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& error) {
        return part_fault(file,
                          {PartFaultKind::Damaged, std::string("is damaged: ") + error.what()});
    }
}

RunRecord only_run_of(const Store& store) {
    std::vector<RunRecord> runs = store.runs();
    if (runs.size() != 1)
        refuse_part(PartFaultKind::Damaged,
                    fmt::format("holds {} runs; a part holds one", runs.size()));
    return std::move(runs.front());
}

void check_part_of(const RunRecord& run, const RunRecord& expected) {
    if (run.uid != expected.uid)
        refuse_part(PartFaultKind::Foreign,
                    fmt::format("is a part of another run ({}, not {})", run.uid, expected.uid));
    if (const std::string why = why_not_one_run(expected, run); !why.empty())
        refuse_part(PartFaultKind::Foreign, fmt::format("is not a part of the run: {}", why));
}

using PartGameKey = std::tuple<std::int64_t, int, int>;  // pair, attempt, game

class PartReader {
public:
    PartReader(const Store& store, const RunRecord& run, const PartAsked& asked, Part& part)
        : store_(store), run_(run), asked_(asked), part_(part) {}

    void read() {
        const std::size_t matches = run_.plan.matches.size();
        for (const std::size_t match : store_.begun_matches(part_.run.id)) {
            if (match >= matches)
                refuse_part(
                    PartFaultKind::Pairs,
                    fmt::format("has games of match {}, and the run has {}", match + 1, matches));
            read_match(match);
        }
        for (std::size_t match = 0; match < matches; ++match)
            part_.meters.push_back(store_.meters(part_.run.id, match));
        take_builds();
        take_attempts();
    }

private:
    void read_match(std::size_t match) {
        total_ += store_.pair_count(part_.run.id, match);
        if (total_ > kMostPartPairs)
            refuse_part(PartFaultKind::TooLarge,
                        fmt::format("has {} pairs; a part has at most {}", total_, kMostPartPairs));
        std::map<PartGameKey, std::size_t> places;  // of its pair in part_.pairs
        std::set<std::int64_t> standing;
        for (PairDigest& digest : store_.pairs(part_.run.id, match)) {
            check_pair(digest);
            const bool is_new =
                places.emplace(PartGameKey{digest.pair, digest.attempt, 0}, part_.pairs.size())
                    .second &&
                (is_replaced(digest.state) || standing.insert(digest.pair).second);
            if (!is_new)
                refuse_part(PartFaultKind::Pairs,
                            fmt::format("has pair {} twice", digest.pair + 1));
            places[{digest.pair, digest.attempt, 1}] = part_.pairs.size();
            part_.pairs.push_back({std::move(digest), {}});
        }
        take_games(match, places);
        take_pv_counts(match, places);
    }

    void take_builds() {
        part_.builds = store_.builds(part_.run.id);
        for (const MachineBuild& build : part_.builds) {
            if (build.program < 0 || build.program >= std::ssize(part_.run.versions))
                refuse_part(PartFaultKind::Damaged,
                            "names the build of a program that the run does not have");
            check_machine(build.machine);
        }
    }

    void take_attempts() {
        part_.attempts = store_.attempts(part_.run.id);
        for (const AttemptRecord& attempt : part_.attempts) {
            if (attempt.match >= run_.plan.matches.size())
                refuse_part(PartFaultKind::Damaged,
                            "names an attempt in a match that the run does not have");
            check_place(attempt.match, attempt.pair, attempt.attempt);
            if (attempt.machine != kNoMachine) check_machine(attempt.machine);
        }
    }

    /// A machine that nobody has described would be taken for the one that the run began on.
    void check_machine(std::int64_t machine) const {
        if (machine == 0 || part_.run.other_machines.contains(machine)) return;
        refuse_part(PartFaultKind::Damaged,
                    fmt::format("has games of a machine ({}) of which it says nothing", machine));
    }

    void check_pair(const PairDigest& pair) const {
        check_place(pair.match, pair.pair, pair.attempt);
        if (pair.is_single)
            refuse_part(PartFaultKind::Pairs, "has single games where the run plays pairs");
        check_machine(pair.machine);
    }

    void check_place(std::size_t match, std::int64_t pair, int attempt) const {
        const std::optional<AskedPairs>& asked = asked_.pairs;
        if (pair < 0 || attempt < 0)
            refuse_part(PartFaultKind::Damaged, "has a pair whose number is below 1");
        if (asked && !asked->has(match, pair))
            refuse_part(
                PartFaultKind::Pairs,
                fmt::format("has pair {} of match {}; asked for were pairs {} to {} of match {}",
                            pair + 1, match + 1, asked->first + 1, asked->first + asked->count,
                            asked->match + 1));
        if (asked_.claim && attempt / kAttemptsOfClaim != *asked_.claim)
            refuse_part(PartFaultKind::Pairs,
                        fmt::format("has attempt {} of pair {}, which is not one of claim {}",
                                    attempt, pair + 1, *asked_.claim));
    }

    void take_games(std::size_t match, const std::map<PartGameKey, std::size_t>& places) {
        std::int64_t halves = 0;
        store_.for_each_game(part_.run.id, match, [&](const GameRecord& game) {
            const auto place = places.find({game.pair, game.attempt, game.game});
            if (place == places.end()) {
                ++halves;
                return;
            }
            PartPair& pair = part_.pairs[place->second];
            const GameDigest& digest = pair.digest.games[static_cast<std::size_t>(game.game)];
            const bool is_whole = game.number == 2 * game.pair + game.game + 1 &&
                                  digest_of(game).moves_hash == digest.moves_hash &&
                                  game.opening_index == pair.digest.opening_index;
            const bool is_second =
                std::ranges::find(pair.games, game.game, &GameRecord::game) != pair.games.end();
            check_machine(game.machine);
            if (!is_whole || is_second)
                refuse_part(PartFaultKind::Damaged,
                            fmt::format("has a game {} that contradicts itself", game.number));
            pair.games.push_back(game);
        });
        if (halves > 0)
            part_.warnings.push_back(fmt::format(
                "{}: {} {} of pairs that were not finished {} left out", printable_utf8(part_.file),
                halves, halves == 1 ? "game" : "games", halves == 1 ? "is" : "are"));
    }

    void take_pv_counts(std::size_t match, const std::map<PartGameKey, std::size_t>& places) {
        store_.for_each_pv_count(part_.run.id, match,
                                 [&](const Store::GameOf& of, const PvCount& count) {
                                     const auto place = places.find({of.pair, of.attempt, of.game});
                                     if (place == places.end()) return;
                                     for (GameRecord& game : part_.pairs[place->second].games)
                                         if (game.game == of.game) take_pv_count(game, count);
                                 });
    }

    static void take_pv_count(GameRecord& game, const PvCount& count) {
        for (const PvCount& other : game.pv_counts)
            if (other.program == count.program && other.flaw == count.flaw)
                refuse_part(PartFaultKind::Damaged,
                            fmt::format("has a flaw of game {} twice", game.number));
        game.pv_counts.push_back(count);
    }

    const Store& store_;
    const RunRecord& run_;
    const PartAsked& asked_;
    Part& part_;
    std::int64_t total_ = 0;
};

void add_part_warnings(Part& part) {
    const MachineRecord& machine = part.run.machine;
    const std::string& name = machine.worker.empty() ? machine.host : machine.worker;
    for (const std::string& drift : part.run.findings.drift)
        part.warnings.push_back(printable_utf8(name + ": " + drift));
    if (!machine.trouble.empty())
        part.warnings.push_back(printable_utf8(name + ": " + machine.trouble));
}

Part read_part_store(const std::string& file, const Store& store, const RunRecord& run,
                     const PartAsked& asked) {
    Part part;
    part.file = file;
    part.run = only_run_of(store);
    check_part_of(part.run, run);
    PartReader(store, run, asked, part).read();
    add_part_warnings(part);
    return part;
}

}  // namespace

void refuse_part(PartFault::Kind kind, std::string why) {
    throw PartRefusal{kind, std::move(why)};
}

std::variant<Part, PartFault> read_part(const std::string& file, const RunRecord& run,
                                        const PartAsked& asked) {
    return read_guarded<Part>(file, [&] {
        return read_part_store(file, Store::in_memory(file, sealed_bytes(file)), run, asked);
    });
}

}  // namespace assay::harness

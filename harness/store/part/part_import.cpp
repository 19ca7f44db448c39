// A part is written from what was read and checked of it, never copied by SQL: what is in its file
// beside that does not reach the run's store. The store stays open over all parts.
//
// Cost: a game is written as one that was played here, some 60 µs; reading the part costs more.
#include "harness/store/part/part_import.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "harness/record/fleet.h"
#include "harness/record/move_codec.h"

namespace assay::harness {

namespace {

/// The store has another game under the same key.
struct OtherGame {
    std::size_t match = 0;
    std::int64_t pair = 0;
    std::int64_t number = 0;
};

/// In every field that is stored, but for GameRecord::pv_counts, which are not read back.
bool are_equal(const GameRecord& one, const GameRecord& other) {
    const auto fields = [](const GameRecord& game) {
        return std::tie(game.number, game.program, game.start, game.opening, game.scores,
                        game.termination, game.guilty, game.reason, game.last_lines,
                        game.last_command, game.harness_caused, game.opening_index, game.started_us,
                        game.ended_us, game.slot, game.machine);
    };
    return fields(one) == fields(other) && encode_moves(one.moves) == encode_moves(other.moves);
}

int claim_of(int attempt) {
    return attempt / kAttemptsOfClaim;
}

/// `known`: attempts at the same pair. Where another one stands this is not needed; where a newer
/// claim has begun, to take the first result of two would favour the quicker game.
bool comes_late(const std::map<int, PairState>& known, int attempt) {
    return std::ranges::any_of(known, [attempt](const auto& other) {
        const auto [number, state] = other;
        return !is_replaced(state) || claim_of(number) > claim_of(attempt);
    });
}

class PartWriter {
public:
    PartWriter(Store& store, std::int64_t run, Part& part, bool are_late)
        : store_(store), run_(run), part_(part), are_late_(are_late) {}

    /// Throws OtherGame.
    Imported write() {
        (void)number_of(0);
        for (PartPair& pair : part_.pairs) write_pair(pair);
        for (MachineBuild& build : part_.builds) {
            build.machine = number_of(build.machine);
            store_.write_build(run_, build);
        }
        for (AttemptRecord& attempt : part_.attempts) {
            attempt.machine = number_of(attempt.machine);
            store_.write_attempt(run_, attempt);
        }
        for (const auto& [key, attempt] : late_) store_.write_attempt(run_, attempt);
        for (const std::size_t match : counting_) add_faults(match);
        if (done_.taken > 0) store_.forget_summaries(run_);
        done_.meters = std::move(part_.meters);
        done_.warnings = std::move(part_.warnings);
        return std::move(done_);
    }

private:
    /// Of a machine of the part in the store, to which it is added.
    std::int64_t number_of(std::int64_t machine) {
        if (machine == kNoMachine) return machine;
        const auto [found, is_new] = numbers_.try_emplace(machine, 0);
        if (is_new) found->second = store_.add_machine(run_, part_.run.machine_of(machine));
        return found->second;
    }

    void write_pair(PartPair& pair) {
        PairDigest& digest = pair.digest;
        const std::map<int, PairState> known = store_.attempts_at(run_, digest.match, digest.pair);
        const bool is_known = known.contains(digest.attempt);
        digest.machine = number_of(digest.machine);
        for (GameRecord& game : pair.games) {
            game.machine = number_of(game.machine);
            write_game(game, is_known);
        }
        if (is_known) {
            ++done_.equal;
            return;
        }
        if (are_late_ || comes_late(known, digest.attempt)) {
            digest.state = PairState::Late;
            ++done_.late;
            note_late(pair);
        } else {
            counting_.insert(digest.match);
        }
        store_.write_pair(run_, digest.match, digest);
        ++done_.taken;
        done_.pairs.push_back(digest);
    }

    /// The store may have the first game of a pair that was not finished there.
    void write_game(const GameRecord& game, bool is_pair_known) {
        const Store::GameOf of{game.pair, game.game, game.attempt};
        const std::optional<GameRecord> there = store_.game_at(run_, game.match, of);
        if (there ? !are_equal(*there, game) : is_pair_known)
            throw OtherGame{game.match, game.pair, game.number};
        if (!there) store_.write_game(run_, game.match, game);
    }

    void add_faults(std::size_t match) {
        const std::vector<FaultsBetweenGames>& more = part_.meters.at(match).between_games;
        if (more.empty()) return;
        RunMeters meters = store_.meters(run_, match);
        std::vector<FaultsBetweenGames>& known = meters.between_games;
        known.resize(std::max(known.size(), more.size()));
        for (std::size_t i = 0; i < more.size(); ++i) {
            known[i].crashes += more[i].crashes;
            known[i].stalls += more[i].stalls;
        }
        store_.set_meters(run_, match, meters);
    }

    /// One attempt a claim, whatever was void of it.
    void note_late(const PartPair& pair) {
        AttemptRecord late;
        late.match = pair.digest.match;
        late.pair = pair.digest.pair;
        late.attempt = claim_of(pair.digest.attempt) * kAttemptsOfClaim;
        late.machine = pair.digest.machine;
        late.fate = AttemptFate::Late;
        for (const GameRecord& game : pair.games) {
            const bool is_first = late.claimed_us == 0;
            late.claimed_us =
                is_first ? game.started_us : std::min(late.claimed_us, game.started_us);
            late.ended_us = std::max(late.ended_us, game.ended_us);
        }
        const auto [found, is_new] =
            late_.try_emplace(std::tuple(late.match, late.pair, late.attempt), late);
        if (is_new) return;
        found->second.claimed_us = std::min(found->second.claimed_us, late.claimed_us);
        found->second.ended_us = std::max(found->second.ended_us, late.ended_us);
    }

    Store& store_;
    std::int64_t run_;
    Part& part_;
    bool are_late_;  // whatever the store has of their pairs
    Imported done_;
    std::map<std::int64_t, std::int64_t> numbers_;  // of the part's machines in the store
    std::map<std::tuple<std::size_t, std::int64_t, int>, AttemptRecord> late_;
    std::set<std::size_t> counting_;  // matches of which a pair was taken that is not late
};

}  // namespace

std::variant<Imported, PartFault> take_part(Store& store, const RunRecord& run, Part part,
                                            bool are_late) {
    try {
        Imported done;
        store.transaction([&] { done = PartWriter(store, run.id, part, are_late).write(); });
        return done;
    } catch (const OtherGame& game) {
        return PartFault{
            PartFault::Kind::Foreign,
            fmt::format("{}: game {} of '{}' (pair {}) differs: it was played in two places, and "
                        "{} run {} has the other one",
                        printable_utf8(part.file), game.number,
                        printable_utf8(run.plan.matches.at(game.match).name), game.pair + 1,
                        printable_utf8(store.path()), run.id)};
    }
}

std::variant<Imported, PartFault> import_part(Store& store, const RunRecord& run,
                                              const std::string& file, const PartAsked& asked) {
    std::variant<Part, PartFault> part = read_part(file, run, asked);
    if (auto* const fault = std::get_if<PartFault>(&part)) return std::move(*fault);
    return take_part(store, run, std::move(std::get<Part>(part)), asked.is_late);
}

}  // namespace assay::harness

#include "harness/executor/folder/part_taker.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <variant>

#include <fmt/format.h>

#include "base/text.h"
#include "harness/store/part/part_import.h"
#include "harness/store/part/quarantine.h"

namespace assay::harness {

namespace {

/// Of the pairs of a claim that the store has not; nullopt: they may come yet. `came`: its part was
/// taken without them.
std::optional<AttemptFate> fate_of_claim(const Claim& claim, bool came, bool is_followed,
                                         bool is_over) {
    // Or the worker gave all of them back.
    if (came || claim.end == "left" || claim.has_failed()) return AttemptFate::Returned;
    const bool is_open = claim.end.empty();
    if (is_open && is_followed) return AttemptFate::Lost;
    if (!is_over) return std::nullopt;
    // The end of the run ended it; of what was handed in nothing could be taken.
    return is_open ? AttemptFate::Returned : AttemptFate::Lost;
}

/// A part in the folder, and the attempt that played it.
struct PartInFolder {
    std::string file;  // in the folder
    Shard::Window window;
    int claim = 0;  // among all claims of its pairs
};

/// Of a name in late/, "3.0.db".
std::optional<PartInFolder> late_part_of(const std::string& name, const FleetSpec& spec) {
    const std::vector<std::string_view> fields = split_at(name, '.');
    if (fields.size() != 3) return std::nullopt;
    const auto batch = to_number<std::int64_t>(fields[0]);
    const auto attempt = to_number<int>(fields[1]);
    const auto window = batch ? spec.window_of(*batch) : std::nullopt;
    if (!window || !attempt) return std::nullopt;
    return PartInFolder{"late/" + name, *window, spec.first_claim_of(*batch) + *attempt};
}

std::vector<PartInFolder> parts_in(const SlurmFolder& folder) {
    const FleetSpec spec = folder.spec();
    std::vector<PartInFolder> parts;
    for (const std::string& name : folder.late_parts())
        if (auto part = late_part_of(name, spec)) parts.push_back(std::move(*part));
    for (const std::int64_t batch : folder.done_batches()) {
        const auto window = spec.window_of(batch);
        if (!window) continue;
        const std::vector<Claim> claims = folder.claims(batch);
        for (std::size_t i = claims.size(); i-- > 0;) {
            if (claims[i].end != "played") continue;
            parts.push_back({fmt::format("done/{}.db", batch), *window,
                             spec.first_claim_of(batch) + static_cast<int>(i)});
            break;
        }
    }
    return parts;
}

/// The store has a pair of this claim.
bool has_come(const PartInFolder& part, std::int64_t run, const Store& store) {
    for (std::int64_t i = 0; i < part.window.pairs; ++i)
        for (const auto& [attempt, state] :
             store.attempts_at(run, part.window.match, part.window.first + i))
            if (attempt / kAttemptsOfClaim == part.claim) return true;
    return false;
}

std::vector<PartInFolder> parts_left(const SlurmFolder& folder, const RunRecord& run,
                                     const Store& store) {
    std::vector<PartInFolder> parts = parts_in(folder);
    std::erase_if(parts, [&](const PartInFolder& part) {
        return part.window.match >= run.plan.matches.size() || has_come(part, run.id, store);
    });
    return parts;
}

}  // namespace

PartTaker::PartTaker(const RunRecord& run, std::size_t match, Store& store)
    : run_(run), store_(store) {
    note(store.pairs(run.id, match));
    for (const AttemptRecord& attempt : store.attempts(run.id))
        if (attempt.match == match) known_.emplace(attempt.pair, attempt.attempt);
}

TakenPart PartTaker::take(const std::string& file, const Shard::Window& window, bool is_late) {
    const PartAsked asked{AskedPairs{window.match, window.first, window.pairs}, std::nullopt,
                          is_late};
    // As the store has it: what parts are compared with does not change while it is played.
    if (!stored_run_) stored_run_ = store_.find_run(std::to_string(run_.id)).value();
    std::variant<Imported, PartFault> imported = import_part(store_, *stored_run_, file, asked);
    TakenPart taken;
    if (const auto* const fault = std::get_if<PartFault>(&imported)) {
        taken.is_read = fault->kind != PartFault::Kind::Missing;
        if (!taken.is_read) {
            taken.warnings = {fault->sentence + "; it is looked at again"};
            return taken;
        }
        const std::string to = quarantine(store_.path(), file, fault->sentence);
        taken.refusal =
            fmt::format("{}; the file is in {} now{}", fault->sentence, printable_utf8(to),
                        is_late ? "" : ", and its pairs are played again");
        return taken;
    }
    Imported& done = std::get<Imported>(imported);
    const RunMeters& meters = done.meters.at(window.match);
    taken.delay = meters.delay;
    taken.between_games = meters.between_games;
    taken.warnings = std::move(done.warnings);
    taken.pairs = std::move(done.pairs);
    note(taken.pairs);
    for (const PairDigest& pair : taken.pairs) {
        if (is_replaced(pair.state)) continue;
        for (const int game : {0, 1})
            if (auto record = store_.game_of(run_.id, pair.match, pair.pair, game))
                taken.games.push_back(std::move(*record));
    }
    return taken;
}

void PartTaker::note_claims(const Shard::Window& window, int first,
                            const std::vector<Claim>& claims, bool is_over) {
    store_.transaction([&] {
        for (std::size_t i = 0; i < claims.size(); ++i) {
            const int attempt = kAttemptsOfClaim * (first + static_cast<int>(i));
            const bool is_followed = i + 1 < claims.size();
            const auto fate = fate_of_claim(claims[i], came(window, attempt), is_followed, is_over);
            if (!fate) continue;
            // When a lost one ended nobody knows; by then the next one had been begun.
            const long long ended = claims[i].ended_us == 0 && is_followed ? claims[i + 1].began_us
                                                                           : claims[i].ended_us;
            note_rest(window, attempt, claims[i], *fate, ended);
        }
    });
}

void PartTaker::note(const std::vector<PairDigest>& pairs) {
    for (const PairDigest& pair : pairs)
        known_.emplace(pair.pair, pair.attempt / kAttemptsOfClaim * kAttemptsOfClaim);
}

bool PartTaker::came(const Shard::Window& window, int attempt) const {
    for (std::int64_t i = 0; i < window.pairs; ++i)
        if (known_.contains({window.first + i, attempt})) return true;
    return false;
}

void PartTaker::note_rest(const Shard::Window& window, int attempt, const Claim& claim,
                          AttemptFate fate, long long ended_us) {
    AttemptRecord record;
    record.match = window.match;
    record.attempt = attempt;
    record.fate = fate;
    record.claimed_us = claim.began_us;
    record.ended_us = ended_us;
    record.reason = claim.reason;
    for (std::int64_t i = 0; i < window.pairs; ++i) {
        record.pair = window.first + i;
        if (!known_.emplace(record.pair, attempt).second) continue;
        record.machine = machine_of(claim.node);
        store_.write_attempt(run_.id, record);
    }
}

/// Of a node from which no part has come nothing is known but its name.
std::int64_t PartTaker::machine_of(const std::string& node) {
    if (const auto found = machines_.find(node); found != machines_.end()) return found->second;
    const auto run = store_.find_run(std::to_string(run_.id));
    for (const auto& [number, machine] : run->other_machines)
        if (machine.worker == node) return machines_[node] = number;
    if (run->machine.worker == node) return machines_[node] = 0;
    return kNoMachine;
}

std::vector<std::string> late_parts_in(const SlurmFolder& folder, const RunRecord& run,
                                       const Store& store) {
    std::vector<std::string> files;
    for (const PartInFolder& part : parts_left(folder, run, store))
        files.push_back(folder.file(part.file));
    return files;
}

LateParts take_late_parts(const SlurmFolder& folder, const RunRecord& run, Store& store) {
    LateParts left;
    std::map<std::size_t, PartTaker> takers;  // by match: each reads all that is stored of it
    for (const PartInFolder& part : parts_left(folder, run, store)) {
        PartTaker& taker =
            takers.try_emplace(part.window.match, run, part.window.match, store).first->second;
        TakenPart taken = taker.take(folder.file(part.file), part.window, true);
        if (!taken.refusal.empty()) left.sentences.push_back(taken.refusal);
        std::ranges::move(taken.warnings, std::back_inserter(left.sentences));
        if (taken.pairs.empty()) continue;
        ++left.parts;
        left.pairs += std::ssize(taken.pairs);
    }
    return left;
}

}  // namespace assay::harness

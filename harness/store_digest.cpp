#include "base/random.h"
#include "harness/store.h"

namespace assay::harness {

namespace {

/// Fed one text after the other; texts are kept apart, so that "ab","c" is not "a","bc".
class TextHash {
public:
    void add(std::string_view text) {
        std::uint64_t word = text.size();
        for (const char c : text) {
            word = (word ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
        }
        hash_ = mix64(hash_, word);
    }

    [[nodiscard]] std::uint64_t value() const { return hash_; }

private:
    std::uint64_t hash_ = 0;
};

}  // namespace

std::string_view name_of(RunState state) {
    switch (state) {
        case RunState::Running:
            return "running";
        case RunState::Interrupted:
            return "interrupted";
        case RunState::Finished:
            return "finished";
        case RunState::Failed:
            break;
    }
    return "failed";
}

std::int64_t MachineRecord::id() const {
    TextHash hash;
    hash.add(host);
    hash.add(cpu);
    const auto id = static_cast<std::int64_t>(hash.value());
    return id != 0 ? id : 1;
}

const MachineRecord& RunRecord::machine_of(std::int64_t number) const {
    const auto found = other_machines.find(number);
    return found == other_machines.end() ? machine : found->second;
}

GameDigest digest_of(const GameRecord& game) {
    GameDigest digest;
    digest.scores = game.scores;
    digest.program = game.program;
    digest.termination = game.termination;
    digest.guilty = game.guilty;
    digest.plies = static_cast<int>(game.moves.size());
    digest.harness_caused = game.harness_caused;
    // Stored for ever and compared across versions of assay: its making may never change.
    TextHash hash;
    hash.add(game.start);
    for (const std::string& move : game.opening) hash.add(move);
    for (const MoveRecord& move : game.moves) {
        hash.add(move.name);
        digest.used_us += move.used.count();
    }
    digest.moves_hash = hash.value();
    return digest;
}

PairDigest digest_of(const PairRecord& pair) {
    PairDigest digest;
    digest.pair = pair.pair;
    digest.attempt = pair.attempt;
    digest.state = pair.state;
    digest.opening_index = pair.games[0].opening_index;
    digest.slot = pair.games[0].slot;
    digest.machine = pair.games[0].machine;
    digest.games = {digest_of(pair.games[0]), digest_of(pair.games[1])};
    return digest;
}

}  // namespace assay::harness

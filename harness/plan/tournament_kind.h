#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace assay::harness {

enum class TournamentKind : std::uint8_t {
    RoundRobin,   // everyone meets everyone, `rounds` times
    Gauntlet,     // the first `seeds` programs meet all others, `rounds` times
    Pyramid,      // each program meets those before it in the list, one program after the other
    LeastPlayed,  // those two programs next that have met for the fewest games
    Knockout,     // who loses a tie is out
    Swiss,        // in each of `rounds` rounds programs of nearly equal scores meet
};

/// "round_robin", "gauntlet", "pyramid", "least_played", "knockout", "swiss".
[[nodiscard]] std::string_view name_of(TournamentKind kind);
[[nodiscard]] std::optional<TournamentKind> tournament_kind_of(std::string_view name);

/// Which meetings have the same openings.
enum class OpeningPolicy : std::uint8_t {
    /// All of one cycle, in which everyone who is to meet meets once: all opponents of a program
    /// get the same openings. In a knockout or Swiss a cycle is a round.
    Cycle,
    Round,      // all of one round; the next round goes on in the book
    Encounter,  // each meeting goes on in the book
};

/// In which order programs are ranked before anything has been played.
enum class Seeding : std::uint8_t { List, Lot };

/// Whose order meetings and games have: ours, or that of a runner that a run stands in for
/// (tournament/runner_tournament.h).
enum class PairingOrder : std::uint8_t { Own, Fastchess, Cutechess };

/// "cycle", "round", "encounter".
[[nodiscard]] std::string_view name_of(OpeningPolicy policy);

/// "list", "lot".
[[nodiscard]] std::string_view name_of(Seeding seeding);

/// "own", "fastchess", "cutechess".
[[nodiscard]] std::string_view name_of(PairingOrder order);

}  // namespace assay::harness

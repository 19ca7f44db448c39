#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace assay::engines {

/// AlphaBeta opens every node with its parent's window; Pvs proves all moves but the first inferior
/// with a minimal window, and searches again those that are not.
enum class Method : std::uint8_t { Minimax, AlphaBeta, Pvs };

/// How cut-offs of moves are remembered (Schaeffer 1989): by the move, or by the difference that it
/// makes to a position's signature, which needs no knowledge of how a game's moves look.
enum class HistoryKind : std::uint8_t { None, Moves, Signature };

enum class Ordering : std::uint8_t {
    Plain,     // captures by victim and attacker, then killers and history
    Chessmaps  // the eight classes of Greer 2000; inside a class as above
};

/// Faults that can be planted, to test queries that look for them.
enum class Fault : std::uint8_t {
    None,
    BadOrder,               // moves in reverse order
    QuiescenceWithoutStop,  // a quiet position ends nothing: every sequence of captures is looked
                            // at
    ResearchLoop            // a search that fails high is repeated three times more than needed
};

/// All settings of a search. check_settings() says which are compatible.
struct Settings {
    Method method = Method::Pvs;
    bool iterative = true;
    int aspiration = 30;  // half the window around the last iteration's value; 0: the full window
    bool quiescence = true;
    bool table = true;
    bool exact_draft = false;  // entries serve their own depth alone, so that values do not change
    bool path_safe = true;     // values that rest on a repetition are kept out of the table
    bool chains = false;
    int chains_from = 1;  // chains are followed from this ply on; 0: at the root as well
    HistoryKind history = HistoryKind::Moves;
    bool killers = true;
    bool null_move = true;
    bool extensions = true;  // a side in check is searched one ply deeper
    bool reductions = true;  // quiet moves late in the order are tried one or two plies shallower
    Ordering ordering = Ordering::Plain;
    Fault fault = Fault::None;
};

/// What a game's state offers beyond the rules.
struct Abilities {
    bool passes = false;   // moves may be skipped
    bool noisy = false;    // it can tell noisy moves
    bool classes = false;  // it knows the eight classes
    bool squares = false;  // it knows the square and the piece of a move
};

/// nullopt, or a sentence that says which two settings are incompatible and what to change.
[[nodiscard]] std::optional<std::string> check_settings(const Settings& settings,
                                                        const Abilities& abilities);

/// The plain minimax search: everything that is not part of it is off.
[[nodiscard]] Settings minimax_settings();

/// Fixed-depth alpha-beta and nothing else.
[[nodiscard]] Settings alpha_beta_settings();

}  // namespace assay::engines

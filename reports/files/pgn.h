#pragma once
#include <functional>
#include <memory>
#include <string>

#include "harness/record/game.h"
#include "harness/record/run.h"
#include "rules/game.h"

namespace assay::reports {

/// Writes a match's games as PGN in export form: the seven-tag roster first, numbers from the
/// start position, lines of at most 79 bytes, one blank line after tags and one after moves.
/// A move carries `{+0.31/18 0.350s [%clk 0:00:07.650]}`: the mover's score in the game's unit (or
/// moves to a forced win, `+M5`), depth, time used, and what is left on its clock, each where
/// known; book moves carry `{book}`. A move that the rules refuse ends the movetext and is told in
/// words. Games that have no PGN get a record of the same form: tags are named after their players,
/// Start stands in place of FEN, moves are in the canonical notation. The tags Commit, Subject and
/// IdName, each behind its player's name, tell which version played, as far as it is known. Holds a
/// reference to the run.
class PgnWriter {
public:
    /// `round`: gives the tag Round of a game; null: the pair and the game in it, "12.2".
    using RoundOf = std::function<std::string(const harness::GameRecord&)>;

    PgnWriter(const harness::RunRecord& run, std::size_t match, RoundOf round = nullptr);

    /// One game, both blank lines included.
    [[nodiscard]] std::string text(const harness::GameRecord& game) const;

private:
    [[nodiscard]] std::string version_tags(const harness::GameRecord& game) const;
    [[nodiscard]] std::string limit_tags(const harness::GameRecord& game) const;
    [[nodiscard]] std::string tags(const harness::GameRecord& game) const;
    [[nodiscard]] std::string movetext(const harness::GameRecord& game) const;
    [[nodiscard]] std::unique_ptr<rules::Position> start_of(const harness::GameRecord& game) const;

    const harness::RunRecord& run_;
    const harness::MatchPlan& match_;
    RoundOf round_;
    std::unique_ptr<rules::Game> rules_;
};

/// How the field calls the opening that was played; nullopt where it has no name.
[[nodiscard]] std::optional<rules::OpeningName> opening_name_of(const rules::Game& rules,
                                                                const harness::GameRecord& game);

/// "1-0", "0-1", "1/2-1/2"; "*" where the game was interrupted or its scores say none of these.
[[nodiscard]] std::string_view pgn_result(const harness::GameRecord& game);

/// What PGN readers know: normal, adjudication, time forfeit, illegal move, abandoned,
/// unterminated.
[[nodiscard]] std::string_view pgn_termination(const harness::Termination& termination);

/// The standard's form where it has one: "40/60:300+2", "-" for none; a fixed time a move is
/// "1/0.1", byoyomi and Canadian time are their periods, an hourglass "*60". Seconds.
[[nodiscard]] std::string pgn_time_control(const harness::TimeControl& control);

}  // namespace assay::reports

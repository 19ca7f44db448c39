#include "reports/dropin/runner_words.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>

#include "base/text.h"
#include "reports/files/pgn.h"

namespace assay::reports::dropin {

namespace {

using harness::GameRecord;
using harness::Termination;
using harness::TimeControl;

constexpr std::size_t kFiles = 8;

std::string draw_by_rules(std::string_view word) {
    if (word == "insufficient") return "Draw by insufficient mating material";
    if (word == "repetition") return "Draw by 3-fold repetition";
    if (word == "fifty") return "Draw by fifty moves rule";
    return "Draw by " + std::string(word);
}

/// An end in which one program is at fault, told of this player; nullopt for others.
std::optional<std::string> fault_text(Runner runner, const std::string& loser,
                                      const GameRecord& game) {
    const bool is_cute = runner == Runner::Cutechess;
    switch (game.termination.cause) {
        case Termination::Time:
            if (is_cute) return loser + " loses on time";
            return fmt::format("{} loses on time ({}ms overrun)", loser,
                               game.overrun.count() / 1000);
        case Termination::IllegalMove:
            return loser + " makes an illegal move" +
                   (is_cute && !game.illegal_move.empty() ? ": " + game.illegal_move : "");
        case Termination::Crash:
        case Termination::Disconnect:
        case Termination::NoStart:
            return loser + " disconnects";
        case Termination::Stall:
            return loser + "'s connection stalls";
        default:
            return std::nullopt;
    }
}

/// A fault that ended a game without a loser; only cutechess-cli knows such.
std::string drawn_fault_text(const Termination& termination) {
    if (termination == Termination::Time) return "Draw by timeout";
    if (termination == Termination::Stall) return "Draw by stalled connection";
    return "Draw by disconnection";
}

/// Seconds with six significant digits at most, as both runners print them.
std::string seconds(Micros time) {
    return fmt::format("{:.6g}", static_cast<double>(time.count()) / 1e6);
}

/// The first period: neither runner has more than one.
std::string clock_tag(const TimeControl& control) {
    if (control.periods.empty()) return "-";
    const harness::Period& period = control.periods.front();
    std::string text = period.moves > 0 ? fmt::format("{}/", period.moves) : "";
    text += seconds(period.time);
    if (period.increment > Micros{0}) text += "+" + seconds(period.increment);
    return text;
}

/// A rank of FEN as one letter a square; ' ' where it is empty.
std::array<char, kFiles> squares_of(std::string_view rank) {
    std::array<char, kFiles> squares{};
    squares.fill(' ');
    std::size_t file = 0;
    for (const char c : rank) {
        if (c >= '1' && c <= '8') {
            file += static_cast<std::size_t>(c - '0');
        } else if (file < kFiles) {
            squares.at(file++) = c;
        }
    }
    return squares;
}

/// The file of the outermost rook on the right's side of the king; 0 where there is none.
char rook_file(std::string_view rank, char king, char rook, bool is_king_side) {
    const std::array<char, kFiles> squares = squares_of(rank);
    std::size_t king_file = 0;
    while (king_file < kFiles && squares.at(king_file) != king) ++king_file;
    for (std::size_t i = 0; i < kFiles; ++i) {
        const std::size_t file = is_king_side ? kFiles - 1 - i : i;
        if (file == king_file) break;
        if (squares.at(file) == rook) return static_cast<char>('a' + file);
    }
    return 0;
}

char upper_letter(char c) {
    return static_cast<char>(c - 'a' + 'A');
}

}  // namespace

std::string reason_text(Runner runner, const rules::GameInfo& info, const GameRecord& game) {
    const auto name = [&info](int player) {
        return player < 0 ? std::string() : info.players.at(static_cast<std::size_t>(player));
    };
    const int winner = game.scores.winner();
    const Termination& termination = game.termination;
    if (game.guilty >= 0) {
        if (const auto text = fault_text(runner, name(game.guilty), game))
            return winner < 0 ? drawn_fault_text(termination) : *text;
    }
    switch (termination.cause) {
        case Termination::Rules:
            return winner < 0 ? draw_by_rules(termination.word) : name(winner) + " mates";
        case Termination::WinAdjudicated:
            return name(winner) + " wins by adjudication";
        case Termination::Tablebase: {
            const std::string what = winner < 0 ? "Draw by" : name(winner) + " wins by";
            return what + (runner == Runner::Cutechess ? " adjudication: TB position"
                                                       : " adjudication: SyzygyTB");
        }
        case Termination::DrawAdjudicated:
        case Termination::Length:
            return "Draw by adjudication";
        case Termination::ClaimResign:
            return name(1 - winner) + " resigns";
        case Termination::ClaimDraw:
            return "Draw by agreement";
        default:
            return runner == Runner::Cutechess ? "No result" : "Game interrupted";
    }
}

std::string_view termination_tag(Runner runner, const Termination& termination) {
    const std::string_view usual = pgn_termination(termination);
    if (runner != Runner::Cutechess) return usual;
    if (termination.cause == Termination::Stall) return "stalled connection";
    return usual == "normal" ? "" : usual;
}

std::string time_control_tag(Runner runner, const TimeControl& control) {
    switch (control.kind) {
        case TimeControl::Kind::Clock:
            return clock_tag(control);
        case TimeControl::Kind::MoveTime:
            return fmt::format("{:.8g}/move", static_cast<double>(control.move_time.count()) / 1e6);
        case TimeControl::Kind::Hourglass:
            return "hg" + seconds(control.main);
        default:
            return runner == Runner::Cutechess ? "inf" : "-";
    }
}

std::string score_text(const adapters::Score& score) {
    if (score.is_mate) {
        const long long moves = score.value;
        return moves > 0 ? fmt::format("+M{}", 2 * moves - 1) : fmt::format("-M{}", -2 * moves);
    }
    const std::string_view sign = score.value > 0 ? "+" : score.value < 0 ? "-" : "";
    return fmt::format("{}{:.2f}", sign, std::abs(static_cast<double>(score.value)) / 100);
}

std::string ascii_text(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
        if (c < ' ' || c > '~') c = '?';
    }
    return out;
}

std::string shredder_text(const std::string& text) {
    std::vector<std::string_view> fields = split_words(text);
    if (fields.size() < 3) return text;
    const std::string_view board = fields[0];
    const std::string_view top = board.substr(0, board.find('/'));
    const std::string_view bottom = board.substr(board.rfind('/') + 1);
    std::string rights;
    for (const char right : fields[2]) {
        char file = 0;
        if (right == 'K' || right == 'Q') file = rook_file(bottom, 'K', 'R', right == 'K');
        if (right == 'k' || right == 'q') file = rook_file(top, 'k', 'r', right == 'k');
        const bool is_first_player = right < 'a';
        rights += file == 0 ? right : is_first_player ? upper_letter(file) : file;
    }
    fields[2] = rights;
    std::string out;
    for (const std::string_view field : fields) {
        if (!out.empty()) out += ' ';
        out += field;
    }
    return out;
}

}  // namespace assay::reports::dropin

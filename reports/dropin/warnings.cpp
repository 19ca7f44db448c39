#include "reports/dropin/warnings.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "reports/dropin/runner_words.h"

namespace assay::reports::dropin {

namespace {

using harness::GameRecord;
using harness::PvFinding;
using harness::PvFlaw;
using harness::Termination;

const std::string& name_of(int program, const std::vector<std::string>& names) {
    return names.at(static_cast<std::size_t>(program));
}

std::string line_flaw(const PvFinding& finding, const std::string& name) {
    const auto with_move = [&](std::string_view what) {
        return fmt::format("{} - move {} from {}", what, finding.move, name);
    };
    switch (finding.flaw) {
        case PvFlaw::IllegalMove:
            return with_move("Illegal PV move");
        case PvFlaw::AfterWin:
            return with_move("PV continues after checkmate");
        case PvFlaw::AfterDraw:
            return with_move("PV continues after stalemate");
        case PvFlaw::AfterRepetition:
            return with_move("PV continues after threefold repetition");
        case PvFlaw::AfterCounter:
            return with_move("PV continues after fifty-move rule");
        case PvFlaw::ShortMate:
            return "Incomplete mating PV - from " + name;
        case PvFlaw::LongMate:
            return "Too long mating PV - from " + name;
        case PvFlaw::NoMate:
            return "Mating PV does not end with checkmate - from " + name;
        case PvFlaw::OtherMove:
            return with_move("Bestmove does not match beginning of last PV");
        case PvFlaw::MateSign:
            break;
    }
    return "";
}

/// The other player's score and name come first.
std::string sign_flaw(const PvFinding& finding, const std::vector<std::string>& names,
                      const rules::GameInfo& info) {
    const auto player = static_cast<std::size_t>(finding.player);
    return fmt::format("Sign mismatch in mate scores {} and {} from {} ({}) and {} ({})",
                       finding.other_mate, finding.mate, name_of(1 - finding.program, names),
                       info.players.at(1 - player), name_of(finding.program, names),
                       info.players.at(player));
}

/// [a-h][0-9][a-h][0-9] and a promotion.
bool has_move_format(std::string_view move) {
    const auto is_file = [](char c) { return c >= 'a' && c <= 'h'; };
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    if (move.size() != 4 && move.size() != 5) return false;
    const bool has_fields =
        is_file(move[0]) && is_digit(move[1]) && is_file(move[2]) && is_digit(move[3]);
    return has_fields &&
           (move.size() == 4 || std::string_view("nbrq").find(move[4]) != std::string_view::npos);
}

/// The last line that the program wrote on its standard output; empty: none.
std::string_view last_output_line(std::string_view words) {
    std::string_view last;
    while (!words.empty()) {
        const std::string_view line = take_line(words);
        if (!line.empty() && !line.starts_with("stderr: ")) last = line;
    }
    return last;
}

/// What ended the last search, the handshake or the wait for readiness: no line of a search that
/// is still open.
bool is_before_search(std::string_view line) {
    return line.empty() || line.starts_with("bestmove") || line == "readyok" || line == "uciok";
}

/// Of a search that has no answer.
std::string unanswered(std::string_view name, std::string_view last_line) {
    if (is_before_search(last_line)) return no_output(name);
    return no_best_move(name, "Line does not start with 'bestmove'", last_line);
}

/// Workers count a loss for each line that has one of these words: what a program says is no loss.
std::string without_counted_words(std::string_view line) {
    std::string text(line);
    for (const std::string_view word : {"disconnect", "stall", "on time", "timeout"})
        for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at))
            text.insert(at + 1, "_");
    return text;
}

}  // namespace

std::string pv_warning(const PvFinding& finding, const std::vector<std::string>& names,
                       const rules::Game& rules, Parts parts) {
    const rules::GameInfo& info = rules.info();
    const bool is_sign = finding.flaw == PvFlaw::MateSign;
    const std::string what = is_sign ? sign_flaw(finding, names, info)
                                     : line_flaw(finding, name_of(finding.program, names));
    const std::string lines =
        is_sign ? "Infos; " + finding.other_line + " ; " + finding.line : "Info; " + finding.line;
    const bool is_start = finding.start.empty() || finding.start == rules.start()->text();
    const std::string start =
        is_start ? "startpos"
                 : "fen " + (info.variant.empty() ? finding.start : shredder_text(finding.start));
    const std::string_view joint = parts == Parts::OneLine ? " :: " : "\n";
    return fmt::format("{}{}{}{}Position; {}{}Moves; {}", ascii_text("Warning; " + what), joint,
                       ascii_text(lines), joint, start, joint, ascii_text(finding.moves));
}

bool needs_check_mate_pvs(PvFlaw flaw) {
    return flaw == PvFlaw::ShortMate || flaw == PvFlaw::LongMate || flaw == PvFlaw::NoMate;
}

std::vector<std::string> game_warnings(const GameRecord& game,
                                       const std::vector<std::string>& names) {
    if (game.guilty < 0) return {};
    const std::string& name = name_of(game.program_of(game.guilty), names);
    switch (game.termination.cause) {
        case Termination::IllegalMove: {
            const std::string& move = game.illegal_move;
            const std::string_view last = last_output_line(game.last_lines);
            if (move.empty() && last.starts_with("bestmove"))
                return {no_best_move(name, "Element 'bestmove' has no value", last),
                        illegal_move(move, name)};
            if (move.empty() || has_move_format(move)) return {illegal_move(move, name)};
            return {wrong_move_format(move, name), illegal_move(move, name)};
        }
        case Termination::Stall:
            // Nothing was asked of it but readiness for the game.
            if (game.last_command.empty()) return {not_responsive(name)};
            return {unanswered(name, last_output_line(game.last_lines)), not_responsive(name)};
        case Termination::NoStart:
            return {no_handshake(name)};
        case Termination::Time: {
            const std::string_view last = last_output_line(game.last_lines);
            if (last.starts_with("bestmove")) return {};  // late, but an answer
            return {unanswered(name, last)};
        }
        default:
            return {};
    }
}

std::string no_option(std::string_view program, std::string_view option) {
    return ascii_text(fmt::format("Warning; {} doesn't have option {}", program, option));
}

std::string invalid_value(std::string_view option, std::string_view value) {
    return ascii_text(fmt::format("Warning; Invalid value for option {}; {}", option, value));
}

std::string no_info_line(std::string_view program) {
    return ascii_text(
        fmt::format("Warning; No info line available to extract score from engine {}", program));
}

std::string no_score(std::string_view program, std::string_view reason) {
    return ascii_text(
        fmt::format("Warning; Could not extract score from engine {}: {}", program, reason));
}

std::string wrong_move_format(std::string_view move, std::string_view program) {
    return ascii_text(
        fmt::format("Warning; Move does not match uci move format, lowercase and 4/5 chars. Move "
                    "{} played by {}",
                    move, program));
}

std::string illegal_move(std::string_view move, std::string_view program) {
    return ascii_text(fmt::format("Warning; Illegal move {} played by {}",
                                  move.empty() ? "<none>" : move, program));
}

std::string not_responsive(std::string_view program) {
    return ascii_text(fmt::format("Warning; Engine {} is not responsive", program));
}

std::string no_handshake(std::string_view program) {
    return ascii_text(fmt::format("Warning; Engine {} didn't respond to uci.", program));
}

std::string no_output(std::string_view program) {
    return ascii_text(fmt::format("Warning; No output from {}", program));
}

std::string no_best_move(std::string_view program, std::string_view reason,
                         std::string_view last_line) {
    return ascii_text(
        fmt::format("Warning; No bestmove found from {} because: {}. Last line was: {}", program,
                    reason, without_counted_words(last_line)));
}

}  // namespace assay::reports::dropin

// The games of interest: their list, the first one's board, and the data of the script.
#include <algorithm>
#include <cmath>
#include <map>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "reports/files/pgn.h"
#include "reports/plot/scale.h"
#include "reports/view/escape.h"
#include "reports/view/json_text.h"
#include "reports/view/number_text.h"
#include "reports/web/board_file.h"
#include "reports/web/run_parts.h"
#include "reports/web/suite_boards.h"
#include "rules/game.h"

namespace assay::reports::web {

namespace {

namespace json = boost::json;
using harness::GameRecord;

constexpr std::string_view kGivesReplay = "gives the exact position, clocks and commands.";

/// Everything about one game that its row, the board and the script need.
struct ShownGame {
    const MatchPage* match = nullptr;
    std::size_t place = 0;  // of the match, among those that are shown
    const GameOfInterest* interest = nullptr;
    PackedGame packed;
    std::string id;            // "2417", in the second match "2-2417"
    std::string match_name;    // "match ltc"; empty: the run has no other match
    std::string opening_name;  // "B90 Sicilian Defense: Najdorf"; empty: it has none

    [[nodiscard]] const GameRecord& game() const { return interest->game; }
};

std::string result_text(const ShownGame& shown) {
    for (std::size_t program = 0; program < 2; ++program)
        if (shown.game().score_of(static_cast<int>(program)) == 1)
            return shortened_name(shown.match->names[program]) + " won";
    return "draw";
}

std::string won_word(const GameRecord& game) {
    if (game.score_of(0) == 1) return "first";
    return game.score_of(1) == 1 ? "second" : "draw";
}

std::string opening_text(const ShownGame& shown) {
    const PackedGame& packed = shown.packed;
    std::string text;
    const auto plies = static_cast<std::size_t>(std::min(packed.opening_plies, 8));
    for (std::size_t ply = 0; ply < std::min(plies, packed.names.size()); ++ply) {
        const bool is_first = packed.players[ply] == packed.first_player;
        if (!text.empty()) text += ' ';
        if (is_first) text += fmt::format("{}.", packed.numbers[ply]);
        text += packed.names[ply];
    }
    if (!text.empty()) return text;
    if (!shown.game().start.empty())
        return fmt::format("opening {}", shown.game().opening_index + 1);
    return "start position";
}

std::string name_of_opening(const rules::Game& rules, const GameRecord& game) {
    const auto name = opening_name_of(rules, game);
    return name ? fmt::format("{} {}", name->code, name->name) : "";
}

std::string title_of(const ShownGame& shown) {
    return fmt::format("Game {}{}: {}", grouped(shown.game().number),
                       shown.match_name.empty() ? "" : " of " + shown.match_name,
                       shown.interest->why);
}

std::string caption_of(const ShownGame& shown, const harness::RunRecord& run) {
    const GameRecord& game = shown.game();
    const auto& names = shown.match->names;
    const bool is_of_games = run.plan.tournament && run.plan.tournament->games == 1;
    const std::string place = is_of_games
                                  ? ""
                                  : fmt::format(" · pair {}, {} game", grouped(game.pair + 1),
                                                game.game == 0 ? "first" : "second");
    return fmt::format(
        "{} {}, {} {} · {}{} · seed {}", names[static_cast<std::size_t>(game.program[0])],
        shown.match->sides[0], names[static_cast<std::size_t>(game.program[1])],
        shown.match->sides[1],
        opening_text(shown) + (shown.opening_name.empty() ? "" : " · " + shown.opening_name), place,
        run.plan.seed.value_or(0));
}

/// `number` with the number of the match before it, but in the first, so that no two games of a
/// page have one number.
std::string in_match(const MatchPage& match, const std::string& number) {
    return match.index == 0 ? number : fmt::format("{}-{}", match.index + 1, number);
}

Values row_of(const ShownGame& shown) {
    const GameRecord& game = shown.game();
    Values row;
    row.set("id", shown.id).set("kind", shown.interest->kind).set("won", won_word(game));
    row.set("ended", std::string(harness::name_of(game.termination)));
    row.set("number", in_match(*shown.match, grouped(shown.game().number)))
        .set("why", shown.interest->why);
    row.set("match", fmt::format("{}", shown.match->index + 1));
    row.set("opening",
            (shown.match_name.empty() ? "" : shown.match_name + " · ") + opening_text(shown));
    row.set("ended_words", std::string(short_words(game.termination)));
    row.set("result", result_text(shown));
    row.set("sides", shortened_name(shown.match->names[static_cast<std::size_t>(game.program[0])]) +
                         " " + shown.match->sides[0]);
    row.set("moves", grouped((static_cast<std::int64_t>(shown.packed.names.size()) + 1) / 2));
    const auto& marks = shown.interest->marks;
    const int decimals = shown.packed.score_scale.decimals();
    row.set("swing",
            marks && marks->swing > 0 ? plot::number_text(marks->swing, decimals, false) : "–");
    row.set("pair", grouped(game.pair + 1));
    return row;
}

/// A number a ply with commas between, nothing where there is none.
std::string joined(const GameCurves& curves,
                   const std::array<std::vector<std::optional<double>>, 2>& lines) {
    std::string text;
    for (std::size_t ply = 0; ply < curves.plies; ++ply) {
        if (ply > 0) text += ',';
        for (const auto& line : lines)
            if (ply < line.size() && line[ply])
                text += fmt::format("{}", std::llround(100 * *line[ply]));
    }
    return text;
}

/// The scores that the curve cuts, as the program that moved said them, with commas between;
/// nothing where the number says it.
std::string said_text(const GameRecord& game, const PackedGame& packed) {
    std::string text;
    for (std::size_t ply = 0; ply < packed.names.size(); ++ply) {
        if (ply > 0) text += ',';
        const auto at =
            static_cast<std::ptrdiff_t>(ply) - static_cast<std::ptrdiff_t>(game.opening.size());
        if (at < 0 || at >= static_cast<std::ptrdiff_t>(game.moves.size())) continue;
        const harness::MoveRecord& move = game.moves[static_cast<std::size_t>(at)];
        if (!is_cut(move, packed.score_scale)) continue;
        // Thousands have no commas here.
        std::string said = said_score(move, packed.score_scale, 2);
        std::erase(said, ',');
        text += said;
    }
    return text;
}

std::string changes_text(const PackedGame& packed) {
    // A ply that changes nothing must keep its place between the blanks.
    std::vector<std::string> changes = packed.changes;
    for (std::string& change : changes)
        if (change.empty()) change = "-";
    return assay::joined(changes, " ");
}

/// A digit a ply: who moves.
std::string players_text(const PackedGame& packed) {
    std::string text;
    for (const int player : packed.players) text += static_cast<char>('0' + player);
    return text;
}

std::string node_caption(const NodeBoard& board) {
    std::string text = board.path;
    if (!board.position.empty()) text += (text.empty() ? "" : " · ") + board.position;
    return text;
}

/// {"N": "knight", …}: letters that are drawn as a symbol.
json::object pieces_of(const PackedGame& packed) {
    json::object pieces;
    for (const auto& [letter, piece] : packed.pieces) pieces[std::string(1, letter)] = piece;
    return pieces;
}

/// Behind `assay replay RUN GAME PLY`.
std::string replay_flags(const ShownGame& shown, const RunView& view) {
    const std::size_t match = shown.match->index;
    return (match > 0 ? fmt::format(" --match {}", match + 1) : "") + store_flag(view.store_path);
}

json::object data_of(const ShownGame& shown, const RunView& view) {
    const GameRecord& game = shown.game();
    const GameCurves curves = curves_of(game, shown.packed);
    const std::string reason =
        game.reason.empty() ? std::string(harness::words_of(game.termination)) : game.reason;
    return {{"id", shown.id},
            {"match", shown.place},
            {"number", game.number},
            {"title", json_string(title_of(shown))},
            {"caption", json_string(caption_of(shown, view.run))},
            {"columns", shown.packed.columns},
            {"rows", shown.packed.rows},
            {"letters", shown.packed.coordinate_size()},
            {"room", shown.packed.numbers_room()},
            {"board", shown.packed.board},
            {"changes", changes_text(shown.packed)},
            {"names", json_string(assay::joined(shown.packed.names, " "))},
            {"move", shown.packed.numbers.empty() ? 1 : shown.packed.numbers.front()},
            {"players", players_text(shown.packed)},
            {"first", shown.packed.first_player},
            {"programs", json::array{game.program[0], game.program[1]}},
            {"opening", shown.packed.opening_plies},
            {"units", json_string(shown.packed.score_units)},
            {"pieces", pieces_of(shown.packed)},
            {"chequered", shown.packed.is_chequered},
            {"lines", shown.packed.lines},
            {"scores", joined(curves, curves.scores)},
            {"said", said_text(game, shown.packed)},
            {"clocks", joined(curves, curves.seconds)},
            {"end", json_string(printable_utf8(reason))},
            {"replay", fmt::format("assay replay {} {}", view.run.id, game.number)},
            {"flags", replay_flags(shown, view)},
            {"gives", kGivesReplay}};
}

/// The same keys, for a node of a suite's tree.
json::object data_of(const NodeBoard& board) {
    const PackedGame& packed = board.packed;
    return {{"id", board.id},
            {"match", 0},
            {"number", board.id},
            {"title", json_string("Suite: " + board.text)},
            {"caption", json_string(node_caption(board))},
            {"columns", packed.columns},
            {"rows", packed.rows},
            {"letters", packed.coordinate_size()},
            {"room", packed.numbers_room()},
            {"board", packed.board},
            {"changes", changes_text(packed)},
            {"names", json_string(assay::joined(packed.names, " "))},
            {"move", packed.numbers.empty() ? 1 : packed.numbers.front()},
            {"players", players_text(packed)},
            {"first", packed.first_player},
            {"programs", json::array{0, 1}},
            {"opening", 0},
            {"units", json_string(packed.score_units)},
            {"pieces", pieces_of(packed)},
            {"chequered", packed.is_chequered},
            {"lines", packed.lines},
            {"scores", ""},
            {"said", ""},
            {"clocks", ""},
            {"end", "the node"},
            {"command", json_string(board.command)},
            {"gives", board.gives}};
}

std::string moves_markup(const PackedGame& packed) {
    std::string out;
    for (std::size_t ply = 0; ply < packed.names.size(); ++ply) {
        const bool is_first = packed.players[ply] == packed.first_player;
        if (is_first) out += fmt::format("{}. ", packed.numbers[ply]);
        if (!is_first && ply == 0) out += fmt::format("{}… ", packed.numbers[ply]);
        out += fmt::format("<a{}>{}</a> ",
                           static_cast<int>(ply) < packed.opening_plies ? " class=\"book\"" : "",
                           xml(packed.names[ply]));
    }
    return out;
}

void add_board(Values& page, const ShownGame& shown, const RunView& view) {
    const std::size_t plies = shown.packed.names.size();
    const GameCurves curves = curves_of(shown.game(), shown.packed);
    Values board;
    board.set("title", title_of(shown)).set("caption", caption_of(shown, view.run));
    board.set("picture", board_picture(shown.packed, plies,
                                       fmt::format("Board of game {} after ply {}",
                                                   shown.game().number, plies)));
    board.set("scores", score_chart(curves, shown.match->names));
    board.set("clocks", seconds_chart(curves, shown.match->names));
    board.set("moves", moves_markup(shown.packed));
    board.set("state",
              fmt::format("ply {} of {} · {}", plies, plies, printable_utf8(shown.game().reason)));
    board.set_command("replay",
                      fmt::format("assay replay {} {} {}{}", view.run.id, shown.game().number,
                                  std::max<std::size_t>(1, plies), replay_flags(shown, view)));
    board.set("gives", std::string(kGivesReplay));
    page.lists["board"] = {board};
}

/// Where the run has no games.
void add_board(Values& page, const NodeBoard& node) {
    const std::size_t plies = node.packed.names.size();
    Values board;
    board.set("title", "Suite: " + node.text).set("caption", node_caption(node));
    board.set("picture", board_picture(node.packed, plies, "Board of " + node.text));
    board.set("scores", "").set("clocks", "").set("moves", moves_markup(node.packed));
    board.set("state", fmt::format("ply {} of {} · the node", plies, plies));
    board.set_command("replay", node.command);
    board.set("gives", node.gives);
    page.lists["board"] = {board};
}

void add_filters(Values& page, const std::vector<ShownGame>& games, bool is_tournament) {
    const auto add = [&](std::string filter, std::string label) {
        Values one;
        one.set("filter", std::move(filter)).set("label", std::move(label));
        page.lists["filters"].push_back(one);
    };
    if (games.empty()) return;
    // Where programs differ from match to match, a name is that of the first match alone.
    const Names& names = games.front().match->names;
    const bool are_same = std::ranges::all_of(
        games, [&](const ShownGame& game) { return game.match->names == names; });
    const auto add_kinds = [&] {
        std::vector<std::string> kinds;
        for (const ShownGame& game : games)
            if (std::ranges::find(kinds, game.interest->kind) == kinds.end())
                kinds.push_back(game.interest->kind);
        for (const std::string& kind : kinds) {
            const auto termination = harness::termination_of(kind);
            add("kind=" + kind, termination ? std::string(short_words(*termination)) : kind);
        }
    };
    if (is_tournament) {
        add_kinds();
        return;
    }
    add("won=first", are_same ? names[0] + " won" : "first program won");
    add("won=second", are_same ? names[1] + " won" : "second program won");
    add("won=draw", "drawn");
    const MatchPage* last = nullptr;
    for (const ShownGame& game : games) {
        if (!game.match_name.empty() && game.match != last)
            add(fmt::format("match={}", game.match->index + 1), game.match_name);
        last = game.match;
    }
    add_kinds();
}

/// The games that the page lists, with the boards of all their moves. Games whose rules this
/// version does not know have no board and are left out.
std::vector<ShownGame> shown_games(const RunView& view, const std::vector<MatchPage>& matches,
                                   std::string& units) {
    std::vector<ShownGame> games;
    const bool has_names = view.tournament != nullptr || matches.size() > 1;
    for (std::size_t i = 0; i < matches.size(); ++i) {
        const MatchPage& match = matches[i];
        std::unique_ptr<rules::Game> rules;
        try {
            rules = harness::game_of(*match.plan);
        } catch (const Error&) {
            continue;
        }
        if (units.empty()) units = score_units(rules->info());
        for (const GameOfInterest& interest : match.games)
            games.push_back({&match, i, &interest, packed(*rules, interest.game),
                             id_of(match, interest.game), has_names ? match_name(match) : "",
                             name_of_opening(*rules, interest.game)});
    }
    return games;
}

/// The symbols of all pieces that some board of the page has.
std::string symbols_of(const std::vector<ShownGame>& games, const std::vector<NodeBoard>& nodes) {
    std::set<std::string> drawn;
    const auto note = [&](const PackedGame& packed) {
        for (const auto& [letter, piece] : packed.pieces) drawn.insert(piece);
    };
    for (const ShownGame& game : games) note(game.packed);
    for (const NodeBoard& node : nodes) note(node.packed);
    return piece_symbols(drawn);
}

/// `all`: of the run, those included that do not count yet.
std::string games_caption(std::int64_t here, std::int64_t all) {
    if (here >= all) return grouped(here, "game") + "; they are also in";
    return fmt::format("{} of {}; all are in", here, grouped(all, "game"));
}

}  // namespace

std::string id_of(const MatchPage& match, const GameRecord& game) {
    return in_match(match, fmt::format("{}", game.number));
}

void add_games(Values& page, const RunView& view, const std::vector<MatchPage>& matches) {
    const bool is_tournament = view.tournament != nullptr;
    std::int64_t total = is_tournament ? view.tournament->games() : 0;
    json::array names;
    for (const MatchPage& match : matches) {
        if (match.view != nullptr) total += match.tally().games();
        names.push_back(json::array{json_string(shortened_name(match.names[0])),
                                    json_string(shortened_name(match.names[1]))});
    }
    std::string units;
    const std::vector<ShownGame> games = shown_games(view, matches, units);
    std::vector<NodeBoard> nodes = all_node_boards(view);
    std::erase_if(nodes, [](const NodeBoard& node) { return node.packed.columns == 0; });
    json::array data;
    for (const ShownGame& game : games) {
        page.lists["games"].push_back(row_of(game));
        data.push_back(data_of(game, view));
    }
    for (const NodeBoard& node : nodes) data.push_back(data_of(node));
    add_filters(page, games, is_tournament);
    if (!games.empty()) {
        add_board(page, games.front(), view);
    } else if (!nodes.empty()) {
        add_board(page, nodes.front());
    }
    page.set("pieces", symbols_of(games, nodes));
    page.set("swing_units", units.empty() ? "" : ", " + units);
    page.set("games_caption", games_caption(static_cast<std::int64_t>(games.size()), total));
    page.set_command("games_command", fmt::format("assay report {} --format pgn{}", view.run.id,
                                                  store_flag(view.store_path)));
    page.set("data",
             script_json(json::object{{"run", view.run.id}, {"names", names}, {"games", data}}));
}

}  // namespace assay::reports::web

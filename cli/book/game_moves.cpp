#include "cli/book/game_moves.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/clock.h"
#include "base/diagnostic.h"
#include "base/text.h"
#include "harness/program/table_reader.h"
#include "rules/make_game.h"
#include "rules/tablebase.h"

namespace assay::cli {

namespace {

using rules::Move;
using rules::Notation;
using rules::Position;

std::vector<Move> moves_of(const Position& position) {
    std::vector<Move> moves;
    if (position.to_move() != rules::kChance) {
        position.moves(moves);
        return moves;
    }
    std::vector<rules::ChanceMove> events;
    position.chances(events);
    for (const rules::ChanceMove& each : events) moves.push_back(each.move);
    return moves;
}

std::pair<std::uint64_t, double> timed_count(Position& position, int depth) {
    const SteadyClock clock;
    const TimePoint begin = clock.now();
    const std::uint64_t nodes = count_sequences(position, depth);
    return {nodes, static_cast<double>(micros_between(begin, clock.now()).count()) / 1e6};
}

void print_divided(Position& position, int depth) {
    for (const Move move : moves_of(position)) {
        const std::string name = position.name_of(move, Notation::Canonical);
        position.make(move);
        fmt::print("{}: {}\n", name, count_sequences(position, depth - 1));
        position.undo();
    }
}

}  // namespace

std::uint64_t count_sequences(Position& position, int depth) {
    if (depth == 0) return 1;
    std::uint64_t nodes = 0;
    for (const Move move : moves_of(position)) {
        position.make(move);
        nodes += count_sequences(position, depth - 1);
        position.undo();
    }
    return nodes;
}

void count_game_moves(const RulesOptions& options) {
    const auto game = rules::make_game(rules::find_game(options.game));
    const auto position = options.text ? game->parse(*options.text) : game->start();
    if (options.json) {
        const auto [nodes, seconds] = timed_count(*position, options.depth);
        fmt::print("{{\"nodes\":{},\"seconds\":{:.6f}}}\n", nodes, seconds);
        return;
    }
    fmt::print("{}\n\n", position->text());
    if (options.divide && options.depth > 0) {
        print_divided(*position, options.depth);
        fmt::print("\n");
    }
    fmt::print("{:>5} {:>16} {:>10} {:>10}\n", "depth", "nodes", "seconds", "Mnodes/s");
    const int first = options.divide ? options.depth : std::min(1, options.depth);
    for (int depth = first; depth <= options.depth; ++depth) {
        const auto [nodes, seconds] = timed_count(*position, depth);
        fmt::print("{:>5} {:>16} {:>10.3f} {:>10.2f}\n", depth, nodes, seconds,
                   static_cast<double>(nodes) / std::max(seconds, 1e-6) / 1e6);
    }
}

std::string game_moves_text(const RulesOptions& options) {
    const auto game = rules::make_game(rules::find_game(options.game));
    const auto position = options.text ? game->parse(*options.text) : game->start();
    const bool has_text =
        std::ranges::find(game->notations(), Notation::Text) != game->notations().end();
    boost::json::array list;
    std::string lines;
    for (const Move move : moves_of(*position)) {
        boost::json::object& one = list.emplace_back(boost::json::object()).as_object();
        const std::string name = position->name_of(move, Notation::Canonical);
        const std::string text = has_text ? position->name_of(move, Notation::Text) : "";
        one["name"] = name;
        if (has_text) one["text"] = text;
        lines += name + (has_text ? "   " + text : "") + "\n";
    }
    if (options.json) {
        const boost::json::object out{{"position", position->text()}, {"moves", list}};
        return boost::json::serialize(out) + "\n";
    }
    return fmt::format("{}\n{}{} legal moves\n", position->text(), lines, list.size());
}

namespace {

/// What the game is worth here: by the rules where it is over, else by the tables.
std::optional<rules::TableValue> worth(const rules::Position& position,
                                       const rules::Tablebase& tables) {
    if (const auto outcome = position.result())
        return rules::TableValue{outcome->scores.winner(), false};
    return tables.value(position);
}

std::string worth_text(const rules::Game& game, const std::optional<rules::TableValue>& value) {
    if (!value) return "unknown: no table has it";
    if (value->winner < 0) return "draw";
    const std::string& name = game.info().players.at(static_cast<std::size_t>(value->winner));
    return value->is_drawn_by_counter ? "draw, but for the 50-move rule a win of " + name
                                      : name + " wins";
}

boost::json::object worth_json(const rules::Game& game,
                               const std::optional<rules::TableValue>& value) {
    boost::json::object out;
    if (!value) return {{"value", nullptr}};
    const bool is_draw = value->winner < 0 || value->is_drawn_by_counter;
    out["value"] = is_draw ? "draw" : "win";
    if (value->winner >= 0)
        out["winner"] = game.info().players.at(static_cast<std::size_t>(value->winner));
    out["drawn_by_counter"] = value->is_drawn_by_counter;
    return out;
}

}  // namespace

std::string probe_text(const RulesOptions& options) {
    const auto game = rules::make_game(rules::find_game(options.game));
    const auto tables = harness::TableReader::open(*game, options.tablebase);
    if (!tables) throw Error("there are no tablebases for " + printable_utf8(options.game));
    const auto position = options.text ? game->parse(*options.text) : game->start();
    std::vector<rules::Move> moves;
    if (!position->result()) position->moves(moves);
    const auto value = worth(*position, *tables);
    boost::json::object json = worth_json(*game, value);
    boost::json::object of_moves;
    std::string text = worth_text(*game, value) + "\n";
    for (const rules::Move move : moves) {
        const std::string name = position->name_of(move, rules::Notation::Canonical);
        position->make(move);
        const auto after = worth(*position, *tables);
        position->undo();
        text += fmt::format("{:<6} {}\n", name, worth_text(*game, after));
        of_moves[name] = worth_json(*game, after);
    }
    if (!tables->failure().empty()) throw Error(tables->failure() + "; compare their checksums");
    if (!options.json) return text;
    json["moves"] = std::move(of_moves);
    return boost::json::serialize(json) + "\n";
}

}  // namespace assay::cli

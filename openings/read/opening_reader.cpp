// From text to an opening that a match can begin with: legal, and not over. Books come from games,
// so that lines may go on to mate or stalemate; such a line is cut before the move that ends its
// game, where both programs still have a move to make. An illegal move also cuts the line and keeps
// what is before it, with a remark: a book of a million games has some, and they are no reason to
// refuse it. A start position that is illegal or over leaves nothing to keep.
//
// Remarks carry the offset in the text that was read; the book knows the line (to_diagnostic()).
#include "openings/read/opening_reader.h"

#include <algorithm>
#include <memory>

#include "base/diagnostic.h"
#include "base/text.h"
#include "openings/read/epd_line.h"
#include "rules/make_game.h"

namespace assay::openings {

namespace {

using rules::Notation;

constexpr std::size_t kLongestLine = 65'536;

/// The operand of the last `id`, without quotes.
std::string_view id_of(std::string_view operations) {
    std::string_view id;
    while (const auto operation = take_operation(operations)) {
        if (operation->opcode != "id") continue;
        id = operation->operands;
        if (id.starts_with('"')) id.remove_prefix(1);
        if (id.ends_with('"')) id.remove_suffix(1);
    }
    return id;
}

std::string quoted(std::string_view text) {
    return "'" + printable_utf8(text) + "'";
}

void remark_variant(const PgnGame& pgn, const rules::Game& game, Reading& out) {
    const auto tag = std::find_if(pgn.tags.begin(), pgn.tags.end(),
                                  [](const PgnTag& each) { return each.name == "Variant"; });
    if (tag == pgn.tags.end()) return;
    const std::string word = lower(tag->value);
    const std::vector<std::string>& aliases = game.info().aliases;
    if (word == lower(game.name()) ||
        std::find(aliases.begin(), aliases.end(), word) != aliases.end()) {
        return;
    }
    const auto known = rules::name_of_game(word);
    out.remarks.push_back(
        {tag->offset, 1,
         (known ? "this is a game of " + *known + ", variant " : std::string("unknown variant ")) +
             quoted(tag->value) + ": read by the rules of " + std::string(game.name())});
}

/// The position that the game starts from, or null with a remark. `start` is set where it is not
/// the game's own.
std::unique_ptr<rules::Position> start_of(const PgnGame& pgn, const rules::Game& game, Reading& out,
                                          std::string& start) {
    const auto fen = std::find_if(pgn.tags.begin(), pgn.tags.end(),
                                  [](const PgnTag& each) { return each.name == "FEN"; });
    const std::string_view* const set_up = pgn.tag("SetUp");
    // SetUp "0" says that the FEN tag is not meant; without SetUp, a FEN counts, since many writers
    // leave it out.
    if (fen == pgn.tags.end() || (set_up != nullptr && *set_up == "0")) return game.start();
    std::string text = unescape_tag(fen->value);
    if (game.info().formats.epd) {
        EpdLine epd = split_epd(text);
        if (epd.remark) {
            out.remarks.push_back({fen->offset, 1, epd.remark->message});
            return nullptr;
        }
        text = std::move(epd.fen);
    }
    try {
        auto position = game.parse(text);
        start = position->text();
        return position;
    } catch (const Error& error) {
        out.remarks.push_back({fen->offset, 1, error.what()});
        return nullptr;
    }
}

/// Makes the moves as far as they are legal and do not end the game; says why it stops.
void make_moves(const PgnGame& pgn, const rules::Game& game, std::size_t most,
                rules::Position& position, Reading& out, std::vector<std::string>& names) {
    const std::size_t count = std::min(most, pgn.moves.size());
    names.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        const PgnMove& each = pgn.moves[i];
        const auto move = position.move_of(each.san, Notation::Text);
        if (!move) {
            out.remarks.push_back(
                {each.offset, each.san.size(),
                 "illegal or ambiguous move " + quoted(each.san) + ": the line is cut before it"});
            return;
        }
        std::string name = position.name_of(*move, Notation::Canonical);
        position.make(*move);
        if (const auto result = position.result()) {
            out.remarks.push_back({each.offset, each.san.size(),
                                   quoted(each.san) + " ends the game (" +
                                       rules::state_of(game.info(), result->word) +
                                       "): the line is cut before it",
                                   true});
            return;
        }
        names.push_back(std::move(name));
    }
}

}  // namespace

Reading read_position(std::string_view line, const rules::Game& game) {
    Reading out;
    if (line.size() > kLongestLine) {
        out.remarks.push_back({0, 1, "a line of more than 65,536 bytes"});
        return out;
    }
    const std::string_view shown = trim(line);
    const std::size_t begin = shown.empty() ? 0 : offset_in(line, shown);
    std::string text;
    if (game.info().formats.epd) {
        EpdLine epd = split_epd(shown);
        if (epd.remark) {
            epd.remark->offset += begin;
            out.remarks.push_back(std::move(*epd.remark));
            return out;
        }
        text = std::move(epd.fen);
        out.name = printable_utf8(id_of(epd.operations));
    } else {
        text = std::string(trim(shown.substr(0, shown.find(';'))));
    }
    try {
        const auto position = game.parse(text);
        if (const auto result = position->result()) {
            out.remarks.push_back({begin, shown.size(),
                                   "the game is over in this position: " +
                                       rules::state_of(game.info(), result->word)});
            return out;
        }
        out.opening.emplace().start = position->text();
    } catch (const Error& error) {
        out.remarks.push_back({begin, shown.size(), error.what()});
    }
    return out;
}

std::string fen_of_line(std::string_view line) {
    EpdLine epd = split_epd(trim(line));
    if (epd.remark) throw Error(epd.remark->message);
    return std::move(epd.fen);
}

Reading read_moves(std::string_view line, const rules::Game& game) {
    Reading out;
    Opening opening;
    const auto position = game.start();
    for (const std::string_view word : split_words(line)) {
        const auto move = position->move_of(word, Notation::Canonical);
        if (move) position->make(*move);
        if (!move || position->result()) {
            out.remarks.push_back(
                {offset_in(line, word), word.size(), "no move of an opening: " + quoted(word)});
            return out;
        }
        opening.moves.emplace_back(word);
    }
    out.opening = std::move(opening);
    return out;
}

Reading read_game(const PgnGame& pgn, std::optional<int> plies, const rules::Game& game) {
    Reading out;
    for (const PgnFault& fault : pgn.faults)
        out.remarks.push_back({fault.offset, 1, fault.message});
    remark_variant(pgn, game, out);
    Opening opening;
    const auto position = start_of(pgn, game, out, opening.start);
    if (position == nullptr) return out;
    if (const auto result = position->result()) {
        out.remarks.push_back(
            {pgn.begin, 1,
             "the game is over where it starts: " + rules::state_of(game.info(), result->word)});
        return out;
    }
    const auto most = plies ? static_cast<std::size_t>(std::max(*plies, 0)) : pgn.moves.size();
    make_moves(pgn, game, most, *position, out, opening.moves);
    if (opening.moves.empty() && opening.start.empty()) {
        if (!pgn.moves.empty()) return out;
        out.remarks.push_back(
            {pgn.begin, 1, "a game without moves: its opening is the start position"});
    }
    const std::string_view* const name = pgn.tag("Opening");
    if (name != nullptr) out.name = printable_utf8(unescape_tag(*name));
    out.opening = std::move(opening);
    return out;
}

}  // namespace assay::openings

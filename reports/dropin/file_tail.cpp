// Games are appended to their files before they are stored, in the same order, so that after a kill
// the files have the stored games and behind them a few that the store lacks; the last may be torn.
// A game is known by its players, moves and result, which are computed from the stored record in
// each notation, so that a session with another one is known too. Others append to the same file,
// or have put another one in its place. Hence what is behind the last stored game is cut only where
// each stored game was found, and where it is as this run would have written it.
// Cost: one game in SAN for each stored one; the file is read once, in pieces.
#include "reports/dropin/file_tail.h"

#include <algorithm>
#include <array>
#include <memory>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "harness/record/text_hash.h"
#include "reports/files/pgn.h"

namespace assay::reports::dropin {

namespace {

constexpr std::array<std::string_view, 4> kResults{"1-0", "0-1", "1/2-1/2", "*"};

struct WrittenGame {
    std::string white;
    std::string black;
    std::string round;
    std::string start;  // the tag FEN
    std::string time;   // when it began, to the second; empty: there is no tag
    std::vector<std::string> moves;
    std::string result;    // empty: it is torn
    bool is_plain = true;  // without what people add: variations, glyphs, words in comments
    std::size_t end = 0;   // behind the empty line
};

/// Empty where there is none.
std::string tag_of(std::string_view tags, std::string_view name) {
    const std::string begin = fmt::format("[{} \"", name);
    const std::size_t at = tags.find(begin);
    if (at == std::string_view::npos) return "";
    const std::string_view value = tags.substr(at + begin.size());
    const std::size_t end = value.find("\"]");
    return end == std::string_view::npos ? "" : std::string(value.substr(0, end));
}

/// Whether a comment begins as the runners' do: "book", "+0.31/18 0.350s", "0.5s".
bool is_of_runner(std::string_view comment) {
    const std::string_view word = comment.substr(0, comment.find_first_of(" ,}\n"));
    if (word == "book") return true;
    const bool has_digits = word.find_first_of("0123456789") != std::string_view::npos;
    return has_digits && word.find_first_not_of("+-.0123456789/Ms") == std::string_view::npos;
}

/// The moves up to the result.
void read_moves(std::string_view text, std::size_t at, WrittenGame& game) {
    while (at < text.size() && game.result.empty()) {
        if (text[at] == '{') {
            const std::string_view comment = text.substr(at + 1);
            const std::size_t close = text.find('}', at);
            // Without a move the comment is the reason alone.
            const bool is_known = close == std::string_view::npos || game.moves.empty();
            game.is_plain = game.is_plain && (is_known || is_of_runner(comment));
            at = std::min(close, text.size() - 1) + 1;
        } else if (text[at] == ' ' || text[at] == '\n') {
            ++at;
        } else {
            const std::size_t end = std::min(text.find_first_of(" \n{", at), text.size());
            const std::string_view word = text.substr(at, end - at);
            at = end;
            if (std::ranges::find(kResults, word) != kResults.end()) {
                game.result = word;
            } else if (word.find_first_not_of("0123456789.") != std::string_view::npos) {
                game.moves.emplace_back(word);
                if (word.find_first_of("$();!?") != std::string_view::npos) game.is_plain = false;
            }
        }
    }
    for (int lines = 0; lines < 2 && at < text.size() && text[at] == '\n'; ++lines) ++at;
    game.end = at;
}

/// `text` begins with a game and ends where the next one begins.
WrittenGame read_game(std::string_view text) {
    const std::size_t tags_end = std::min(text.find("\n\n"), text.size());
    const std::string_view tags = text.substr(0, tags_end);
    WrittenGame game;
    game.white = tag_of(tags, "White");
    game.black = tag_of(tags, "Black");
    game.round = tag_of(tags, "Round");
    game.start = tag_of(tags, "FEN");
    game.time = tag_of(tags, "GameStartTime").substr(0, time_tag_begin(0).size());
    read_moves(text, tags_end, game);
    return game;
}

std::uint64_t identity_of(const WrittenGame& game) {
    harness::TextHash hash;
    for (const std::string& text : {game.white, game.black, game.start, game.result})
        hash.add(text);
    for (const std::string& move : game.moves) hash.add(move);
    return hash.value();
}

bool is_blank(std::string_view text) {
    return text.find_first_not_of('\n') == std::string_view::npos;
}

/// The move that a PGN's word names in any notation; nullopt also for what is no move.
std::optional<rules::Move> move_of(const rules::Position& position, const std::string& word) {
    using rules::Notation;
    if (const auto move = position.move_of(word, Notation::Canonical)) return move;
    if (const auto move = position.move_of(word, Notation::Text)) return move;
    std::vector<rules::Move> moves;
    position.moves(moves);
    for (const rules::Move move : moves) {
        if (lan_of(position.name_of(move, Notation::Text),
                   position.name_of(move, Notation::Canonical)) == word)
            return move;
    }
    return std::nullopt;
}

}  // namespace

/// What stands behind the last stored game.
struct FileTail::Behind {
    TailCut cut;
    bool is_ours = true;  // all of it can be
    int torn = 0;         // games, of `cut.games`
};

FileTail::FileTail(const RunnerPgnOptions& options, const rules::Game& rules,
                   std::int64_t games_of_sides)
    : options_(options), rules_(rules), games_of_sides_(games_of_sides) {}

void FileTail::add_player(const std::string& name) {
    names_.insert(tag_text(name));
}

void FileTail::add_game(const std::vector<RunnerPlayer>& players, const harness::GameRecord& game,
                        std::int64_t round) {
    if (round > 0) {
        const std::string time = time_tag_begin(game.started_us);
        std::string& began = began_.try_emplace(round, time).first->second;
        began = std::min(began, time);
    }
    RunnerPgnOptions options = options_;
    options.min = true;
    std::uint64_t key = 0;
    using Notation = RunnerPgnOptions::Notation;
    for (const Notation notation : {Notation::Uci, Notation::San, Notation::Lan}) {
        options.notation = notation;
        const std::uint64_t text =
            identity_of(read_game(runner_pgn(options, rules_, players, game, 1)));
        if (notation == Notation::Uci) key = text;
        of_text_[text] = key;
    }
    ++stored_;
    ++games_[key];
    ++positions_[final_position(options_.runner, rules_, game)];
}

/// As far as they are there.
bool FileTail::has_our_tags(std::string_view text) const {
    const std::string first = fmt::format("[Event \"{}\"]\n[Site \"{}\"]\n",
                                          tag_text(options_.event), tag_text(options_.site));
    const std::size_t known = std::min(first.size(), text.size());
    if (text.substr(0, known) != std::string_view(first).substr(0, known)) return false;
    const std::string_view tags = text.substr(0, text.find("\n\n"));
    const std::string white = tag_of(tags, "White");
    const std::string black = tag_of(tags, "Black");
    return (white.empty() || names_.contains(white)) && (black.empty() || names_.contains(black)) &&
           (white.empty() || white != black);
}

/// Rounds of one session begin in their order, so that none begins behind a later one that the
/// store has. The run of somebody else does, as it began when ours was over; so does a round that a
/// resume has played again, whose game then stays.
bool FileTail::may_begin_round(std::int64_t round, const std::string& time) const {
    if (time.empty()) return true;
    return std::all_of(began_.upper_bound(round), began_.end(),
                       [&time](const auto& later) { return time <= later.second; });
}

/// A write that was cut short: the beginning of a game, behind which nothing is.
bool FileTail::may_be_torn(std::string_view text) const {
    WrittenGame game = read_game(text);
    if (!game.result.empty() && text.ends_with("\n\n")) return false;
    // The last word may be half a move or result.
    if (game.result.empty() && !game.moves.empty()) game.moves.pop_back();
    return has_our_tags(text) && game.is_plain && !position_behind(game.start, game.moves).empty();
}

/// As -epdout has it; empty where it is not known.
std::string FileTail::position_behind(const std::string& start,
                                      const std::vector<std::string>& moves) const {
    harness::GameRecord record;
    try {
        if (!start.empty()) record.start = rules_.parse(start)->text();
        const auto position = start.empty() ? rules_.start() : rules_.parse(start);
        for (const std::string& word : moves) {
            const auto move = move_of(*position, word);
            if (!move) return "";
            record.opening.push_back(position->name_of(*move, rules::Notation::Canonical));
            position->make(*move);
        }
    } catch (const Error&) {
        return "";
    }
    return final_position(options_.runner, rules_, record);
}

FoundTail FileTail::judge(const Behind& behind, std::size_t found, std::size_t most) const {
    const TailCut& cut = behind.cut;
    if (cut.games == 0) return {};
    if (found < stored_)
        return {std::nullopt, fmt::format("the file lacks {} of the {} games that the store has",
                                          stored_ - found, stored_)};
    if (!behind.is_ours) return {std::nullopt, "it may be somebody else's"};
    if (stored_ == 0 && cut.games > behind.torn)
        return {std::nullopt, "no stored game tells whose it is"};
    if (static_cast<std::size_t>(cut.games) > most)
        return {std::nullopt,
                "there are more games behind the last stored one than are in play at "
                "once"};
    return {cut, ""};
}

FoundTail FileTail::pgn_tail(FileParts file, std::size_t most) const {
    std::unordered_map<std::uint64_t, int> left = games_;
    std::map<std::tuple<std::string, std::string, std::string>, std::int64_t> of_round;
    std::set<std::string> rounds;  // of which a game was seen
    std::size_t found = 0;
    Behind behind;
    const auto add_rest = [&](std::string_view text, std::uint64_t at) {
        if (is_blank(text)) return;
        if (behind.cut.games++ == 0 && found == 0) behind.cut.size = at;
        const bool is_torn = file.is_last() && may_be_torn(text);
        behind.torn += is_torn ? 1 : 0;
        behind.is_ours = behind.is_ours && is_torn;
    };
    while (const std::optional<std::string_view> part = file.next()) {
        if (!part->starts_with(kBegin)) {
            add_rest(*part, file.at());
            continue;
        }
        const WrittenGame game = read_game(*part);
        const std::int64_t of_sides = ++of_round[{game.white, game.black, game.round}];
        const bool begins_round = rounds.insert(game.round).second;
        const auto text = of_text_.find(identity_of(game));
        const auto stored = text == of_text_.end() ? left.end() : left.find(text->second);
        const bool is_whole = !game.result.empty() && part->substr(0, game.end).ends_with("\n\n");
        if (!game.result.empty() && stored != left.end() && stored->second > 0) {
            --stored->second;
            ++found;
            behind = {};
            behind.cut.size = file.at() + game.end;
        } else if (!is_whole) {
            add_rest(*part, file.at());
            continue;
        } else {
            if (behind.cut.games++ == 0 && found == 0) behind.cut.size = file.at();
            behind.is_ours = behind.is_ours && has_our_tags(*part) && game.is_plain &&
                             of_sides <= games_of_sides_ && !game.white.empty() &&
                             !game.black.empty();
            const std::int64_t round = to_number<std::int64_t>(game.round).value_or(0);
            behind.is_ours = behind.is_ours && (!begins_round || may_begin_round(round, game.time));
            std::string position = behind.is_ours ? position_behind(game.start, game.moves) : "";
            behind.is_ours = behind.is_ours && !position.empty();
            behind.cut.positions.push_back(std::move(position));
        }
        add_rest(part->substr(game.end), file.at() + game.end);
    }
    return judge(behind, found, most);
}

FoundTail FileTail::epd_tail(FileParts file, const std::vector<std::string>& positions) const {
    std::map<std::string, int, std::less<>> left = positions_;
    std::size_t found = 0;
    Behind behind;
    std::vector<std::string> unstored = positions;
    while (const std::optional<std::string_view> line = file.next()) {
        const auto stored = left.find(*line);
        if (stored != left.end() && stored->second > 0) {
            --stored->second;
            ++found;
            behind = {};
            behind.cut.size = file.at() + line->size();
            unstored = positions;
            continue;
        }
        if (behind.cut.games++ == 0 && found == 0) behind.cut.size = file.at();
        const auto ours = std::ranges::find_if(unstored, [&line](const std::string& position) {
            return line->ends_with('\n') ? position == *line : position.starts_with(*line);
        });
        behind.is_ours = behind.is_ours && ours != unstored.end();
        if (ours != unstored.end()) unstored.erase(ours);
    }
    return judge(behind, found, positions.size());
}

}  // namespace assay::reports::dropin

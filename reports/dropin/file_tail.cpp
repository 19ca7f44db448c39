// Games are appended to their files before they are stored, in the same order, so that after a kill
// the files have the stored games and behind them a few that the store lacks; the last may be torn.
// A game is known by its players, moves and result, which are computed from the stored record.
// Cost: one game in SAN for each stored one.
#include "reports/dropin/file_tail.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "reports/files/pgn.h"

namespace assay::reports::dropin {

namespace {

constexpr std::string_view kBegin = "[Event ";
constexpr std::array<std::string_view, 4> kResults{"1-0", "0-1", "1/2-1/2", "*"};

struct WrittenGame {
    std::string white;
    std::string black;
    std::string round;
    std::string moves;  // and the position before them and the result, without comments
    std::size_t end = 0;
    bool is_whole = false;  // it has a result behind its moves
};

/// Empty where there is none.
std::string tag_of(std::string_view tags, std::string_view name) {
    const std::string begin = fmt::format("[{} \"", name);
    const std::size_t at = tags.find(begin);
    if (at == std::string_view::npos) return "";
    const std::string_view value = tags.substr(at + begin.size());
    return std::string(value.substr(0, value.find("\"]")));
}

/// Where the next game begins.
std::size_t next_begin(std::string_view text, std::size_t from) {
    while (from < text.size()) {
        const std::size_t at = text.find(kBegin, from);
        if (at == std::string_view::npos) break;
        if (at == 0 || text[at - 1] == '\n') return at;
        from = at + 1;
    }
    return text.size();
}

/// Behind the empty line that ends a game.
std::size_t behind_lines(std::string_view text, std::size_t at) {
    for (int lines = 0; lines < 2 && at < text.size() && text[at] == '\n'; ++lines) ++at;
    return at;
}

/// The words of the moves up to the result.
void read_moves(std::string_view text, std::size_t at, WrittenGame& game) {
    while (at < text.size() && !game.is_whole) {
        if (text[at] == '{') {
            at = std::min(text.find('}', at), text.size() - 1) + 1;
        } else if (text[at] == ' ' || text[at] == '\n') {
            ++at;
        } else {
            const std::size_t end = std::min(text.find_first_of(" \n{", at), text.size());
            const std::string_view word = text.substr(at, end - at);
            game.is_whole = std::ranges::find(kResults, word) != kResults.end();
            game.moves.append(" ").append(word);
            at = end;
        }
    }
    game.end = game.is_whole ? behind_lines(text, at) : text.size();
}

/// `text` begins with a game and ends where the next one begins.
WrittenGame read_game(std::string_view text) {
    const std::size_t tags_end = std::min(text.find("\n\n"), text.size());
    const std::string_view tags = text.substr(0, tags_end);
    WrittenGame game{tag_of(tags, "White"), tag_of(tags, "Black"), tag_of(tags, "Round"),
                     tag_of(tags, "FEN")};
    read_moves(text, tags_end, game);
    return game;
}

bool is_blank(std::string_view text) {
    return text.find_first_not_of('\n') == std::string_view::npos;
}

}  // namespace

FileTail::FileTail(const RunnerPgnOptions& options, const rules::Game& rules,
                   std::int64_t games_of_sides)
    : options_(options), rules_(rules), games_of_sides_(games_of_sides) {
    options_.min = true;
}

void FileTail::add_player(const std::string& name) {
    names_.insert(tag_text(name));
}

void FileTail::add_game(const std::vector<RunnerPlayer>& players, const harness::GameRecord& game) {
    WrittenGame read = read_game(runner_pgn(options_, rules_, players, game, 1));
    ++games_[{std::move(read.white), std::move(read.black), std::move(read.moves)}];
    ++positions_[final_position(options_.runner, rules_, game)];
}

/// A write that was cut short: the beginning of a game.
bool FileTail::may_be_torn(std::string_view text) const {
    const std::string first = fmt::format("[Event \"{}\"]\n", tag_text(options_.event));
    const std::size_t known = std::min(first.size(), text.size());
    return text.substr(0, known) == std::string_view(first).substr(0, known);
}

std::optional<TailCut> FileTail::pgn_cut(std::string_view text) const {
    std::map<Identity, int> left = games_;
    std::map<std::tuple<std::string, std::string, std::string>, std::int64_t> of_round;
    TailCut cut;
    std::size_t at = next_begin(text, 0);
    bool is_ours = is_blank(text.substr(0, at));  // all behind the last stored one
    while (at < text.size()) {
        const std::size_t next = next_begin(text, at + 1);
        const std::string_view piece = text.substr(at, next - at);
        const WrittenGame game = read_game(piece);
        const auto stored = left.find({game.white, game.black, game.moves});
        const std::int64_t of_sides = ++of_round[{game.white, game.black, game.round}];
        if (stored != left.end() && stored->second > 0) {
            --stored->second;
            cut = {at + game.end, 0};
            is_ours = true;
        } else {
            const bool is_known = names_.contains(game.white) && names_.contains(game.black) &&
                                  game.white != game.black &&
                                  (games_of_sides_ == 0 || of_sides <= games_of_sides_);
            const bool is_torn = !game.is_whole && next == text.size();
            is_ours = is_ours && may_be_torn(piece) && (is_torn || (game.is_whole && is_known));
            ++cut.games;
        }
        const std::string_view rest = piece.substr(game.end);
        if (!is_blank(rest)) {
            is_ours = is_ours && next == text.size() && may_be_torn(rest);
            ++cut.games;
        }
        at = next;
    }
    if (games_.empty() && cut.games == 0 && !is_blank(text) && may_be_torn(text))
        return TailCut{0, 1};
    if (!is_ours || cut.games == 0) return std::nullopt;
    return cut;
}

std::optional<TailCut> FileTail::epd_cut(std::string_view text, int most) const {
    std::map<std::string, int, std::less<>> left = positions_;
    TailCut cut;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
        const std::string_view line = text.substr(at, end - at);
        at = end;
        const auto stored = line.ends_with('\n') ? left.find(line) : left.end();
        if (stored == left.end() || stored->second == 0) {
            ++cut.games;
            continue;
        }
        --stored->second;
        cut = {end, 0};
    }
    if (cut.games == 0 || cut.games > most) return std::nullopt;
    return cut;
}

}  // namespace assay::reports::dropin

#include "cli/stats/game_list.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "openings/read/pgn_reader.h"

namespace assay::cli {

namespace {

/// Gives names and openings their numbers, in the order they appear.
class Numbering {
public:
    std::size_t operator()(const std::string& name) {
        const auto [found, is_new] = numbers_.try_emplace(name, names_.size());
        if (is_new) names_.push_back(name);
        return found->second;
    }

    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

private:
    std::map<std::string, std::size_t> numbers_;
    std::vector<std::string> names_;
};

std::optional<int> half_points_of(std::string_view result) {
    if (result == "1-0") return 2;
    if (result == "0-1") return 0;
    if (result == "1/2-1/2" || result == "1/2") return 1;
    return std::nullopt;
}

/// FEN and book moves; empty: the PGN does not tell.
std::string opening_of(const openings::PgnGame& game) {
    std::string key;
    if (const std::string_view* const fen = game.tag("FEN")) key = *fen;
    for (const openings::PgnMove& move : game.moves) {
        if (!trim(move.comment).starts_with("book")) break;
        key += ' ';
        key += move.san;
    }
    return key;
}

/// The N of a round written as N.M; empty: not so written.
std::string round_of(const openings::PgnGame& game) {
    const std::string_view* const round = game.tag("Round");
    if (round == nullptr) return "";
    const std::size_t dot = round->find('.');
    if (dot == std::string_view::npos || dot == 0 || dot + 1 == round->size()) return "";
    return std::string(round->substr(0, dot));
}

/// Finds partners: a game waits until one of the same key comes with sides changed.
class Pairing {
public:
    struct Key {
        std::size_t low = 0;
        std::size_t high = 0;
        std::string opening;
        std::string round;

        auto operator<=>(const Key&) const = default;
    };

    void add(GameList& list, ListedGame game, const std::string& opening,
             const std::string& round) {
        const Key key{std::min(game.first, game.second), std::max(game.first, game.second), opening,
                      round};
        std::deque<std::size_t>& waiting = waiting_[key];
        // In order alone, a partner is the very next game of the two or none.
        const bool by_order = opening.empty() && round.empty();
        if (by_order && !waiting.empty() && list.games[waiting.front()].first == game.first) {
            waiting.clear();
        }
        if (!waiting.empty() && list.games[waiting.front()].first == game.second) {
            list.games[waiting.front()].pair = pairs_;
            game.pair = pairs_++;
            waiting.pop_front();
            by_order_ += by_order ? 1 : 0;
            by_round_ += !round.empty() ? 1 : 0;
            by_opening_ += !opening.empty() ? 1 : 0;
        } else {
            waiting.push_back(list.games.size());
        }
        list.games.push_back(game);
    }

    [[nodiscard]] std::string how() const {
        if (pairs_ == 0) return "no two of them are a pair";
        std::string by;
        const auto say = [&](std::int64_t count, std::string_view what) {
            if (count > 0) by += fmt::format("{}{}", by.empty() ? "" : " and ", what);
        };
        say(by_opening_, "opening");
        say(by_round_, "round");
        say(by_order_, "order alone");
        return fmt::format("{} pairs, by {}", pairs_, by);
    }

    [[nodiscard]] std::int64_t pairs() const { return pairs_; }

private:
    std::map<Key, std::deque<std::size_t>> waiting_;
    std::int64_t pairs_ = 0;
    std::int64_t by_order_ = 0;
    std::int64_t by_round_ = 0;
    std::int64_t by_opening_ = 0;
};

/// A line's fields with their places in the text.
struct Field {
    std::string_view text;
    std::size_t offset = 0;
};

std::vector<Field> fields_of(std::string_view line, std::size_t offset) {
    char separator = ' ';
    for (const char candidate : {',', ';', '\t'}) {
        if (line.find(candidate) != std::string_view::npos) {
            separator = candidate;
            break;
        }
    }
    std::vector<Field> fields;
    std::size_t begin = 0;
    while (begin <= line.size()) {
        const std::size_t end = std::min(line.find(separator, begin), line.size());
        const std::string_view raw = line.substr(begin, end - begin);
        const std::string_view text = trim(raw);
        if (separator != ' ' || !text.empty()) {
            const std::size_t lead =
                text.empty() ? 0 : static_cast<std::size_t>(text.data() - raw.data());
            fields.push_back({text, offset + begin + lead});
        }
        begin = end + 1;
    }
    return fields;
}

class TableReader {
public:
    TableReader(const std::string& path, std::string_view text) : source_(path, text) {}

    [[nodiscard]] GameList read() {
        const std::string_view text = source_.text();
        std::size_t begin = 0;
        while (begin < text.size()) {
            const std::size_t end = std::min(text.find('\n', begin), text.size());
            const std::string_view line = text.substr(begin, end - begin);
            const std::string_view content = trim(line);
            if (!content.empty() && content.front() != '#') {
                read_line(content, begin + static_cast<std::size_t>(content.data() - line.data()));
            }
            begin = end + 1;
            if (wrong_.size() >= kMostWrong) break;
        }
        if (!wrong_.empty()) throw SyntaxError(wrong_);
        if (list_.counts.empty()) throw Error(source_.path() + ": holds no results");
        list_.programs = programs_.names();
        list_.note = fmt::format("{} lines of results", list_.counts.size());
        return std::move(list_);
    }

private:
    static constexpr std::size_t kMostWrong = 20;

    void complain(const Field& field, std::string message) {
        const std::size_t width = std::max<std::size_t>(field.text.size(), 1);
        wrong_.push_back(source_.at({field.offset, field.offset + width}, std::move(message)));
    }

    void read_line(std::string_view line, std::size_t offset) {
        const std::vector<Field> fields = fields_of(line, offset);
        const bool is_header = is_first_ && fields.size() >= 5 &&
                               !to_number<std::int64_t>(fields[2].text) &&
                               equal_ignoring_case(fields[2].text, "wins");
        is_first_ = false;
        if (is_header) {
            has_sides_ = equal_ignoring_case(fields[0].text, "first");
            return;
        }
        if (fields.size() != 5 && fields.size() != 6) {
            complain(
                {line, offset},
                fmt::format("expected 'A,B,wins,draws,losses', found {} fields", fields.size()));
            return;
        }
        stats::RatedGames row;
        std::array<double*, 3> counts{&row.wins, &row.draws, &row.losses};
        for (std::size_t i = 0; i < 3; ++i) {
            const auto count = to_number<std::int64_t>(fields[i + 2].text);
            if (!count || *count < 0 || *count > 1'000'000'000) {
                complain(fields[i + 2], "expected a count from 0 to 1000000000, found '" +
                                            printable_utf8(fields[i + 2].text) + "'");
                return;
            }
            *counts[i] = static_cast<double>(*count);
        }
        if (fields[0].text.empty() || fields[1].text.empty()) {
            complain(fields[0].text.empty() ? fields[0] : fields[1], "a program needs a name");
            return;
        }
        if (fields[0].text == fields[1].text) {
            complain(fields[1], "a program cannot be rated by games with itself");
            return;
        }
        row.first = programs_(std::string(fields[0].text));
        row.second = programs_(std::string(fields[1].text));
        row.has_first_move = has_sides_;
        if (fields.size() == 6) {
            row.cluster = static_cast<std::int64_t>(clusters_(std::string(fields[5].text)));
        }
        list_.counts.push_back(row);
    }

    Source source_;
    GameList list_;
    Numbering programs_;
    Numbering clusters_;
    bool is_first_ = true;
    bool has_sides_ = false;
    std::vector<Diagnostic> wrong_;
};

}  // namespace

std::int64_t GameList::pairs() const {
    std::int64_t most = -1;
    for (const ListedGame& game : games) most = std::max(most, game.pair);
    return most + 1;
}

GameList games_of_pgn(std::string_view text) {
    GameList list;
    Numbering programs;
    Numbering openings;
    Pairing pairing;
    openings::PgnReader reader(text);
    openings::PgnGame game;
    while (reader.next(game)) {
        list.faults += static_cast<std::int64_t>(game.faults.size());
        const std::string_view* const white = game.tag("White");
        const std::string_view* const black = game.tag("Black");
        const std::string_view* const tag = game.tag("Result");
        std::optional<int> result = half_points_of(game.result);
        if (!result && tag != nullptr) result = half_points_of(*tag);
        if (white == nullptr || black == nullptr || *white == *black || !result) {
            ++list.unfinished;
            continue;
        }
        ListedGame listed;
        listed.first = programs(openings::unescape_tag(*white));
        listed.second = programs(openings::unescape_tag(*black));
        listed.half_points = *result;
        const std::string opening = opening_of(game);
        if (!opening.empty()) listed.opening = static_cast<std::int64_t>(openings(opening));
        pairing.add(list, listed, opening, round_of(game));
    }
    list.programs = programs.names();
    list.note = fmt::format("{} games, {}", list.games.size(), pairing.how());
    const std::int64_t single = static_cast<std::int64_t>(list.games.size()) - 2 * pairing.pairs();
    if (single > 0) list.note += fmt::format("; {} without a partner", single);
    if (list.unfinished > 0) {
        list.note += fmt::format("; {} without a result or two names, left out", list.unfinished);
    }
    return list;
}

GameList games_of_table(const std::string& path, std::string_view text) {
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    return TableReader(path, text).read();
}

void PairList::add(int as_first, int as_second) {
    cells.push_back(static_cast<std::uint8_t>(3 * as_first + as_second));
    pentanomial.add(as_first + as_second);
    for (const int result : {as_first, as_second}) {
        wdl.wins += result == 2 ? 1 : 0;
        wdl.draws += result == 1 ? 1 : 0;
        wdl.losses += result == 0 ? 1 : 0;
    }
    first_player_wins += (as_first == 2 ? 1 : 0) + (as_second == 0 ? 1 : 0);
}

std::string PairList::note() const {
    std::string text = fmt::format("{}\n{} against {}: {} pairs", input, printable_utf8(first),
                                   printable_utf8(second), pairs());
    if (single > 0) {
        text += fmt::format(", {} games without a partner are not counted", single);
    }
    return text;
}

PairList pairs_of(const GameList& list, const std::vector<std::string>& between) {
    if (!list.counts.empty()) {
        throw Error("a table of results has no pairs: this needs a PGN, a run or counts");
    }
    std::vector<std::string> names = between.empty() ? list.programs : between;
    for (const std::string& name : names) {
        if (std::find(list.programs.begin(), list.programs.end(), name) == list.programs.end()) {
            throw Error("there is no program '" + printable_utf8(name) + "' in these games");
        }
    }
    if (names.size() != 2 || names[0] == names[1]) {
        throw Error(fmt::format(
            "this needs the games of two programs, and there are {}: name two with --between A,B",
            list.programs.size()));
    }
    PairList pairs;
    pairs.input = list.note;
    pairs.first = names[0];
    pairs.second = names[1];
    std::map<std::int64_t, int> half_done;  // pair -> result of the first program in one game
    for (const ListedGame& game : list.games) {
        const std::string& first = list.programs[game.first];
        const std::string& second = list.programs[game.second];
        const bool is_ours = (first == pairs.first && second == pairs.second) ||
                             (first == pairs.second && second == pairs.first);
        if (!is_ours) continue;
        if (game.pair < 0) {
            ++pairs.single;
            continue;
        }
        const bool has_first_move = first == pairs.first;
        const int result = has_first_move ? game.half_points : 2 - game.half_points;
        const auto [other, is_new] = half_done.try_emplace(game.pair, result);
        if (is_new) continue;
        pairs.add(has_first_move ? result : other->second, has_first_move ? other->second : result);
        half_done.erase(other);
    }
    return pairs;
}

std::vector<stats::RatedGames> rated_games(const GameList& list, std::string_view cluster) {
    if (!list.counts.empty()) return list.counts;
    std::vector<stats::RatedGames> rows;
    const std::int64_t pairs = list.pairs();
    for (const ListedGame& game : list.games) {
        stats::RatedGames row;
        row.first = game.first;
        row.second = game.second;
        (game.half_points == 2 ? row.wins : game.half_points == 1 ? row.draws : row.losses) = 1;
        if (cluster == "pair") row.cluster = game.pair;
        if (cluster == "opening") {
            // Games of unknown opening are clustered by their pair, behind the openings' numbers.
            row.cluster = game.opening >= 0 || game.pair < 0
                              ? game.opening
                              : static_cast<std::int64_t>(list.games.size()) + pairs + game.pair;
        }
        rows.push_back(row);
    }
    return rows;
}

}  // namespace assay::cli

// Pairs among games of other programs, whose files do not say which two games belong together. Two
// games are a pair where the same two programs met with sides swapped, in the same round and from
// the same opening as far as these are known. Games that wait for a partner are kept in queues by
// that key and leave them first in, first out: with several games at once partners need not be
// neighbours, and the oldest one is the likeliest partner. Where neither round nor opening is known
// only the next game of the two can be the partner; a wrong pair would make the pentanomial
// variance too small or too large, while a single game only tells less.
//
// Cost: the logarithm of the number of keys for each game.
#include "stats/estimate/game_list.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"

namespace assay::stats {

namespace {

/// A field of a line with its place in the text.
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
        RatedGames row;
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

std::size_t Numbering::operator()(const std::string& name) {
    const auto [found, is_new] = numbers_.try_emplace(name, names_.size());
    if (is_new) names_.push_back(name);
    return found->second;
}

std::int64_t GameList::pairs() const {
    std::int64_t most = -1;
    for (const ListedGame& game : games) most = std::max(most, game.pair);
    return most + 1;
}

void GamePairing::add(GameList& list, ListedGame game, const std::string& opening,
                      const std::string& round) {
    const Key key{std::min(game.first, game.second), std::max(game.first, game.second), opening,
                  round};
    std::deque<std::size_t>& waiting = waiting_[key];
    // Without opening and round, only the next game of the two programs can be the partner.
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

std::string GamePairing::how() const {
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
        // Games of a pair need not be neighbours in the list. What waits is one result a pair that
        // is open, and is removed with its partner.
        const auto [other, is_new] = half_done.try_emplace(game.pair, result);
        if (is_new) continue;
        pairs.add(has_first_move ? result : other->second, has_first_move ? other->second : result);
        half_done.erase(other);
    }
    return pairs;
}

std::vector<RatedGames> rated_games(const GameList& list, std::string_view cluster) {
    if (!list.counts.empty()) return list.counts;
    std::vector<RatedGames> rows;
    const std::int64_t pairs = list.pairs();
    for (const ListedGame& game : list.games) {
        RatedGames row;
        row.first = game.first;
        row.second = game.second;
        (game.half_points == 2 ? row.wins : game.half_points == 1 ? row.draws : row.losses) = 1;
        if (cluster == "pair") row.cluster = game.pair;
        if (cluster == "opening") {
            // Games of unknown openings are clustered by pair, with numbers after those of
            // openings.
            row.cluster = game.opening >= 0 || game.pair < 0
                              ? game.opening
                              : static_cast<std::int64_t>(list.games.size()) + pairs + game.pair;
        }
        rows.push_back(row);
    }
    return rows;
}

void PairRows::add(const ListedGame& one, const ListedGame& other) {
    const bool swaps_sides = one.first != other.first;
    const bool is_reversed = swaps_sides && one.first > one.second;  // one row whoever began
    const ListedGame& first = is_reversed ? other : one;
    const ListedGame& second = is_reversed ? one : other;
    RatedPairs& row = rows_[{first.first, first.second, swaps_sides}];
    row.first = first.first;
    row.second = first.second;
    row.swaps_sides = swaps_sides;
    const auto in_first = static_cast<std::size_t>(first.half_points);
    const auto in_second =
        static_cast<std::size_t>(swaps_sides ? 2 - second.half_points : second.half_points);
    ++row.counts[3 * in_first + in_second];
}

std::vector<RatedPairs> PairRows::rows() const {
    std::vector<RatedPairs> rows;
    for (const auto& [key, row] : rows_) rows.push_back(row);
    return rows;
}

void PairRows::add(const ListedGame& single) {
    RatedGames& row = singles_[{single.first, single.second}];
    row.first = single.first;
    row.second = single.second;
    ++(single.half_points == 2 ? row.wins : single.half_points == 1 ? row.draws : row.losses);
}

std::vector<RatedGames> PairRows::single_rows() const {
    std::vector<RatedGames> rows;
    for (const auto& [programs, row] : singles_) rows.push_back(row);
    return rows;
}

RatedCounts rated_counts(const GameList& list) {
    if (!list.counts.empty()) return {list.counts, {}};
    PairRows rows;
    std::vector<const ListedGame*> begun(static_cast<std::size_t>(list.pairs()), nullptr);
    for (const ListedGame& game : list.games) {
        if (game.pair < 0) {
            rows.add(game);
            continue;
        }
        const ListedGame*& other = begun[static_cast<std::size_t>(game.pair)];
        if (other == nullptr) {
            other = &game;
        } else {
            rows.add(*other, game);
        }
    }
    return {rows.single_rows(), rows.rows()};
}

}  // namespace assay::stats

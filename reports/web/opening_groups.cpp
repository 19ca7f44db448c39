// Results by opening. Where openings repeat often enough, each is a row; otherwise each has one
// pair and says nothing, and games are grouped by their first two plies. Of many rows the best and
// the worst eight are shown and the rest is one row. Each row opens a game of its own: the one that
// is most typical of the row's balance, not the first.
#include "reports/web/opening_groups.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace assay::reports::web {

namespace {

using harness::GameRecord;

constexpr std::size_t kMostOpeningRows = 24;

/// "1.e4 c5 2.Nf3" of the opening's first six plies, on the rules' own notation.
std::string line_of(const rules::Game& rules, const GameRecord& game) {
    GameRecord opening;
    opening.start = game.start;
    opening.opening.assign(game.opening.begin(),
                           game.opening.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(
                                                      6, game.opening.size())));
    const PackedGame moves = packed(rules, opening);
    std::string text;
    for (std::size_t ply = 0; ply < moves.names.size(); ++ply) {
        const bool is_first = moves.players[ply] == moves.first_player;
        if (!text.empty()) text += ' ';
        if (is_first) text += fmt::format("{}.", moves.numbers[ply]);
        text += moves.names[ply];
    }
    return text;
}

double mean(const OpeningRow& row) {
    return static_cast<double>(row.pairs.balance()) /
           static_cast<double>(std::max<std::int64_t>(1, row.pairs.pairs()));
}

/// Of many rows the eight best and the eight worst, and the others as one.
void keep_ends(std::vector<OpeningRow>& rows) {
    if (rows.size() <= kMostOpeningRows) return;
    OpeningRow middle;
    const std::size_t count = rows.size() - 16;
    for (std::size_t i = 8; i < rows.size() - 8; ++i)
        for (int k = 0; k < stats::kPairCategories; ++k) middle.pairs.add(k, rows[i].pairs[k]);
    middle.label = fmt::format("{} others", count);
    rows.erase(rows.begin() + 9, rows.end() - 8);
    rows[8] = middle;
}

std::string why_opening(const OpeningRow& row, const MatchPage& match) {
    const std::int64_t balance = row.pairs.balance();
    if (balance == 0) return "of an opening in which the two do alike";
    return "of an opening in which " + match.names[balance > 0 ? 0 : 1] + " does better";
}

}  // namespace

OpeningGroups::OpeningGroups(MatchPage& match, const rules::Game& rules)
    : match_(match), rules_(rules) {
    const auto& openings = match.facts.openings;
    is_repeated_ = !openings.empty() &&
                   match.tally().pairs() >= 4 * static_cast<std::int64_t>(openings.size());
}

void OpeningGroups::Group::add(std::int64_t pair, int category) {
    pairs.add(category);
    std::int64_t& known = first[static_cast<std::size_t>(category)];
    if (known < 0) known = pair;
}

std::int64_t OpeningGroups::Group::example() const {
    using Order = std::array<std::size_t, stats::kPairCategories>;
    const std::int64_t balance = pairs.balance();
    const Order order = balance < 0   ? Order{0, 1, 2, 3, 4}
                        : balance > 0 ? Order{4, 3, 2, 1, 0}
                                      : Order{2, 1, 3, 0, 4};
    for (const std::size_t category : order)
        if (first[category] >= 0) return first[category];
    return -1;
}

void OpeningGroups::add(const GameRecord& game, int category) {
    if (game.game != 0) return;
    if (is_repeated_) {
        indices_[game.opening_index].add(game.pair, category);
        return;
    }
    if (game.opening.size() < 2) return;
    GameRecord head;
    head.start = game.start;
    head.opening.assign(game.opening.begin(), game.opening.begin() + 2);
    lines_[line_of(rules_, head)].add(game.pair, category);
}

void OpeningGroups::finish(const GameReader& read) {
    std::vector<OpeningRow> rows;
    if (is_repeated_) {
        for (const OpeningCount& opening : match_.facts.openings) {
            const auto seen = indices_.find(opening.index);
            rows.push_back({"", opening.pairs,
                            seen == indices_.end() ? opening.a_pair : seen->second.example(), ""});
        }
    } else {
        for (const auto& [line, group] : lines_)
            if (group.pairs.pairs() >= 8) rows.push_back({line, group.pairs, group.example(), ""});
        match_.openings_by_line = true;
    }
    std::ranges::stable_sort(
        rows, [](const OpeningRow& a, const OpeningRow& b) { return mean(a) > mean(b); });
    keep_ends(rows);
    if (is_repeated_)
        for (OpeningRow& row : rows) name(row, read);
    match_.openings = std::move(rows);
}

void OpeningGroups::name(OpeningRow& row, const GameReader& read) const {
    if (row.example < 0) return;
    const auto game = read(2 * row.example + 1);
    const std::string line = game ? line_of(rules_, *game) : "";
    row.label = line.empty() && game ? fmt::format("opening {}", game->opening_index + 1) : line;
}

void add_opening_games(MatchPage& match, const GameReader& read) {
    for (OpeningRow& row : match.openings) {
        if (row.example < 0) continue;
        auto found = std::ranges::find_if(
            match.games, [&](const GameOfInterest& one) { return one.game.pair == row.example; });
        if (found == match.games.end()) {
            auto game = read(2 * row.example + 1);
            if (!game) continue;
            match.games.push_back(
                {std::move(*game), "opening", why_opening(row, match), std::nullopt});
            found = std::prev(match.games.end());
        }
        row.open = id_of(match, found->game);
    }
}

}  // namespace assay::reports::web

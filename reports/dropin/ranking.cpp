#include "reports/dropin/ranking.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "base/text.h"
#include "reports/dropin/classic_numbers.h"

namespace assay::reports::dropin {

namespace {

using harness::ResultCounts;

/// Of the points that could be had; no number without games.
double score_of(const ResultCounts& counts) {
    const double points = static_cast<double>(counts.wins) + static_cast<double>(counts.draws) / 2;
    return points / static_cast<double>(counts.games());
}

double draw_share(const ResultCounts& counts) {
    return static_cast<double>(counts.draws) / static_cast<double>(counts.games());
}

double drawn_pairs_share(const ResultCounts& counts) {
    return static_cast<double>(counts.pairs_wl + counts.pairs_dd) /
           static_cast<double>(counts.pairs());
}

std::string pairs_text(const ResultCounts& counts) {
    return fmt::format("[{}, {}, {}, {}, {}]", counts.pairs_ll, counts.pairs_ld,
                       counts.pairs_wl + counts.pairs_dd, counts.pairs_wd, counts.pairs_ww);
}

struct Estimated {
    const RankedEngine* engine = nullptr;
    ClassicEstimate estimate;
};

/// A field of cutechess-cli's table.
struct Field {
    std::string_view token;
    std::string_view header;
    int width;
    std::string (*text)(const RankedEngine& engine);
};

std::string number_text(std::int64_t number) {
    return fmt::format("{}", number);
}

std::string percent_text(double share) {
    return fmt::format("{:.1f}%", share * 100);
}

constexpr std::string_view kRank = "Rank";
constexpr std::string_view kName = "Name";

constexpr std::array kFields{
    Field{"Elo", "Elo", 7,
          [](const RankedEngine& engine) {
              return fmt::format("{:.0f}", estimate_of_games(engine.counts).elo);
          }},
    Field{"Error", "+/-", 7,
          [](const RankedEngine& engine) {
              return fmt::format("{:.0f}",
                                 estimate_of_games(engine.counts, kCutechessErrors).elo_error);
          }},
    Field{"Games", "Games", 7,
          [](const RankedEngine& engine) { return number_text(engine.counts.games()); }},
    Field{"W", "Wins", 7,
          [](const RankedEngine& engine) { return number_text(engine.counts.wins); }},
    Field{"L", "Losses", 7,
          [](const RankedEngine& engine) { return number_text(engine.counts.losses); }},
    Field{"D", "Draws", 7,
          [](const RankedEngine& engine) { return number_text(engine.counts.draws); }},
    Field{"Points", "Points", 8,
          [](const RankedEngine& engine) {
              return fmt::format("{:.1f}", static_cast<double>(engine.counts.wins) +
                                               static_cast<double>(engine.counts.draws) / 2);
          }},
    Field{"Score", "Score", 7,
          [](const RankedEngine& engine) { return percent_text(score_of(engine.counts)); }},
    Field{"DScore", "Draw", 7,
          [](const RankedEngine& engine) { return percent_text(draw_share(engine.counts)); }},
    Field{"Time", "Time", 7,
          [](const RankedEngine& engine) { return number_text(engine.timeouts); }},
    Field{"Illegal", "Illegal", 7,
          [](const RankedEngine& engine) { return number_text(engine.illegal_moves); }},
    Field{"Discon", "Discon", 7,
          [](const RankedEngine& engine) { return number_text(engine.disconnections); }},
    Field{"Stall", "Stall", 7,
          [](const RankedEngine& engine) { return number_text(engine.stalls); }},
};

struct NamedFormat {
    std::string_view name;
    std::string_view fields;
};

constexpr std::array kFormats{
    NamedFormat{"concise", "Rank,Name,Elo,Error,Games"},
    NamedFormat{"default", "Rank,Name,Elo,Error,Games,Score,DScore"},
    NamedFormat{"minimal", "Rank,Name"},
    NamedFormat{"ordo", "Rank,Name,Elo,Points,Games,Score"},
};

const Field* field_named(std::string_view token) {
    const auto* const found = std::ranges::find(kFields, token, &Field::token);
    return found == kFields.end() ? nullptr : found;
}

/// Seeds of a gauntlet, then by score, then those without games. Of equals the later one in the
/// list comes first.
std::vector<const RankedEngine*> by_score(const std::vector<RankedEngine>& engines,
                                          std::size_t seeds) {
    const auto key = [&](const RankedEngine& engine) {
        if (static_cast<std::size_t>(&engine - engines.data()) < seeds) return -1.0;
        return engine.counts.games() > 0 ? 1 - score_of(engine.counts) : 2.0;
    };
    std::vector<const RankedEngine*> order;
    for (const RankedEngine& engine : engines) order.insert(order.begin(), &engine);
    std::ranges::stable_sort(order, {}, [&](const RankedEngine* engine) { return key(*engine); });
    return order;
}

std::string half_points_text(std::int64_t half_points) {
    return fmt::format("{}{}", half_points / 2, half_points % 2 == 1 ? ".5" : "");
}

}  // namespace

std::string fastchess_ranking(const std::vector<RankedEngine>& engines, bool has_pairs,
                              bool shows_pairs) {
    std::size_t width = 25;
    std::vector<Estimated> ranked;
    for (const RankedEngine& engine : engines) {
        width = std::max(width, engine.name.size());
        ranked.push_back({&engine, has_pairs ? estimate_of_pairs(engine.counts)
                                             : estimate_of_games(engine.counts)});
    }
    std::ranges::stable_sort(ranked, [](const Estimated& a, const Estimated& b) {
        const bool has_a = !std::isnan(a.estimate.elo);
        return (has_a && std::isnan(b.estimate.elo)) || a.estimate.elo > b.estimate.elo;
    });
    std::string text =
        fmt::format("{:<4} {:<{}} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}", kRank, kName,
                    width, "Elo", "+/-", "nElo", "+/-", "Games", "Score", "Draw");
    if (shows_pairs) text += fmt::format(" {:>20}", "Ptnml(0-2)");
    int rank = 0;
    for (const auto& [engine, estimate] : ranked) {
        const ResultCounts& counts = engine->counts;
        text += fmt::format(
            "\n{:>4} {:<{}} {:>10.2f} {:>10.2f} {:>10.2f} {:>10.2f} {:>10} {:>9.1f}% {:>9.1f}%",
            ++rank, engine->name, width, estimate.elo, estimate.elo_error, estimate.nelo,
            estimate.nelo_error, counts.games(), score_of(counts) * 100,
            (has_pairs ? drawn_pairs_share(counts) : draw_share(counts)) * 100);
        if (shows_pairs) text += fmt::format(" {:>20}", has_pairs ? pairs_text(counts) : "");
    }
    return text;
}

std::optional<std::vector<std::string>> result_fields(std::string_view format) {
    const auto* const named = std::ranges::find(kFormats, format, &NamedFormat::name);
    std::vector<std::string> fields;
    for (const std::string_view one :
         split_at(named == kFormats.end() ? format : named->fields, ',')) {
        const std::string_view token = trim(one);
        if (token.empty()) continue;
        if (token != kRank && token != kName && field_named(token) == nullptr) return std::nullopt;
        fields.emplace_back(token);
    }
    return fields;
}

std::string result_format_help() {
    std::string text =
        "\nOption -resultformat accepts a comma separated list of fields or one of following "
        "format names:\n";
    for (const NamedFormat& format : kFormats)
        text += fmt::format("\n{}\n   {}", format.name, format.fields);
    text += "\n\nField tokens:\n   Rank Name";
    for (const Field& field : kFields) text += fmt::format(" {}", field.token);
    return text;
}

std::string cutechess_table(const std::vector<RankedEngine>& engines,
                            const std::vector<std::string>& fields,
                            std::optional<std::size_t> seeds) {
    std::string text;
    const auto add_line = [&](const RankedEngine* engine, int rank) {
        for (const std::string& token : fields) {
            if (token == kRank) {
                text +=
                    engine == nullptr ? fmt::format("{:>4} ", kRank) : fmt::format("{:>4} ", rank);
            } else if (token == kName) {
                text += fmt::format("{:<25} ", engine == nullptr ? kName : engine->name);
            } else {
                const Field& field = *field_named(token);
                text += fmt::format(
                    "{:>{}} ", engine == nullptr ? field.header : field.text(*engine), field.width);
            }
        }
        text += '\n';
    };
    add_line(nullptr, 0);
    int rank = seeds ? 0 : 1;
    const std::size_t above = seeds ? std::max<std::size_t>(1, *seeds) : 0;
    for (const RankedEngine* engine : by_score(engines, above)) add_line(engine, rank++);
    return text;
}

std::string knockout_tree(const std::vector<BracketTie>& ties) {
    std::vector<std::string> lines;
    for (const BracketTie& tie : ties) {
        if (tie.round > 0) continue;
        lines.insert(lines.end(), {tie.first, "", tie.second.value_or("bye"), ""});
    }
    if (!lines.empty()) lines.pop_back();
    std::map<std::int64_t, std::size_t> before;  // ties of the round
    for (const BracketTie& tie : ties) {
        const auto column = static_cast<std::size_t>(tie.round) + 1;
        const std::size_t line =
            (std::size_t{1} << column) - 1 + before[tie.round]++ * (std::size_t{2} << column);
        std::string& text = lines.at(line);
        text += std::string(2 * column, '\t') + tie.winner.value_or("...");
        if (tie.first_half_points + tie.second_half_points > 0)
            text += fmt::format(" ({}-{})", half_points_text(tie.first_half_points),
                                half_points_text(tie.second_half_points));
    }
    return joined(lines, "\n");
}

}  // namespace assay::reports::dropin

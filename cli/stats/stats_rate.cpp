#include "cli/stats/stats_rate.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/frame/target.h"
#include "cli/frame/values.h"
#include "cli/stats/rate_output.h"
#include "cli/stats/stats_input.h"
#include "harness/store/store.h"
#include "harness/tournament/version_pool.h"
#include "reports/web/tournament/ratings_page.h"
#include "stats/estimate/rating.h"

namespace assay::cli {

namespace {

using stats::GameList;
using stats::RatingTable;

struct RateOptions {
    StatsInput input;
    std::vector<std::string> files;  // stores and PGN files
    std::string by;                  // empty: commit for stores, else name
    std::string cluster = "pair";
    std::string format = "text";
    std::string output;                // empty: standard output
    std::vector<std::string> anchors;  // NAME=ELO
    std::uint64_t seed = 1;
    bool json = false;
};

stats::RatingAnchor anchor_of(const RateOptions& options, const RatedList& list) {
    stats::RatingAnchor anchor;
    for (const std::string& text : options.anchors) {
        const std::size_t equals = text.rfind('=');
        const auto elo = equals == std::string::npos
                             ? std::nullopt
                             : to_number<double>(std::string_view(text).substr(equals + 1));
        if (!elo || !(*elo >= -1e6 && *elo <= 1e6)) {
            throw Error("--anchor takes NAME=ELO, found '" + printable_utf8(text) + "'");
        }
        const std::string name = text.substr(0, equals);
        const auto found = std::find(list.programs.begin(), list.programs.end(), name);
        if (found == list.programs.end()) {
            const std::vector<std::string_view> names(list.programs.begin(), list.programs.end());
            throw Error("--anchor: there is no program '" + printable_utf8(name) + "'" +
                        did_you_mean(name, names));
        }
        anchor.programs.push_back(static_cast<std::size_t>(found - list.programs.begin()));
        anchor.value += *elo / static_cast<double>(options.anchors.size());
    }
    return anchor;
}

/// What is rated, and how it is printed.
struct RateInput {
    RatedList list;
    stats::RatedCounts counts;
};

/// A name that stands for several versions is a program whose strength changed meanwhile.
std::vector<std::string> warnings_of(const std::vector<harness::PooledVersion>& versions) {
    std::vector<std::string> warnings;
    for (const harness::PooledVersion& version : versions) {
        if (version.builds < 2) continue;
        warnings.push_back(fmt::format("'{}' stands for {} versions: --by commit tells them apart",
                                       printable_utf8(version.name), version.builds));
    }
    return warnings;
}

RateInput input_of_games(const GameList& list, const std::string& cluster) {
    RateInput input;
    input.list.programs = list.programs;
    input.list.note = list.note;
    input.list.duplicates = list.duplicates;
    if (cluster == "pair") {
        input.counts = rated_counts(list);
    } else {
        input.counts.games = rated_games(list, cluster);
    }
    return input;
}

RateInput input_of_stores(const std::vector<std::string>& paths, harness::VersionsBy by,
                          const std::string& cluster) {
    if (cluster == "opening") {
        throw Error(
            "--cluster opening: of several stores games are counted by pair; use pair or "
            "game, or give one run with --run");
    }
    harness::StoredResults stored = harness::results_of_stores(paths, by);
    if (stored.results.empty() && stored.singles.empty())
        throw Error("there are no games to rate: " + stored.note);
    RateInput input;
    for (const harness::PooledVersion& version : stored.versions) {
        input.list.programs.push_back(version.label);
    }
    input.list.note = stored.note;
    if (by == harness::VersionsBy::Name) input.list.warnings = warnings_of(stored.versions);
    input.list.versions = std::move(stored.versions);
    input.counts.games = std::move(stored.singles);
    if (cluster == "pair") {
        input.counts.pairs = std::move(stored.results);
        return input;
    }
    for (const stats::RatedPairs& row : stored.results) {
        for (const stats::RatedGames& half : row.games()) input.counts.games.push_back(half);
    }
    return input;
}

/// Adds programs and games of PGN files; equal names are one program.
void append(RateInput& input, RateInput more) {
    std::vector<std::size_t> number;
    for (const std::string& name : more.list.programs) {
        std::vector<std::string>& programs = input.list.programs;
        const auto found = std::find(programs.begin(), programs.end(), name);
        number.push_back(static_cast<std::size_t>(found - programs.begin()));
        if (found == programs.end()) programs.push_back(name);
    }
    const auto renumber = [&number](auto& row) {
        row.first = number[row.first];
        row.second = number[row.second];
    };
    for (stats::RatedGames& row : more.counts.games) {
        renumber(row);
        input.counts.games.push_back(row);
    }
    for (stats::RatedPairs& row : more.counts.pairs) {
        renumber(row);
        input.counts.pairs.push_back(row);
    }
    if (!input.list.versions.empty()) input.list.versions.resize(input.list.programs.size());
    input.list.note += (input.list.note.empty() ? "" : "; ") + more.list.note;
    input.list.duplicates += more.list.duplicates;
}

RateInput input_of_files(const RateOptions& options) {
    if (options.input.has_games()) {
        throw Error("files, --pgn, --run and --table exclude each other");
    }
    std::vector<std::string> stores;
    StatsInput pgn = options.input;
    for (const std::string& path : options.files) {
        (harness::is_store(path) ? stores : pgn.pgn).push_back(path);
    }
    const std::string by = !options.by.empty() ? options.by : pgn.pgn.empty() ? "commit" : "name";
    if (!pgn.pgn.empty() && by != "name") {
        throw Error(fmt::format("--by {}: {} knows its players by name only", by,
                                printable_utf8(pgn.pgn.front())));
    }
    if (stores.empty()) return input_of_games(read_games(pgn), options.cluster);
    RateInput input = input_of_stores(stores, *harness::versions_by(by), options.cluster);
    if (!pgn.pgn.empty()) append(input, input_of_games(read_games(pgn), options.cluster));
    return input;
}

RateInput input_of(const RateOptions& options) {
    if (!options.files.empty()) return input_of_files(options);
    if (!options.by.empty() && options.by != "name") {
        throw Error("--by " + options.by + " is for stores: assay stats rate STORE... --by " +
                    options.by);
    }
    return input_of_games(read_games(options.input), options.cluster);
}

void run_rate(const RateOptions& options) {
    if (!options.output.empty()) {
        if (options.format != "html") throw Error("--output writes a page: give --format html", 2);
        std::vector<std::string> inputs = options.files;
        inputs.insert(inputs.end(), options.input.pgn.begin(), options.input.pgn.end());
        inputs.push_back(options.input.table);
        check_target(options.output, inputs);
    }
    RateInput input = input_of(options);
    input.list.seed = options.seed;
    stats::RatingSettings settings;
    settings.anchor = anchor_of(options, input.list);
    input.list.has_anchor = !options.anchors.empty();
    settings.seed = options.seed;
    const RatingTable table(input.list.programs.size(), input.counts.games, input.counts.pairs,
                            settings);
    const std::string format = options.json ? "json" : options.format;
    if (format == "html") {
        const std::string page = reports::web::ratings_page(table, input.list);
        if (options.output.empty()) {
            fmt::print("{}", page);
        } else {
            write_file(options.output, page);
        }
    }
    if (format == "json") print_rating_json(table, input.list);
    if (format == "csv") print_rating_csv(table, input.list);
    if (format == "markdown") print_rating_markdown(table, input.list);
    if (format == "text") print_rating_text(table, input.list);
}

}  // namespace

void add_rate(Command& stats) {
    Command* const verb = stats.add_subcommand("rate", "ratings of several programs");
    const auto options = std::make_shared<RateOptions>();
    verb->add_option("FILE", options->files,
                     "stores, of which all runs count, and PGN files; several are one list")
        ->type_name("FILE");
    verb->add_option("--by", options->by,
                     "what is one program in several runs; default: commit, with a PGN name")
        ->transform(one_of({"commit", "name", "sha256"}));
    verb->add_flag("--json", options->json, "one JSON object, as --format json");
    verb->add_option("--format", options->format, "how the list is printed")
        ->transform(one_of({"text", "json", "csv", "markdown", "html"}))
        ->capture_default_str();
    verb->add_option("-o,--output", options->output, "write the page to FILE (--format html)")
        ->type_name("FILE");
    add_games_options(*verb, options->input);
    verb->remove_option(verb->get_option("--between"));
    verb->add_option("--table", options->input.table, "a file of lines A,B,wins,draws,losses")
        ->type_name("FILE");
    verb->add_option("--anchor", options->anchors, "this program's rating; several: their mean")
        ->type_name("NAME=ELO");
    verb->add_option("--cluster", options->cluster, "which games are not independent of each other")
        ->transform(one_of({"pair", "opening", "game"}))
        ->capture_default_str();
    verb->add_option("--seed", options->seed, "seed of the simultaneous intervals")
        ->type_name("N")
        ->transform(number<std::uint64_t>())
        ->capture_default_str();
    verb->footer(
        "examples:\n"
        "  assay stats rate nights.db laptop.db --by commit\n"
        "  assay stats rate nights.db --format html -o list.html\n"
        "  assay stats rate --pgn games.pgn --anchor base=3000\n"
        "  assay stats rate --table results.csv --json\n"
        "  assay stats rate --run latest --cluster opening");
    verb->callback([options] { run_rate(*options); });
}

}  // namespace assay::cli

#include "cli/stats/stats_pool.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "cli/frame/table.h"
#include "cli/frame/values.h"
#include "cli/stats/stats_options.h"
#include "harness/plan/plan.h"
#include "harness/store/store.h"
#include "harness/tournament/version_pool.h"
#include "reports/tournament/pooled_matches.h"
#include "reports/view/json_text.h"
#include "reports/view/number_text.h"

namespace assay::cli {

namespace {

namespace json = boost::json;
using harness::PooledVersion;
using harness::StoredMatch;
using harness::StoredMatches;
using reports::PooledMatch;
using reports::PooledResult;

struct PoolOptions {
    std::vector<std::string> files;
    std::string by = "commit";
    std::vector<std::string> between;
    stats::EvidenceSettings bounds;
    bool json = false;
};

/// The two versions, the point of view first.
using Couple = std::array<std::size_t, 2>;

bool is_named(const PooledVersion& version, const std::string& text) {
    constexpr std::size_t kFewestDigits = 7;  // of a commit or hash
    const auto begins = [&text](const std::string& id) {
        return text.size() >= kFewestDigits && id.compare(0, text.size(), text) == 0;
    };
    return version.label == text || version.names.count(text) > 0 || begins(version.commit) ||
           begins(version.sha256);
}

std::size_t version_named(const StoredMatches& stored, const std::string& text) {
    std::vector<std::string_view> labels;
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < stored.versions.size(); ++i) {
        labels.push_back(stored.versions[i].label);
        if (stored.versions[i].label == text) return i;
        if (is_named(stored.versions[i], text)) found.push_back(i);
    }
    if (found.size() == 1) return found.front();
    if (found.empty()) {
        throw Error("--between: there is no version '" + printable_utf8(text) + "'" +
                    did_you_mean(text, labels));
    }
    std::string which;
    for (const std::size_t i : found) {
        which += (which.empty() ? "'" : ", '") + printable_utf8(stored.versions[i].label) + "'";
    }
    throw Error("--between: '" + printable_utf8(text) + "' is " + which + ": name one of them");
}

/// "A,B", or the flag twice: a label can have commas.
std::vector<std::string> names_between(const std::vector<std::string>& given) {
    if (given.empty() || given.size() == 2) return given;
    const std::size_t comma = given[0].find(',');
    if (given.size() > 2 || comma == std::string::npos ||
        given[0].find(',', comma + 1) != std::string::npos)
        throw Error(
            "--between takes two versions: A,B, or the flag twice where a label has a comma");
    return {given[0].substr(0, comma), given[0].substr(comma + 1)};
}

Couple versions_of(const StoredMatches& stored, const std::vector<std::string>& between) {
    if (!between.empty()) {
        const Couple couple{version_named(stored, between[0]), version_named(stored, between[1])};
        if (couple[0] == couple[1]) throw Error("--between: both are one version");
        return couple;
    }
    const Couple first = stored.matches.front().versions;
    for (const StoredMatch& match : stored.matches) {
        if (std::minmax(match.versions[0], match.versions[1]) == std::minmax(first[0], first[1]))
            continue;
        throw Error(fmt::format(
            "several versions have met: choose two with --between, such as --between {} "
            "--between {} "
            "(assay stats rate lists all)",
            shell_word(printable_utf8(stored.versions[first[0]].label)),
            shell_word(printable_utf8(stored.versions[first[1]].label))));
    }
    return first;
}

/// What is pooled, of a match that is part of it.
struct Part {
    const StoredMatch* match = nullptr;
    PooledMatch pooled;
    std::string not_fixed;  // not_fixed_because()
};

std::vector<Part> parts_of(const StoredMatches& stored, const Couple& couple) {
    std::vector<Part> parts;
    for (const StoredMatch& match : stored.matches) {
        const bool is_reversed = match.versions == Couple{couple[1], couple[0]};
        if (!is_reversed && match.versions != couple) continue;
        const PooledMatch pooled{match.run.get(), &match.tally, is_reversed};
        parts.push_back({&match, pooled, reports::not_fixed_because(pooled)});
    }
    if (!parts.empty()) return parts;
    throw Error(fmt::format("'{}' and '{}' have not met: {}",
                            printable_utf8(stored.versions[couple[0]].label),
                            printable_utf8(stored.versions[couple[1]].label), stored.note));
}

/// Pairs played under different conditions have no common strength to estimate.
std::vector<std::string> warnings_of(const std::vector<Part>& parts) {
    std::set<std::string> games;
    std::set<std::string> times;
    std::set<std::string> books;
    for (const Part& part : parts) {
        const harness::MatchPlan& plan = part.match->run->plan.matches.at(part.match->match);
        games.insert(harness::game_text(plan.game));
        times.insert(to_text(plan.time[part.pooled.is_reversed ? 1 : 0]) + " against " +
                     to_text(plan.time[part.pooled.is_reversed ? 0 : 1]));
        books.insert(harness::words_of(plan.openings));
    }
    std::vector<std::string> warnings;
    const auto warn = [&warnings](const char* what, const std::set<std::string>& values) {
        if (values.size() < 2) return;
        std::string text = fmt::format("the matches have different {}:", what);
        for (const std::string& value : values) text += " " + printable_utf8(value) + ";";
        text.back() = '.';
        warnings.push_back(std::move(text));
    };
    warn("games", games);
    warn("time controls", times);
    warn("openings", books);
    return warnings;
}

void print_parts(const std::vector<Part>& parts) {
    Table rows{{"run", "store", "began", "name", "pairs", "ended", "Elo"}};
    for (const Part& part : parts) {
        const stats::Pentanomial pairs = reports::pairs_of(part.pooled);
        rows.push_back({std::to_string(part.match->run->id), printable_utf8(part.match->store),
                        reports::utc_minute(part.match->run->started_us),
                        printable_utf8(part.match->run->name), reports::grouped(pairs.pairs()),
                        part.not_fixed.empty() ? "fixed number of pairs" : part.not_fixed,
                        reports::estimate_text(harness::fixed_estimate(pairs).elo)});
    }
    print_table(rows, {true, false, false, false, true, false, false}, 2);
}

/// What the bets say, in a sentence.
std::string verdict_text(const PooledResult& result, const stats::EvidenceSettings& bounds) {
    switch (result.decision) {
        case stats::Decision::AcceptH1:
            return fmt::format("Accepted: the first version is stronger than {} Elo (error {}).",
                               bounds.elo0, bounds.alpha);
        case stats::Decision::AcceptH0:
            return fmt::format("Rejected: the first version is weaker than {} Elo (error {}).",
                               bounds.elo1, bounds.beta);
        case stats::Decision::Continue:
            break;
    }
    return "Not decided: more matches may be added.";
}

void print_pool(const StoredMatches& stored, const Couple& couple, const std::vector<Part>& parts,
                const PooledResult& result, const stats::EvidenceSettings& bounds) {
    fmt::print("{} against {}\n{}\n", printable_utf8(stored.versions[couple[0]].label),
               printable_utf8(stored.versions[couple[1]].label), stored.note);
    print_parts(parts);
    const auto& n = result.pairs.counts;
    fmt::print("\n{}: LL {}  LD {}  DD+WL {}  WD {}  WW {}\n",
               reports::grouped(result.pairs.pairs(), "pair"), n[0], n[1], n[2], n[3], n[4]);
    fmt::print("  plain          Elo {}   nElo {}{}   sign-flip {}\n",
               reports::estimate_text(result.plain.elo), reports::estimate_text(result.plain.nelo),
               result.plain.los ? fmt::format("   LOS {:.3f}", *result.plain.los) : "",
               reports::p_value(result.sign_flip.p_value));
    fmt::print("                 {}\n",
               result.is_fixed
                   ? "right if it was settled before the first match which ones are pooled"
                   : "does not hold: the results decided how many pairs some matches have");
    const stats::Estimate at_every_look{result.plain.elo.value, result.elo_at_every_look};
    fmt::print(
        "  at every look  Elo {}   ln E {:+.2f} for it (accepts at {:+.2f}), {:+.2f} against "
        "it (rejects at {:+.2f})\n",
        reports::estimate_text(at_every_look), result.ln_e_for, -std::log(bounds.alpha),
        result.ln_e_against, -std::log(bounds.beta));
    fmt::print("                 right whatever ended the matches, if none was left out\n");
    fmt::print("{}\n", verdict_text(result, bounds));
}

json::object part_json(const Part& part) {
    const stats::Pentanomial pairs = reports::pairs_of(part.pooled);
    return {{"store", reports::json_string(part.match->store)},
            {"run", part.match->run->id},
            {"match", part.match->match + 1},
            {"name", reports::json_string(part.match->run->name)},
            {"started_us", part.match->run->started_us},
            {"is_reversed", part.pooled.is_reversed},
            {"pairs", pairs.pairs()},
            {"pentanomial", reports::json_counts(pairs)},
            {"not_fixed", reports::json_word(part.not_fixed)}};
}

void print_pool_json(const StoredMatches& stored, const Couple& couple,
                     const std::vector<Part>& parts, const PooledResult& result,
                     const stats::EvidenceSettings& bounds,
                     const std::vector<std::string>& warnings) {
    json::array matches;
    for (const Part& part : parts) matches.push_back(part_json(part));
    const json::object document{
        {"versions", json::array{reports::json_string(stored.versions[couple[0]].label),
                                 reports::json_string(stored.versions[couple[1]].label)}},
        {"matches", std::move(matches)},
        {"pairs", result.pairs.pairs()},
        {"pentanomial", reports::json_counts(result.pairs)},
        {"plain",
         {{"holds", result.is_fixed},
          {"elo", reports::json_estimate(result.plain.elo)},
          {"nelo", reports::json_estimate(result.plain.nelo)},
          {"los", reports::json_number(result.plain.los)},
          {"p_value", reports::json_number(result.sign_flip.p_value)}}},
        {"evidence",
         {{"elo0", reports::json_number(bounds.elo0)},
          {"elo1", reports::json_number(bounds.elo1)},
          {"alpha", reports::json_number(bounds.alpha)},
          {"beta", reports::json_number(bounds.beta)},
          {"ln_e_for", reports::json_number(result.ln_e_for)},
          {"ln_e_against", reports::json_number(result.ln_e_against)},
          {"accepts_at", reports::json_number(-std::log(bounds.alpha))},
          {"rejects_at", reports::json_number(-std::log(bounds.beta))},
          {"state", stats::name_of(result.decision)},
          {"elo_ci95", reports::json_interval(result.elo_at_every_look)}}},
        {"warnings", reports::json_strings(warnings)}};
    fmt::print("{}\n", reports::json_text(document));
}

void run_pool(const PoolOptions& options) {
    for (const std::string& path : options.files) {
        if (!harness::is_store(path)) {
            throw Error(printable_utf8(path) + " is not a store: assay stats pool reads stores");
        }
    }
    const StoredMatches stored =
        harness::matches_of_stores(options.files, *harness::versions_by(options.by));
    if (stored.matches.empty()) throw Error("no two versions have met: " + stored.note);
    const Couple couple = versions_of(stored, names_between(options.between));
    const std::vector<Part> parts = parts_of(stored, couple);
    std::vector<PooledMatch> pooled;
    for (const Part& part : parts) pooled.push_back(part.pooled);
    const PooledResult result = reports::pool_matches(pooled, options.bounds);
    const std::vector<std::string> warnings = warnings_of(parts);
    if (options.json) {
        print_pool_json(stored, couple, parts, result, options.bounds, warnings);
        return;
    }
    print_pool(stored, couple, parts, result, options.bounds);
    for (const std::string& warning : warnings) fmt::print(stderr, "warning: {}\n", warning);
}

}  // namespace

void add_pool(Command& stats) {
    Command* const verb =
        stats.add_subcommand("pool", "one verdict from all matches of two versions");
    const auto options = std::make_shared<PoolOptions>();
    verb->add_option("FILE", options->files, "stores, of which all runs count")
        ->type_name("FILE")
        ->required();
    verb->add_option("--between", options->between,
                     "the two versions, by label, name, commit or hash; the first one is the point "
                     "of view; given twice where a label has a comma")
        ->type_name("A,B");
    verb->add_option("--by", options->by, "what is one program in several runs")
        ->transform(one_of({"commit", "name", "sha256"}))
        ->capture_default_str();
    verb->add_flag("--json", options->json, "one JSON object on standard output");
    verb->add_option("--elo0", options->bounds.elo0, "accepted: stronger than this, logistic Elo")
        ->type_name("ELO")
        ->transform(number(-1000.0, 1000.0))
        ->capture_default_str();
    verb->add_option("--elo1", options->bounds.elo1, "rejected: weaker than this")
        ->type_name("ELO")
        ->transform(number(-1000.0, 1000.0))
        ->capture_default_str();
    add_probability(*verb, "--alpha", options->bounds.alpha, "error of accepting");
    add_probability(*verb, "--beta", options->bounds.beta, "error of rejecting");
    verb->footer(
        "examples:\n"
        "  assay stats pool nights.db\n"
        "  assay stats pool nights.db laptop.db --between a1b2c3d,9f8e7d6\n"
        "  assay stats pool nights.db --elo0 0 --elo1 3 --json");
    verb->callback([options] { run_pool(*options); });
}

}  // namespace assay::cli

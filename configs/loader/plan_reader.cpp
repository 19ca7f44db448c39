#include "configs/loader/plan_reader.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "base/text.h"
#include "harness/machine/processor_groups.h"
#include "harness/plan/protocol_fit.h"
#include "rules/table_pieces.h"

namespace assay::configs {

namespace {

using harness::AdjudicatePlan;
using harness::MatchPlan;
using harness::ProgramPlan;
using harness::RunPlan;
using harness::StopPlan;

/// Names are printed in tables and headings, and typed.
void check_one_line(const Section& section, const std::string& name) {
    const bool has_control = std::ranges::any_of(name, [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < 0x20 || byte == 0x7f;
    });
    if (has_control)
        section.complain(
            section.place_of("name"),
            fmt::format("a name is one line without control characters, found '{}'; a comment "
                        "(#) holds what is longer",
                        printable_utf8(name)));
}

std::string names_of(const std::vector<ProgramPlan>& programs) {
    std::string out;
    for (const ProgramPlan& program : programs)
        out += (out.empty() ? "" : ", ") + printable_utf8(program.name);
    return out;
}

std::optional<std::array<std::size_t, 2>> read_between(const Section& section,
                                                       const std::vector<ProgramPlan>& programs) {
    constexpr std::string_view kTwoPrograms = "between must be a list of two programs";
    const Value* const node = section.find("between");
    if (node == nullptr) {
        if (programs.size() == 2) return {{0, 1}};
        if (programs.size() < 2 && !section.context().complaints.empty()) return std::nullopt;
        section.complain(
            section.place(),
            programs.size() < 2
                ? fmt::format("a match needs two programs, and {} defined",
                              programs.empty() ? "none is" : "only one is")
                : fmt::format("'between' must name the two of {} that play", names_of(programs)));
        return std::nullopt;
    }
    if (node->kind != Value::Kind::List) {
        section.complain(node->place, fmt::format("{}, found {}", kTwoPrograms, described(*node)));
        return std::nullopt;
    }
    if (node->items.size() != 2) {
        section.complain(node->place,
                         fmt::format("{}, found {} of them", kTwoPrograms, node->items.size()));
        return std::nullopt;
    }
    const auto first = program_index(section, node->items[0], programs);
    const auto second = program_index(section, node->items[1], programs);
    if (!first || !second) return std::nullopt;
    if (*first == *second) {
        section.complain(node->items[1].place,
                         "a program cannot play itself; define it twice under two names");
        return std::nullopt;
    }
    return {{*first, *second}};
}

/// The book of a block or of its short form.
std::string read_book(const Section& section, std::string_view key) {
    std::string book = section.path(key).value_or("default");
    std::error_code ignored;
    if (section.context().checks_files && book.find('/') != std::string::npos &&
        !std::filesystem::exists(book, ignored))
        section.complain(section.place_of(key),
                         fmt::format("there is no book '{}'", printable_utf8(book)));
    return book;
}

void read_random(const Section& section, harness::OpeningsPlan& openings) {
    openings.book = harness::kRandomOpenings;
    if (const auto plies = section.get<std::int64_t>("random"))
        openings.plies = static_cast<int>(*plies);
    for (const std::string_view key : {"book", "order", "plies", "scheme"}) {
        if (!section.has(key)) continue;
        section.complain(
            section.place_of(key),
            fmt::format("'{}' is of a book, and 'random' takes the place of one", key));
    }
}

harness::OpeningsPlan read_openings(const Section& match) {
    harness::OpeningsPlan openings;
    openings.book = "default";
    const Value* const node = match.find("openings");
    if (node == nullptr) return openings;
    if (node->kind == Value::Kind::Scalar) {
        openings.book = read_book(match, "openings");
        return openings;
    }
    const auto section = match.block("openings");
    if (!section) return openings;
    openings.start = static_cast<std::uint64_t>(section->get<std::int64_t>("start").value_or(1));
    if (section->has("random")) {
        read_random(*section, openings);
        return openings;
    }
    openings.book = read_book(*section, "book");
    if (section->get<std::string>("order") == "sequential")
        openings.order = harness::OpeningsPlan::Order::Sequential;
    if (section->get<std::string>("scheme") == "fastchess")
        openings.scheme = harness::OpeningsPlan::Scheme::Shuffled;
    if (const auto plies = section->get<std::int64_t>("plies"))
        openings.plies = static_cast<int>(*plies);
    return openings;
}

void read_affinity(const Section& section, MatchPlan& match) {
    const auto words = section.words("affinity");
    if (!words) return;
    const std::string text = joined(*words, ",");
    match.affinity = text != "false";
    if (text == "true" || text == "false") return;
    try {
        match.cpus = harness::processor_list(text);
    } catch (const Error&) {
        const std::string said = lower(text);
        const bool means_true = said == "true" || said == "yes" || said == "on";
        const bool means_false = said == "false" || said == "no" || said == "off";
        section.complain(section.find("affinity")->place,
                         fmt::format("affinity must be true, false or a list of processors such as "
                                     "[0, 2, 4-7], found '{}'{}",
                                     printable_utf8(text),
                                     means_true    ? "; write true"
                                     : means_false ? "; write false"
                                                   : ""));
    }
}

/// Each of them as path() makes the first.
std::string folders_in(const Section& section, const std::string& path) {
    const std::string& config = section.context().texts.at(section.find("path")->place.text).folder;
    std::string out;
    for (const std::string_view one : split_at(path, ':')) {
        if (!out.empty()) out += ':';
        if (!one.starts_with('/')) out += config + "/";
        out += one;
    }
    return out;
}

/// Tables that are not there or damaged are told of at the path, before anything is started.
void check_tables(const Section& section, const MatchPlan& match,
                  const AdjudicatePlan::Tables& tables) {
    if (!section.context().checks_files || tables.path.empty()) return;
    try {
        if (!rules::check_tablebase(*harness::game_of(match), tables.path))
            section.complain(section.place(), fmt::format("there are no tablebases for {}; leave "
                                                          "'tablebase' out",
                                                          printable_utf8(match.game.name)));
    } catch (const Error& error) {
        section.complain(section.find("path")->place, error.what());
    }
}

AdjudicatePlan::Tables read_tablebase(const Section& section, const MatchPlan& match) {
    using Result = AdjudicatePlan::Tables::Result;
    AdjudicatePlan::Tables tables;
    section.need({"path"});
    if (const auto path = section.path("path")) tables.path = folders_in(section, *path);
    tables.pieces = section.whole_or("pieces", 0);
    tables.counts_quiet_moves = section.get<bool>("rule50").value_or(true);
    const std::string result = section.get<std::string>("result").value_or("both");
    tables.result = result == "win" ? Result::Win : result == "draw" ? Result::Draw : Result::Both;
    check_tables(section, match, tables);
    return tables;
}

AdjudicatePlan read_adjudicate(const Section& match, const MatchPlan& match_plan) {
    AdjudicatePlan plan;
    const auto section = match.block("adjudicate");
    if (!section) return plan;
    if (const auto tablebase = section->block("tablebase"))
        plan.tablebase = read_tablebase(*tablebase, match_plan);
    if (const auto draw = section->block("draw")) {
        draw->need({"moves"});
        draw->need({"score"});
        plan.draw = AdjudicatePlan::Draw{draw->whole_or("from", 0), draw->whole_or("moves", 1),
                                         draw->whole_or("score", 0)};
    }
    if (const auto resign = section->block("resign")) {
        resign->need({"moves"});
        resign->need({"score"});
        plan.resign =
            AdjudicatePlan::Resign{resign->whole_or("moves", 1), resign->whole_or("score", 0),
                                   resign->get<std::string>("sides").value_or("both") == "both"};
    }
    if (const auto length = section->get<std::int64_t>("length"))
        plan.length = static_cast<int>(*length);
    plan.flag_is_draw_if_none_can_win =
        section->get<std::string>("flag_vs_bare_king").value_or("draw") == "draw";
    return plan;
}

void check_players(const Section& section, const MatchPlan& match) {
    const int players = harness::game_of(match)->players();
    if (players == 2) return;
    section.complain(section.place_of(section.has("game") ? "game" : "variant"),
                     fmt::format("a match is played by two programs, and {} is a game of {}{}",
                                 printable_utf8(match.game.name), counted(players, "player"),
                                 players == 1 ? "; a 'suite' searches its positions" : ""));
}

void read_chance(const Section& section, MatchPlan& match) {
    const auto chance = section.get<std::string>("chance");
    if (!chance) return;
    if (*chance == "deal") match.chance = rules::Drawing::Deal;
    if (harness::game_of(match)->info().has_chance) return;
    section.complain(section.place_of("chance"),
                     fmt::format("'chance' says how the events of a game are drawn, and {} has "
                                 "none",
                                 printable_utf8(match.game.name)));
}

class MatchReader {
public:
    MatchReader(const Section& top, RunPlan& plan, bool is_gate)
        : top_(top), plan_(plan), is_gate_(is_gate) {}

    void read_all() {
        const bool has_list = top_.has("matches");
        if (const auto match = top_.block("match")) read(*match);
        if (has_list && top_.has("match"))
            top_.complain(top_.place_of("matches"), "'match' and 'matches' exclude each other");
        else if (has_list)
            read_list(*top_.find("matches"));
        // Read also where every match has its own, to report errors in these too.
        (void)read_stop(top_);
        (void)read_require(top_);
    }

private:
    void read_list(const Value& list) {
        if (list.kind != Value::Kind::List || list.items.empty()) {
            top_.complain(list.place, fmt::format("matches must be a list of matches, found {}",
                                                  described(list)));
            return;
        }
        for (const Value& item : list.items) {
            const Section section(top_.context(), item, "match", "a match", item.place);
            if (item.kind != Value::Kind::Map) continue;
            section.need({"name"});
            check_name(section);
            read(section);
        }
    }

    void check_name(const Section& section) {
        const auto name = section.get<std::string>("name");
        if (!name) return;
        check_one_line(section, *name);
        const bool is_taken =
            std::any_of(plan_.matches.begin(), plan_.matches.end(),
                        [&](const MatchPlan& other) { return other.name == *name; });
        if (is_taken)
            section.complain(section.place_of("name"),
                             fmt::format("two matches are called '{}'", printable_utf8(*name)));
    }

    void read(const Section& section) {
        MatchPlan match;
        match.name = section.get<std::string>("name").value_or(plan_.name);
        section.need({"time"});
        const auto between = read_between(section, plan_.programs);
        const bool has_programs = between.has_value();
        if (has_programs) {
            match.between = *between;
            read_clocks(section, match);
        }
        read_shared(section, match);
        const bool has_own_stop = section.has("stop");
        match.stop = read_stop(has_own_stop ? section : top_);
        if (is_gate_ && !has_own_stop && !top_.has("stop")) {
            match.stop.rule = StopPlan::Rule::Capped;
            match.stop.preset = "no_regression";
        }
        match.require = read_require(section.has("require") ? section : top_);
        if (match.require.speed_percent) give_benches(match);
        const std::int64_t most = match.stop.rule == StopPlan::Rule::Capped ? 0 : match.pairs;
        match.pairs = section.get<std::int64_t>("pairs").value_or(most);
        check_pairs_suffice(has_own_stop ? section : top_, match);
        read_seed(section);
        if (has_programs) {
            for (const auto& problem : harness::protocol_problems(plan_, match)) {
                section.complain(section.place_of(problem.key), problem.text);
            }
        }
        plan_.matches.push_back(std::move(match));
    }

    /// Where speed is asked for and no benchmark is declared, the usual one is meant.
    void give_benches(const MatchPlan& match) {
        for (const std::size_t index : match.between) {
            if (index >= plan_.programs.size() || plan_.programs[index].bench) continue;
            plan_.programs[index].bench = harness::BenchPlan();
        }
    }

    void read_clocks(const Section& section, MatchPlan& match) {
        const std::vector<const ProgramPlan*> sides{&plan_.programs[match.between[0]],
                                                    &plan_.programs[match.between[1]]};
        const auto times = read_times(section, sides);
        std::ranges::copy(times, match.time.begin());
        match.deterministic =
            std::all_of(sides.begin(), sides.end(),
                        [](const auto* p) { return harness::is_single_threaded(*p); }) &&
            match.time[0].is_deterministic() && match.time[1].is_deterministic();
    }

    void read_seed(const Section& section) {
        const auto seed = section.get<std::uint64_t>("seed");
        if (!seed) return;
        if (plan_.seed && *plan_.seed != *seed)
            section.complain(
                section.place_of("seed"),
                "all matches of a run have the same seed, and another one was given above");
        plan_.seed = seed;
    }

    const Section& top_;
    RunPlan& plan_;
    bool is_gate_;
};

void read_top(const Section& top, RunPlan& plan) {
    if (const auto name = top.get<std::string>("name")) {
        plan.name = *name;
        if (to_number<std::int64_t>(plan.name) || plan.name == "latest")
            top.complain(top.find("name")->place,
                         "a run's name cannot be a number or 'latest', which mean other runs "
                         "to 'assay report'");
        check_one_line(top, plan.name);
    }
    plan.control = top.get<bool>("control").value_or(false);
    if (top.get<std::string>("skip_if") == "same_bench") plan.skip_if = harness::SkipIf::SameBench;
    read_executor(top, plan);
    plan.failures_in_a_row = top.whole_or("failures_in_a_row", plan.failures_in_a_row);
    plan.start_limit = top.get<Micros>("start_limit").value_or(plan.start_limit);
    plan.at_end = top.words("at_end").value_or(std::vector<std::string>());
}

}  // namespace

std::optional<std::size_t> program_index(const Section& section, const Value& name,
                                         const std::vector<harness::ProgramPlan>& programs) {
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < programs.size(); ++i) {
        if (name.kind == Value::Kind::Scalar && programs[i].name == name.value) return i;
        names.push_back(programs[i].name);
    }
    std::string advice = did_you_mean(name.value, names);
    if (advice.empty())
        advice = programs.empty() ? "" : fmt::format("; the programs are {}", names_of(programs));
    section.complain(name.place, fmt::format("no program is called {}{}", described(name), advice));
    return std::nullopt;
}

void read_shared(const Section& section, MatchPlan& match) {
    match.openings = read_openings(section);
    match.game = read_game(section);
    check_players(section, match);
    read_chance(section, match);
    match.concurrency = section.whole_or("concurrency", 0);
    read_affinity(section, match);
    match.ponder = section.get<bool>("ponder").value_or(false);
    match.check_pv = section.get<bool>("check_pv").value_or(true);
    match.adjudicate = read_adjudicate(section, match);
}

std::vector<harness::TimeControl> read_times(const Section& section,
                                             const std::vector<const ProgramPlan*>& programs) {
    std::vector<harness::TimeControl> times(programs.size());
    if (const Value* const time = section.find("time")) {
        std::vector<std::string> names;
        for (const ProgramPlan* const program : programs) names.push_back(program->name);
        auto read = read_time(section.context(), *time, names);
        if (read.size() == times.size()) times = std::move(read);
    }
    const auto margin = section.get<Micros>("margin");
    const auto wall_limit = section.get<Micros>("wall_limit");
    for (std::size_t i = 0; i < programs.size(); ++i) {
        harness::TimeControl& time = times[i];
        time.margin = programs[i]->margin.value_or(margin.value_or(Micros(0)));
        if (!wall_limit) continue;
        // That of the usual length cannot be told from none.
        if (time.kind == harness::TimeControl::Kind::Infinite &&
            time.wall_limit != harness::TimeControl().wall_limit && time.wall_limit != *wall_limit)
            section.complain(section.place_of("wall_limit"),
                             "wall_limit and {infinite: TIME} are the same limit, and here they "
                             "differ: give one, or {infinite: true}");
        time.wall_limit = *wall_limit;
    }
    return times;
}

rules::GameSource read_game(const Section& section) {
    if (section.has("game") && section.has("variant")) {
        section.complain(section.place_of("variant"),
                         "'game' and 'variant' mean the same and exclude each other");
    }
    const rules::GameSource fallback = MatchPlan().game;
    return section.game(section.has("game") ? "game" : "variant").value_or(fallback);
}

RunPlan read_plan(const Context& context, const Value& root, const std::string& name,
                  bool is_gate) {
    RunPlan plan;
    plan.name = name;
    const Section top(context, root, "", "", root.place);
    if (root.kind != Value::Kind::Map) return plan;
    read_top(top, plan);
    plan.programs = read_programs(top);
    if (const auto tournament = top.block("tournament")) {
        read_tournament(top, *tournament, plan, is_gate);
    } else {
        MatchReader(top, plan, is_gate).read_all();
    }
    if (const auto suite = top.block("suite")) plan.suite = read_suite(*suite, plan);
    const bool has_work = root.find("match") != nullptr || root.find("matches") != nullptr ||
                          root.find("tournament") != nullptr || root.find("suite") != nullptr;
    if (plan.control && plan.matches.empty() && root.find("suite") != nullptr &&
        context.complaints.empty())
        top.complain(top.find("control")->place,
                     "'control' plays the baseline of a match against itself, and there is no "
                     "'match'");
    if (plan.skip_if != harness::SkipIf::Never && plan.matches.empty() && has_work &&
        context.complaints.empty())
        top.complain(top.find("skip_if")->place,
                     "'skip_if' compares the programs of the first match, and there is no 'match'");
    if (!has_work && context.complaints.empty())
        context.complaints.add(
            root.place, "nothing to do: a config needs a 'match', a 'tournament' or a 'suite'");
    return plan;
}

}  // namespace assay::configs

// A plan as JSON text and back: to_json() and plan_from_json() of plan.h.
//
// One list of members a struct (described_json.h) serves both writing and reading, so that the two
// cannot drift apart. A key that a stored text lacks keeps its default: an older store stays
// readable when a member is added. Keys are sorted and doubles have their shortest decimals, so
// that equal plans are equal texts: plan_hash() and --resume compare these texts.
#include <algorithm>
#include <charconv>
#include <functional>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/sha256.h"
#include "harness/plan/described_json.h"
#include "harness/plan/plan.h"
#include "harness/plan/tournament_plan.h"

namespace assay::rules {

BOOST_DESCRIBE_ENUM(Drawing, Ordinal, Deal)

}  // namespace assay::rules

namespace assay::stats {

BOOST_DESCRIBE_STRUCT(RatingGoal, (), (elo, orders))

}  // namespace assay::stats

namespace assay::harness {

// Boost.Describe finds these by the namespace of the type.
BOOST_DESCRIBE_ENUM(TimeControl::Kind, Clock, MoveTime, Nodes, Depth, Infinite, Hourglass, Byoyomi,
                    Canadian)
BOOST_DESCRIBE_ENUM(OpeningsPlan::Order, Random, Sequential)
BOOST_DESCRIBE_ENUM(OpeningsPlan::Scheme, Keyed, Shuffled)
BOOST_DESCRIBE_ENUM(StopPlan::Rule, None, Closing, Capped, Sprt, Fixed, Anytime)
BOOST_DESCRIBE_ENUM(StopPlan::Model, Normalized, Logistic, Bayesian)
BOOST_DESCRIBE_ENUM(StopPlan::Shape, FastFail, Symmetric)
BOOST_DESCRIBE_ENUM(SuiteExpectation::Scope, Position, Suite)
BOOST_DESCRIBE_ENUM(SuiteMeasure, Query, Solved, Depth, Nodes, Time)
BOOST_DESCRIBE_ENUM(SuitePlan::Keep, Last, All, Failed)
BOOST_DESCRIBE_ENUM(SkipIf, Never, SameBench)
BOOST_DESCRIBE_ENUM(TournamentKind, RoundRobin, Gauntlet, Pyramid, LeastPlayed, Knockout, Swiss)
BOOST_DESCRIBE_ENUM(OpeningPolicy, Cycle, Round, Encounter)
BOOST_DESCRIBE_ENUM(Seeding, List, Lot)
BOOST_DESCRIBE_ENUM(TournamentCondition::Kind, Rating, Pairings, Crashes, TimeLosses, IllegalMoves)
BOOST_DESCRIBE_STRUCT(TournamentCondition, (), (kind, program, over, limit))
BOOST_DESCRIBE_ENUM(PairingOrder, Own, Fastchess, Cutechess)
BOOST_DESCRIBE_STRUCT(Period, (), (moves, time, increment))
BOOST_DESCRIBE_STRUCT(TimeControl, (),
                      (kind, periods, move_time, nodes, depth, main, byoyomi, byoyomi_periods,
                       stones, margin, wall_limit))
BOOST_DESCRIBE_STRUCT(GitPlan, (), (repo, ref, build, limit, memory_bytes))
BOOST_DESCRIBE_STRUCT(BenchPlan, (),
                      (command, signature, signature_in_commit, nodes, nodes_per_second))
BOOST_DESCRIBE_STRUCT(ConfinementPlan, (), (network, processes, write))
BOOST_DESCRIBE_STRUCT(ProgramPlan, (),
                      (name, command, dir, env, protocol, options, sandbox, confinement,
                       memory_bytes, margin, ping_before_go, restarts, git, bench))
BOOST_DESCRIBE_STRUCT(OpeningsPlan, (), (book, order, plies, start, scheme))
BOOST_DESCRIBE_STRUCT(AdjudicatePlan::Draw, (), (from, moves, score))
BOOST_DESCRIBE_STRUCT(AdjudicatePlan::Resign, (), (moves, score, both_sides))
BOOST_DESCRIBE_ENUM(AdjudicatePlan::Tables::Result, Both, Win, Draw)
BOOST_DESCRIBE_STRUCT(AdjudicatePlan::Tables, (), (path, pieces, counts_quiet_moves, result))
BOOST_DESCRIBE_STRUCT(AdjudicatePlan, (),
                      (tablebase, draw, resign, length, flag_is_draw_if_none_can_win))
BOOST_DESCRIBE_STRUCT(StopPlan, (),
                      (rule, model, shape, e0, e1, preset, alpha, beta, batch, is_plain, by_games,
                       before, minutes))
BOOST_DESCRIBE_STRUCT(RequirePlan, (), (crashes, time_losses, illegal_moves, speed_percent))
BOOST_DESCRIBE_STRUCT(RunnerPlan, (),
                      (games_an_opening, has_odd_game, swaps_sides, begins_reversed, games_before,
                       counts_as_they_end, voids, recovers, wait, late_answer, loses_unready))
BOOST_DESCRIBE_STRUCT(MatchPlan, (),
                      (name, between, time, openings, game, chance, pairs, concurrency, affinity,
                       cpus, ponder, check_pv, adjudicate, stop, require, runner, deterministic,
                       is_control))
BOOST_DESCRIBE_STRUCT(TournamentPlan, (),
                      (kind, rounds, openings, games, policy, seeding, seeds, replays, armageddon,
                       armageddon_time, order, games_an_opening, games_an_encounter, until, require,
                       left_out, time, match))
BOOST_DESCRIBE_STRUCT(SuitePosition, (), (id, text, best, avoid, comment))
BOOST_DESCRIBE_STRUCT(SuiteExpectation::Change, (), (least, most))
BOOST_DESCRIBE_STRUCT(SuiteExpectation, (),
                      (name, measure, query, origin, min, max, exactly, against_baseline, scope,
                       change_scope))
BOOST_DESCRIBE_STRUCT(SuitePlan, (),
                      (source, game, positions, limit, logs_trees, log_nodes, log_from_ply, keep,
                       programs, concurrency, expectations))
BOOST_DESCRIBE_STRUCT(RunPlan, (),
                      (name, programs, matches, tournament, skip_if, control, suite, seed,
                       failures_in_a_row, start_limit, ready_limit, at_end))

namespace {

namespace json = boost::json;

/// A text of rules. Its hash is stored beside it, so that two texts are compared at a glance.
struct Rules {
    std::string path;
    std::string sha256;
    std::string text;
};

BOOST_DESCRIBE_STRUCT(Rules, (), (path, sha256, text))

}  // namespace

/// Older stores have this key.
template <>
inline constexpr std::array kOtherKeys<AdjudicatePlan>{
    Key{"flag_is_draw_if_none_can_win", "flag_vs_bare_king_is_draw"}};

template <>
inline constexpr std::array kLaterKeys<SuitePosition>{
    std::string_view("best"), std::string_view("avoid"), std::string_view("comment")};

template <>
inline constexpr std::array kLaterKeys<OpeningsPlan>{std::string_view("scheme")};

template <>
inline constexpr std::array kLaterKeys<AdjudicatePlan>{std::string_view("tablebase")};

template <>
inline constexpr std::array kLaterKeys<RunPlan>{std::string_view("skip_if"),
                                                std::string_view("ready_limit_us"),
                                                std::string_view("tournament")};

template <>
inline constexpr std::array kLaterKeys<ProgramPlan>{std::string_view("restarts"),
                                                    std::string_view("confinement")};

template <>
inline constexpr std::array kLaterKeys<StopPlan>{
    std::string_view("is_plain"), std::string_view("by_games"), std::string_view("before")};

template <>
inline constexpr std::array kLaterKeys<MatchPlan>{
    std::string_view("chance"), std::string_view("cpus"), std::string_view("check_pv"),
    std::string_view("runner")};

template <>
inline constexpr std::array kLaterKeys<TournamentPlan>{std::string_view("games"),
                                                       std::string_view("armageddon"),
                                                       std::string_view("armageddon_time"),
                                                       std::string_view("order"),
                                                       std::string_view("games_an_opening"),
                                                       std::string_view("games_an_encounter"),
                                                       std::string_view("until"),
                                                       std::string_view("require")};

template <>
inline constexpr std::array kLaterKeys<RunnerPlan>{std::string_view("wait_us"),
                                                   std::string_view("late_answer_us"),
                                                   std::string_view("loses_unready")};

template <>
inline constexpr std::array kLaterKeys<SuiteExpectation>{std::string_view("measure")};

template <>
inline constexpr std::array kLaterKeys<SuitePlan>{std::string_view("logs_trees")};

/// A game that is known by name has that name alone, so that its plan is the text that older stores
/// hold.
template <>
struct OwnKeys<rules::GameSource> {
    static void write(json::object& object, const rules::GameSource& game) {
        object["variant"] = json_of(game.name);
        if (!game.text.empty())
            object["rules"] = json_of(Rules{game.path, sha256_of(game.text), game.text});
    }

    static void read(const json::object& object, rules::GameSource& game) {
        if (const auto* const name = object.if_contains("variant"))
            read_json("variant", *name, game.name);
        const auto* const found = object.if_contains("rules");
        if (found == nullptr) return;
        Rules rules;
        read_json("rules", *found, rules);
        if (rules.sha256 != sha256_of(rules.text)) throw UnexpectedValue("rules");
        game.path = rules.path;
        game.text = rules.text;
    }
};

namespace {

[[noreturn]] void refuse(std::string_view key) {
    throw Error(fmt::format("this is not a stored plan: '{}' is not as expected", key), 4);
}

/// Keys sorted, no blanks, the shortest decimals that read back: equal plans are equal texts.
void write_sorted(const json::value& value, std::string& out) {
    if (value.is_object()) {
        std::vector<const json::key_value_pair*> members;
        for (const auto& member : value.get_object()) members.push_back(&member);
        std::sort(members.begin(), members.end(),
                  [](const auto* a, const auto* b) { return a->key() < b->key(); });
        out += '{';
        for (const auto* const member : members) {
            if (member != members.front()) out += ',';
            out += json::serialize(json::string(member->key())) + ':';
            write_sorted(member->value(), out);
        }
        out += '}';
    } else if (value.is_array()) {
        out += '[';
        for (std::size_t i = 0; i < value.get_array().size(); ++i) {
            if (i > 0) out += ',';
            write_sorted(value.get_array()[i], out);
        }
        out += ']';
    } else if (value.is_double()) {
        std::array<char, 32> digits{};
        const auto end =
            std::to_chars(digits.data(), digits.data() + digits.size(), value.get_double());
        out.append(digits.data(), end.ptr);
    } else {
        out += json::serialize(value);
    }
}

bool is_valid(const SuitePlan& suite, std::size_t programs) {
    return !suite.programs.empty() && !suite.positions.empty() &&
           std::all_of(suite.programs.begin(), suite.programs.end(),
                       [&](std::size_t index) { return index < programs; });
}

bool is_valid(const TournamentPlan& plan, std::size_t programs) {
    const bool has_counts = plan.rounds >= 0 && plan.openings >= 1 && plan.replays >= 0 &&
                            (plan.games == 1 || plan.games == 2) && plan.games_an_opening >= 0 &&
                            plan.games_an_encounter >= 0;
    const bool has_seeds = plan.seeds >= 1 || plan.order != PairingOrder::Own;
    return has_counts && has_seeds && programs >= 2 && programs <= kMostEntrants &&
           plan.time.size() == programs &&
           std::ranges::adjacent_find(plan.left_out, std::greater_equal()) == plan.left_out.end() &&
           plan.left_out.size() + 2 <= programs &&
           (plan.left_out.empty() || plan.left_out.back() < programs);
}

bool is_valid(const RunPlan& plan) {
    return std::all_of(plan.matches.begin(), plan.matches.end(), [&](const MatchPlan& match) {
        return match.runner.games_an_opening >= 1 &&
               std::all_of(match.between.begin(), match.between.end(),
                           [&](std::size_t index) { return index < plan.programs.size(); });
    });
}

/// No time or count is below 0.
bool is_valid(const TimeControl& time) {
    const bool has_bad_period = std::ranges::any_of(time.periods, [](const Period& period) {
        return period.moves < 0 || period.time.count() < 0 || period.increment.count() < 0;
    });
    return !has_bad_period && time.move_time.count() >= 0 && time.main.count() >= 0 &&
           time.byoyomi.count() >= 0 && time.byoyomi_periods >= 0 && time.stones >= 0 &&
           time.margin.count() >= 0 && time.wall_limit.count() >= 0;
}

bool has_valid_times(const RunPlan& plan) {
    return std::ranges::all_of(plan.matches, [](const MatchPlan& match) {
        return match.pairs >= 0 && match.concurrency >= 0 &&
               std::ranges::all_of(match.time,
                                   [](const TimeControl& time) { return is_valid(time); });
    });
}

}  // namespace

std::string to_json(const RunPlan& plan) {
    std::string out;
    if (!plan.tournament) {
        write_sorted(json_of(plan), out);
        return out;
    }
    // Its matches are made anew when it is read.
    RunPlan once = plan;
    once.matches.clear();
    write_sorted(json_of(once), out);
    return out;
}

RunPlan plan_from_json(const std::string& text) {
    boost::system::error_code error;
    const json::value value = json::parse(text, error);
    if (error) throw Error("this is not a stored plan: " + error.message(), 4);
    if (!value.is_object()) refuse("{");
    for (const std::string_view key : {"programs", "matches"})
        if (!value.get_object().contains(key)) refuse(key);
    RunPlan plan;
    try {
        read_json("{", value, plan);
    } catch (const UnexpectedValue& unexpected) {
        refuse(unexpected.what());
    }
    if (plan.tournament) {
        if (!is_valid(*plan.tournament, plan.programs.size())) refuse("tournament");
        expand_tournament(plan);
    }
    if (!is_valid(plan)) refuse("between");
    if (!has_valid_times(plan)) refuse("time");
    if (plan.suite && !is_valid(*plan.suite, plan.programs.size())) refuse("suite");
    return plan;
}

}  // namespace assay::harness

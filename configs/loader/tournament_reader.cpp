#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/enum_names.h"
#include "base/text.h"
#include "configs/loader/plan_reader.h"
#include "harness/plan/protocol_fit.h"
#include "harness/plan/tournament_plan.h"

namespace assay::configs {

namespace {

using harness::OpeningPolicy;
using harness::ProgramPlan;
using harness::RunPlan;
using harness::Seeding;
using harness::StopPlan;
using harness::TournamentKind;
using harness::TournamentPlan;

/// A key that some kinds do not read.
struct KindKey {
    std::string_view key;
    std::vector<TournamentKind> kinds;  // that read it
};

class TournamentReader {
public:
    TournamentReader(const Section& top, const Section& section, RunPlan& plan)
        : top_(top), section_(section), plan_(plan), tournament_(plan.tournament.emplace()) {}

    void read(bool is_gate) {
        refuse_others();
        if (is_gate) need_conditions();
        const bool has_kind = read_kind();
        read_stop_of_all();
        read_counts();
        if (has_kind) check_keys();
        read_match();
        check_programs();
        read_conditions();
        if (!top_.context().complaints.empty()) {
            // Whoever reads on finds a plan without matches.
            plan_.tournament.reset();
            return;
        }
        harness::expand_tournament(plan_);
        check_protocols();
    }

private:
    void refuse(const Section& section, std::string_view key, std::string_view why) const {
        if (section.has(key))
            section.complain(section.place_of(key), fmt::format("'{}' {}", key, why));
    }

    /// What is of two programs.
    void refuse_others() const {
        constexpr std::string_view kLimits =
            "sets limits for the first of two programs, and a tournament has many: name the program "
            "in 'require' of 'tournament'";
        refuse(top_, "matches",
               "and 'tournament' exclude each other: a tournament's games take "
               "their settings from 'match'");
        refuse(top_, "require", kLimits);
        refuse(top_, "control", "plays the second program of a match against itself: leave it out");
        refuse(top_, "skip_if", "compares the two programs of a match: leave it out");
        const auto match = top_.block("match");
        if (!match) return;
        refuse(*match, "name", "is of one match: name the run ('name' at the top)");
        refuse(*match, "between", "is of one match: all programs play in a tournament");
        refuse(*match, "pairs",
               "is of one match: a tournament has 'rounds' and 'openings' (tournament.rounds)");
        refuse(*match, "stop", "is of one match: give 'stop: {minutes: 60}' at the top");
        refuse(*match, "require", kLimits);
    }

    void need_conditions() const {
        if (section_.has("require")) return;
        const Place& place = section_.has("kind") ? section_.place_of("kind") : section_.place();
        section_.complain(place,
                          "a gate needs a condition, and this tournament has none: add 'require: "
                          "[{program: new, over: old, rating: -5}]' to 'tournament', or use 'assay "
                          "run'");
    }

    void read_conditions() {
        const Value* const list = section_.find("require");
        if (list == nullptr) return;
        if (list->kind != Value::Kind::List || list->items.empty()) {
            section_.complain(list->place,
                              "require must be a list of conditions such as [{program: new, over: "
                              "old, rating: -5}], found " +
                                  described(*list));
            return;
        }
        for (const Value& item : list->items) {
            const Section section(section_.context(), item, "tournament.require", "a condition",
                                  item.place);
            if (item.kind == Value::Kind::Map) read_condition(section);
        }
    }

    /// One entry may ask for several things of its program.
    void read_condition(const Section& section) {
        using ConditionKind = harness::TournamentCondition::Kind;
        section.need({"program"});
        section.need({"rating", "pairings", "crashes", "time_losses", "illegal_moves"});
        const auto program = named(section, "program");
        const auto over = named(section, "over");
        if (section.has("over") && !section.has("rating"))
            section.complain(section.place_of("over"),
                             "'over' is of a rating: give 'rating' too, how many Elo the program "
                             "must be above it");
        if (program && over && *program == *over)
            section.complain(section.place_of("over"),
                             "a program is not rated over itself: name another one");
        const auto add = [&](std::string_view key, ConditionKind kind,
                             std::optional<double> limit) {
            if (!program || !limit || !section.has(key)) return;
            const bool is_over = kind == ConditionKind::Rating && over;
            tournament_.require.push_back({kind, plan_.programs[*program].name,
                                           is_over ? plan_.programs[*over].name : "", *limit});
        };
        const auto count = [&](std::string_view key) {
            const auto number = section.get<std::int64_t>(key);
            return number ? std::optional(static_cast<double>(*number)) : std::nullopt;
        };
        add("rating", ConditionKind::Rating, section.get<double>("rating"));
        add("pairings", ConditionKind::Pairings, section.get<double>("pairings"));
        add("crashes", ConditionKind::Crashes, count("crashes"));
        add("time_losses", ConditionKind::TimeLosses, count("time_losses"));
        add("illegal_moves", ConditionKind::IllegalMoves, count("illegal_moves"));
    }

    /// The program under a key; nullopt where it is not written, or after a complaint.
    std::optional<std::size_t> named(const Section& section, std::string_view key) const {
        const Value* const name = section.find(key);
        return name == nullptr ? std::nullopt : program_index(section, *name, plan_.programs);
    }

    bool read_kind() {
        // Rounds are what other runners call the openings of a match.
        if (section_.has("rounds") && !section_.has("kind")) {
            section_.complain(section_.place_of("rounds"),
                              "'rounds' is of a tournament, which has no 'kind' here; of a match "
                              "assay says 'pairs' (match.pairs)");
        } else {
            section_.need({"kind"});
        }
        const auto kind = section_.get<std::string>("kind");
        const auto known = kind ? harness::tournament_kind_of(*kind) : std::nullopt;
        if (known) tournament_.kind = *known;
        return known.has_value();
    }

    void read_stop_of_all() {
        const StopPlan stop = read_stop(top_);
        if (stop.rule != StopPlan::Rule::None)
            top_.complain(top_.place_of("stop"),
                          "a tournament has no test of two programs: 'stop' can only have "
                          "'minutes' here; for a verdict play a 'match'");
        tournament_.match.stop.minutes = stop.minutes;
    }

    void read_counts() {
        const bool has_own_number = tournament_.kind == TournamentKind::Swiss ||
                                    tournament_.kind == TournamentKind::LeastPlayed;
        tournament_.rounds = section_.whole_or("rounds", has_own_number ? 0 : 1);
        tournament_.openings = section_.whole_or("openings", 1);
        tournament_.seeds = static_cast<std::size_t>(section_.whole_or("seeds", 1));
        tournament_.replays = section_.whole_or("replays", 0);
        tournament_.games = section_.whole_or("games", 2);
        tournament_.armageddon = section_.get<bool>("armageddon").value_or(false);
        if (const Value* const time = section_.find("armageddon_time"))
            tournament_.armageddon_time = read_limit(section_.context(), *time);
        const auto policy = section_.get<std::string>("opening_policy");
        if (policy == "round") tournament_.policy = OpeningPolicy::Round;
        if (policy == "encounter") tournament_.policy = OpeningPolicy::Encounter;
        if (section_.get<std::string>("seeding") == "lot") tournament_.seeding = Seeding::Lot;
        read_until();
    }

    /// "±8 Elo", "orders", "±8 Elo and orders".
    void read_until() {
        const auto text = section_.get<std::string>("until");
        if (!text) return;
        bool is_understood = true;
        std::string_view rest = trim(*text);
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find(" and "), rest.size());
            const std::string_view part = trim(rest.substr(0, end));
            rest.remove_prefix(std::min(end + 5, rest.size()));
            if (part == "orders") {
                tournament_.until.orders = true;
            } else {
                tournament_.until.elo = elo_of(part);
                is_understood = is_understood && tournament_.until.elo.has_value();
            }
        }
        if (is_understood && tournament_.until.is_set()) return;
        section_.complain(section_.place_of("until"),
                          fmt::format("until: expected '±8 Elo', 'orders' or '±8 Elo and orders', "
                                      "found '{}'",
                                      printable_utf8(*text)));
    }

    /// "±8 Elo", "+-8", "8 elo"; from 0.1 to 1000.
    static std::optional<double> elo_of(std::string_view text) {
        for (const std::string_view sign : {"±", "+-", "+/-"})
            if (text.starts_with(sign)) text.remove_prefix(sign.size());
        text = trim(text);
        if (text.size() > 3 && equal_ignoring_case(text.substr(text.size() - 3), "elo"))
            text = trim(text.substr(0, text.size() - 3));
        const auto elo = to_number<double>(text);
        return elo && *elo >= 0.1 && *elo <= 1000 ? elo : std::nullopt;
    }

    void check_keys() const {
        using enum harness::TournamentKind;
        const std::array kOfKinds{
            KindKey{"rounds", {RoundRobin, Gauntlet, Pyramid, LeastPlayed, Swiss}},
            KindKey{"seeds", {Gauntlet}},
            KindKey{"replays", {Knockout}},
            KindKey{"armageddon", {Knockout}},
            KindKey{"armageddon_time", {Knockout}},
            KindKey{"until", {RoundRobin, Gauntlet, Pyramid, LeastPlayed}},
            KindKey{"seeding", {Knockout, Swiss}},
        };
        const std::string_view kind = harness::name_of(tournament_.kind);
        for (const KindKey& one : kOfKinds) {
            if (std::ranges::find(one.kinds, tournament_.kind) != one.kinds.end()) continue;
            refuse(section_, one.key,
                   fmt::format("does nothing in a tournament of the kind {}: "
                               "leave it out",
                               kind));
        }
        if (!tournament_.armageddon && tournament_.kind == Knockout)
            refuse(section_, "armageddon_time", "is of an armageddon: give 'armageddon: true' too");
        const bool is_endless =
            tournament_.kind == TournamentKind::LeastPlayed && tournament_.rounds == 0;
        if (is_endless && !tournament_.match.stop.minutes && !tournament_.until.elo)
            section_.complain(section_.place(),
                              "least_played has no end of its own: give 'rounds', how often each "
                              "two programs meet, 'until: ±8 Elo', or 'stop: {minutes: 60}'");
    }

    void read_match() {
        const auto match = top_.block("match");
        if (!match) {
            if (!top_.has("match"))
                section_.complain(section_.place(),
                                  "there is no time control: add 'match: {time: 10+0.1}', the "
                                  "settings of all games of a tournament");
            return;
        }
        match->need({"time"});
        std::vector<const ProgramPlan*> programs;
        for (const ProgramPlan& program : plan_.programs) programs.push_back(&program);
        tournament_.time = read_times(*match, programs);
        read_shared(*match, tournament_.match);
        plan_.seed = match->get<std::uint64_t>("seed");
    }

    void check_programs() const {
        const std::size_t programs = plan_.programs.size();
        if (programs > harness::kMostEntrants) {
            section_.complain(section_.place(),
                              fmt::format("a tournament has at most {} programs, and {} are "
                                          "defined: play some of them in another run",
                                          harness::kMostEntrants, programs));
        } else if (programs < 2) {
            if (top_.context().complaints.empty())
                section_.complain(section_.place(),
                                  fmt::format("a tournament needs two programs, and {} defined",
                                              programs == 0 ? "none is" : "only one is"));
        } else if (tournament_.kind == TournamentKind::Gauntlet && tournament_.seeds >= programs) {
            section_.complain(
                section_.has("seeds") ? section_.place_of("seeds") : section_.place(),
                fmt::format("seeds: expected 1 to {}, one less than there are programs, found {}",
                            programs - 1, tournament_.seeds));
        }
    }

    /// What all matches of the first program find is found for all programs.
    void check_protocols() const {
        const auto match = top_.block("match");
        for (const harness::MatchPlan& one : plan_.matches) {
            if (one.between[0] != 0) continue;
            for (const auto& problem : harness::protocol_problems(plan_, one)) {
                if (problem.program == 0 && one.between[1] != 1) continue;
                match->complain(match->place_of(problem.key), problem.text);
            }
        }
    }

    const Section& top_;
    const Section& section_;
    RunPlan& plan_;
    TournamentPlan& tournament_;
};

}  // namespace

void read_tournament(const Section& top, const Section& tournament, RunPlan& plan, bool is_gate) {
    TournamentReader(top, tournament, plan).read(is_gate);
}

}  // namespace assay::configs

// A plan as JSON text and back: to_json() and plan_from_json() of plan.h.
//
// One list of fields a struct, fields(archive, struct), serves both writing and reading, so that
// the two cannot drift apart. A key that a stored text lacks keeps its default: an older store
// stays readable when a field is added. Keys are sorted and doubles have their shortest decimals,
// so that equal plans are equal texts: plan_hash() and --resume compare these texts.
#include <algorithm>
#include <charconv>
#include <memory>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/sha256.h"
#include "harness/plan/plan.h"

namespace assay::harness {

namespace {

namespace json = boost::json;

[[noreturn]] void refuse(std::string_view key) {
    throw Error(fmt::format("this is no stored plan: '{}' is not as expected", key), 4);
}

template <class Enum>
struct Named {
    Enum value;
    std::string_view name;
};

constexpr std::array<Named<TimeControl::Kind>, 8> names_of(TimeControl::Kind) {
    using Kind = TimeControl::Kind;
    return {{{Kind::Clock, "clock"},
             {Kind::MoveTime, "move_time"},
             {Kind::Nodes, "nodes"},
             {Kind::Depth, "depth"},
             {Kind::Infinite, "infinite"},
             {Kind::Hourglass, "hourglass"},
             {Kind::Byoyomi, "byoyomi"},
             {Kind::Canadian, "canadian"}}};
}

constexpr std::array<Named<OpeningsPlan::Order>, 2> names_of(OpeningsPlan::Order) {
    return {
        {{OpeningsPlan::Order::Random, "random"}, {OpeningsPlan::Order::Sequential, "sequential"}}};
}

constexpr std::array<Named<StopPlan::Rule>, 6> names_of(StopPlan::Rule) {
    using Rule = StopPlan::Rule;
    return {{{Rule::None, "none"},
             {Rule::Closing, "closing"},
             {Rule::Capped, "capped"},
             {Rule::Sprt, "sprt"},
             {Rule::Fixed, "fixed"},
             {Rule::Anytime, "anytime"}}};
}

constexpr std::array<Named<StopPlan::Model>, 3> names_of(StopPlan::Model) {
    using Model = StopPlan::Model;
    return {{{Model::Normalized, "normalized"},
             {Model::Logistic, "logistic"},
             {Model::Bayesian, "bayesian"}}};
}

constexpr std::array<Named<StopPlan::Shape>, 2> names_of(StopPlan::Shape) {
    return {{{StopPlan::Shape::FastFail, "fast_fail"}, {StopPlan::Shape::Symmetric, "symmetric"}}};
}

constexpr std::array<Named<SuiteExpectation::Scope>, 2> names_of(SuiteExpectation::Scope) {
    using Scope = SuiteExpectation::Scope;
    return {{{Scope::Position, "position"}, {Scope::Suite, "suite"}}};
}

constexpr std::array<Named<SuitePlan::Keep>, 3> names_of(SuitePlan::Keep) {
    using Keep = SuitePlan::Keep;
    return {{{Keep::Last, "last"}, {Keep::All, "all"}, {Keep::Failed, "failed"}}};
}

/// A text of rules. Its hash is stored beside it, so that two texts are compared at a glance.
struct Rules {
    std::string path;
    std::string sha256;
    std::string text;
};

template <class Archive>
void fields(Archive& a, Rules& r) {
    a("path", r.path);
    a("sha256", r.sha256);
    a("text", r.text);
}

/// A game that is known by name has that name alone, so that its plan is the text that older stores
/// hold.
template <class Archive>
void game_fields(Archive& a, rules::GameSource& game) {
    a("variant", game.name);
    std::optional<Rules> rules;
    if (!game.text.empty()) rules = Rules{game.path, sha256_of(game.text), game.text};
    a.if_set("rules", rules);
    if (!rules) return;
    if (rules->sha256 != sha256_of(rules->text)) refuse("rules");
    game.path = rules->path;
    game.text = rules->text;
}

template <class Archive>
void fields(Archive& a, Period& p) {
    a("moves", p.moves);
    a("time_us", p.time);
    a("increment_us", p.increment);
}

template <class Archive>
void fields(Archive& a, TimeControl& t) {
    a("kind", t.kind);
    a("periods", t.periods);
    a("move_time_us", t.move_time);
    a("nodes", t.nodes);
    a("depth", t.depth);
    a("main_us", t.main);
    a("byoyomi_us", t.byoyomi);
    a("byoyomi_periods", t.byoyomi_periods);
    a("stones", t.stones);
    a("margin_us", t.margin);
    a("wall_limit_us", t.wall_limit);
}

template <class Archive>
void fields(Archive& a, GitPlan& g) {
    a("repo", g.repo);
    a("ref", g.ref);
    a("build", g.build);
    a("limit_us", g.limit);
    a("memory_bytes", g.memory_bytes);
}

template <class Archive>
void fields(Archive& a, BenchPlan& b) {
    a("command", b.command);
    a("signature", b.signature);
    a("signature_in_commit", b.signature_in_commit);
    a("nodes", b.nodes);
    a("nodes_per_second", b.nodes_per_second);
}

template <class Archive>
void fields(Archive& a, ProgramPlan& p) {
    a("name", p.name);
    a("command", p.command);
    a("dir", p.dir);
    a("env", p.env);
    a("protocol", p.protocol);
    a("options", p.options);
    a("sandbox", p.sandbox);
    a("memory_bytes", p.memory_bytes);
    a("margin_us", p.margin);
    a("ping_before_go", p.ping_before_go);
    a("git", p.git);
    a("bench", p.bench);
}

template <class Archive>
void fields(Archive& a, OpeningsPlan& o) {
    a("book", o.book);
    a("order", o.order);
    a("plies", o.plies);
    a("start", o.start);
}

template <class Archive>
void fields(Archive& a, AdjudicatePlan::Draw& d) {
    a("from", d.from);
    a("moves", d.moves);
    a("score", d.score);
}

template <class Archive>
void fields(Archive& a, AdjudicatePlan::Resign& r) {
    a("moves", r.moves);
    a("score", r.score);
    a("both_sides", r.both_sides);
}

template <class Archive>
void fields(Archive& a, AdjudicatePlan& p) {
    a("draw", p.draw);
    a("resign", p.resign);
    a("length", p.length);
    a("flag_vs_bare_king_is_draw", p.flag_is_draw_if_none_can_win);
}

template <class Archive>
void fields(Archive& a, StopPlan& s) {
    a("rule", s.rule);
    a("model", s.model);
    a("shape", s.shape);
    a("e0", s.e0);
    a("e1", s.e1);
    a("preset", s.preset);
    a("alpha", s.alpha);
    a("beta", s.beta);
    a("batch", s.batch);
    a("minutes_us", s.minutes);
}

template <class Archive>
void fields(Archive& a, RequirePlan& r) {
    a("crashes", r.crashes);
    a("time_losses", r.time_losses);
    a("illegal_moves", r.illegal_moves);
    a("speed_percent", r.speed_percent);
}

template <class Archive>
void fields(Archive& a, MatchPlan& m) {
    a("name", m.name);
    a("between", m.between);
    a("time", m.time);
    a("openings", m.openings);
    game_fields(a, m.game);
    a("pairs", m.pairs);
    a("concurrency", m.concurrency);
    a("affinity", m.affinity);
    a("ponder", m.ponder);
    a("adjudicate", m.adjudicate);
    a("stop", m.stop);
    a("require", m.require);
    a("deterministic", m.deterministic);
    a("is_control", m.is_control);
}

template <class Archive>
void fields(Archive& a, SuitePosition& p) {
    a("id", p.id);
    a("text", p.text);
}

template <class Archive>
void fields(Archive& a, SuiteExpectation::Change& c) {
    a("least", c.least);
    a("most", c.most);
}

template <class Archive>
void fields(Archive& a, SuiteExpectation& e) {
    a("name", e.name);
    a("query", e.query);
    a("origin", e.origin);
    a("min", e.min);
    a("max", e.max);
    a("exactly", e.exactly);
    a("against_baseline", e.against_baseline);
    a("scope", e.scope);
    a("change_scope", e.change_scope);
}

template <class Archive>
void fields(Archive& a, SuitePlan& s) {
    a("source", s.source);
    game_fields(a, s.game);
    a("positions", s.positions);
    a("limit", s.limit);
    a("log_nodes", s.log_nodes);
    a("log_from_ply", s.log_from_ply);
    a("keep", s.keep);
    a("programs", s.programs);
    a("concurrency", s.concurrency);
    a("expectations", s.expectations);
}

template <class Archive>
void fields(Archive& a, RunPlan& r) {
    a("name", r.name);
    a("programs", r.programs);
    a("matches", r.matches);
    a("control", r.control);
    a("suite", r.suite);
    a("seed", r.seed);
    a("failures_in_a_row", r.failures_in_a_row);
    a("start_limit_us", r.start_limit);
    a("at_end", r.at_end);
}

class PlanWriter {
public:
    template <class T>
    void operator()(std::string_view key, T& value) {
        object_[key] = to_value(value);
    }

    template <class T>
    void if_set(std::string_view key, std::optional<T>& value) {
        if (value) object_[key] = to_value(*value);
    }

    template <class T>
    static json::value to_value(T& value) {
        if constexpr (std::is_enum_v<T>) {
            for (const auto& named : names_of(T{}))
                if (named.value == value) return json::string(named.name);
            return nullptr;
        } else {
            PlanWriter writer;
            fields(writer, value);
            return std::move(writer.object_);
        }
    }

    static json::value to_value(bool value) { return value; }

    static json::value to_value(int value) { return value; }

    static json::value to_value(std::int64_t value) { return value; }

    static json::value to_value(std::uint64_t value) { return value; }

    static json::value to_value(double value) { return value; }

    static json::value to_value(Micros value) { return std::int64_t{value.count()}; }

    static json::value to_value(std::string& value) { return json::string(value); }

    template <class T>
    static json::value to_value(std::optional<T>& value) {
        return value ? to_value(*value) : json::value(nullptr);
    }

    /// A list, for these pairs are in an order that counts and a name may stand twice.
    static json::value to_value(std::pair<std::string, std::string>& value) {
        return json::array{json::string(value.first), json::string(value.second)};
    }

    template <class T>
    static json::value to_value(std::vector<T>& values) {
        json::array out;
        for (T& value : values) out.push_back(to_value(value));
        return out;
    }

    template <class T, std::size_t N>
    static json::value to_value(std::array<T, N>& values) {
        json::array out;
        for (T& value : values) out.push_back(to_value(value));
        return out;
    }

private:
    json::object object_;
};

class PlanReader {
public:
    explicit PlanReader(const json::object& object) : object_(object) {}

    template <class T>
    void operator()(std::string_view key, T& value) {
        if (const json::value* const found = object_.if_contains(key)) read(key, *found, value);
    }

    template <class T>
    void if_set(std::string_view key, std::optional<T>& value) {
        (*this)(key, value);
    }

private:
    template <class T>
    static void read(std::string_view key, const json::value& from, T& to) {
        if constexpr (std::is_enum_v<T>) {
            if (!from.is_string()) refuse(key);
            for (const auto& named : names_of(T{})) {
                if (named.name != from.get_string()) continue;
                to = named.value;
                return;
            }
            refuse(key);
        } else if constexpr (std::is_integral_v<T>) {
            boost::system::error_code error;
            to = from.to_number<T>(error);
            if (error) refuse(key);
        } else {
            if (!from.is_object()) refuse(key);
            PlanReader reader(from.get_object());
            fields(reader, to);
        }
    }

    static void read(std::string_view key, const json::value& from, bool& to) {
        if (!from.is_bool()) refuse(key);
        to = from.get_bool();
    }

    static void read(std::string_view key, const json::value& from, double& to) {
        boost::system::error_code error;
        to = from.to_number<double>(error);
        if (error) refuse(key);
    }

    static void read(std::string_view key, const json::value& from, Micros& to) {
        std::int64_t count = 0;
        read(key, from, count);
        to = Micros(count);
    }

    static void read(std::string_view key, const json::value& from, std::string& to) {
        if (!from.is_string()) refuse(key);
        to = std::string(from.get_string());
    }

    static void read(std::string_view key, const json::value& from,
                     std::pair<std::string, std::string>& to) {
        const json::array& both = list(key, from);
        if (both.size() != 2) refuse(key);
        read(key, both[0], to.first);
        read(key, both[1], to.second);
    }

    template <class T>
    static void read(std::string_view key, const json::value& from, std::optional<T>& to) {
        to.reset();
        if (from.is_null()) return;
        T value{};
        read(key, from, value);
        to = std::move(value);
    }

    template <class T>
    static void read(std::string_view key, const json::value& from, std::vector<T>& to) {
        to.clear();
        for (const json::value& value : list(key, from)) read(key, value, to.emplace_back());
    }

    template <class T, std::size_t N>
    static void read(std::string_view key, const json::value& from, std::array<T, N>& to) {
        const json::array& values = list(key, from);
        if (values.size() != N) refuse(key);
        for (std::size_t i = 0; i < N; ++i) read(key, values[i], to[i]);
    }

    static const json::array& list(std::string_view key, const json::value& from) {
        if (!from.is_array()) refuse(key);
        return from.get_array();
    }

    const json::object& object_;
};

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

bool is_valid(const RunPlan& plan) {
    return std::all_of(plan.matches.begin(), plan.matches.end(), [&](const MatchPlan& match) {
        return std::all_of(match.between.begin(), match.between.end(),
                           [&](std::size_t index) { return index < plan.programs.size(); });
    });
}

}  // namespace

std::string to_json(const RunPlan& plan) {
    RunPlan copy = plan;
    std::string out;
    write_sorted(PlanWriter::to_value(copy), out);
    return out;
}

RunPlan plan_from_json(const std::string& text) {
    boost::system::error_code error;
    const json::value value = json::parse(text, error);
    if (error) throw Error("this is no stored plan: " + error.message(), 4);
    if (!value.is_object()) refuse("{");
    for (const std::string_view key : {"programs", "matches"})
        if (!value.get_object().contains(key)) refuse(key);
    RunPlan plan;
    PlanReader reader(value.get_object());
    fields(reader, plan);
    if (!is_valid(plan)) refuse("between");
    if (!has_valid_times(plan)) refuse("time");
    if (plan.suite && !is_valid(*plan.suite, plan.programs.size())) refuse("suite");
    return plan;
}

}  // namespace assay::harness

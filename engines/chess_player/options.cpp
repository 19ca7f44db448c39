#include "engines/chess_player/options.h"

#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <vector>

#include "base/diagnostic.h"
#include "base/text.h"

namespace assay::engines {

namespace {

struct Option {
    std::string_view name;
    std::string declaration;  // what follows the name
    std::vector<std::string_view> choices;
    long long least = 0;
    long long most = 0;
    std::function<void(PlayerOptions&, std::string_view)> set;
};

Option check(std::string_view name, bool usual, const std::function<bool&(PlayerOptions&)>& field) {
    Option option{name, std::string("type check default ") + (usual ? "true" : "false"), {}, 0, 0,
                  {}};
    option.choices = {"true", "false"};
    option.set = [field](PlayerOptions& options, std::string_view value) {
        field(options) = value == "true";
    };
    return option;
}

Option spin(std::string_view name, long long usual, long long least, long long most,
            const std::function<void(PlayerOptions&, long long)>& set) {
    Option option{name,
                  "type spin default " + std::to_string(usual) + " min " + std::to_string(least) +
                      " max " + std::to_string(most),
                  {},
                  least,
                  most,
                  {}};
    option.set = [set](PlayerOptions& options, std::string_view value) {
        set(options, to_number<long long>(value).value_or(0));
    };
    return option;
}

/// The choices are in the order of the enumerators; `usual` is the index of the default.
Option combo(std::string_view name, std::vector<std::string_view> choices, std::size_t usual,
             const std::function<void(PlayerOptions&, std::size_t)>& set) {
    std::string declaration = "type combo default " + std::string(choices[usual]);
    for (const std::string_view choice : choices) declaration += " var " + std::string(choice);
    Option option{name, declaration, choices, 0, 0, {}};
    option.set = [set, choices](PlayerOptions& options, std::string_view value) {
        const auto at = std::find(choices.begin(), choices.end(), value);
        set(options, static_cast<std::size_t>(at - choices.begin()));
    };
    return option;
}

void add_search_options(std::vector<Option>& all) {
    const Settings search;
    all.push_back(
        combo("Method", {"minimax", "alphabeta", "pvs"}, 2,
              [](PlayerOptions& o, std::size_t i) { o.search.method = static_cast<Method>(i); }));
    all.push_back(check("IterativeDeepening", search.iterative,
                        [](PlayerOptions& o) -> bool& { return o.search.iterative; }));
    all.push_back(
        spin("Aspiration", search.aspiration, 0, 10000,
             [](PlayerOptions& o, long long v) { o.search.aspiration = static_cast<int>(v); }));
    all.push_back(check("Quiescence", search.quiescence,
                        [](PlayerOptions& o) -> bool& { return o.search.quiescence; }));
    all.push_back(
        check("Table", search.table, [](PlayerOptions& o) -> bool& { return o.search.table; }));
    all.push_back(check("ExactDraft", search.exact_draft,
                        [](PlayerOptions& o) -> bool& { return o.search.exact_draft; }));
    all.push_back(check("PathSafe", search.path_safe,
                        [](PlayerOptions& o) -> bool& { return o.search.path_safe; }));
    all.push_back(
        check("Chains", search.chains, [](PlayerOptions& o) -> bool& { return o.search.chains; }));
    all.push_back(
        spin("ChainsFromPly", search.chains_from, 0, 100,
             [](PlayerOptions& o, long long v) { o.search.chains_from = static_cast<int>(v); }));
    all.push_back(combo(
        "History", {"none", "moves", "signature"}, 1,
        [](PlayerOptions& o, std::size_t i) { o.search.history = static_cast<HistoryKind>(i); }));
    all.push_back(check("Killers", search.killers,
                        [](PlayerOptions& o) -> bool& { return o.search.killers; }));
    all.push_back(check("NullMove", search.null_move,
                        [](PlayerOptions& o) -> bool& { return o.search.null_move; }));
    all.push_back(check("Extensions", search.extensions,
                        [](PlayerOptions& o) -> bool& { return o.search.extensions; }));
    all.push_back(check("Reductions", search.reductions,
                        [](PlayerOptions& o) -> bool& { return o.search.reductions; }));
    all.push_back(combo("Ordering", {"plain", "chessmaps"}, 0, [](PlayerOptions& o, std::size_t i) {
        o.search.ordering = static_cast<Ordering>(i);
    }));
}

std::vector<Option> make_options() {
    const PlayerOptions usual;
    std::vector<Option> all;
    all.push_back(spin("Hash", 16, 1, 65536, [](PlayerOptions& o, long long v) {
        o.hash_mb = static_cast<std::size_t>(v);
    }));
    all.push_back(spin("Threads", 1, 1, 1, [](PlayerOptions&, long long) {}));
    all.push_back(spin("MultiPV", 1, 1, 256,
                       [](PlayerOptions& o, long long v) { o.lines = static_cast<int>(v); }));
    all.push_back(spin("MoveOverhead", usual.overhead_ms, 0, 10000,
                       [](PlayerOptions& o, long long v) { o.overhead_ms = static_cast<int>(v); }));
    Option ponder = check("Ponder", false, {});
    // Says that the GUI may ponder; needs no action.
    ponder.set = [](PlayerOptions&, std::string_view) {};
    all.push_back(ponder);
    all.push_back(
        check("UCI_Chess960", false, [](PlayerOptions& o) -> bool& { return o.chess960; }));
    add_search_options(all);
    all.push_back(combo("Evaluation", {"full", "material"}, 0, [](PlayerOptions& o, std::size_t i) {
        o.evaluation = static_cast<EvaluationKind>(i);
    }));
    all.push_back(combo("Interface", {"direct", "generic"}, 0,
                        [](PlayerOptions& o, std::size_t i) { o.generic = i == 1; }));
    all.push_back(
        combo("Fault", {"none", "bad_order", "quiescence_without_stop", "research_loop"}, 0,
              [](PlayerOptions& o, std::size_t i) { o.search.fault = static_cast<Fault>(i); }));
    Option log{"TreeLog", "type string default <empty>", {}, 0, 0, {}};
    log.set = [](PlayerOptions& o, std::string_view value) {
        o.tree_log = value == "<empty>" ? "" : std::string(value);
    };
    all.push_back(log);
    return all;
}

std::optional<std::string> set_found(PlayerOptions& options, const Option& option,
                                     std::string_view value) {
    const std::string name(option.name);
    if (!option.choices.empty()) {
        const auto match = std::find_if(
            option.choices.begin(), option.choices.end(),
            [&](std::string_view choice) { return equal_ignoring_case(choice, value); });
        if (match == option.choices.end()) {
            return "option " + name + " does not take '" + printable_utf8(value) + "'" +
                   did_you_mean(value, option.choices);
        }
        option.set(options, *match);
        return std::nullopt;
    }
    if (option.least != option.most || option.most != 0) {
        const auto number = to_number<long long>(value);
        if (!number || *number < option.least || *number > option.most) {
            return "option " + name + " takes a number from " + std::to_string(option.least) +
                   " to " + std::to_string(option.most) + ", not '" + printable_utf8(value) + "'";
        }
    }
    option.set(options, value);
    return std::nullopt;
}

}  // namespace

std::string declare_options() {
    std::string text;
    for (const Option& option : make_options()) {
        text += "option name " + std::string(option.name) + " " + option.declaration + "\n";
    }
    return text + "option name Clear Hash type button\n";
}

std::optional<std::string> set_option(PlayerOptions& options, std::string_view name,
                                      std::string_view value) {
    const std::vector<Option> all = make_options();
    for (const Option& option : all) {
        if (equal_ignoring_case(option.name, name)) return set_found(options, option, value);
    }
    std::vector<std::string_view> names;
    names.reserve(all.size());
    for (const Option& option : all) names.push_back(option.name);
    return "no option '" + printable_utf8(name) + "'" + did_you_mean(name, names);
}

std::optional<std::string> check_options(const PlayerOptions& options) {
    Abilities abilities{true, true, true, true};
    if (options.generic) {
        if (options.search.null_move) {
            return "the generic interface has no null moves: set NullMove false or Interface "
                   "direct";
        }
        abilities.passes = false;
    }
    return check_settings(options.search, abilities);
}

}  // namespace assay::engines

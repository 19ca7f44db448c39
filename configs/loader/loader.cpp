// One config from several files and the command line: each is read into a tree of values with their
// places, and laid over the one before, map by map. Flags are the same as keys (--pairs 20 is
// match.pairs: 20), so that there is one reader and one message for both, and an error in a flag
// points into the command line as one in a file points into the file.
//
// Complaints are collected, up to a limit, and thrown together when the plan has been read: a user
// who mends one mistake at a time needs as many runs as there are.
#include "configs/loader/loader.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "base/check.h"
#include "base/diagnostic.h"
#include "base/packing.h"
#include "base/text.h"
#include "configs/loader/plan_reader.h"
#include "configs/loader/value.h"
#include "configs/loader/yaml_reader.h"

namespace assay::configs {

namespace {

constexpr std::array kShorthands{
    Shorthand{"name", "name", "name of the run"},
    Shorthand{"time", "match.time", "time control: 10+0.1, 40/60, '{nodes: 20000}'"},
    Shorthand{"margin", "match.margin", "time by which a move may overrun"},
    Shorthand{"openings", "match.openings", "opening book, or none"},
    Shorthand{"game", "match.game", "game, by name or file of rules"},
    Shorthand{"variant", "match.variant", "another word for --game"},
    Shorthand{"pairs", "match.pairs", "maximum pairs of games"},
    Shorthand{"seed", "match.seed", "seed of the order of openings"},
    Shorthand{"concurrency", "match.concurrency", "games at once, or auto"},
    Shorthand{"tournament", "tournament.kind", "round_robin, gauntlet, swiss and so on"},
    Shorthand{"rounds", "tournament.rounds", "how often all meet, or rounds of a swiss"},
    Shorthand{"seeds", "tournament.seeds", "programs that play all others in a gauntlet"},
    Shorthand{"games", "tournament.games", "games of each opening: 2, or 1 in single games"},
    Shorthand{"armageddon", "tournament.armageddon", "true: a last game of level knockout ties"},
    Shorthand{"minutes", "stop.minutes", "maximum minutes"},
};

/// One step of a key's path on the command line.
struct Step {
    std::string name;
    Place place;
};

using Path = std::vector<Step>;

Value map_at(const Place& place) {
    Value node;
    node.kind = Value::Kind::Map;
    node.place = place;
    return node;
}

/// {a: {b: value}} of the path a, b.
Value nested(const Path& path, Value value) {
    for (std::size_t i = path.size(); i-- > 0;) {
        Value outer = map_at(path[i].place);
        outer.members.push_back({path[i].name, path[i].place, std::move(value)});
        value = std::move(outer);
    }
    return value;
}

/// The stem, unless 'assay report' would take it for something else than a name.
std::string name_of_file(const std::string& path) {
    const std::string stem = std::filesystem::path(path).stem().string();
    const bool is_taken = to_number<std::int64_t>(stem) || stem == "latest";
    return is_taken ? "config-" + stem : stem;
}

class Loader {
public:
    void add_file(const std::string& path) {
        const auto folder = std::filesystem::absolute(path).parent_path().string();
        add_text(read_text(path, kMostTextBytes), path, folder == "/" ? "" : folder);
        if (name_.empty()) name_ = name_of_file(path);
    }

    void add_text(std::string content, const std::string& path, const std::string& folder) {
        if (content.starts_with("\xef\xbb\xbf")) content.erase(0, 3);  // a byte order mark
        const std::size_t text = texts_.add({path, folder, std::move(content)});
        lay_over(read_yaml(texts_, text, complaints_));
    }

    /// `--set a.b=c`: a step in double quotes may hold dots.
    void add_set(const std::string& assignment) {
        constexpr std::string_view kFlag = "--set ";
        const std::size_t text = add_command_line(std::string(kFlag) + assignment);
        const std::string& content = texts_.at(text).content;
        std::size_t at = kFlag.size();
        Path path;
        while (true) {
            path.push_back(take_step(text, at, path));
            if (at >= content.size() || content[at] != '.') break;
            ++at;
        }
        const bool is_well_formed =
            at < content.size() && content[at] == '=' &&
            std::none_of(path.begin(), path.end(), [](const Step& s) { return s.name.empty(); });
        if (!is_well_formed) {
            complaints_.add({text, {kFlag.size(), content.size()}},
                            "expected KEY=VALUE such as match.pairs=20");
            return;
        }
        const bool is_text = path.size() > 1 && (path[path.size() - 2].name == "options" ||
                                                 path[path.size() - 2].name == "env");
        if (at + 1 == content.size() && !is_text) {
            complain_of_nothing(text, kFlag.size());
            return;
        }
        lay_over(nested(path, value_at(text, at + 1)));
    }

    void add_program(const std::string& command) {
        constexpr std::string_view kFlag = "--program ";
        const std::size_t text = add_command_line(std::string(kFlag) + command);
        const Place place{text, {kFlag.size(), kFlag.size() + command.size()}};
        if (command.find(" -") != std::string::npos)
            complaints_.add(place,
                            "a program is one word here; for arguments write --set "
                            "'programs.NAME.command=[program, argument]'");
        Value value;
        value.kind = Value::Kind::Scalar;
        value.is_quoted = true;
        value.value = command;
        value.place = place;
        lay_over(nested({{"programs", place}, {free_name(command), place}, {"command", place}},
                        std::move(value)));
    }

    void add_option(const std::string& option) {
        constexpr std::string_view kFlag = "--option ";
        const std::size_t text = add_command_line(std::string(kFlag) + option);
        const std::size_t equals = option.find('=');
        if (equals == std::string::npos || equals == 0) {
            complaints_.add({text, {kFlag.size(), kFlag.size() + option.size()}},
                            "expected NAME=VALUE such as Hash=16");
            return;
        }
        Value value;
        value.kind = Value::Kind::Scalar;
        value.is_quoted = true;
        value.value = option.substr(equals + 1);
        value.place = {text, {kFlag.size() + equals + 1, kFlag.size() + option.size()}};
        const Place place{text, {kFlag.size(), kFlag.size() + equals}};
        for (const std::string& program : program_names())
            lay_over(nested({{"programs", place},
                             {program, place},
                             {"options", place},
                             {option.substr(0, equals), place}},
                            value));
    }

    void add_value(const std::string& flag, const std::string& value) {
        const auto* const known =
            std::find_if(kShorthands.begin(), kShorthands.end(),
                         [&](const Shorthand& shorthand) { return shorthand.flag == flag; });
        ASSAY_CHECK(known != kShorthands.end());
        const std::string lead = fmt::format("--{} ", flag);
        const std::size_t text = add_command_line(lead + value);
        if (value.empty()) {
            complain_of_nothing(text, 0);
            return;
        }
        Path path;
        std::string_view rest = known->path;
        while (!rest.empty()) {
            const std::string_view step = rest.substr(0, rest.find('.'));
            path.push_back({std::string(step), {text, {0, lead.size() - 1}}});
            rest.remove_prefix(std::min(rest.size(), step.size() + 1));
        }
        const Value node = value_at(text, lead.size());
        const auto matches = std::find_if(root_.members.begin(), root_.members.end(),
                                          [](const Member& m) { return m.name == "matches"; });
        const bool is_of_each = path.front().name == "match" && matches != root_.members.end() &&
                                root_.find("match") == nullptr;
        if (!is_of_each) {
            lay_over(nested(path, node));
            return;
        }
        path.erase(path.begin());
        for (Value& match : matches->value.items) {
            if (match.kind == Value::Kind::Map) merge(match, nested(path, node));
        }
    }

    void know(const std::vector<rules::GameSource>& games) { known_games_ = games; }

    harness::RunPlan plan(bool is_gate, bool checks_files = false) {
        std::string name = name_;
        for (const std::string& program : program_names())
            if (name_.empty()) name += (name.empty() ? "" : "-") + program;
        harness::RunPlan plan =
            read_plan({texts_, complaints_, checks_files, &known_games_}, root_, name, is_gate);
        complaints_.throw_if_any();
        // The same name with one program more or less.
        if (plan.tournament && name_.empty() && root_.find("name") == nullptr)
            plan.name = harness::name_of(plan.tournament->kind);
        return plan;
    }

private:
    /// An empty value would look like one that is not given.
    void complain_of_nothing(std::size_t text, std::size_t from) {
        complaints_.add({text, {from, texts_.at(text).content.size()}},
                        "expected a value; 'null' restores the default");
    }

    std::size_t add_command_line(std::string content) {
        std::error_code error;
        std::string here = std::filesystem::current_path(error).string();
        const std::size_t text =
            texts_.add({"<command line>", here == "/" ? "" : here, std::move(content)});
        // Only UTF-8 can be stored with the plan and read back.
        check_bytes(texts_, text, complaints_);
        return text;
    }

    void lay_over(const Value& node) {
        if (is_first_)
            root_ = node;
        else
            merge(root_, node);
        is_first_ = false;
    }

    /// Takes one step of a path; below `options` and `env` the rest up to '=' is one name.
    Step take_step(std::size_t text, std::size_t& at, const Path& before) {
        const std::string& content = texts_.at(text).content;
        const std::size_t begin = at;
        Step step;
        if (at < content.size() && content[at] == '"') {
            const std::size_t close = std::min(content.find('"', at + 1), content.size());
            step.name = content.substr(at + 1, close - at - 1);
            at = std::min(close + 1, content.size());
        } else {
            const bool is_name =
                !before.empty() && (before.back().name == "options" || before.back().name == "env");
            at = std::min(content.find_first_of(is_name ? "=" : ".=", at), content.size());
            step.name = content.substr(begin, at - begin);
        }
        step.place = {text, {begin, at}};
        return step;
    }

    /// A value on the command line: lists, maps and quoted texts as YAML, all else as it stands.
    Value value_at(std::size_t text, std::size_t at) {
        const std::string& content = texts_.at(text).content;
        const std::string value = content.substr(at);
        if (!value.empty() && std::string_view("[{\"'").find(value[0]) != std::string_view::npos)
            return read_yaml(texts_, text, complaints_, at);
        Value node;
        const bool is_null = value.empty() || value == "null" || value == "~";
        node.kind = is_null ? Value::Kind::Null : Value::Kind::Scalar;
        node.value = value;
        node.place = {text, {at, content.size()}};
        return node;
    }

    [[nodiscard]] std::vector<std::string> program_names() const {
        std::vector<std::string> names;
        if (const Value* const programs = root_.find("programs"))
            for (const Member& program : programs->members) names.push_back(program.name);
        return names;
    }

    /// The command's stem in letters that a program's name may have, and not taken yet.
    [[nodiscard]] std::string free_name(const std::string& command) const {
        const std::filesystem::path path(command);
        const auto& named = path.has_filename() ? path : path.parent_path();  // a folder's own name
        std::string stem = named.filename().string();
        if (const std::size_t dot = stem.rfind('.'); dot != std::string::npos && dot > 0) {
            // 'engine-1.2' is no file with the ending '2'.
            const bool is_ending = stem.find_first_of("0123456789", dot) == std::string::npos;
            if (is_ending) stem.resize(dot);
        }
        for (char& c : stem)
            if (static_cast<unsigned char>(c) <= 0x20 || c == ':' || c == 0x7f) c = '_';
        const auto taken = program_names();
        std::string name = stem;
        for (int i = 2; std::find(taken.begin(), taken.end(), name) != taken.end(); ++i)
            name = fmt::format("{}-{}", stem, i);
        return name;
    }

    std::vector<rules::GameSource> known_games_;
    Texts texts_;
    Complaints complaints_{texts_};
    Value root_;
    std::string name_;
    bool is_first_ = true;
};

}  // namespace

std::span<const Shorthand> shorthands() {
    return kShorthands;
}

harness::RunPlan plan_from_flags(const RunFlags& flags) {
    if (flags.files.empty() && flags.programs.empty() && flags.sets.empty())
        throw Error("name a config file, or two programs with --program");
    Loader loader;
    for (const std::string& file : flags.files) loader.add_file(file);
    for (const std::string& program : flags.programs) loader.add_program(program);
    for (const std::string& option : flags.options) loader.add_option(option);
    for (const auto& [flag, value] : flags.values) loader.add_value(flag, value);
    for (const std::string& assignment : flags.sets) loader.add_set(assignment);
    loader.know(flags.known_games);
    return loader.plan(flags.is_gate, flags.checks_files);
}

harness::RunPlan load_config(const std::vector<std::string>& files,
                             const std::vector<std::string>& sets) {
    RunFlags flags;
    flags.files = files;
    flags.sets = sets;
    return plan_from_flags(flags);
}

harness::RunPlan plan_from_text(const std::string& text, const std::string& path,
                                const std::string& folder) {
    Loader loader;
    loader.add_text(text, path, folder);
    return loader.plan(false);
}

}  // namespace assay::configs

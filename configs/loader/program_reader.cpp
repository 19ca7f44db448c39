#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "configs/loader/plan_reader.h"
#include "harness/build/bench_output.h"
#include "harness/build/git_repository.h"
#include "harness/plan/plan_secrets.h"
#include "harness/plan/protocol_fit.h"
#include "harness/program/confinement/confinement.h"
#include "harness/program/program_file.h"

namespace assay::configs {

namespace {

constexpr std::size_t kLongestName = 64;

void check_name(const Context& context, const Member& member) {
    const std::string& name = member.name;
    const std::string shown = printable_utf8(name.substr(0, 2 * kLongestName));
    if (std::find(harness::kClockWords.begin(), harness::kClockWords.end(), name) !=
        harness::kClockWords.end()) {
        context.complaints.add(
            member.place,
            fmt::format("'{}' is a key of time controls and cannot name a program", shown));
        return;
    }
    const bool has_bad_byte = std::any_of(name.begin(), name.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte <= 0x20 || byte == 0x7f || c == ':';
    });
    if (name.empty() || name.size() > kLongestName || has_bad_byte)
        context.complaints.add(
            member.place,
            fmt::format("a program's name has 1 to {} bytes and no space, colon or control "
                        "character, found '{}'",
                        kLongestName, shown));
}

/// Options are matched without case, so that two spellings in one map contradict each other.
void check_option_names(const Context& context, const Value& program) {
    const Value* const options = program.find("options");
    if (options == nullptr) return;
    std::set<std::string> seen;
    for (const Member& option : options->members)
        if (!seen.insert(lower(option.name)).second)
            context.complaints.add(
                option.place,
                fmt::format("option '{}' is given twice: upper and lower case are the same",
                            printable_utf8(option.name)));
}

/// A program's own spelling of an option replaces the one that `each` gave.
std::vector<std::pair<std::string, std::string>> merged_options(
    const std::vector<std::pair<std::string, std::string>>& written) {
    std::vector<std::pair<std::string, std::string>> out;
    for (const auto& option : written) {
        const auto same = std::find_if(out.begin(), out.end(), [&](const auto& other) {
            return equal_ignoring_case(other.first, option.first);
        });
        if (same == out.end())
            out.push_back(option);
        else
            *same = option;
    }
    return out;
}

/// The commit's place in the world: a path is relative to the config, a URL stands as it is.
std::string repo_of(const Section& section) {
    const auto repo = section.get<std::string>("repo");
    const Value* const written = section.find("repo");
    const std::size_t text = written == nullptr ? section.place().text : written->place.text;
    const std::string& folder = section.context().texts.at(text).folder;
    if (repo && repo->front() == '-') {
        section.complain(written->place, fmt::format("repo must be a path or a URL, found '{}'",
                                                     printable_utf8(*repo)));
        return "";
    }
    if (repo && (harness::is_git_url(*repo) || repo->front() == '/')) return *repo;
    const std::filesystem::path path =
        std::filesystem::path(folder.empty() ? "/" : folder) / repo.value_or(".");
    std::string normal = path.lexically_normal().string();
    while (normal.size() > 1 && normal.back() == '/') normal.pop_back();
    return normal;
}

std::optional<harness::GitPlan> read_git(const Section& program) {
    const auto section = program.block("git");
    if (!section) return std::nullopt;
    harness::GitPlan git;
    git.repo = repo_of(*section);
    git.ref = section->get<std::string>("ref").value_or("HEAD");
    const bool is_bad = git.ref.front() == '-' || git.ref == "merge-base" ||
                        git.ref.find_first_of("\n\r") != std::string::npos;
    if (is_bad)
        section->complain(section->find("ref")->place,
                          fmt::format("ref must be a branch, a tag, a commit, 'worktree', "
                                      "'previous' or 'merge-base BRANCH', found '{}'",
                                      printable_utf8(git.ref)));
    git.build = section->steps("build");
    git.limit = section->get<Micros>("limit").value_or(git.limit);
    git.memory_bytes = section->get<std::uint64_t>("memory").value_or(0);
    return git;
}

/// A regular expression with one group, or a complaint.
std::string read_pattern(const Section& section, std::string_view name) {
    const auto pattern = section.get<std::string>(name);
    if (!pattern) return "";
    const std::string problem = harness::problem_of_pattern(*pattern);
    if (!problem.empty())
        section.complain(section.find(name)->place,
                         fmt::format("{} must be a regular expression with one group such as "
                                     "'nps: (\\d+)': {}",
                                     name, problem));
    return *pattern;
}

std::optional<harness::BenchPlan> read_bench(const Section& program, bool has_git) {
    const auto section = program.block("bench");
    if (!section) return std::nullopt;
    harness::BenchPlan bench;
    const auto base = has_git ? Section::Base::Later : Section::Base::Config;
    bench.command = section->words("command", base).value_or(std::vector<std::string>());
    bench.signature_in_commit = section->word("signature").has_value();
    if (bench.signature_in_commit && !has_git)
        section->complain(section->find("signature")->place,
                          "'signature: commit' needs a program from git");
    if (const auto signature = section->get<std::int64_t>("signature"))
        bench.signature = static_cast<std::uint64_t>(*signature);
    bench.nodes = read_pattern(*section, "nodes");
    bench.nodes_per_second = read_pattern(*section, "nodes_per_second");
    return bench;
}

/// A folder that a confined program is to write to.
void check_writable(const Section& section, std::string_view key, const std::string& folder) {
    const std::string problem = harness::problem_of_writable(folder);
    if (!problem.empty()) section.complain(section.place_of(key), problem);
}

/// Relative to a built tree it is looked at once more when that is there (Versions).
void check_confined_dir(const Section& section, const harness::ProgramPlan& program) {
    if (program.dir.starts_with('/')) return check_writable(section, "dir", program.dir);
    if (harness::leads_out(program.dir))
        section.complain(section.place_of("dir"),
                         fmt::format("'{}' lies outside of the built tree, where a confined "
                                     "program may not write: name a folder in it",
                                     printable_utf8(program.dir)));
}

/// A map or the one word that stands for it, or words before the command.
void read_sandbox(const Section& section, harness::ProgramPlan& program) {
    const Value* const found = section.find("sandbox");
    if (found == nullptr) return;
    if (section.word("sandbox")) {
        program.confinement.emplace();
    } else if (found->kind == Value::Kind::Map) {
        program.confinement.emplace();
        const auto block = section.block("sandbox");
        if (!block) return;
        program.confinement->network = block->get<bool>("network").value_or(false);
        program.confinement->processes = block->get<bool>("processes").value_or(false);
        if (const auto folder = block->path("write")) {
            program.confinement->write = {*folder};
            check_writable(*block, "write", *folder);
            std::error_code ignored;
            if (section.context().checks_files && !std::filesystem::is_directory(*folder, ignored))
                block->complain(block->place_of("write"),
                                fmt::format("there is no folder '{}'", printable_utf8(*folder)));
        }
    } else {
        program.sandbox = section.words("sandbox").value_or(std::vector<std::string>());
    }
}

harness::ProgramPlan read_program(const Section& section, const std::string& name) {
    harness::ProgramPlan program;
    program.name = name;
    program.git = read_git(section);
    const auto base = program.git ? Section::Base::Later : Section::Base::Config;
    program.command = section.words("command", base).value_or(std::vector<std::string>());
    program.dir = section.path("dir", base).value_or("");
    program.bench = read_bench(section, program.git.has_value());
    program.env = section.names("env");
    program.protocol =
        section.get<std::string>("protocol").value_or(std::string(harness::kDefaultProtocol));
    program.options = merged_options(section.names("options"));
    read_sandbox(section, program);
    if (program.confinement) check_confined_dir(section, program);
    program.memory_bytes = section.get<std::uint64_t>("memory").value_or(0);
    program.margin = section.get<Micros>("margin");
    program.ping_before_go = section.get<bool>("ping_before_go").value_or(false);
    for (const auto& [variable, value] : program.env)
        if (variable.find('=') != std::string::npos || value.find('\0') != std::string::npos)
            section.complain(section.place_of("env"),
                             fmt::format("'{}' is not a valid name of an environment variable",
                                         printable_utf8(variable)));
        else if (value == harness::kHiddenValue)
            section.complain(
                section.place_of("env"),
                fmt::format("the value of '{}' is '***', which stands in printed plans "
                            "for a value that is not shown: give its own",
                            printable_utf8(variable)));
    return program;
}

/// What a start would fail at, told with all that is wrong in the text.
void check_files(const Section& section, const harness::ProgramPlan& program) {
    std::error_code ignored;
    if (!program.dir.empty() && !std::filesystem::is_directory(program.dir, ignored)) {
        section.complain(section.place_of("dir"),
                         fmt::format("there is no folder '{}'", printable_utf8(program.dir)));
        return;  // the command may be relative to it
    }
    const auto check = [&](const std::string& key, const std::vector<std::string>& command) {
        // One cause is told once: what is no command names no file either.
        if (command.empty() || section.context().complaints.has(section.place_of(key))) return;
        harness::ProgramPlan one = program;
        one.command = command;
        try {
            (void)harness::resolve_executable(one);
        } catch (const Error& error) {
            section.complain(section.place_of(key), error.what());
        }
    };
    check("command", program.command);
    check("sandbox", program.sandbox);
}

}  // namespace

std::vector<harness::ProgramPlan> read_programs(const Section& top) {
    std::vector<harness::ProgramPlan> programs;
    Value each;
    each.kind = Value::Kind::Map;
    if (const auto section = top.block("each")) {
        each = section->node();
        check_option_names(top.context(), each);
        (void)read_program(*section, "each");
    }

    const Value* const all = top.find("programs");
    if (all == nullptr) return programs;
    if (all->kind != Value::Kind::Map) {
        top.complain(all->place,
                     fmt::format("programs must be a map of names, found {}", described(*all)));
        return programs;
    }
    for (const Member& member : all->members) {
        check_name(top.context(), member);
        if (member.value.kind == Value::Kind::Null) {
            top.complain(member.place,
                         fmt::format("'{}' has no value", printable_utf8(member.name)));
            continue;
        }
        Value merged = each;
        merge(merged, member.value);
        check_option_names(top.context(), member.value);
        const Section section(top.context(), merged, "programs.*", member.name, member.place);
        if (merged.kind == Value::Kind::Map) section.need({"command"});
        programs.push_back(read_program(section, member.name));
        if (top.context().checks_files && !programs.back().git)
            check_files(section, programs.back());
    }
    return programs;
}

}  // namespace assay::configs

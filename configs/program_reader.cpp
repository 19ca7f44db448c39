#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "configs/plan_reader.h"

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
            fmt::format("'{}' is a word of time controls and may not name a program", shown));
        return;
    }
    const bool has_bad_byte = std::any_of(name.begin(), name.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte <= 0x20 || byte == 0x7f || c == ':';
    });
    if (name.empty() || name.size() > kLongestName || has_bad_byte)
        context.complaints.add(
            member.place,
            fmt::format("a program's name has 1 to {} bytes and no blank, colon or control "
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
            context.complaints.add(option.place,
                                   fmt::format("option '{}' stands here twice: names have no case",
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

harness::ProgramPlan read_program(const Section& section, const std::string& name) {
    harness::ProgramPlan program;
    program.name = name;
    program.command = section.words("command").value_or(std::vector<std::string>());
    program.dir = section.path("dir").value_or("");
    program.env = section.names("env");
    program.protocol = section.choice("protocol", "cecp xboard usi ucci gtp").value_or("uci");
    program.options = merged_options(section.names("options"));
    program.sandbox = section.words("sandbox").value_or(std::vector<std::string>());
    program.memory_bytes = section.size("memory").value_or(0);
    program.margin = section.duration("margin");
    program.ping_before_go = section.truth("ping_before_go").value_or(false);
    for (const auto& [variable, value] : program.env)
        if (variable.find('=') != std::string::npos || value.find('\0') != std::string::npos)
            section.complain(section.place_of("env"),
                             fmt::format("'{}' is no name of an environment variable",
                                         printable_utf8(variable)));
    return program;
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
        if (merged.find("git") == nullptr && merged.kind == Value::Kind::Map)
            section.need({"command"});
        programs.push_back(read_program(section, member.name));
    }
    return programs;
}

}  // namespace assay::configs

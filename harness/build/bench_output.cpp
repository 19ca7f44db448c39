// The node count and speed in what a program's benchmark prints. There is no standard: the usual
// phrases of known programs are looked for, and a config may give patterns of its own. The last
// line that matches counts, because benchmarks print a line a position and the total at the end.
// Commas between thousands are allowed.
//
// A commit's message can declare its node count ("Bench: 4190940", Stockfish's habit); only a line
// that holds nothing else is a declaration.
#include "harness/build/bench_output.h"

#include <algorithm>
#include <regex>

#include "base/text.h"

namespace assay::harness {

namespace {

// std::regex recurses for each byte, and a program under test may print lines of any length.
constexpr std::size_t kLongestLine = 4096;

// (?: … ) so that one group is left, the number.
constexpr const char* kUsualNodes =
    R"((?:^|[^a-z])(?:total )?nodes(?: searched)?\s*[:=]\s*(\d[\d,]*)|(?:^|\s)(\d[\d,]*) nodes(?:\s|$))";
constexpr const char* kUsualSpeed =
    R"((?:nodes ?/ ?s(?:ec(?:ond)?)?|nps)\s*[:=]?\s*(\d[\d,]*)|(?:^|\s)(\d[\d,]*) nps(?:\s|$))";

std::regex compiled(const std::string& pattern, const char* usual) {
    const auto flags = std::regex::ECMAScript | std::regex::optimize;
    if (pattern.empty()) return std::regex(usual, flags | std::regex::icase);
    return std::regex(pattern, flags);
}

/// The digits of the first group that matched; commas between thousands are allowed.
std::optional<std::string> number_in(const std::string& line, const std::regex& pattern) {
    std::smatch match;
    if (!std::regex_search(line, match, pattern)) return std::nullopt;
    for (std::size_t group = 1; group < match.size(); ++group) {
        if (!match[group].matched) continue;
        std::string text = match[group].str();
        text.erase(std::remove(text.begin(), text.end(), ','), text.end());
        return text;
    }
    return std::nullopt;
}

template <class OnLine>
void for_each_line(std::string_view text, const OnLine& on_line) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        on_line(std::string(trim(text.substr(0, std::min(end, kLongestLine)))));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

}  // namespace

std::string problem_of_pattern(const std::string& pattern) {
    try {
        const std::regex regex(pattern, std::regex::ECMAScript);
        if (regex.mark_count() == 1) return "";
        return "it has " + std::to_string(regex.mark_count()) +
               " groups; write (?: ) for those "
               "that are not the number";
    } catch (const std::regex_error& error) {
        return error.what();
    }
}

struct BenchReader::Patterns {
    std::regex nodes;
    std::regex speed;
};

BenchReader::BenchReader(const BenchPlan& plan)
    : patterns_(std::make_unique<Patterns>(Patterns{
          compiled(plan.nodes, kUsualNodes), compiled(plan.nodes_per_second, kUsualSpeed)})) {}

BenchReader::~BenchReader() = default;

BenchSaid BenchReader::read(std::string_view output) const {
    BenchSaid said;
    for_each_line(output, [&](const std::string& line) {
        if (const auto nodes = number_in(line, patterns_->nodes)) {
            if (const auto value = to_number<std::uint64_t>(*nodes)) said.nodes = value;
        }
        if (const auto speed = number_in(line, patterns_->speed)) {
            const auto value = to_number<double>(*speed);
            if (value && *value > 0 && *value < 1e18) said.nodes_per_second = value;
        }
    });
    return said;
}

std::optional<std::uint64_t> declared_signature(std::string_view message) {
    const std::regex declaration(R"(^bench\s*:?\s*(\d{3,18})\s*$)",
                                 std::regex::ECMAScript | std::regex::icase);
    std::optional<std::uint64_t> declared;
    for_each_line(message, [&](const std::string& line) {
        if (const auto number = number_in(line, declaration))
            declared = to_number<std::uint64_t>(*number);
    });
    return declared;
}

}  // namespace assay::harness

#include "harness/record/build_origin.h"

#include <functional>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "harness/plan/described_json.h"

namespace assay::harness {

namespace json = boost::json;

// Boost.Describe finds these by the namespace of the type.
BOOST_DESCRIBE_STRUCT(SourceRecord, (), (repo, ref, commit, tree, subject, committed_us))
BOOST_DESCRIBE_STRUCT(BuildRecord, (),
                      (key, folder, log, compiler, was_cached, seconds, failure, is_machines))
BOOST_DESCRIBE_STRUCT(BenchRecord, (), (nodes, nodes_per_second, declared))
BOOST_DESCRIBE_STRUCT(VersionRecord, (),
                      (source, build, bench, surroundings))  // the rest has columns
BOOST_DESCRIBE_ENUM(SpeedFinding::State, Holds, Broken, Undecided)
BOOST_DESCRIBE_STRUCT(SpeedFinding, (), (match, pairs, percent, low, high, limit, seconds, state))
BOOST_DESCRIBE_STRUCT(GamesFile, (), (path, size))
BOOST_DESCRIBE_STRUCT(RunFindings, (),
                      (is_gate, exit_code, failed_program, budget_from_us, unchanged, speed,
                       control, drift, is_of_shards, extensions, games_files, is_unplayed, fleet,
                       warnings))

template <>
inline constexpr std::array kOtherKeys<SourceRecord>{Key{"committed_us", "date_us"}};
template <>
inline constexpr std::array kOtherKeys<BuildRecord>{Key{"was_cached", "cached"}};
template <>
inline constexpr std::array kLaterKeys<BuildRecord>{std::string_view("is_machines")};
template <>
inline constexpr std::array kLaterKeys<VersionRecord>{std::string_view("surroundings")};
template <>
inline constexpr std::array kOtherKeys<BenchRecord>{Key{"nodes_per_second", "nps"}};
template <>
inline constexpr std::array kOtherKeys<RunFindings>{Key{"is_gate", "gate"}};
template <>
inline constexpr std::array kLaterKeys<RunFindings>{
    std::string_view("extensions"),  std::string_view("fleet"),
    std::string_view("games_files"), std::string_view("is_of_shards"),
    std::string_view("is_unplayed"), std::string_view("warnings")};

namespace {

bool says_nothing(const json::value& value) {
    return value.is_null() || (value.is_string() && value.get_string().empty()) ||
           (value.is_array() && value.get_array().empty());
}

/// The object without its empty members; empty where none is left.
std::string text_of(json::value value) {
    json::object said;
    for (auto& member : value.get_object())
        if (!says_nothing(member.value())) said[member.key()] = std::move(member.value());
    return said.empty() ? "" : json::serialize(said);
}

/// Calls `read` with the text as JSON, unless it is empty. Throws Error where it is no object, or
/// not as `read` expects.
void read_record(const std::string& text, const std::function<void(const json::value&)>& read) {
    if (text.empty()) return;
    boost::system::error_code error;
    const json::value value = json::parse(text, error);
    if (error || !value.is_object()) throw Error("this store holds a record that is not JSON", 4);
    try {
        read(value);
    } catch (const UnexpectedValue& unexpected) {
        throw Error(fmt::format("this store holds a record whose '{}' is not as expected",
                                unexpected.what()),
                    4);
    }
}

constexpr std::array<std::string_view, 2> kSpeedKeys{"first_nps", "second_nps"};

}  // namespace

std::string origin_json(const VersionRecord& version) {
    return text_of(json_of(version));
}

void read_origin_json(const std::string& text, VersionRecord& version) {
    read_record(text, [&](const json::value& from) { read_json("{", from, version); });
}

std::string findings_json(const RunFindings& findings) {
    json::value out = json_of(findings);
    for (std::size_t i = 0; i < findings.speed.size(); ++i)
        for (std::size_t program = 0; program < kSpeedKeys.size(); ++program)
            out.at("speed").at(i).get_object()[kSpeedKeys[program]] =
                findings.speed[i].nodes_per_second[program];
    return text_of(std::move(out));
}

RunFindings read_findings_json(const std::string& text) {
    RunFindings findings;
    read_record(text, [&](const json::value& from) {
        read_json("{", from, findings);
        for (std::size_t i = 0; i < findings.speed.size(); ++i) {
            const json::object& speed = from.at("speed").at(i).get_object();
            for (std::size_t program = 0; program < kSpeedKeys.size(); ++program)
                if (const auto* const found = speed.if_contains(kSpeedKeys[program]))
                    read_json(kSpeedKeys[program], *found,
                              findings.speed[i].nodes_per_second[program]);
        }
    });
    return findings;
}

}  // namespace assay::harness

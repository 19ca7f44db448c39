#include "harness/record/build_origin.h"

#include <array>
#include <string_view>

#include <boost/json.hpp>

#include "base/diagnostic.h"

namespace assay::harness {

namespace json = boost::json;

namespace {

std::string text_at(const json::object& object, std::string_view key) {
    const json::value* const found = object.if_contains(key);
    return found != nullptr && found->is_string() ? std::string(found->get_string()) : "";
}

double number_at(const json::object& object, std::string_view key) {
    const json::value* const found = object.if_contains(key);
    boost::system::error_code error;
    const double value = found == nullptr ? 0 : found->to_number<double>(error);
    return error ? 0 : value;
}

template <class Number>
std::optional<Number> optional_at(const json::object& object, std::string_view key) {
    const json::value* const found = object.if_contains(key);
    if (found == nullptr || found->is_null()) return std::nullopt;
    boost::system::error_code error;
    const Number value = found->to_number<Number>(error);
    return error ? std::nullopt : std::optional<Number>(value);
}

template <class Number>
json::value value_of(const std::optional<Number>& number) {
    return number ? json::value(*number) : json::value(nullptr);
}

const json::object* object_at(const json::object& object, std::string_view key) {
    const json::value* const found = object.if_contains(key);
    return found != nullptr && found->is_object() ? &found->get_object() : nullptr;
}

json::object object_of(const std::string& text) {
    boost::system::error_code error;
    json::value value = json::parse(text, error);
    if (error || !value.is_object()) throw Error("this store holds a record that is not JSON", 4);
    return std::move(value.get_object());
}

std::vector<std::string> texts_at(const json::object& object, std::string_view key) {
    std::vector<std::string> texts;
    const json::value* const found = object.if_contains(key);
    if (found == nullptr || !found->is_array()) return texts;
    for (const json::value& text : found->get_array()) {
        if (text.is_string()) texts.emplace_back(text.get_string());
    }
    return texts;
}

SpeedFinding speed_of(const json::object& object) {
    SpeedFinding speed;
    speed.match = static_cast<std::size_t>(number_at(object, "match"));
    speed.pairs = static_cast<int>(number_at(object, "pairs"));
    speed.percent = number_at(object, "percent");
    speed.low = number_at(object, "low");
    speed.high = number_at(object, "high");
    speed.limit = number_at(object, "limit");
    speed.seconds = number_at(object, "seconds");
    speed.nodes_per_second = {number_at(object, "first_nps"), number_at(object, "second_nps")};
    if (const auto state = speed_state_of(text_at(object, "state"))) speed.state = *state;
    return speed;
}

}  // namespace

std::string origin_json(const VersionRecord& version) {
    json::object out;
    if (version.source) {
        const SourceRecord& source = *version.source;
        out["source"] = json::object{{"repo", source.repo},       {"ref", source.ref},
                                     {"commit", source.commit},   {"tree", source.tree},
                                     {"subject", source.subject}, {"date_us", source.committed_us}};
    }
    if (version.build) {
        const BuildRecord& build = *version.build;
        out["build"] = json::object{{"key", build.key},           {"folder", build.folder},
                                    {"log", build.log},           {"compiler", build.compiler},
                                    {"cached", build.was_cached}, {"seconds", build.seconds},
                                    {"failure", build.failure}};
    }
    if (version.bench) {
        out["bench"] = json::object{{"nodes", value_of(version.bench->nodes)},
                                    {"nps", value_of(version.bench->nodes_per_second)},
                                    {"declared", value_of(version.bench->declared)}};
    }
    return out.empty() ? "" : json::serialize(out);
}

void read_origin_json(const std::string& text, VersionRecord& version) {
    if (text.empty()) return;
    const json::object object = object_of(text);
    if (const json::object* const source = object_at(object, "source")) {
        version.source = SourceRecord{
            text_at(*source, "repo"),    text_at(*source, "ref"),
            text_at(*source, "commit"),  text_at(*source, "tree"),
            text_at(*source, "subject"), static_cast<long long>(number_at(*source, "date_us"))};
    }
    if (const json::object* const build = object_at(object, "build")) {
        const json::value* const cached = build->if_contains("cached");
        version.build = BuildRecord{text_at(*build, "key"),
                                    text_at(*build, "folder"),
                                    text_at(*build, "log"),
                                    text_at(*build, "compiler"),
                                    cached != nullptr && cached->is_bool() && cached->get_bool(),
                                    number_at(*build, "seconds"),
                                    text_at(*build, "failure")};
    }
    if (const json::object* const bench = object_at(object, "bench")) {
        version.bench = BenchRecord{optional_at<std::uint64_t>(*bench, "nodes"),
                                    optional_at<double>(*bench, "nps"),
                                    optional_at<std::uint64_t>(*bench, "declared")};
    }
}

std::string findings_json(const RunFindings& findings) {
    json::object out;
    if (findings.is_gate) out["gate"] = *findings.is_gate;
    if (findings.exit_code) out["exit_code"] = *findings.exit_code;
    json::array speeds;
    for (const SpeedFinding& speed : findings.speed) {
        speeds.push_back(json::object{{"match", speed.match},
                                      {"pairs", speed.pairs},
                                      {"percent", speed.percent},
                                      {"low", speed.low},
                                      {"high", speed.high},
                                      {"limit", speed.limit},
                                      {"seconds", speed.seconds},
                                      {"first_nps", speed.nodes_per_second[0]},
                                      {"second_nps", speed.nodes_per_second[1]},
                                      {"state", json::string(name_of(speed.state))}});
    }
    if (!speeds.empty()) out["speed"] = std::move(speeds);
    if (!findings.control.empty()) out["control"] = findings.control;
    if (!findings.drift.empty()) out["drift"] = json::value_from(findings.drift);
    return out.empty() ? "" : json::serialize(out);
}

RunFindings read_findings_json(const std::string& text) {
    RunFindings findings;
    if (text.empty()) return findings;
    const json::object object = object_of(text);
    if (const json::value* const speeds = object.if_contains("speed");
        speeds != nullptr && speeds->is_array()) {
        for (const json::value& speed : speeds->get_array()) {
            if (speed.is_object()) findings.speed.push_back(speed_of(speed.get_object()));
        }
    }
    if (const json::value* const gate = object.if_contains("gate");
        gate != nullptr && gate->is_bool())
        findings.is_gate = gate->get_bool();
    if (const auto code = optional_at<std::int64_t>(object, "exit_code"))
        findings.exit_code = static_cast<int>(*code);
    findings.control = text_at(object, "control");
    findings.drift = texts_at(object, "drift");
    return findings;
}

}  // namespace assay::harness

#include "cli/run/plan_text.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/text.h"

namespace assay::cli {

namespace {

namespace json = boost::json;

constexpr std::size_t kMostElements = 20;

bool is_nothing(const json::value& value) {
    if (value.is_null() || value == false || value == 0) return true;
    if (value.is_string()) return value.get_string().empty();
    if (const auto* const array = value.if_array()) return array->empty();
    const auto* const object = value.if_object();
    return object != nullptr && std::all_of(object->begin(), object->end(), [](const auto& member) {
               return is_nothing(member.value());
           });
}

bool is_flat(const json::value& value) {
    if (value.is_object()) return false;
    const auto* const array = value.if_array();
    return array == nullptr || std::none_of(array->begin(), array->end(), [](const json::value& v) {
               return v.is_object() || v.is_array();
           });
}

std::string flat_text(const json::value& value) {
    if (const auto* const string = value.if_string())
        return printable_utf8({string->data(), string->size()});
    const auto* const array = value.if_array();
    if (array == nullptr) return json::serialize(value);
    std::string text;
    for (std::size_t i = 0; i < std::min(kMostElements, array->size()); ++i)
        text += (i == 0 ? "" : ", ") + flat_text((*array)[i]);
    if (array->size() > kMostElements)
        text += fmt::format(", and {} more", array->size() - kMostElements);
    return "[" + text + "]";
}

/// `indent`: of all lines but the first, which continues the caller's line.
void write(const json::value& value, std::size_t indent, std::string& out) {
    const std::string margin(indent, ' ');
    if (const auto* const array = value.if_array()) {
        for (std::size_t i = 0; i < std::min(kMostElements, array->size()); ++i) {
            const json::value& one = (*array)[i];
            out += margin + "- ";
            if (is_flat(one)) {
                out += flat_text(one) + "\n";
                continue;
            }
            std::string inner;
            write(one, indent + 2, inner);
            out += inner.substr(std::min(inner.size(), indent + 2));
        }
        if (array->size() > kMostElements)
            out += fmt::format("{}- … {} more\n", margin, array->size() - kMostElements);
        return;
    }
    const auto* const object = value.if_object();
    if (object == nullptr) {
        out += margin + flat_text(value) + "\n";
        return;
    }
    for (const auto& member : *object) {
        if (is_nothing(member.value())) continue;
        const json::string_view name = member.key();
        out += margin + printable_utf8({name.data(), name.size()}) + ":";
        if (is_flat(member.value())) {
            out += " " + flat_text(member.value()) + "\n";
            continue;
        }
        out += "\n";
        write(member.value(), indent + 2, out);
    }
}

/// "8s", "100ms", "2min": as a config writes it.
std::string time_text(std::int64_t us) {
    if (us % 60'000'000 == 0) return fmt::format("{}min", us / 60'000'000);
    if (us % 1'000'000 == 0) return fmt::format("{}s", us / 1'000'000);
    return plain_number(static_cast<double>(us) / 1000) + "ms";
}

bool is_pair_of_texts(const json::value& value) {
    const auto* const array = value.if_array();
    return array != nullptr && array->size() == 2 && (*array)[0].is_string() &&
           (*array)[1].is_string();
}

/// Rewrites times with units, and lists of names and values as maps.
void make_readable(json::value& value) {
    if (auto* const array = value.if_array()) {
        for (json::value& one : *array) make_readable(one);
        return;
    }
    auto* const object = value.if_object();
    if (object == nullptr) return;
    json::object readable;
    for (auto& member : *object) {
        const json::string_view key = member.key();
        std::string name(key.data(), key.size());
        json::value one = member.value();
        const bool is_time = name.ends_with("_us") && one.is_int64() && one != 0;
        if (is_time) {
            name.resize(name.size() - 3);
            one = json::string(time_text(one.get_int64()));
        }
        auto* const list = one.if_array();
        if ((name == "options" || name == "env") && list != nullptr &&
            std::all_of(list->begin(), list->end(), is_pair_of_texts)) {
            json::object named;
            for (const json::value& pair : *list) named[pair.at(0).as_string()] = pair.at(1);
            one = std::move(named);
        }
        make_readable(one);
        readable[name] = std::move(one);
    }
    *object = std::move(readable);
}

template <class Programs>
json::array names_of(const harness::RunPlan& plan, const Programs& programs) {
    json::array names;
    for (const std::size_t program : programs)
        names.push_back(json::string(plan.programs.at(program).name));
    return names;
}

}  // namespace

std::string plan_text(const harness::RunPlan& plan) {
    json::value tree = json::parse(harness::to_json(plan));
    for (std::size_t i = 0; i < plan.matches.size(); ++i) {
        const harness::MatchPlan& match = plan.matches[i];
        json::object& shown = tree.at("matches").at(i).as_object();
        shown["between"] = names_of(plan, match.between);
        json::array times{json::string(harness::to_text(match.time[0]))};
        if (!(match.time[0] == match.time[1]))
            times.push_back(json::string(harness::to_text(match.time[1])));
        shown["time"] = times.size() == 1 ? times[0] : json::value(times);
    }
    if (plan.suite) {
        tree.at("suite").as_object()["programs"] = names_of(plan, plan.suite->programs);
    }
    make_readable(tree);
    std::string out;
    write(tree, 2, out);
    return out;
}

}  // namespace assay::cli

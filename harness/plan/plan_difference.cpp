// What differs between the plan of a stored run and the one that is asked for, in the words of a
// config. Both are compared as JSON, so that a field that a plan gets later is compared without a
// line here. Programs and matches are matched up by their names: compared by place, one program
// more would make all behind it differ.
#include "harness/plan/plan_difference.h"

#include <set>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/credentials.h"
#include "base/text.h"

namespace assay::harness {

namespace {

namespace json = boost::json;

constexpr std::size_t kLongestValue = 60;

std::string value_text(const json::value* value) {
    if (value == nullptr) return "nothing";
    std::string text = printable_utf8(without_credentials(json::serialize(*value)));
    if (text.size() > kLongestValue) text = text.substr(0, kLongestValue) + "…";
    return text;
}

std::string name_in(const json::value& value) {
    return printable_utf8(std::string(value.at("name").as_string()));
}

/// All are objects with names of their own.
bool has_names(const json::array& list) {
    std::set<std::string> names;
    for (const json::value& value : list) {
        const bool has_one = value.is_object() && value.get_object().contains("name") &&
                             value.at("name").is_string() && !value.at("name").as_string().empty();
        if (!has_one || !names.insert(std::string(value.at("name").as_string())).second)
            return false;
    }
    return !list.empty();
}

/// The one with the name of `like`; null: there is none.
const json::value* named(const json::array& list, const json::value& like) {
    for (const json::value& value : list)
        if (value.at("name") == like.at("name")) return &value;
    return nullptr;
}

class Comparison {
public:
    void compare(const std::string& path, const json::value* before, const json::value* now) {
        if (before != nullptr && now != nullptr) {
            if (*before == *now) return;
            if (before->is_object() && now->is_object()) {
                compare_objects(path, before->get_object(), now->get_object());
                return;
            }
            const bool are_lists = before->is_array() && now->is_array() &&
                                   before->get_array().size() == now->get_array().size();
            const bool are_named = before->is_array() && now->is_array() &&
                                   has_names(before->get_array()) && has_names(now->get_array());
            if (are_named) return compare_named(path, before->get_array(), now->get_array());
            const bool is_other_list = before->is_array() && now->is_array() && !are_lists &&
                                       !now->get_array().empty() &&
                                       now->get_array().front().is_object();
            if (is_other_list) {
                found.push_back(path + " has other entries");
                return;
            }
            if (are_lists) {
                for (std::size_t i = 0; i < now->get_array().size(); ++i) {
                    compare(fmt::format("{}.{}", path, i), &before->get_array()[i],
                            &now->get_array()[i]);
                }
                return;
            }
        }
        // Values of an environment may be secrets, and this text goes to logs.
        const bool is_hidden = path.find(".env") != std::string::npos;
        found.push_back(
            is_hidden ? path + " is another one"
                      : fmt::format("{} was {}, is {}", path, value_text(before), value_text(now)));
    }

    std::vector<std::string> found;

private:
    /// Programs and matches, which people know by their names.
    void compare_named(const std::string& path, const json::array& before, const json::array& now) {
        const std::string one = path.ends_with("es") ? path.substr(0, path.size() - 2)
                                                     : path.substr(0, path.size() - 1);
        std::vector<std::string> gone;
        std::vector<std::string> added;
        for (const json::value& old : before)
            if (named(now, old) == nullptr) gone.push_back("'" + name_in(old) + "'");
        for (const json::value& value : now)
            if (named(before, value) == nullptr) added.push_back("'" + name_in(value) + "'");
        tell(one, path, gone, "gone");
        tell(one, path, added, "new");
        for (const json::value& value : now)
            if (const json::value* const old = named(before, value))
                compare(fmt::format("{} '{}'", one, name_in(value)), old, &value);
        if (!found.empty()) return;
        found.push_back(fmt::format("the order of the {} is another one", path));
    }

    /// "program 'x' is new", "programs 'x', 'y' are gone".
    void tell(const std::string& one, const std::string& all, const std::vector<std::string>& names,
              std::string_view what) {
        if (names.empty()) return;
        const bool is_one = names.size() == 1;
        found.push_back(fmt::format("{} {} {} {}", is_one ? one : all, joined(names, ", "),
                                    is_one ? "is" : "are", what));
    }

    void compare_objects(const std::string& path, const json::object& before,
                         const json::object& now) {
        std::set<std::string> keys;
        for (const json::object* const object : {&before, &now}) {
            for (const auto& member : *object) keys.emplace(member.key());
        }
        for (const std::string& key : keys) {
            // Long texts differ in the middle; their hashes say that they do.
            if (key == "text" && keys.contains("sha256")) continue;
            compare(path.empty() ? key : path + "." + key, before.if_contains(key),
                    now.if_contains(key));
        }
    }
};

}  // namespace

std::vector<std::string> plan_differences(const RunPlan& before, const RunPlan& now) {
    const json::value old_plan = json::parse(to_json(before));
    const json::value new_plan = json::parse(to_json(now));
    Comparison comparison;
    comparison.compare("", &old_plan, &new_plan);
    return std::move(comparison.found);
}

}  // namespace assay::harness

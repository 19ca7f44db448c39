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

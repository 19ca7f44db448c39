#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "configs/loader/plan_reader.h"

namespace assay::configs {

namespace {

using harness::TimeControl;

bool is_clock_word(std::string_view name) {
    return std::find(harness::kClockWords.begin(), harness::kClockWords.end(), name) !=
           harness::kClockWords.end();
}

TimeControl from_scalar(const Context& context, const Value& node) {
    std::string why;
    if (const auto control = harness::parse_time_control(node.value, why)) return *control;
    context.complaints.add(node.place, "time: " + printable_utf8(why));
    return {};
}

/// [40/60, 20/30, 10+0.1]
TimeControl from_list(const Context& context, const Value& node) {
    TimeControl whole;
    if (node.items.empty()) context.complaints.add(node.place, "time: an empty list of periods");
    for (const Value& item : node.items) {
        if (item.kind != Value::Kind::Scalar) {
            context.complaints.add(
                item.place,
                fmt::format("time: expected a period such as 40/60, found {}", described(item)));
            continue;
        }
        const TimeControl part = from_scalar(context, item);
        if (part.kind != TimeControl::Kind::Clock)
            context.complaints.add(
                item.place,
                fmt::format("time: expected a period such as 40/60, found {}", described(item)));
        const bool is_open = !whole.periods.empty() && whole.periods.back().moves == 0;
        if (is_open && !part.periods.empty())
            context.complaints.add(item.place,
                                   "time: only the last period may be without a number of moves");
        whole.periods.insert(whole.periods.end(), part.periods.begin(), part.periods.end());
    }
    return whole;
}

/// {nodes: 20000}
TimeControl from_words(const Context& context, const Value& node) {
    if (node.members.empty()) {
        context.complaints.add(node.place, "time: an empty map; write for example {nodes: 20000}");
        return {};
    }
    std::vector<harness::ClockWord> words;
    for (const Member& member : node.members) {
        if (member.value.kind != Value::Kind::Scalar) {
            context.complaints.add(member.place, fmt::format("time: '{}' needs a plain value",
                                                             printable_utf8(member.name)));
            return {};
        }
        words.emplace_back(member.name, member.value.value);
    }
    std::size_t wrong = 0;
    std::string why;
    if (const auto control = harness::time_control_of(words, wrong, why)) return *control;
    const Member& at_fault = node.members[wrong];
    context.complaints.add(is_clock_word(at_fault.name) ? at_fault.value.place : at_fault.place,
                           "time: " + printable_utf8(why));
    return {};
}

TimeControl one_side(const Context& context, const Value& node) {
    switch (node.kind) {
        case Value::Kind::Scalar:
            return from_scalar(context, node);
        case Value::Kind::List:
            return from_list(context, node);
        case Value::Kind::Map:
            return from_words(context, node);
        case Value::Kind::Null:
            break;
    }
    context.complaints.add(node.place, "time: expected a time control, found nothing");
    return {};
}

}  // namespace

TimeControl read_limit(const Context& context, const Value& node) {
    return one_side(context, node);
}

std::vector<TimeControl> read_time(const Context& context, const Value& node,
                                   std::span<const std::string> names) {
    const bool is_by_program =
        node.kind == Value::Kind::Map &&
        std::none_of(node.members.begin(), node.members.end(),
                     [](const Member& member) { return is_clock_word(member.name); });
    if (!is_by_program) {
        const TimeControl shared = one_side(context, node);
        return std::vector<TimeControl>(names.size(), shared);
    }

    std::vector<std::string_view> candidates(harness::kClockWords.begin(),
                                             harness::kClockWords.end());
    candidates.insert(candidates.end(), names.begin(), names.end());
    for (const Member& member : node.members) {
        if (std::find(names.begin(), names.end(), member.name) != names.end()) continue;
        std::string advice = harness::foreign_clock_advice(member.name);
        if (advice.empty()) advice = did_you_mean(member.name, candidates);
        context.complaints.add(member.place,
                               fmt::format("time: '{}' is neither a key of time controls nor a "
                                           "program of this match{}",
                                           printable_utf8(member.name), advice));
    }
    std::vector<TimeControl> times(names.size());
    for (std::size_t side = 0; side < names.size(); ++side) {
        if (const Value* const own = node.find(names[side]))
            times[side] = one_side(context, *own);
        else if (context.complaints.empty())
            context.complaints.add(node.place,
                                   fmt::format("time: none is given for '{}'", names[side]));
    }
    return times;
}

}  // namespace assay::configs

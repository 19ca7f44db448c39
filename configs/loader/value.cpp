#include "configs/loader/value.h"

#include <algorithm>
#include <array>
#include <span>
#include <tuple>

#include <fmt/format.h>

#include "base/text.h"

namespace assay::configs {

namespace {

constexpr std::size_t kMostShown = 20;
constexpr std::size_t kLongestQuoted = 80;

std::string last_line(std::size_t shown, std::size_t total) {
    if (total > shown)
        return fmt::format("{} errors, {} of them shown; nothing was started", total, shown);
    return counted(total, "error") + "; nothing was started";
}

/// Keys of one family may be used together; keys of different families exclude each other.
using Families = std::span<const std::string_view>;

constexpr std::array<std::string_view, 6> kLimits{
    "move", "nodes", "depth", "infinite", "hourglass", "main byoyomi periods stones"};
constexpr std::array<std::string_view, 5> kStopRules{"closing", "capped", "sprt", "anytime",
                                                     "fixed"};
constexpr std::array<std::string_view, 3> kBounds{"elo", "nelo", "preset"};

/// Of the keys of a block.
Families families_under(std::string_view block) {
    if (block == "time" || block == "limit") return kLimits;
    if (block == "stop") return kStopRules;
    if (std::find(kStopRules.begin(), kStopRules.end(), block) != kStopRules.end()) return kBounds;
    return {};
}

std::size_t family_of(std::string_view word, Families families) {
    for (std::size_t i = 0; i < families.size(); ++i) {
        const auto words = split_words(families[i]);
        if (std::find(words.begin(), words.end(), word) != words.end()) return i;
    }
    return families.size();
}

/// Removes from `under` what a key of another family in `over` replaces. Keys of a time that are
/// not limits are programs, each with a time of its own: these are a family too.
void make_way(Value& under, const Value& over, std::string_view block) {
    const Families families = families_under(block);
    const bool has_programs = block == "time";
    for (const Member& member : over.members) {
        const std::size_t family = family_of(member.name, families);
        if (member.value.kind == Value::Kind::Null) continue;
        if (family == families.size() && !has_programs) continue;
        std::erase_if(under.members, [&](const Member& old) {
            const std::size_t other = family_of(old.name, families);
            return other != family && (other < families.size() || has_programs);
        });
    }
}

/// The key that one word in place of a block is the value of; empty where no word is allowed.
std::string_view key_of_word(std::string_view block) {
    if (block == "openings") return "book";
    if (block == "capped" || block == "anytime") return "preset";
    return {};
}

/// Replaces a word by the block that it is short for, so that keys merged into it keep its meaning.
void spell_out(Value& under, std::string_view block) {
    const std::string_view key = key_of_word(block);
    if (under.kind != Value::Kind::Scalar || key.empty()) return;
    Value spelled;
    spelled.kind = Value::Kind::Map;
    spelled.place = under.place;
    spelled.members.push_back({std::string(key), under.place, std::move(under)});
    under = std::move(spelled);
}

void merge(Value& under, const Value& over, std::string_view block) {
    if (over.kind == Value::Kind::Map) spell_out(under, block);
    if (under.kind != Value::Kind::Map || over.kind != Value::Kind::Map) {
        under = over;
        return;
    }
    make_way(under, over, block);
    for (const Member& member : over.members) {
        const auto found =
            std::find_if(under.members.begin(), under.members.end(),
                         [&](const Member& other) { return other.name == member.name; });
        if (found == under.members.end()) {
            under.members.push_back(member);
        } else if (member.value.kind == Value::Kind::Null) {
            under.members.erase(found);
        } else {
            found->place = member.place;
            // A program's own time is one too.
            merge(found->value, member.value, block == "time" ? "limit" : member.name);
        }
    }
}

}  // namespace

const Value* Value::find(std::string_view name) const {
    const auto found = std::find_if(members.begin(), members.end(),
                                    [&](const Member& member) { return member.name == name; });
    return found == members.end() ? nullptr : &found->value;
}

std::string described(const Value& node) {
    switch (node.kind) {
        case Value::Kind::Scalar:
            break;
        case Value::Kind::Null:
            return "nothing";
        case Value::Kind::List:
            return node.items.empty() ? "an empty list" : "a list";
        case Value::Kind::Map:
            return "a map";
    }
    if (node.value.size() <= kLongestQuoted) return "'" + printable_utf8(node.value) + "'";
    return "'" + printable_utf8(node.value.substr(0, kLongestQuoted)) + "...'";
}

void merge(Value& under, const Value& over) {
    merge(under, over, "");
}

void Complaints::add(const Place& place, std::string message) {
    const bool is_known =
        std::any_of(complaints_.begin(), complaints_.end(), [&](const Complaint& other) {
            return other.place.text == place.text && other.place.span.begin == place.span.begin &&
                   other.message == message;
        });
    if (!is_known) complaints_.push_back({place, std::move(message)});
}

bool Complaints::has(const Place& place) const {
    return std::any_of(complaints_.begin(), complaints_.end(), [&](const Complaint& other) {
        return other.place.text == place.text && other.place.span.begin == place.span.begin &&
               other.place.span.end == place.span.end;
    });
}

void Complaints::add(Diagnostic diagnostic) {
    others_.push_back(std::move(diagnostic));
}

void Complaints::throw_if_any() const {
    if (empty()) return;
    std::vector<Complaint> sorted = complaints_;
    std::stable_sort(sorted.begin(), sorted.end(), [](const Complaint& a, const Complaint& b) {
        return std::tie(a.place.text, a.place.span.begin) <
               std::tie(b.place.text, b.place.span.begin);
    });
    const std::size_t total = sorted.size() + others_.size();
    sorted.resize(std::min(sorted.size(), kMostShown));
    std::vector<Diagnostic> diagnostics;
    for (const Complaint& complaint : sorted) {
        const Texts::Text& text = texts_.at(complaint.place.text);
        diagnostics.push_back(
            Source(text.path, text.content).at(complaint.place.span, complaint.message));
    }
    for (const Diagnostic& other : others_)
        if (diagnostics.size() < kMostShown) diagnostics.push_back(other);
    throw ConfigError(std::move(diagnostics), total);
}

ConfigError::ConfigError(std::vector<Diagnostic> diagnostics, std::size_t total)
    : SyntaxError(std::move(diagnostics)) {
    text_ = fmt::format("{}\n{}", SyntaxError::what(),
                        last_line(SyntaxError::diagnostics().size(), total));
}

}  // namespace assay::configs

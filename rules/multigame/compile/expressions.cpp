// The C of expressions, patterns, zones and variables.
#include <algorithm>

#include "rules/multigame/compile/derivation.h"

namespace assay::rules::multigame {

namespace {

std::string hexadecimal(std::uint64_t word) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    do {
        text.insert(text.begin(), kDigits[word & 15U]);
        word >>= 4U;
    } while (word != 0);
    return "UINT64_C(0x" + text + ")";
}

}  // namespace

std::string Derivation::slot_of(int variable, Owner owner, int own, bool writes) const {
    const Variable& of = form_.variables[static_cast<std::size_t>(variable)];
    const int side = owner == Owner::Enemy ? 1 - own : own;
    const int slot = writes ? of.write_slot(side) : of.read_slot(side);
    return "s->v[" + std::to_string(slot) + "]";
}

std::string Derivation::is_content(const Pattern& pattern, int own, const std::string& x) {
    const std::vector<Content> all = contents_of(form_, pattern, own);
    if (all.empty()) return "0";
    if (pattern.piece == Pattern::kAnyPiece && pattern.owner == Owner::Any) return x + " != 0";
    if (all.size() == 1) return x + " == " + std::to_string(all[0]);
    if (all.back() < 64) {
        std::uint64_t mask = 0;
        for (const Content content : all) mask |= std::uint64_t{1} << content;
        return "(" + hexadecimal(mask) + " >> " + x + " & 1)";
    }
    std::string values;
    for (int content = 0; content <= all.back(); ++content) {
        const bool is_in = std::find(all.begin(), all.end(), content) != all.end();
        values += is_in ? "1, " : "0, ";
    }
    const auto [table, is_new] = known_tables_.try_emplace(values);
    if (is_new) {
        table->second = fresh("contents");
        tables_ +=
            "static const unsigned char " + table->second + "[CONTENTS] = {" + values + "};\n";
    }
    return table->second + "[" + x + "]";
}

/// The bits of the fields that match: of one word of the board, or of the word numbered `i`.
std::string Derivation::word_of(const Pattern& pattern, int own, int word,
                                const std::string& i) const {
    std::string text;
    for (const Content content : contents_of(form_, pattern, own)) {
        text += (text.empty() ? "" : " | ") + std::string("s->mask[") + std::to_string(content) +
                "][" + (word < 0 ? i : std::to_string(word)) + "]";
    }
    return text.empty() ? "0" : "(" + text + ")";
}

std::string Derivation::zone_words(int zone, int side, std::vector<std::uint64_t>& words) {
    const std::vector<std::uint8_t>& holds =
        form_.zones[static_cast<std::size_t>(zone)].holds[static_cast<std::size_t>(side)];
    words.assign((form_.board.size() + 63) / 64, 0);
    for (std::size_t field = 0; field < holds.size(); ++field) {
        if (holds[field] != 0) words[field / 64] |= std::uint64_t{1} << (field % 64);
    }
    if (words.size() == 1) return hexadecimal(words[0]);
    std::string values;
    for (const std::uint64_t word : words) values += hexadecimal(word) + ", ";
    const auto [table, is_new] = known_tables_.try_emplace(values);
    if (is_new) {
        table->second = fresh("zone");
        tables_ += "static const uint64_t " + table->second + "[WORDS] = {" + values + "};\n";
    }
    return table->second;
}

std::string Derivation::in_zone(int zone, int side, const std::string& f) {
    std::vector<std::uint64_t> words;
    const std::string name = zone_words(zone, side, words);
    if (words.size() == 1) return "(" + name + " >> " + f + " & 1)";
    return "(" + name + "[" + f + " >> 6] >> (" + f + " & 63) & 1)";
}

std::string Derivation::count(const Expression& e, int own) {
    const Pattern& pattern = form_.patterns[static_cast<std::size_t>(e.pattern)];
    const std::vector<Content> all = contents_of(form_, pattern, own);
    std::string text;
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : " + ") + part; };
    if (e.zone == kNone) {
        const bool is_class =
            all.size() > 2 && pattern.piece == Pattern::kAnyPiece && pattern.owner != Owner::Any;
        if (is_class) {
            const int side = pattern.owner == Owner::Enemy ? 1 - own : own;
            return "s->pieces[" + std::to_string(1 + side) + "]";
        }
        for (const Content content : all) add("s->number[" + std::to_string(content) + "]");
    } else {
        std::vector<std::uint64_t> words;
        const int side = e.owner == Owner::Enemy ? 1 - own : own;
        const std::string name = zone_words(e.zone, side, words);
        for (std::size_t word = 0; word < words.size(); ++word) {
            if (words[word] == 0 || all.empty()) continue;
            add("bits(" + word_of(pattern, own, static_cast<int>(word), "") + " & " +
                hexadecimal(words[word]) + ")");
        }
    }
    return text.empty() ? "0" : "(" + text + ")";
}

std::string Derivation::expression(int index, int own) {
    const Expression& e = form_.expressions[static_cast<std::size_t>(index)];
    switch (e.kind) {
        case Expression::Kind::Constant:
            return "INT64_C(" + std::to_string(e.value) + ")";
        case Expression::Kind::Variable:
            return "(int64_t)" + slot_of(e.value, e.owner, own, false);
        case Expression::Kind::Count:
            return "(int64_t)" + count(e, own);
        case Expression::Kind::Plus:
            return "(" + expression(e.left, own) + " + " + expression(e.right, own) + ")";
        case Expression::Kind::Minus:
            return "(" + expression(e.left, own) + " - " + expression(e.right, own) + ")";
    }
    return "0";
}

}  // namespace assay::rules::multigame

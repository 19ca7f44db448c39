#include "rules/multigame/syntax/words.h"

#include <algorithm>
#include <array>

namespace assay::rules::multigame {

namespace {

constexpr auto kReserved = std::to_array<std::string_view>({
    "add",        "again",      "algebraic", "alldir",   "any",        "as",       "at",
    "backward",   "base",       "based",     "black",    "board",      "by",       "check",
    "columns",    "count",      "counts",    "diagonal", "dimensions", "draw",     "each",
    "east",       "either",     "else",      "empty",    "enemy",      "field",    "fields",
    "find",       "flags",      "forget",    "forward",  "goto",       "in",       "infinity",
    "local",      "lose",       "mark",      "matches",  "most",       "moves",    "names",
    "north",      "northeast",  "northwest", "not",      "number",     "numbered", "on",
    "or",         "orthogonal", "own",       "pass",     "perpetual",  "pickup",   "piece",
    "pieces",     "players",    "points",    "putdown",  "random",     "remove",   "repeat",
    "repetition", "replace",    "rotate",    "set",      "side",       "sides",    "silent",
    "south",      "southeast",  "southwest", "spread",   "squares",    "start",    "step",
    "test",       "text",       "times",     "to",       "try",        "unless",   "variables",
    "volatile",   "west",       "white",     "win",      "word",       "write",    "zones",
});

constexpr std::array<std::string_view, 12> kDeclarations{
    "dimensions", "players",   "pieces",     "fields", "start", "names",
    "zones",      "variables", "repetition", "text",   "sides", "counts",
};

constexpr auto kStatements = std::to_array<std::string_view>({
    "add",      "again",      "alldir", "as",      "at",     "backward",  "base",      "check",
    "diagonal", "draw",       "east",   "either",  "find",   "forget",    "forward",   "goto",
    "in",       "lose",       "mark",   "matches", "most",   "north",     "northeast", "northwest",
    "not",      "orthogonal", "pass",   "pickup",  "points", "putdown",   "random",    "remove",
    "repeat",   "replace",    "rotate", "set",     "south",  "southeast", "southwest", "spread",
    "step",     "test",       "try",    "west",    "win",    "write",
});

static_assert(std::ranges::is_sorted(kReserved));
static_assert(std::ranges::is_sorted(kStatements));

}  // namespace

std::span<const std::string_view> reserved_words() {
    return kReserved;
}

bool is_reserved(std::string_view word) {
    return std::ranges::binary_search(reserved_words(), word);
}

std::span<const std::string_view> statement_words() {
    return kStatements;
}

std::span<const std::string_view> declaration_words() {
    return kDeclarations;
}

}  // namespace assay::rules::multigame

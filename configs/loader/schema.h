#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay::configs {

/// What a key's value looks like.
enum class Form : std::uint8_t {
    Text,      // any scalar
    Path,      // a path, relative to the config
    Game,      // a game by name, or the path of a file of rules, relative to the config
    Words,     // argv: a word, or a list of words
    Steps,     // one argv, or a list of them
    Choice,    // one of Key::words
    Whole,     // a whole number from least to most
    Seed,      // a whole number of 64 bits
    Number,    // a number above 0 and below 1
    Elo,       // a number from least to most
    Percent,   // a number with '%'
    Duration,  // a time with a unit
    Minutes,   // minutes as a number, or a time with a unit
    Truth,     // true or false
    Size,      // bytes with k, M or G
    Count,     // a whole number, perhaps with k, M or G (thousands)
    Change,    // a signed percentage, or two of them
    Bounds,    // [low, high]
    Clock,     // a time control
    Names,     // free names, each with a scalar
    Block,     // a map of the keys under this path
    Blocks,    // a list of such maps
    Programs,  // names of programs, each with a block
    Pair,      // two names of programs
};

/// One key of a config. The table of all keys is the schema: the loader knows no other keys, and
/// the reference and the editors' schema are printed from it.
struct Key {
    std::string_view path;  // from the top; '*' stands for a program's name
    Form form = Form::Text;
    std::string_view words;  // space-separated words that are allowed as well
    std::int64_t least = 0;  // of Whole and Bounds; Number is an error rate, above 0 and below 1
    std::int64_t most = 0;
    std::string_view fallback;     // what holds where the key is not written
    std::string_view meaning;      // one sentence
    std::string_view later = {};   // words of a Choice that are not built yet
    std::string_view values = {};  // for people, where form and words say too little

    [[nodiscard]] std::string_view name() const { return path.substr(path.rfind('.') + 1); }
};

[[nodiscard]] std::span<const Key> schema();

/// The keys right under a path; "" is the top. `each` has those of `programs.*`, `matches` those
/// of `match`, and `match.stop` and `match.require` those of `stop` and `require`.
[[nodiscard]] std::vector<const Key*> keys_under(std::string_view path);

/// Advice on a key that is unknown under `path`: assay's word for another tool's key, the nearest
/// name, or where the key belongs. Begins with "; ", or is empty.
[[nodiscard]] std::string advice_on(std::string_view name, std::string_view path);

/// A key of another tool, and what to use instead.
struct Foreign {
    std::string_view theirs;
    std::string_view advice;
};

[[nodiscard]] std::span<const Foreign> foreign_words();

/// docs/config.md and docs/config.schema.json, whole.
[[nodiscard]] std::string reference_text();
[[nodiscard]] std::string json_schema_text();

}  // namespace assay::configs

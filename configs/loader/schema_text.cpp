// Writes docs/config.md and docs/config.schema.json from the table of keys (schema.cpp), the one
// place in which a key is described. Tests compare both files with what is written here, so that
// neither can be out of date. The JSON schema is an aid for editors and is wider than the loader:
// what one value says about another (a unit, a key that excludes another) is checked by the loader
// alone.
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "configs/loader/loader.h"
#include "configs/loader/schema.h"
#include "rules/make_game.h"

namespace assay::configs {

namespace {

struct Chapter {
    std::string_view path;
    std::string_view title;
};

/// The blocks of the reference in the order of reading.
constexpr std::array kChapters{
    Chapter{"", "The top"},
    Chapter{"programs.*", "`programs.NAME`, and `each`"},
    Chapter{"programs.*.sandbox", "`programs.NAME.sandbox`"},
    Chapter{"programs.*.git", "`programs.NAME.git`"},
    Chapter{"programs.*.bench", "`programs.NAME.bench`"},
    Chapter{"match", "`match`, and each of `matches`"},
    Chapter{"tournament", "`tournament`"},
    Chapter{"tournament.require", "`tournament.require`, a list"},
    Chapter{"match.openings", "`match.openings`"},
    Chapter{"match.adjudicate", "`match.adjudicate`"},
    Chapter{"match.adjudicate.tablebase", "`match.adjudicate.tablebase`"},
    Chapter{"match.adjudicate.draw", "`match.adjudicate.draw`"},
    Chapter{"match.adjudicate.resign", "`match.adjudicate.resign`"},
    Chapter{"stop", "`stop`"},
    Chapter{"stop.closing", "`stop.closing`"},
    Chapter{"stop.capped", "`stop.capped`"},
    Chapter{"stop.sprt", "`stop.sprt`"},
    Chapter{"stop.anytime", "`stop.anytime`"},
    Chapter{"stop.fixed", "`stop.fixed`"},
    Chapter{"require", "`require`"},
    Chapter{"suite", "`suite`"},
    Chapter{"suite.log", "`suite.log`"},
    Chapter{"suite.expect", "`suite.expect`, a list"},
    Chapter{"executor", "`executor`"},
    Chapter{"executor.slurm", "`executor.slurm`"},
};

constexpr std::string_view kIntroduction =
    R"(# The config

<!-- Printed from the table in configs/loader/schema.cpp: change that, then run the tests of configs/ with
ASSAY_UPDATE_GOLDEN=1. -->

A run is described in YAML. A whole one:

```yaml
each:
  options: {Hash: 16, Threads: 1}
programs:
  head: {command: ./build/engine}
  base: {command: /usr/games/stockfish}
match: {between: [head, base], time: 8+0.08}
stop: {capped: no_regression, minutes: 60}
require: {crashes: 0, time_losses: 0}
```

- Every key has a default but `programs`, `command` and `time`. An unknown key is an error.
- Paths are relative to the file that contains them. A command without a `/` is looked up in PATH.
- Times take a unit (`100ms`, `8s`, `2min`, `1h30m`, `1:30`); in a time control a bare number is
  seconds.
- Options are sent as written: `Hash: 016` sends `016`. Quotes around a value are not sent.
- Several files are merged from left to right, key by key; lists are replaced as a whole, and a later
  `null` removes a key. A word in a block's place (`openings: my.epd`, `capped: gain`) keeps its
  meaning where a later file or flag sets a key of the block. `--set match.pairs=20` comes last; a
  part of its path that contains dots is written in double quotes, and what follows `options.` or
  `env.` is one name.
- Flags are short for `--set`: see the table at the end.
- The YAML is a plain subset of version 1.2: no anchors, aliases, merge keys, tags or second
  document; only `true` and `false` are truth values; a number has no leading zero; a key occurs
  once. An editor checks all this with `docs/config.schema.json`: put
  `# yaml-language-server: $schema=PATH/config.schema.json` into the first line.
)";

std::string_view form_text(Form form) {
    switch (form) {
        case Form::Text:
            return "text";
        case Form::Path:
            return "path";
        case Form::Game:
            return "path of a file of rules";
        case Form::Words:
            return "word or list of words";
        case Form::Steps:
            return "list of words, or list of such lists";
        case Form::Choice:
            return "";
        case Form::Whole:
            return "whole number";
        case Form::Seed:
            return "whole number of 64 bits";
        case Form::Number:
            return "number above 0 and below 1";
        case Form::Elo:
            return "Elo";
        case Form::Percent:
            return "percentage";
        case Form::Duration:
            return "time";
        case Form::Minutes:
            return "minutes, or a time with a unit";
        case Form::Truth:
            return "true, false";
        case Form::Size:
            return "bytes";
        case Form::Count:
            return "whole number, also with k, M or G";
        case Form::Change:
            return "signed percentage, or a list of two";
        case Form::Bounds:
            return "[low, high]";
        case Form::Clock:
            return "time control";
        case Form::Names:
            return "map of names and values";
        case Form::Block:
            return "block";
        case Form::Blocks:
            return "list of blocks";
        case Form::Programs:
            return "map of programs";
        case Form::Pair:
            return "two names";
    }
    return "";
}

std::string value_text(const Key& key) {
    if (!key.values.empty()) return std::string(key.values);
    std::string out;
    const auto add = [&out](std::string_view word) {
        out += fmt::format("{}`{}`", out.empty() ? "" : ", ", word);
    };
    for (const std::string_view word : split_words(key.words)) add(word);
    if (key.form == Form::Game)
        for (const std::string& name : rules::game_names()) add(name);
    if (key.form == Form::Choice) return out;
    const std::string_view form = form_text(key.form);
    out += fmt::format("{}{}", out.empty() ? "" : ", or ", form);
    if (key.form == Form::Whole || key.form == Form::Elo)
        out += fmt::format(" from {} to {}", key.least, key.most);
    return out;
}

std::string json_quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + "\"";
}

std::string json_words(std::string_view words) {
    std::string out;
    for (const std::string_view word : split_words(words))
        out += (out.empty() ? "" : ", ") + json_quoted(word);
    return "[" + out + "]";
}

/// The members of a JSON schema that say which values a form has.
std::string json_form(const Key& key) {
    constexpr std::string_view kScalar = R"("type": ["string", "number", "boolean"])";
    switch (key.form) {
        case Form::Text:
            return std::string(kScalar);
        case Form::Path:
        case Form::Game:
        case Form::Percent:
            return R"("type": "string")";
        case Form::Words:
            return fmt::format(
                R"("anyOf": [{{{0}}}, {{"type": "array", "minItems": 1, "items": {{{0}}}}}])",
                kScalar);
        case Form::Steps:
            return fmt::format(
                R"("anyOf": [{{{0}}}, {{"type": "array", "minItems": 1, "items": {{{0}}}}}, )"
                R"({{"type": "array", "minItems": 1, "items": {{"type": "array", "minItems": 1, )"
                R"("items": {{{0}}}}}}}])",
                kScalar);
        case Form::Choice:
            return R"("enum": )" + json_words(key.words);
        case Form::Whole:
            return fmt::format(R"("type": "integer", "minimum": {}, "maximum": {})", key.least,
                               key.most);
        case Form::Seed:
            return R"("type": "integer", "minimum": 0)";
        case Form::Elo:
            return fmt::format(R"("type": "number", "minimum": {}, "maximum": {})", key.least,
                               key.most);
        case Form::Number:
            return R"("type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1)";
        case Form::Duration:
            return R"("anyOf": [{"type": "string"}, {"const": 0}])";
        case Form::Minutes:
            return R"("type": ["number", "string"])";
        case Form::Truth:
            return R"("type": "boolean")";
        case Form::Size:
        case Form::Count:
            return R"("type": ["integer", "string"])";
        case Form::Change:
            return R"("anyOf": [{"type": "string"}, {"type": "array", "minItems": 2, )"
                   R"("maxItems": 2, "items": {"type": "string"}}])";
        case Form::Bounds:
            return fmt::format(R"("type": "array", "minItems": 2, "maxItems": 2, )"
                               R"("items": {{"type": "number", "minimum": {}, "maximum": {}}})",
                               key.least, key.most);
        case Form::Clock:
            return R"("type": ["string", "number", "array", "object"])";
        case Form::Names:
            return fmt::format(R"("type": "object", "additionalProperties": {{{}}})", kScalar);
        case Form::Pair:
            return fmt::format(R"("type": "array", "minItems": 2, "maxItems": 2, "items": {{{}}})",
                               kScalar);
        case Form::Block:
        case Form::Blocks:
        case Form::Programs:
            break;
    }
    return "";
}

std::string json_block(std::string_view path, const std::string& indent);

/// A block by reference where it stands in several places, else in place.
std::string json_inner(std::string_view path, const std::string& indent) {
    if (path == "each" || path == "programs") return R"("$ref": "#/$defs/program")";
    if (path == "match" || path == "matches") return R"("$ref": "#/$defs/match")";
    if (path == "stop" || path == "match.stop") return R"("$ref": "#/$defs/stop")";
    if (path == "require" || path == "match.require") return R"("$ref": "#/$defs/require")";
    return json_block(path, indent);
}

std::string json_value(const Key& key, const std::string& indent) {
    std::string form = json_form(key);
    if (key.form == Form::Block) form = json_inner(key.path, indent);
    if (key.form == Form::Blocks)
        form = fmt::format(R"("type": "array", "minItems": 1, "items": {{{}}})",
                           json_inner(key.path, indent));
    if (key.form == Form::Programs)
        form = fmt::format(R"("type": "object", "additionalProperties": {{{}}})",
                           json_inner(key.path, indent));
    if (key.words.empty() || key.form == Form::Choice || key.form == Form::Path) return form;
    // A path may stand in place of a block of openings, and words before a command in place of a
    // sandbox's.
    const std::string_view more =
        key.path == "match.openings" ? R"(, {"type": "string"})"
        : key.path == "programs.*.sandbox"
            ? R"(, {"type": "string"}, {"type": "array", "minItems": 1, "items": {"type": "string"}})"
            : std::string_view();
    return fmt::format(R"("anyOf": [{{"enum": {}}}{}, {{{}}}])", json_words(key.words), more, form);
}

std::string json_block(std::string_view path, const std::string& indent) {
    std::string members;
    for (const Key* const key : keys_under(path)) {
        std::string description(key->meaning);
        if (!key->fallback.empty()) description += fmt::format(" Default: {}.", key->fallback);
        members += fmt::format("{}{}  {}: {{\"description\": {}, {}}}",
                               members.empty() ? "\n" : ",\n", indent, json_quoted(key->name()),
                               json_quoted(description), json_value(*key, indent + "  "));
    }
    return fmt::format(
        "\"type\": \"object\", \"additionalProperties\": false, \"properties\": {{{}\n{}}}",
        members, indent);
}

/// A table cell: '|' would end it.
std::string cell(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '|') out += '\\';
        if (c == '<') {
            out += "&lt;";
            continue;
        }
        out += c;
    }
    return out;
}

}  // namespace

std::string reference_text() {
    std::string out(kIntroduction);
    for (const Chapter& chapter : kChapters) {
        out += fmt::format("\n## {}\n\n| key | value | default | meaning |\n", chapter.title);
        out += "| --- | --- | --- | --- |\n";
        for (const Key* const key : keys_under(chapter.path)) {
            out += fmt::format("| `{}` | {} | {} | {} |\n", key->name(), value_text(*key),
                               cell(key->fallback), cell(key->meaning));
        }
    }
    out +=
        "\n## Not supported yet\n\nOther protocols are refused.\n"
        "\n## Flags\n\n| flag | is short for |\n| --- | --- |\n"
        "| `--program COMMAND` | `--set programs.NAME.command=COMMAND`; the name is the file's "
        "stem |\n"
        "| `--option NAME=VALUE` | `--set programs.P.options.NAME=VALUE` for every program P "
        "|\n";
    for (const Shorthand& short_form : shorthands())
        out +=
            fmt::format("| `--{} VALUE` | `--set {}=VALUE` |\n", short_form.flag, short_form.path);
    out += "\n## Keys of other tools\n\n| their key | |\n| --- | --- |\n";
    for (const Foreign& foreign : foreign_words())
        out += fmt::format("| `{}` | {} |\n", foreign.theirs, foreign.advice);
    return out;
}

std::string json_schema_text() {
    std::string defs;
    constexpr std::array kDefinitions{Chapter{"programs.*", "program"}, Chapter{"match", "match"},
                                      Chapter{"stop", "stop"}, Chapter{"require", "require"}};
    for (const Chapter& block : kDefinitions)
        defs += fmt::format("{}    \"{}\": {{{}}}", defs.empty() ? "\n" : ",\n", block.title,
                            json_block(block.path, "    "));
    return fmt::format(
        "{{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
        "  \"title\": \"assay config\",\n  {},\n  \"$defs\": {{{}\n  }}\n}}\n",
        json_block("", "  "), defs);
}

}  // namespace assay::configs

// One C file for a form: constants and tables of its board, pieces and variables, a function for
// each part of its rules (derivation.h), and those functions of the runtime that it calls. A table
// or function that nothing uses is left out, since the file must compile without a warning of an
// unused name. Functions are looked for from the last to the first, because each may call those
// before it.
//
// The keys of contents are the interpreter's, so that a position has one hash and a move one code,
// whoever made the list. Why C and not machine code of our own: docs/multigame-c.md.
#include "rules/multigame/compile/write_c.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/random.h"
#include "base/sha256.h"
#include "rules/multigame/compile/c_text.h"
#include "rules/multigame/compile/derivation.h"
#include "rules/multigame/compile/interface_text.h"
#include "rules/multigame/compile/runtime.h"
#include "rules/multigame/compile/text_runtime.h"

namespace assay::rules::multigame {

namespace {

// Keys are those of the interpreter (Tables), so that a move has one code in both.
constexpr std::size_t kKeysAField = 2 * kMostPieces + 2;
constexpr std::size_t kMostKeys = 8'192;  // a larger table would be computed when it is needed

bool has_part(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

/// Writes the file of one form.
class Writer {
public:
    Writer(const Form& form, const FirstPosition& start)
        : form_(form), start_(start), contents_(2 * form.pieces.size() + 1) {}

    [[nodiscard]] std::string file();

private:
    [[nodiscard]] std::string constants() const;
    [[nodiscard]] std::string content_tables() const;
    [[nodiscard]] std::string board_tables() const;
    [[nodiscard]] std::string neighbours() const;
    [[nodiscard]] std::string key_table() const;
    [[nodiscard]] std::string pictures(std::string_view derivations) const;
    [[nodiscard]] std::string variable_tables() const;
    [[nodiscard]] std::string changed_values() const;

    [[nodiscard]] static std::string define(const std::string& name, const std::string& value) {
        return "#define " + name + " " + value + "\n";
    }

    const Form& form_;
    const FirstPosition& start_;
    std::size_t contents_;
};

std::string Writer::constants() const {
    const Board& board = form_.board;
    std::string text = define("FIELDS", std::to_string(board.size()));
    text += define("WORDS", std::to_string((board.size() + 63) / 64));
    text += define("CONTENTS", std::to_string(contents_));
    text += define("SLOTS", std::to_string(form_.slots));
    text += define("COLUMNS", std::to_string(board.columns));
    text += define("ROWS", std::to_string(board.rows));
    text += define("PLAYERS", std::to_string(form_.players));
    text += define("FIRST_SIDE", std::to_string(form_.first_side));
    text += define("HAS_CHANCE", form_.has_chance() ? "1" : "0");
    text += define("TEXTS", std::to_string(form_.texts.size()));
    text += define("HASH", c_string(hash_of_rules(form_)));
    text += define("KEYS_A_FIELD", std::to_string(kKeysAField));
    text += define("KEY_OF_SIDE", "UINT64_C(0x9d39247e33776d41)");
    text += define("MOST_NUMBER", std::to_string(kMostNumber));
    text += define("MOST_OUTPUTS", std::to_string(kMostOutputs));
    text += define("MOST_CALLS", std::to_string(kMostCalls));
    text += define("MOST_NESTED", "12000");
    text += define("MOST_STACK", "3000000");  // bytes
    text += define("MOST_TOTAL", "50000000");
    text += define("EVENTS", "12000");
    return text;
}

std::string Writer::content_tables() const {
    std::vector<std::string> classes{"0"};
    std::vector<std::string> symbols{"0"};
    std::vector<std::string> small{"0"};
    for (const Piece& piece : form_.pieces) {
        for (std::size_t side = 0; side < 2; ++side) {
            classes.push_back(piece.is_owned() ? std::to_string(1 + side) : "0");
            symbols.push_back(c_character(piece.symbols[side]));
            const auto letter = static_cast<unsigned char>(piece.symbols[0]);
            small.push_back(std::to_string(std::tolower(letter)));
        }
    }
    return c_table("unsigned char", "class_of", classes) + c_table("char", "symbols", symbols) +
           c_table("char", "small_symbols", small);
}

std::string Writer::board_tables() const {
    const Board& board = form_.board;
    std::string text = c_table("unsigned char", "is_field", as_text(board.is_field));
    text += c_table("uint8_t", "first_contents", as_text(start_.contents));
    std::vector<std::string> names;
    for (const std::string& name : board.names) names.push_back(c_string(name));
    text += c_table("char *const", "field_names", names);
    std::vector<std::string> texts;
    for (const std::string& each : form_.texts) texts.push_back(c_string(each));
    if (texts.empty()) texts.emplace_back("\"\"");
    return text + c_table("char *const", "texts", texts);
}

std::string Writer::neighbours() const {
    std::string text = "static const short neighbour[8][FIELDS] = {\n";
    for (std::size_t direction = 0; direction < kDirections; ++direction) {
        text += "    {";
        for (const auto& next : form_.board.neighbours) {
            text += std::to_string(next[direction]) + ", ";
        }
        text += "},\n";
    }
    return text + "};\n";
}

std::string Writer::key_table() const {
    const std::size_t fields = form_.board.size();
    if (fields * contents_ > kMostKeys) return define("HAS_KEYS", "0");
    std::string text =
        define("HAS_KEYS", "1") + "static const uint64_t keys[FIELDS][CONTENTS] = {\n";
    for (std::size_t field = 0; field < fields; ++field) {
        text += "    {";
        for (std::size_t content = 0; content < contents_; ++content) {
            const std::uint64_t key = mix64(field * kKeysAField + content + 1);
            text += "UINT64_C(" + std::to_string(key) + "), ";
        }
        text += "},\n";
    }
    return text + "};\n";
}

std::string Writer::pictures(std::string_view derivations) const {
    std::string text;
    for (std::size_t i = 0; i < form_.pictures.size(); ++i) {
        const std::string name = "picture" + std::to_string(i);
        if (!has_part(derivations, name + ")")) continue;
        text += c_table("short", name, as_text(form_.pictures[i].contents));
    }
    return text;
}

std::string Writer::variable_tables() const {
    std::vector<std::string> values = as_text(start_.values);
    values.emplace_back("0");
    std::vector<std::string> slots;
    for (const Variable& variable : form_.variables) {
        if (variable.is_silent || variable.is_local) continue;
        for (int side = 0; side < variable.values(); ++side) {
            slots.push_back(std::to_string(variable.read_slot(side)));
        }
    }
    slots.emplace_back("-1");
    return c_table("int32_t", "first_values", values) + c_table("short", "key_slots", slots);
}

std::string Writer::changed_values() const {
    std::string text =
        "\nstatic uint64_t changed_values(M *m) {\n  const S *const s = m->s;\n"
        "  uint64_t key = 0;\n  (void)s;\n";
    for (const Variable& variable : form_.variables) {
        if (variable.is_local) continue;
        for (int side = 0; side < variable.values(); ++side) {
            const std::string call = "changed(m, " + std::to_string(variable.read_slot(side)) +
                                     ", s->v[" + std::to_string(variable.write_slot(side)) + "])";
            text += variable.is_silent ? "  (void)" + call + ";\n" : "  key ^= " + call + ";\n";
        }
    }
    return text + "  return key;\n}\n";
}

std::string Writer::file() {
    Derivation derivation(form_);
    std::string names;
    for (const int side : {0, 1}) {
        const std::string number = std::to_string(side);
        names += define("LIST_" + number, derivation.list(form_.main_rule, side));
        const int perpetual = form_.repetition.perpetual;
        if (perpetual == kNone) continue;
        names += define("PERPETUAL_" + number, derivation.question(perpetual, side));
    }
    const bool draws_setup = start_.is_before_setup;
    names += define("SETUP(m)", draws_setup ? derivation.list(form_.setup_rule, form_.first_side) +
                                                  "(m, -1, 0, 0, NULL)"
                                            : "((m)->fault = 1)");
    names += define("DRAWS_SETUP", draws_setup ? "1" : "0");
    std::string derivations = derivation.functions();
    for (const int side : {0, 1}) {
        const std::string question = derivation.move_question(form_.main_rule, side);
        if (!question.empty()) names += define("CAN_MOVE_" + std::to_string(side), question);
    }
    derivations += derivation.functions();
    std::string behind = "static void out(M *m, int h);\n\n" + derivations + changed_values() +
                         names + std::string(kRuntimeGame) + text_tables(form_) +
                         std::string(kRuntimeText) + std::string(kRuntimeTable);
    const auto has = [&](const std::string& name, std::string_view part) {
        return define(name, has_part(derivations, part) ? "1" : "0");
    };
    const auto counts_empty = [](std::string_view text) {
        return has_part(text, "s->mask[0]") || has_part(text, "s->number[0]");
    };
    std::string flags = has("HAS_MASKS", "s->mask[") + has("HAS_NUMBERS", "s->number[") +
                        has("HAS_CLASSES", "s->pieces[") + has("HAS_DECISIONS", "decide(m)");
    flags += define("HAS_EMPTY",
                    counts_empty(derivations) || counts_empty(derivation.tables()) ? "1" : "0");
    const auto functions = runtime_functions();
    for (auto function = functions.rbegin(); function != functions.rend(); ++function) {
        if (has_part(behind, std::string(function->name) + "(")) {
            behind.insert(0, function->text);
        }
    }
    return "/* Written by assay from a Multigame program. */\n" + std::string(interface_text()) +
           "\n#include <string.h>\n\n" + constants() + flags + std::string(kRuntimeTypes) + "\n" +
           content_tables() + board_tables() +
           (has_part(derivations, "neighbour[") ? neighbours() : "") + key_table() +
           pictures(derivations) + variable_tables() + derivation.tables() + behind;
}

}  // namespace

std::string hash_of_rules(const Form& form) {
    std::string all(writer_hash());
    all += interface_text();
    for (const FormFile& file : form.files) all += '\0' + file.text;
    return sha256_of(all);
}

std::string write_c(const Form& form, const FirstPosition& start) {
    return Writer(form, start).file();
}

}  // namespace assay::rules::multigame

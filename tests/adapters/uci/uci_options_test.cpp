#include "adapters/uci/uci_options.h"

#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

using assay::adapters::find_option;
using assay::adapters::option_complaint;
using assay::adapters::read_uci_option;
using assay::adapters::setoption_line;
using assay::adapters::UciOption;

namespace {

std::string dump(std::string_view line) {
    const auto option = read_uci_option(line);
    if (!option) return "none";
    static constexpr std::string_view kTypes[] = {
        // NOLINT(modernize-avoid-c-arrays)
        "check", "spin", "combo", "button", "string", "unknown"};
    std::string text = option->name + "|" + std::string(kTypes[static_cast<int>(option->type)]) +
                       "|" + option->default_value;
    if (option->min) text += "|min " + std::to_string(*option->min);
    if (option->max) text += "|max " + std::to_string(*option->max);
    for (const std::string& choice : option->choices) text += "|" + choice;
    return text;
}

}  // namespace

TEST_CASE("UCI options: declarations of all types are read, with blanks in names and values") {
    struct Case {
        std::string_view line;
        std::string_view expected;
    };

    const std::vector<Case> cases{
        {" name Hash type spin default 16 min 1 max 1024", "Hash|spin|16|min 1|max 1024"},
        {" name Ponder type check default false", "Ponder|check|false"},
        {" name Clear Hash type button", "Clear Hash|button|"},
        {" name Mobility (Middle Game) type spin default 100 min -5 max 200",
         "Mobility (Middle Game)|spin|100|min -5|max 200"},
        {" name NullMove Pruning type combo default Fail High var Always var Fail High var Never",
         "NullMove Pruning|combo|Fail High|Always|Fail High|Never"},
        // CC#683 and others: the default was cut at its blank
        {" name Book Path type string default /books/My Books/book.bin",
         "Book Path|string|/books/My Books/book.bin"},
        {" name Note type string default max var min", "Note|string|max var min"},
        {" name Debug Log File type string default ", "Debug Log File|string|"},
        {" name Debug Log File type string", "Debug Log File|string|"},
        {" name SyzygyPath type string default <empty>", "SyzygyPath|string|<empty>"},
        {"  name   Two  Blanks  type   spin  default  1  min  0  max  2",
         "Two  Blanks|spin|1|min 0|max 2"},
        {" name Odd type slider default 3", "Odd|unknown|3"},
        {" name Untyped", "Untyped|unknown|"},
        {" name Big type spin default 0 min 0 max 99999999999999999999", "Big|spin|0|min 0"},
        {" name type spin", "none"},
        {" type spin", "none"},
        {"", "none"},
    };
    for (const Case& c : cases) {
        CAPTURE(c.line);
        CHECK(dump(c.line) == c.expected);
        for (std::size_t length = 0; length < c.line.size(); ++length) {
            static_cast<void>(read_uci_option(std::string(c.line.substr(0, length))));
        }
    }
}

TEST_CASE("UCI options: names match without case; values are sent whole; a button has none") {
    const std::vector<UciOption> options{*read_uci_option(" name Hash type spin default 1"),
                                         *read_uci_option(" name Clear Hash type button"),
                                         *read_uci_option(" name Book Path type string")};
    const auto line = [&options](std::string_view name, std::string_view value) {
        return setoption_line(find_option(options, name), name, value);
    };
    CHECK(line("hash", "64") == "setoption name Hash value 64\n");
    CHECK(line("CLEAR HASH", "") == "setoption name Clear Hash\n");
    CHECK(line("clear hash", "true") == "setoption name Clear Hash\n");
    CHECK(line("Clear Hash", "false").empty());  // not pressed
    CHECK(line("book path", "/My Books/a b.bin") ==
          "setoption name Book Path value /My Books/a b.bin\n");
    CHECK(line("Book Path", "") == "setoption name Book Path value \n");
    CHECK(line("Hidden", "3") == "setoption name Hidden value 3\n");
    CHECK(line("Hidden", "a\nquit") == "setoption name Hidden value a quit\n");
}

TEST_CASE("UCI options: values that do not suit are explained") {
    struct Case {
        std::string_view option;
        std::string_view value;
        std::string_view complaint;
    };

    const std::vector<Case> cases{
        {" name Hash type spin default 1 min 1 max 64", "64", ""},
        {" name Hash type spin default 1 min 1 max 64", "128", "Hash is 1 to 64, not '128'"},
        {" name Hash type spin default 1 min 1 max 64", "0", "Hash is 1 to 64, not '0'"},
        {" name Hash type spin default 1 min 1", "0", "Hash is 1 to any, not '0'"},
        {" name Hash type spin default 1", "many", "Hash is a whole number, not 'many'"},
        {" name Own type check default true", "false", ""},
        {" name Own type check default true", "yes", "Own is true or false, not 'yes'"},
        {" name S type combo default A b var A b var C", "a B", ""},
        {" name S type combo default A b var A b var C", "D", "S is one of A b, C, not 'D'"},
        {" name P type string", "anything at all", ""},
        {" name B type button", "x", ""},
    };
    for (const Case& c : cases) {
        CAPTURE(c.option);
        CAPTURE(c.value);
        CHECK(option_complaint(*read_uci_option(c.option), c.value) == c.complaint);
    }
}

#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/process/program_spec.h"
#include "adapters/protocol/search.h"

namespace assay::adapters {

/// What a program says in one line. Fields that its type does not have are unset.
struct JsonMessage {
    enum class Type : std::uint8_t { Hello, Ready, Info, Move, Error, Other };

    Type type = Type::Other;
    std::string name;                  // of hello
    std::string author;                // of hello
    std::vector<std::string> options;  // names, of hello
    SearchInfo info;                   // of info: the fields that the line states
    BestMove::Kind kind = BestMove::Kind::Move;
    std::string move;       // of move; empty: none was named
    std::string text;       // of error
    std::string complaint;  // what was wrong with a field, which is unset then; empty: nothing
};

/// Reads a line; nullopt where it is no JSON object with a text as its "type". Never throws.
[[nodiscard]] std::optional<JsonMessage> read_json_line(std::string_view line);

/// Takes over the fields that `said` states; others stay.
void merge(SearchInfo& info, SearchInfo said);

/// The lines that a program is told, each with its end.
[[nodiscard]] std::string json_hello_line();
[[nodiscard]] std::string json_options_line(
    const std::string& game, const std::vector<std::pair<std::string, std::string>>& values);
[[nodiscard]] std::string json_new_line(const GameStart& game);
[[nodiscard]] std::string json_go_line(const SearchRequest& request);

}  // namespace assay::adapters

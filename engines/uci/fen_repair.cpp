#include "engines/uci/fen_repair.h"

#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "base/text.h"

namespace assay::engines {

namespace {

bool is_chess(const rules::Game& game) {
    return game.name() == "chess" || game.name() == "chess960";
}

/// Null if the text is not a position.
std::unique_ptr<rules::Position> parsed_or_null(const rules::Game& game, const std::string& fen) {
    try {
        return game.parse(fen);
    } catch (const Error&) {
        return nullptr;
    }
}

}  // namespace

std::string with_counters(const rules::Game& game, std::string_view text) {
    if (!is_chess(game)) return std::string(text);
    std::vector<std::string> fields;
    for (const std::string_view word : split_words(text)) fields.emplace_back(word);
    while (fields.size() >= 4 && fields.size() < 6)
        fields.emplace_back(fields.size() == 4 ? "0" : "1");
    return joined(fields, " ");
}

std::optional<RepairedPosition> repair_rights(const rules::Game& game, std::string_view text) {
    std::vector<std::string> fields;
    for (const std::string_view word : split_words(text)) fields.emplace_back(word);
    if (!is_chess(game) || fields.size() != 6) return std::nullopt;
    const std::string rights = std::exchange(fields[2], "-");
    std::string kept;
    for (const char right : rights) {
        fields[2] = right;
        if (parsed_or_null(game, joined(fields, " "))) kept += right;
    }
    fields[2] = kept.empty() ? "-" : kept;
    auto repaired = parsed_or_null(game, joined(fields, " "));
    if (!repaired) return std::nullopt;
    return RepairedPosition{std::move(repaired), "castling '" + printable_utf8(rights) +
                                                     "' is read as '" + fields[2] +
                                                     "': there is no king or rook for the others"};
}

}  // namespace assay::engines

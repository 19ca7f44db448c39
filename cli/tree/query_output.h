#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gtql/exec/execute.h"
#include "gtql/exec/node_view.h"
#include "gtql/lang/query_file.h"
#include "gtql/log/tree.h"
#include "rules/game.h"

namespace assay::cli {

/// How answers are printed, and what is shown of each node found.
struct QueryShow {
    enum class Format : std::uint8_t { Text, Json, Csv };

    Format format = Format::Text;
    bool path = false;
    bool fen = false;
    bool board = false;
    bool children = false;
    std::string position;                     // of the root, where the log does not say it
    std::shared_ptr<const rules::Game> game;  // that the user named, or null: the log says it

    [[nodiscard]] bool needs_views() const {
        return format != Format::Json || path || fen || board || children;
    }
};

/// The answer of one query for one tree.
struct QueryAnswer {
    const gtql::TreeSource* tree = nullptr;
    const gtql::NamedQuery* query = nullptr;
    gtql::Answer answer;
    std::vector<gtql::NodeView> views;              // of answer.ids, where they are to be shown
    std::vector<std::optional<std::string>> texts;  // beside views: the position, if it is known
};

/// Nullopt where the query has no bounds for a single tree.
[[nodiscard]] std::optional<bool> holds(const QueryAnswer& answer);

/// Fills `views` and `texts`.
void look_at_nodes(QueryAnswer& answer, const QueryShow& show);

/// Prints to standard output. `is_alone`: no other answer is printed, so it needs no heading.
void print_answer(const QueryAnswer& answer, const QueryShow& show, bool is_alone);

/// As one aligned table, for answers that are numbers or truth values.
void print_numbers(const std::vector<QueryAnswer>& answers, QueryShow::Format format);

}  // namespace assay::cli

#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/game.h"
#include "rules/tablebase.h"

namespace assay::harness {

/// The word by which assay, called by itself, becomes the helper of a TableReader: `assay
/// kReadTables GAME FOLDERS`.
inline constexpr std::string_view kReadTables = "read-tables";

/// Tables of perfect play, read in another process: a table that is damaged inside can crash the
/// library that reads it, or hold it up for ever. When that happens no table is read any more, and
/// whoever asked is told once. One thread.
class TableReader final : public rules::Tablebase {
public:
    using Say = std::function<void(const std::string& sentence)>;

    /// The tables of the game in these folders, with ':' between them; null where there is no such
    /// thing for the game. `program`: an assay; this one if it is empty. Throws Error where they
    /// cannot be read. The game outlives the reader.
    [[nodiscard]] static std::unique_ptr<TableReader> open(const rules::Game& game,
                                                           const std::string& folders,
                                                           const std::string& program = "");
    TableReader(const TableReader&) = delete;
    TableReader& operator=(const TableReader&) = delete;
    ~TableReader() override;

    /// What is told when the tables have failed, in the middle of the value() that met it.
    void on_failure(Say say);

    /// No table is read any more, and nothing is told.
    void switch_off();

    [[nodiscard]] const std::string& folders() const;

    /// Which tables failed, how, and at which position; empty where they have not.
    [[nodiscard]] const std::string& failure() const;

    /// Also nullopt where the tables have failed.
    [[nodiscard]] std::optional<rules::TableValue> value(
        const rules::Position& position) const override;
    [[nodiscard]] int most_pieces() const override;
    [[nodiscard]] int pieces(const rules::Position& position) const override;

private:
    struct State;

    explicit TableReader(std::unique_ptr<State> state);

    std::unique_ptr<State> state_;  // changes while tables are asked
};

/// The helper's side: reads tables until nobody asks any more. `words`: GAME and FOLDERS.
void read_tables(const std::vector<std::string>& words);

}  // namespace assay::harness

#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/chess_player/options.h"
#include "engines/search/node_log.h"
#include "engines/search/searcher.h"
#include "engines/uci/uci_loop.h"

namespace assay::engines {

/// The chess program behind UCI: its options, its memory, its tree log.
class ChessBackend final : public Backend {
public:
    [[nodiscard]] std::string declaration() const override;
    std::optional<std::string> set_option(std::string_view name, std::string_view value) override;
    std::vector<std::string> apply_options() override;
    [[nodiscard]] Settings settings() const override;
    void forget() override;
    [[nodiscard]] Root root_of(const rules::Position& position) const override;
    [[nodiscard]] std::vector<Line> search(const rules::Position& position, const Limits& limits,
                                           Control& control) override;
    [[nodiscard]] std::string name_of(Move move) const override;

private:
    bool size_table(const PlayerOptions& options);
    std::optional<std::string> open_log();

    PlayerOptions wanted_;   // as last set
    PlayerOptions options_;  // in force: the last compatible ones
    Memory memory_;
    std::unique_ptr<NodeLog> log_;
    std::string log_path_;
    bool is_settled_ = false;
};

}  // namespace assay::engines

#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "engines/uci/backend.h"
#include "engines/uci/search_options.h"
#include "engines/uci/search_stores.h"

namespace assay::engines {

/// What all players that search have in common behind UCI: options that are put into force
/// together, a table sized by them, a tree log. `Options` is a SearchOptions with the player's own
/// ones.
template <class Options>
class SearchBackend : public Backend {
public:
    /// `usual`: the options at the start and their defaults.
    SearchBackend(std::string name, Options usual)
        : name_(std::move(name)), usual_(usual), wanted_(usual), options_(usual) {}

    [[nodiscard]] std::string declaration() const override {
        Options usual = usual_;
        return "id name assay " + name_ + "\nid author the assay authors\n" +
               table_of(usual).declaration() + "option name Clear Hash type button\n";
    }

    std::optional<std::string> set_option(std::string_view name, std::string_view value) override {
        if (equal_ignoring_case(name, "Clear Hash")) {
            stores_.memory().clear();
            return std::nullopt;
        }
        if (auto wrong = table_of(wanted_).set(name, value)) return wrong;
        is_settled_ = false;
        return std::nullopt;
    }

    std::vector<std::string> apply_options() override {
        if (is_settled_) return {};
        is_settled_ = true;
        std::vector<std::string> sentences;
        std::optional<std::string> refused = check(wanted_);
        if (!refused && !stores_.size_table(table_bytes(wanted_))) {
            (void)stores_.size_table(table_bytes(options_));
            refused =
                "there is no memory for a table of " + std::to_string(wanted_.hash_mb) + " MB";
        }
        if (refused) {
            sentences.push_back("refused: " + *refused + ". The previous options stay in force.");
        } else {
            options_ = wanted_;
        }
        if (auto failed = open_log()) sentences.push_back(std::move(*failed));
        return sentences;
    }

    [[nodiscard]] Settings settings() const override {
        return {options_.lines, std::chrono::milliseconds(options_.overhead_ms)};
    }

    void forget() override { stores_.memory().clear(); }

protected:
    /// nullopt, or a sentence that says which options are incompatible.
    [[nodiscard]] virtual std::optional<std::string> check(const Options& options) const = 0;
    /// Opens the tree log of the options in force. nullopt, or a sentence that says why not.
    virtual std::optional<std::string> open_log() = 0;

    [[nodiscard]] const Options& options() const { return options_; }

    [[nodiscard]] SearchStores& stores() { return stores_; }

private:
    static std::size_t table_bytes(const Options& options) {
        return options.search.table ? options.hash_mb << 20U : 0;
    }

    std::string name_;
    Options usual_;
    Options wanted_;   // as last set
    Options options_;  // in force: the last compatible ones
    SearchStores stores_;
    bool is_settled_ = false;
};

}  // namespace assay::engines

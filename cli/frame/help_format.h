#pragma once
#include <string>

#include <CLI/CLI.hpp>

namespace assay::cli {

/// --help in lines of at most 96 columns: flags with the word that stands for their value, and
/// beside it what they mean, whether they are required, and what holds without them. Footers and
/// the words of usage lines are printed as they are.
class HelpFormat : public CLI::Formatter {
public:
    [[nodiscard]] std::string make_option(const CLI::Option* option,
                                          bool is_positional) const override;
    [[nodiscard]] std::string make_option_usage(const CLI::Option* option) const override;
    [[nodiscard]] std::string make_subcommand(const CLI::App* command) const override;
    [[nodiscard]] std::string make_description(const CLI::App* command) const override;
};

}  // namespace assay::cli

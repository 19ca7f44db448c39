#pragma once
#include <string>
#include <vector>

#include <boost/json/value.hpp>

#include "tests/support/child.h"
#include "tests/support/temp_dir.h"

namespace assay::test {

/// A folder with a config and copies of our players, in which the built program is run. The copies'
/// paths are unique, so that a process left behind can be told.
class RunFolder {
public:
    RunFolder();

    /// Copies a built program into the folder; returns its path.
    std::string program(const std::string& name);
    /// The config of a match of two deterministic players at node limits: it comes to the same end,
    /// however often it is cut.
    std::string repeatable_config(int pairs);
    void write(const std::string& name, const std::string& text) const;
    /// A file of the folder.
    [[nodiscard]] std::string read(const std::string& name) const;
    /// The built program with these arguments, in the folder.
    [[nodiscard]] Finished assay(const std::vector<std::string>& arguments,
                                 double limit = kPatience) const;
    [[nodiscard]] std::vector<std::string> assay_argv(
        const std::vector<std::string>& arguments) const;

    [[nodiscard]] const std::string& root() const { return dir_.root(); }

    /// No process of this folder is left.
    [[nodiscard]] bool is_quiet() const { return all_gone(dir_.root()); }

    /// How many games are in the folder's store so far; 0 where it is only being made.
    [[nodiscard]] int games_stored() const;
    /// What decides in a store: counted pairs, their outcomes, the test and its last figure.
    [[nodiscard]] std::string decision_in(const std::string& store) const;
    /// Each game of the first `pairs` pairs in a store that is in the run, by its number and the
    /// hash of its moves.
    [[nodiscard]] std::string games_in(const std::string& store, int pairs) const;

private:
    TempDir dir_;
};

/// The text as JSON; fails the test where it is none.
[[nodiscard]] boost::json::value parsed(const std::string& text);
[[nodiscard]] std::int64_t count_at(const boost::json::value& run, const char* table,
                                    const char* key);
/// The first warning in what a run said on standard error, or empty. That another run is on this
/// machine does not count: tests run side by side.
[[nodiscard]] std::string warning_in(const std::string& err);
/// The file of a program of rules that ships.
[[nodiscard]] std::string rules_file(const std::string& game);

}  // namespace assay::test

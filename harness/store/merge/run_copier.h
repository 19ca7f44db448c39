#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "harness/record/run.h"

namespace SQLite {  // NOLINT(readability-identifier-naming): not ours to name
class Database;
}

namespace assay::harness {

/// One run of one input of a merge, and its number in the output.
struct MergePart {
    const std::string* store;  // the input's path, which outlives this
    RunRecord record;
    std::int64_t target = 0;
};

/// "a.db run 3", for messages.
[[nodiscard]] std::string place_of(const std::string& store, std::int64_t run);

/// Copies runs of inputs into the output of a merge, one input at a time, attached as `src`. The
/// output is a store of the present schema, as are the inputs. SQLite's errors pass through.
class RunCopier {
public:
    /// Two copies of a run have different games, or searches, under one key.
    class Differs : public Error {
    public:
        using Error::Error;
    };

    explicit RunCopier(const std::string& output);
    RunCopier(const RunCopier&) = delete;
    RunCopier& operator=(const RunCopier&) = delete;
    ~RunCopier();

    /// Everything until detach() is one transaction.
    void attach(const std::string& store);
    /// Keeps what was done since attach(); without it that is undone.
    void detach();

    /// Copies a run that the output does not have yet.
    void copy(const MergePart& part);

    /// Which copy of a run says what is no game: state, findings, versions, meters.
    enum class Row : std::uint8_t {
        Further,  // that with more games; with as many, the one that ended later
        Present,  // the output's
        New,      // that of the part
    };

    /// Adds to a run of the output what only this copy has. Games of another machine than that of
    /// the run's row there keep theirs. Throws Differs where the two do; `other` names the copy
    /// that the output was made from.
    void unite(const MergePart& part, const std::string& other, Row row);

    /// The run was put together from shards: it is a whole that nobody has judged yet.
    void open_whole(std::int64_t run);

    [[nodiscard]] std::int64_t games_of(std::int64_t run);

    /// Copies the packed trees of this copy of a run to the folder `trees`.
    void copy_trees(const MergePart& part, const std::string& trees);

    /// Removes the names of trees that no copy of their run had. Returns how many.
    int forget_missing(const std::string& trees);

private:
    /// How numbers of machines of a part become those of the output, as an expression of SQL.
    struct MachineMap {
        std::int64_t own = 0;     // what 0 becomes
        std::int64_t output = 0;  // what becomes 0; 0: nothing else does

        [[nodiscard]] std::string of(const std::string& column) const;
    };

    [[nodiscard]] std::string names_of(const std::string& table);
    void run(const std::string& sql, std::int64_t source_run);
    void copy_rows(const std::string& table, const MergePart& part, const std::string& manner);
    void copy_with_machines(const std::string& table, const MergePart& part,
                            const MachineMap& machines);
    void add_games(const MergePart& part, const MachineMap& machines);
    void add_facts(const MergePart& part, const MachineMap& machines);
    void add_machines(const MergePart& part, const MachineMap& machines);
    void take_row(const MergePart& part);
    [[nodiscard]] MachineMap machines_of(const MergePart& part);
    void check_games(const MergePart& part, const MachineMap& machines, const std::string& both);
    void check_searches(const MergePart& part, const std::string& both);
    [[nodiscard]] bool is_this_further(const MergePart& part);
    void name_tree(std::int64_t run, std::int64_t program, std::int64_t position,
                   const std::string& name);

    std::unique_ptr<SQLite::Database> database_;
    std::map<std::string, std::vector<std::string>> columns_;
};

}  // namespace assay::harness

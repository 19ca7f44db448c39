#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/match/tally.h"
#include "harness/record/run.h"
#include "harness/store/store.h"
#include "harness/suite/verdict.h"
#include "reports/view/run_view.h"

namespace assay::reports {

/// The run that the selector names (Store::find_run()). Throws Error naming store and selector
/// where there is none.
[[nodiscard]] harness::RunRecord required_run(const harness::Store& store,
                                              const std::string& selector);

/// A run of a store with everything that a report shows of it, counted anew from its games. Owns
/// what its view refers to.
class StoredRun {
public:
    /// What is read beside the figures.
    enum class Detail : std::uint8_t {
        Figures,      // nothing: enough for a row in a list
        FailedGames,  // the first games of each match in which a program failed
    };

    /// REQUIRES: the run is of this store.
    StoredRun(std::shared_ptr<const harness::Store> store, harness::RunRecord run, Detail detail);
    StoredRun(const StoredRun&) = delete;
    StoredRun& operator=(const StoredRun&) = delete;
    ~StoredRun() = default;

    /// Opens the store at `path` to read. Throws as required_run() and Store.
    [[nodiscard]] static std::unique_ptr<StoredRun> load(const std::string& path,
                                                         const std::string& selector);

    [[nodiscard]] const harness::RunRecord& run() const { return run_; }

    [[nodiscard]] const harness::Store& store() const { return *store_; }

    /// By match of the plan.
    [[nodiscard]] const std::vector<harness::MatchTally>& tallies() const { return tallies_; }

    /// Null: the run is none.
    [[nodiscard]] const TournamentView* tournament() const {
        return tournament_ ? &*tournament_ : nullptr;
    }

    /// Refers to this object, and has the exit code that is stored.
    [[nodiscard]] RunView view() const;

private:
    std::shared_ptr<const harness::Store> store_;
    harness::RunRecord run_;
    std::vector<harness::MatchTally> tallies_;
    std::vector<std::vector<FailedGame>> failed_;  // by match
    std::optional<harness::SuiteResult> suite_;    // nullopt: the plan has none
    std::optional<TournamentView> tournament_;     // likewise
};

}  // namespace assay::reports

#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "tests/e2e/bench_run.h"

namespace assay::test {

/// A RunFolder with the config of a match that a fleet plays, and the fleet's folder in it.
class FleetFolder : public RunFolder {
public:
    /// Writes local.yaml, played on this machine, and fleet.yaml with `slurm`, keys of
    /// executor.slurm beside its folder. `more`: other lines of both.
    void write_configs(int pairs, const std::string& more, const std::string& slurm) {
        write_both(repeatable_config(pairs) + more, slurm);
    }

    /// The same of this config.
    void write_both(const std::string& config, const std::string& slurm) {
        write("local.yaml", config);
        write("fleet.yaml", "name: local\n" + config + "executor: {slurm: {folder: " + root() +
                                "/fleet, check: 300ms, " + slurm + "}}\n");
    }

    /// The folder of the run in the fleet's; empty: there is none yet.
    [[nodiscard]] std::string run_folder() const {
        const std::string fleet = root() + "/fleet";
        if (!std::filesystem::exists(fleet)) return "";
        for (const auto& entry : std::filesystem::directory_iterator(fleet))
            if (std::filesystem::exists(entry.path() / "spec.json")) return entry.path().string();
        return "";
    }

    /// Names in one of its folders.
    [[nodiscard]] std::vector<std::string> names_in(const std::string& name) const {
        std::vector<std::string> names;
        std::error_code ignored;
        for (const auto& entry :
             std::filesystem::directory_iterator(run_folder() + "/" + name, ignored))
            names.push_back(entry.path().filename().string());
        return names;
    }

    [[nodiscard]] std::size_t parts() const { return names_in("done").size(); }

    void forget_fleet() const { std::filesystem::remove_all(root() + "/fleet"); }
};

}  // namespace assay::test

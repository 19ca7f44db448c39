#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace assay::harness {

/// The commit that a program was built from.
struct SourceRecord {
    std::string repo;  // a path or URL
    std::string ref;   // as the config writes it
    std::string commit;
    std::string tree;     // of `worktree` with changes: git's id of the files; else empty
    std::string subject;  // first line of the commit's message
    long long committed_us = 0;

    /// "a1b2c3d", with a '+' where files were changed since.
    [[nodiscard]] std::string short_id() const {
        return commit.substr(0, 7) + (tree.empty() ? "" : "+");
    }
};

/// How a program was built from it.
struct BuildRecord {
    std::string key;     // of the cache: commit, steps, compiler, processor
    std::string folder;  // the built tree
    std::string log;     // a file with all that the build said
    std::string compiler;
    bool was_cached = false;
    double seconds = 0;
    std::string failure;       // empty: it was built; else why not, with the last lines of the log
    bool is_machines = false;  // the failure is that of the machine: a full disk, no memory
};

/// What a program's benchmark said before the games.
struct BenchRecord {
    std::optional<std::uint64_t> nodes;
    std::optional<double> nodes_per_second;
    std::optional<std::uint64_t> declared;  // the signature that the config or the commit names
};

/// A program as it was found at the start of a run.
struct VersionRecord {
    std::string name;
    std::string path;  // resolved executable
    std::string sha256;
    std::string id_name;  // as it said in its handshake; empty until then
    std::string id_author;
    std::vector<std::pair<std::string, std::string>> files;  // named by options: path, sha256
    /// What other files decide how it plays, where its executable is a script or, from git, lies
    /// outside of the built tree (an interpreter): git's id of the tree's files, and without git
    /// the script's folder. Else empty.
    std::string surroundings{};
    std::optional<SourceRecord> source = std::nullopt;  // set with `git`
    std::optional<BuildRecord> build = std::nullopt;
    std::optional<BenchRecord> bench = std::nullopt;
};

}  // namespace assay::harness

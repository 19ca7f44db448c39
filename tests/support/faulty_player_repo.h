#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/file.h"
#include "base/text.h"
#include "tests/support/child.h"
#include "tests/support/temp_dir.h"

namespace assay::test {

/// A repository of wrappers that start a copy of our player with a fault planted, one commit each,
/// tagged c1, c2 …; beside it a suite of one position with the shipped queries. The fault "broken"
/// is a commit that does not build.
class FaultyPlayerRepo {
public:
    explicit FaultyPlayerRepo(const std::vector<std::string>& faults) {
        git({"init", "--quiet", "--initial-branch=main", "."});
        int commit = 0;
        for (const std::string& fault : faults) {
            const std::string number = std::to_string(++commit);
            // sed ends with `quit`, as the player does: a cat would keep the pipeline alive until
            // the harness has lost its patience, five seconds a search.
            write_file(dir_.path("engine"),
                       "#!/bin/sh\n# commit " + number + "\n{ echo setoption name Fault value " +
                           fault + "; exec sed -u /^quit/q; } | \"$(dirname \"$0\")/player\"\n");
            std::filesystem::permissions(dir_.path("engine"), std::filesystem::perms::owner_all);
            const std::string state = fault == "broken" ? "exit 1" : "exit 0";
            write_file(dir_.path("check.sh"), "# commit " + number + "\n" + state + "\n");
            git({"add", "engine", "check.sh"});
            git({"-c", "user.name=test", "-c", "user.email=test@example.org", "commit", "--quiet",
                 "-m", "Commit " + number});
            git({"tag", "c" + number});
        }
        write_file(dir_.path("one.epd"),
                   "4r1k1/3b1p2/5qp1/1BPpn2p/7n/r3P1N1/2Q1RPPP/1R3NK1 b - - id \"p\";\n");
        write_file(dir_.path("suite.yaml"),
                   "each: {git: {repo: ., build: [[sh, check.sh], [cp, " ASSAY_BINARY_DIR
                   "/engines/player, player]]}, command: ./engine, options: {Hash: 16}}\n"
                   "programs: {head: {}, base: {git: {ref: c1}}}\n"
                   "suite:\n  positions: one.epd\n  limit: {depth: 2}\n"
                   "  programs: [head, base]\n  expect: [{queries: " ASSAY_SOURCE_DIR
                   "/configs/queries/search-health.gtql}]\n");
    }

    std::string git(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), {"git", "-C", dir_.root()});
        const Finished done = run(arguments, dir_.root());
        REQUIRE_MESSAGE(done.code == 0, done.err);
        return std::string(trim(done.out));
    }

    /// The built program, in the repository.
    [[nodiscard]] Finished assay(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), ASSAY_BINARY_DIR "/assay");
        return run(arguments, dir_.root(), 100);
    }

    [[nodiscard]] const TempDir& dir() const { return dir_; }

private:
    TempDir dir_;
};

}  // namespace assay::test

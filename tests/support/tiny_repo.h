#pragma once
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/text.h"
#include "tests/support/child.h"
#include "tests/support/temp_dir.h"

namespace assay::test {

/// A git repository of the tiny engine, one commit a kind (tests/engines/tiny/make_repo.sh), in a
/// folder "repo" beside which configs and stores are put.
class TinyRepo {
public:
    explicit TinyRepo(const std::vector<std::string>& kinds) {
        std::vector<std::string> argv{ASSAY_SOURCE_DIR "/tests/engines/tiny/make_repo.sh", path()};
        argv.insert(argv.end(), kinds.begin(), kinds.end());
        const Finished made = run(argv, dir_.root());
        REQUIRE_MESSAGE(made.code == 0, made.err);
    }

    [[nodiscard]] std::string path() const { return dir_.path("repo"); }

    [[nodiscard]] const TempDir& dir() const { return dir_; }

    /// What git prints, without the last line end.
    std::string git(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), {"git", "-C", path()});
        const Finished done = run(arguments, dir_.root());
        REQUIRE_MESSAGE(done.code == 0, done.err);
        return std::string(trim(done.out));
    }

    /// The built program, in the folder that holds the repository.
    [[nodiscard]] Finished assay(std::vector<std::string> arguments, double limit = 100) const {
        arguments.insert(arguments.begin(), ASSAY_BINARY_DIR "/assay");
        return run(arguments, dir_.root(), limit);
    }

private:
    TempDir dir_;
};

}  // namespace assay::test

#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/process/command.h"
#include "base/diagnostic.h"
#include "harness/record/version.h"

namespace assay::harness {

/// A signal ended a git command. It is blocked in this process and still pending.
class GitInterrupted : public Error {
public:
    GitInterrupted() : Error("stopped by a signal", 4) {}
};

/// True of what git takes as a URL ("https://…", "file://…", "host:path"), not as a path.
[[nodiscard]] bool is_git_url(std::string_view repo);

/// One repository, read through the `git` program: a path is read where it lies and never written
/// to; a URL is mirrored into a folder and fetched when opened. Its own settings, hooks and
/// credentials are git's business; it is never asked on a terminal.
/// Every member throws Error (exit 2) with git's message if git fails.
class GitRepository {
public:
    /// Throws where there is no repository, no `git`, or a clone that was cut off (shallow):
    /// without its history neither a merge base nor an older commit can be found. `mirrors` is a
    /// folder for mirrors of URLs.
    GitRepository(adapters::CommandRunner& runner, std::string repo, const std::string& mirrors);

    /// The 40 (or 64) hex digits of the commit that a branch, tag, or any expression of git's
    /// names. Throws with the nearest names where there is none.
    [[nodiscard]] std::string commit_of(const std::string& ref) const;
    [[nodiscard]] std::string merge_base(const std::string& a, const std::string& b) const;
    /// nullopt for a root commit.
    [[nodiscard]] std::optional<std::string> parent_of(const std::string& commit) const;
    /// The commit with its subject and date.
    [[nodiscard]] SourceRecord describe(const std::string& commit) const;
    /// The whole message of a commit.
    [[nodiscard]] std::string message_of(const std::string& commit) const;

    /// git's id of the files as they are now; the objects are written into `objects`, a folder of
    /// ours. What git ignores is left out. So are the paths `left_out` (files or folders, which
    /// need not be there) and all stores of assays that git does not track, with what is beside
    /// them: of these the tree holds what the commit has. REQUIRES: a path. Throws where it has no
    /// working files.
    [[nodiscard]] std::string tree_of_files(const std::string& objects,
                                            const std::vector<std::string>& left_out) const;
    [[nodiscard]] std::string tree_of_commit(const std::string& commit) const;

    /// Makes `folder` a clone of its own (which shares the objects) at the commit, submodules
    /// included. With a tree of `objects` its files lie over it. REQUIRES: `folder` is not there.
    void check_out(const std::string& commit, const std::string& folder, const std::string& tree,
                   const std::string& objects) const;

    /// Commits that `bad` has and the goods have not, best one to try next first (git's own order
    /// of bisection); `bad` itself stands in it.
    [[nodiscard]] std::vector<std::string> bisection(const std::string& bad,
                                                     const std::vector<std::string>& goods) const;

    [[nodiscard]] const std::string& repo() const { return repo_; }

private:
    using Env = std::vector<std::pair<std::string, std::string>>;

    struct Answer {
        bool is_success = false;
        std::string out;
        std::string error;
    };

    [[nodiscard]] Answer ask(const std::vector<std::string>& arguments, const Env& env = {}) const;
    /// The output without its last line end; throws.
    std::string must(const std::vector<std::string>& arguments, const Env& env = {}) const;
    [[nodiscard]] Answer ask_in(const std::string& folder,
                                const std::vector<std::string>& arguments, const Env& env = {},
                                std::string_view input = {}) const;
    /// Its address for messages: without a password.
    [[nodiscard]] std::string shown_address() const;

    /// The repository's address for other people: its origin, else its own.
    [[nodiscard]] std::string address() const;
    void refresh_mirror(const std::string& mirrors);

    adapters::CommandRunner& runner_;
    std::string repo_;    // as the config names it
    std::string folder_;  // where git is asked: the repository, or its mirror
};

/// argv to be put before a command that must not see the repository that assay was started from: it
/// removes GIT_DIR and other variables that a git hook sets.
[[nodiscard]] std::vector<std::string> without_git_variables();

}  // namespace assay::harness

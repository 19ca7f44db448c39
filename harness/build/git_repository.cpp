// What a run needs of git, through the git program and not through a library: a user's
// configuration and credentials apply then as always, and a library would be one more reader of
// foreign repositories in this process. Every call is one command with limits of time and output.
//
// A commit is checked out in a shared clone of its own, without a worktree in the user's
// repository: nothing there changes, and two runs do not meet. Changed files of a working tree
// become a tree object in an object store of ours, so that a build of uncommitted work has an
// identity too; what assay itself has written below the repository is left out of it, or each run
// would be a new version.
#include "harness/build/git_repository.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "base/credentials.h"
#include "base/diagnostic.h"
#include "base/file.h"
#include "base/sha256.h"
#include "base/text.h"
#include "harness/build/own_files.h"
#include "harness/store/store.h"

namespace assay::harness {

namespace fs = std::filesystem;

namespace {

constexpr adapters::CommandLimits kGitLimits{std::chrono::minutes(30), 64U << 20U};
constexpr std::size_t kMostErrorBytes = 4096;

/// The pieces of a text between the marks, without empty ones.
std::vector<std::string_view> pieces_of(std::string_view text, char mark) {
    std::vector<std::string_view> pieces;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(mark), text.size());
        if (end > 0) pieces.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return pieces;
}

std::vector<std::string_view> lines_of(std::string_view text) {
    return pieces_of(text, '\n');
}

/// git's message without "fatal: ", with the advice that follows it, a line each.
std::string reason_of(const std::string& error) {
    constexpr std::size_t kMostLines = 12;
    const std::vector<std::string_view> lines = lines_of(error);
    const auto kind_of = [&](std::string_view line) -> std::string_view {
        for (const std::string_view kind : {"fatal: ", "error: "})
            if (line.starts_with(kind)) return kind;
        return "";
    };
    auto line =
        std::ranges::find_if(lines, [&](std::string_view one) { return !kind_of(one).empty(); });
    if (line == lines.end()) line = lines.begin();
    std::string reason;
    for (std::size_t i = 0; line != lines.end() && i < kMostLines; ++line, ++i) {
        const std::string_view said = trim(line->substr(kind_of(*line).size()));
        if (said.empty()) continue;
        reason += (reason.empty() ? "" : "\n  ") + printable_utf8(without_credentials(said));
    }
    return reason;
}

/// The names of the paths relative to the folder `top`, of those that are below it: of a link its
/// own name and that of what it leads to.
std::set<std::string> names_below(const std::string& top, const std::vector<std::string>& paths) {
    std::set<std::string> names;
    const auto add = [&](const fs::path& path) {
        const fs::path relative = path.lexically_relative(top);
        if (relative.empty() || relative == "." || *relative.begin() == "..") return;
        names.insert(relative.string());
    };
    for (const std::string& path : paths) {
        std::error_code error;
        fs::path whole = fs::absolute(path, error).lexically_normal();
        if (!whole.has_filename()) whole = whole.parent_path();  // "artefacts/"
        add(fs::weakly_canonical(whole.parent_path(), error) / whole.filename());
        add(fs::weakly_canonical(whole, error));
    }
    return names;
}

/// Whether the name is one of `names`, or in a folder that is.
bool is_below(const std::string& name, const std::set<std::string>& names) {
    if (names.contains(name)) return true;
    for (std::size_t at = name.find('/'); at != std::string::npos; at = name.find('/', at + 1))
        if (names.contains(name.substr(0, at))) return true;
    return false;
}

std::string last_word(const std::string& ref) {
    const std::size_t slash = ref.rfind('/');
    return slash == std::string::npos ? ref : ref.substr(slash + 1);
}

}  // namespace

bool is_git_url(std::string_view repo) {
    if (repo.find("://") != std::string_view::npos) return true;
    const std::size_t colon = repo.find(':');
    return colon != std::string_view::npos && colon > 0 &&
           repo.substr(0, colon).find('/') == std::string_view::npos;
}

std::vector<std::string> without_git_variables() {
    std::vector<std::string> words{"env"};
    for (const char* name :
         {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX",
          "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR", "GIT_NAMESPACE"}) {
        words.insert(words.end(), {"-u", name});
    }
    return words;
}

GitRepository::GitRepository(adapters::CommandRunner& runner, std::string repo,
                             const std::string& mirrors)
    : runner_(runner), repo_(std::move(repo)), folder_(repo_) {
    if (is_git_url(repo_)) {
        refresh_mirror(mirrors);
        return;
    }
    std::error_code error;
    if (!fs::is_directory(repo_, error)) {
        throw Error(fmt::format("git.repo: there is no folder '{}'", shown_address()));
    }
    const std::string answer = must({"rev-parse", "--is-shallow-repository"});
    if (answer == "true") {
        throw Error(fmt::format(
            "{} is a shallow clone: its history ends early, so that no merge base and no older "
            "commit can be found; in GitHub Actions give actions/checkout 'fetch-depth: 0', in "
            "GitLab set GIT_DEPTH: 0, by hand 'git fetch --unshallow'",
            shown_address()));
    }
}

void GitRepository::refresh_mirror(const std::string& mirrors) {
    folder_ = mirrors + "/" + sha256_of(repo_).substr(0, 16) + ".git";
    std::error_code error;
    if (fs::exists(folder_ + "/HEAD", error)) {
        must({"fetch", "--prune", "--tags", "--force", "--quiet", "origin"});
        return;
    }
    fs::create_directories(mirrors, error);
    const std::string part = folder_ + ".part";
    fs::remove_all(part, error);
    const Answer answer = ask_in(mirrors, {"clone", "--mirror", "--quiet", "--", repo_, part});
    if (!answer.is_success) {
        throw Error(fmt::format("git.repo {}: {}", shown_address(), reason_of(answer.error)));
    }
    fs::rename(part, folder_, error);
    if (error) throw Error(folder_ + ": " + error.message(), 4);
}

GitRepository::Answer GitRepository::ask(const std::vector<std::string>& arguments,
                                         const Env& env) const {
    return ask_in(folder_, arguments, env);
}

GitRepository::Answer GitRepository::ask_in(const std::string& folder,
                                            const std::vector<std::string>& arguments,
                                            const Env& env, std::string_view input) const {
    adapters::ProgramSpec spec;
    spec.name = "git";
    spec.wrapper = without_git_variables();
    // Of a repository nothing but its files is wanted: no program that its settings name is run.
    spec.argv = {"git", "-c",  "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null",
                 "-C",  folder};
    spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
    spec.env = env;
    spec.env.emplace_back("GIT_TERMINAL_PROMPT", "0");
    spec.env.emplace_back("LC_ALL", "C");
    for (auto& [name, value] : spec.env) {
        // Set after `env -u`, which would remove them again.
        spec.wrapper.push_back(name + "=" + value);
    }
    Answer answer;
    const adapters::CommandEnd end = runner_.run(
        spec, kGitLimits,
        [&](std::string_view bytes, bool is_error) {
            if (!is_error) answer.out += bytes;
            if (is_error && answer.error.size() < kMostErrorBytes) answer.error += bytes;
        },
        input);
    answer.is_success = end.is_success();
    if (answer.is_success) return answer;
    if (end.how == adapters::CommandEnd::How::Interrupted) throw GitInterrupted();
    if (end.how != adapters::CommandEnd::How::Exited) answer.error = end.reason;
    if (end.exit_code == 127) answer.error = "there is no program 'git' in PATH";
    return answer;
}

std::string GitRepository::must(const std::vector<std::string>& arguments, const Env& env) const {
    Answer answer = ask(arguments, env);
    if (!answer.is_success) {
        throw Error(fmt::format("git {} in {}: {}", arguments.front(), shown_address(),
                                reason_of(answer.error)));
    }
    while (!answer.out.empty() && answer.out.back() == '\n') answer.out.pop_back();
    return answer.out;
}

std::string GitRepository::commit_of(const std::string& ref) const {
    const auto found = [&](const std::string& name) {
        return ask({"rev-parse", "--verify", "--quiet", "--end-of-options", name + "^{commit}"});
    };
    Answer answer = found(ref);
    // A mirror has the branches of its origin under their own names.
    constexpr std::string_view kOrigin = "origin/";
    if (!answer.is_success && is_git_url(repo_) && ref.starts_with(kOrigin)) {
        answer = found(ref.substr(kOrigin.size()));
    }
    if (answer.is_success) return std::string(trim(answer.out));
    const std::string names = ask({"for-each-ref", "--format=%(refname:short)", "refs/heads",
                                   "refs/tags", "refs/remotes"})
                                  .out;
    std::vector<std::string_view> all = lines_of(names);
    std::string advice = did_you_mean(ref, all);
    for (const std::string_view name : all) {
        if (!advice.empty()) break;
        if (last_word(std::string(name)) == last_word(ref) && name != ref)
            advice = fmt::format("; did you mean '{}'?", printable_utf8(name));
    }
    throw Error(
        fmt::format("{} has no commit '{}'{}", shown_address(), printable_utf8(ref),
                    advice.empty() ? "; if it is a branch of a remote, fetch it first" : advice));
}

std::string GitRepository::merge_base(const std::string& a, const std::string& b) const {
    const Answer answer = ask({"merge-base", a, b});
    if (answer.is_success) return std::string(trim(answer.out));
    throw Error(fmt::format("{}: {} and {} have no common ancestor", shown_address(),
                            a.substr(0, 7), b.substr(0, 7)));
}

std::optional<std::string> GitRepository::parent_of(const std::string& commit) const {
    const Answer answer = ask({"rev-parse", "--verify", "--quiet", commit + "^1"});
    if (!answer.is_success) return std::nullopt;
    return std::string(trim(answer.out));
}

SourceRecord GitRepository::describe(const std::string& commit) const {
    SourceRecord source;
    source.repo = without_credentials(repo_);
    source.commit = commit;
    const std::string text = must({"show", "--no-patch", "--format=%ct%n%s", commit});
    const std::size_t end = std::min(text.find('\n'), text.size());
    source.committed_us = to_number<long long>(text.substr(0, end)).value_or(0) * 1'000'000;
    source.subject = printable_utf8(text.substr(std::min(end + 1, text.size())));
    return source;
}

std::string GitRepository::message_of(const std::string& commit) const {
    return must({"show", "--no-patch", "--format=%B", commit});
}

std::string GitRepository::tree_of_commit(const std::string& commit) const {
    return must({"rev-parse", "--verify", commit + "^{tree}"});
}

std::string GitRepository::tree_of_files(const std::string& objects,
                                         const std::vector<std::string>& left_out) const {
    if (must({"rev-parse", "--is-inside-work-tree"}) != "true") {
        throw Error(
            fmt::format("{}: ref 'worktree' needs working files, and this is a bare "
                        "repository",
                        shown_address()));
    }
    std::error_code error;
    fs::create_directories(objects, error);
    const std::string top = must({"rev-parse", "--show-toplevel"});
    const std::string index = fmt::format("{}/index.{}", objects, ::getpid());
    fs::remove(index, error);
    const Env env{{"GIT_INDEX_FILE", index},
                  {"GIT_OBJECT_DIRECTORY", objects},
                  {"GIT_ALTERNATE_OBJECT_DIRECTORIES",
                   must({"rev-parse", "--path-format=absolute", "--git-path", "objects"})}};
    const auto step = [&](const std::vector<std::string>& arguments,
                          const std::string& input = {}) {
        Answer answer = ask_in(top, arguments, env, input);
        if (!answer.is_success) {
            throw Error(fmt::format("git {} in {}: {}", arguments.front(), shown_address(),
                                    reason_of(answer.error)));
        }
        return answer.out;
    };
    step({"read-tree", "HEAD"});
    // `git add` would refuse to leave out what is ignored anyway, and add clones as submodules.
    const std::string changed =
        step({"ls-files", "-z", "--others", "--modified", "--deleted", "--exclude-standard"});
    std::set<std::string> names;
    std::vector<std::string> ours = left_out;
    for (const std::string_view name : pieces_of(changed, '\0')) {
        if (name.ends_with('/')) continue;  // a repository of its own
        names.emplace(name);
        const std::string path = fmt::format("{}/{}", top, name);
        if (!is_store(path)) continue;
        const std::vector<std::string> store = files_of_store(path);
        ours.insert(ours.end(), store.begin(), store.end());
    }
    const std::set<std::string> excluded = names_below(top, ours);
    std::erase_if(names, [&](const std::string& name) { return is_below(name, excluded); });
    std::string input;
    for (const std::string& name : names) input += name + '\0';
    step({"update-index", "-z", "--add", "--remove", "--replace", "--stdin"}, input);
    std::string tree(trim(step({"write-tree"})));
    fs::remove(index, error);
    return tree;
}

std::string GitRepository::shown_address() const {
    return printable_utf8(without_credentials(repo_));
}

std::string GitRepository::address() const {
    if (is_git_url(repo_)) return repo_;
    const Answer origin = ask({"remote", "get-url", "origin"});
    if (origin.is_success) return std::string(trim(origin.out));
    const Answer top = ask({"rev-parse", "--show-toplevel"});
    return top.is_success ? std::string(trim(top.out)) : repo_;
}

void GitRepository::check_out(const std::string& commit, const std::string& folder,
                              const std::string& tree, const std::string& objects) const {
    const fs::path path(folder);
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    const auto step = [&](const std::string& where, const std::vector<std::string>& arguments) {
        const Answer answer = ask_in(where, arguments);
        if (answer.is_success) return;
        throw Error(fmt::format("git {} of {} into {}: {}", arguments.front(), shown_address(),
                                printable_utf8(folder), reason_of(answer.error)),
                    4);
    };
    const std::string from =
        is_git_url(repo_) ? folder_
                          : must({"rev-parse", "--path-format=absolute", "--git-common-dir"});
    // The repository has been opened, so that its owner is trusted; the process that git starts for
    // a clone looks at the owner of this folder of it once more, and reads no settings of ours.
    const std::string pack = "git -c " + shell_word("safe.directory=" + from) + " upload-pack";
    step(path.parent_path().string(), {"clone", "--shared", "--no-checkout", "--quiet",
                                       "--upload-pack", pack, "--", from, folder});
    step(folder, {"checkout", "--quiet", "--detach", commit});
    if (!tree.empty()) {
        // For good, and not by the environment: a build may ask git for its version.
        File::append(folder + "/.git/objects/info/alternates")
            .write(fs::absolute(objects).string() + "\n");
        step(folder, {"read-tree", "-u", "--reset", tree});
    }
    if (fs::exists(path / ".gitmodules", error)) {
        // Relative URLs of submodules are relative to the repository's origin.
        step(folder, {"remote", "set-url", "origin", address()});
        step(folder, {"submodule", "update", "--init", "--recursive", "--quiet"});
    }
}

std::vector<std::string> GitRepository::bisection(const std::string& bad,
                                                  const std::vector<std::string>& goods) const {
    std::vector<std::string> arguments{"rev-list", "--bisect-all", bad};
    for (const std::string& good : goods) arguments.push_back("^" + good);
    std::vector<std::string> commits;
    // Each line is "COMMIT (dist=N)", with the names of refs in the brackets.
    const std::string text = must(arguments);
    for (const std::string_view line : lines_of(text)) {
        commits.emplace_back(line.substr(0, line.find(' ')));
    }
    return commits;
}

}  // namespace assay::harness

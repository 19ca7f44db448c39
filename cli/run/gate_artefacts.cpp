#include "cli/run/gate_artefacts.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "cli/frame/target.h"
#include "reports/files/junit.h"
#include "reports/files/run_json.h"
#include "reports/text/github.h"
#include "reports/text/markdown.h"
#include "reports/web/run_page.h"

namespace assay::cli {

namespace {

constexpr int kArtefactFailed = 4;
constexpr const char* kPage = "report.html";
constexpr const char* kGames = "games.pgn.zst";
constexpr const char* kLog = "log.txt";

constexpr std::array<const char*, 6> kArtefacts{kPage,         "junit.xml", "report.md",
                                                "result.json", kGames,      kLog};

/// Writes every artefact that was asked for. One that cannot be written is reported on standard
/// error; the others are still written.
class ArtefactWriter {
public:
    explicit ArtefactWriter(bool is_quiet = false) : is_quiet_(is_quiet) {}

    void operator()(const std::function<void()>& write) {
        try {
            write();
        } catch (const Error& error) {
            if (!is_quiet_) std::fprintf(stderr, "%s\n", error.what());
            has_failed_ = true;
        }
    }

    /// Does nothing if `path` is empty.
    void put(const std::string& path, const std::string& text) {
        if (!path.empty()) (*this)([&] { write_file(path, text); });
    }

    [[nodiscard]] bool has_failed() const { return has_failed_; }

private:
    bool is_quiet_;
    bool has_failed_ = false;
};

std::string in_folder(const ArtefactFiles& files, std::string_view name) {
    return files.out + "/" + std::string(name);
}

/// Removes the artefacts of an earlier run, except the log, which this run has begun already.
void remove_old(const ArtefactFiles& files) {
    if (files.out.empty()) return;
    std::error_code ignored;
    std::filesystem::create_directories(files.out, ignored);
    for (const std::string_view name : kArtefacts) {
        if (name != kLog) std::filesystem::remove(in_folder(files, name), ignored);
    }
}

/// Writes short reports of a gate without a run. False where one cannot be written.
bool write_short(const ArtefactFiles& files, const std::string& junit,
                 const std::string& markdown) {
    remove_old(files);
    ArtefactWriter write;
    write.put(files.junit, junit);
    write.put(files.markdown, markdown);
    if (!files.out.empty()) {
        write.put(in_folder(files, "junit.xml"), junit);
        write.put(in_folder(files, "report.md"), markdown);
    }
    return !write.has_failed();
}

/// Appends to the file that an environment variable names, if it is set.
void append_to_named(const char* variable, const std::string& text) {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing in this process changes the environment
    const char* const path = std::getenv(variable);
    if (path == nullptr || *path == '\0') return;
    try {
        File::append(path).write(text);
    } catch (const Error& error) {
        std::fprintf(stderr, "warning: %s: %s\n", variable, error.what());
    }
}

void tell_github(const reports::RunView& view, const std::string& markdown, int exit_code,
                 std::FILE* people) {
    append_to_named("GITHUB_STEP_SUMMARY", markdown);
    append_to_named("GITHUB_OUTPUT", reports::github_outputs(view, exit_code));
    if (reports::is_github_action()) {
        std::fputs(reports::github_annotation(view, exit_code).c_str(), people);
    }
}

void write_junit(const ArtefactFiles& files, const reports::RunView& view, ArtefactWriter& write) {
    std::vector<std::string> attachments;
    if (!files.out.empty()) {
        // Readers that show one file for a case show the first.
        for (const char* const name : {kPage, kGames, kLog})
            attachments.push_back(in_folder(files, name));
    }
    const std::string junit = reports::junit_report(view, attachments);
    write.put(files.junit, junit);
    if (!files.out.empty()) write.put(in_folder(files, "junit.xml"), junit);
}

/// Writes the files that contain the exit code.
void write_with_code(const ArtefactFiles& files, const reports::RunView& view,
                     const reports::StoredRun& stored, ArtefactWriter& write) {
    write_junit(files, view, write);
    const std::string markdown = reports::markdown_report(view);
    write.put(files.markdown, markdown);
    if (files.out.empty()) return;
    write.put(in_folder(files, "report.md"), markdown);
    write.put(in_folder(files, "result.json"), reports::run_json(view));
    write(
        [&] { write_file(in_folder(files, kPage), reports::web::run_page(view, stored.store())); });
}

}  // namespace

std::vector<std::string> names_of(const ArtefactFiles& files) {
    std::vector<std::string> names;
    for (const std::string& path : {files.junit, files.markdown}) {
        if (!path.empty() && path != "-") names.push_back(path);
    }
    if (files.out.empty()) return names;
    for (const char* const name : kArtefacts) names.push_back(in_folder(files, name));
    return names;
}

void check_artefact_targets(ArtefactFiles& files, const std::vector<std::string>& inputs) {
    for (std::string* const path : {&files.junit, &files.markdown}) {
        try {
            check_target(*path, inputs);
        } catch (const Error&) {
            path->clear();  // the error is not written there either
            throw;
        }
    }
    std::error_code ignored;
    if (files.out.empty() || !std::filesystem::exists(files.out, ignored)) return;
    for (const char* const name : kArtefacts) check_target(in_folder(files, name), inputs);
}

void make_folder(const ArtefactFiles& files) {
    if (files.out.empty()) return;
    std::error_code error;
    std::filesystem::create_directories(files.out, error);
    if (error) throw Error(files.out + ": cannot make the folder: " + error.message());
    for (const char* const name : kArtefacts) check_writable(in_folder(files, name));
}

GateLog::GateLog(const ArtefactFiles& files)
    : path_(files.out.empty() ? "" : in_folder(files, kLog)) {}

std::ostream* GateLog::stream() {
    if (path_.empty()) return nullptr;
    if (!file_.is_open()) {
        file_.open(path_, std::ios::binary | (is_begun_ ? std::ios::app : std::ios::trunc));
        is_begun_ = true;
    }
    return &file_;
}

void GateLog::line(const std::string& text) {
    if (std::ostream* const out = stream()) *out << text << '\n' << std::flush;
}

bool GateLog::close() {
    if (path_.empty()) return true;
    file_.close();
    if (file_) return true;
    std::fprintf(stderr, "%s: cannot write\n", path_.c_str());
    return false;
}

int write_artefacts(const ArtefactFiles& files, const PlayFlags& flags,
                    const harness::RunOutcome& outcome, int exit_code, GateLog& log) {
    const auto stored =
        reports::StoredRun::load(flags.options.store, std::to_string(outcome.run.id));
    reports::RunView view = stored->view();
    view.exit_code = exit_code;
    const auto print_json = [&] {
        if (flags.json) std::fputs(reports::run_json(view).c_str(), stdout);
    };
    // CI gives a stopped job a few seconds: write what CI reads before what takes long.
    const bool is_stopped = exit_code >= 128;
    if (is_stopped) print_json();
    remove_old(files);
    ArtefactWriter write;
    write_with_code(files, view, *stored, write);
    if (!files.out.empty())
        write([&] { print_games(*stored, in_folder(files, kGames), reports::GameFormat::Pgn); });
    int code = write.has_failed() && !is_stopped ? kArtefactFailed : exit_code;
    // The reported code must be the returned one, which a failure of the log changes.
    log.line(fmt::format("exit {}", code));
    if (!log.close() && !is_stopped) code = kArtefactFailed;
    if (code != exit_code) {
        view.exit_code = code;
        ArtefactWriter again(true);
        write_with_code(files, view, *stored, again);
    }
    if (!is_stopped) print_json();
    tell_github(view, reports::markdown_report(view), code, flags.json ? stderr : stdout);
    return code;
}

int write_skipped_artefacts(const ArtefactFiles& files, const std::string& reason, GateLog& log) {
    const std::string markdown = reports::markdown_skipped(reason);
    const bool is_written = write_short(files, reports::junit_skipped(reason), markdown);
    append_to_named("GITHUB_STEP_SUMMARY", markdown);
    return log.close() && is_written ? 0 : kArtefactFailed;
}

void write_error_artefacts(const ArtefactFiles& files, const std::string& text) {
    (void)write_short(files, reports::junit_error(text), reports::markdown_error(text));
}

}  // namespace assay::cli

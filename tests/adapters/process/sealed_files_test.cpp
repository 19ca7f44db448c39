#include "adapters/process/sealed_files.h"

#include <filesystem>
#include <optional>
#include <string>
#include <sys/resource.h>

#include <doctest/doctest.h>

#include "base/sha256.h"
#include "tests/adapters/process/process_tools.h"
#include "tests/support/temp_dir.h"

using assay::sha256_of_file;
using assay::write_file;
using assay::adapters::FileChange;
using assay::adapters::find_change;
using assay::adapters::ProgramSpec;
using assay::adapters::SealedFile;
using assay::adapters::Spawner;
using assay::adapters::SpawnFailure;
using assay::test::TempDir;

namespace {

/// Puts a program that says `word` in the place of `path`, as `mv` does.
void install(const std::string& path, const std::string& word) {
    write_file(path, "#!/bin/sh\necho " + word + "\n");
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
}

/// "none", or what has changed and who is to blame.
std::string text_of(const std::optional<FileChange>& change) {
    if (!change) return "none";
    return change->text + (change->is_machines ? " [machine]" : "");
}

}  // namespace

TEST_CASE("Sealed files: another content is a change, the same bytes copied are none") {
    const TempDir dir;
    const std::string path = dir.path("engine");
    install(path, "one");
    const std::vector<SealedFile> files{{path, sha256_of_file(path)}};
    CHECK_FALSE(find_change(files));
    install(path, "one");
    CHECK_FALSE(find_change(files));
    install(path, "two");
    const std::string expected = path + " was replaced during the run (SHA-256 " +
                                 files[0].sha256.substr(0, 12) + "… at its start, now " +
                                 sha256_of_file(path).substr(0, 12) + "…)";
    CHECK(text_of(find_change(files)) == expected);
    std::filesystem::remove(path);
    CHECK(text_of(find_change(files)).starts_with(path));
    install(path, "one");
    CHECK_FALSE(find_change(files));
}

TEST_CASE("Sealed files: a system without descriptors is the machine's fault, and no change") {
    const TempDir dir;
    const std::string path = dir.path("engine");
    install(path, "one");
    const std::vector<SealedFile> files{{path, sha256_of_file(path)}};
    rlimit before{};
    REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
    rlimit none = before;
    none.rlim_cur = 0;
    REQUIRE(::setrlimit(RLIMIT_NOFILE, &none) == 0);
    const auto change = find_change(files);
    REQUIRE(::setrlimit(RLIMIT_NOFILE, &before) == 0);
    CHECK(text_of(change) == path + ": cannot open: Too many open files [machine]");
    CHECK_FALSE(find_change(files));
}

TEST_CASE("Spawner: a program of which a file was replaced since it was hashed is not started") {
    const TempDir dir;
    const std::string path = dir.path("engine");
    const std::string network = dir.path("network");
    install(path, "one");
    write_file(network, "old");
    ProgramSpec spec;
    spec.argv = {path};
    spec.files = {{path, sha256_of_file(path)}, {network, sha256_of_file(network)}};
    Spawner spawner;
    CHECK(assay::test::output_of(spawner, spec) == "one\n");
    write_file(network, "new");
    CHECK(
        assay::test::output_of(spawner, spec).starts_with("failed: " + network + " was replaced"));
    write_file(network, "old");
    install(path, "two");
    const auto result = spawner.spawn(spec);
    REQUIRE(std::holds_alternative<SpawnFailure>(result));
    CHECK(std::get<SpawnFailure>(result).is_replaced);
    CHECK_FALSE(std::get<SpawnFailure>(result).is_machines);
}

// What has the name of a part, and is no file.
#include <filesystem>
#include <string>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <variant>

#include <doctest/doctest.h>

#include "base/file.h"
#include "base/unique_fd.h"
#include "harness/store/part/quarantine.h"
#include "tests/harness/store/sample_part.h"
#include "tests/support/contains.h"

using namespace assay::harness;  // NOLINT(google-build-using-namespace): the room under test
using assay::test::contains;
using assay::test::PartTest;
namespace fs = std::filesystem;

namespace {

void make_socket(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    REQUIRE(path.size() < sizeof(address.sun_path));
    path.copy(&address.sun_path[0], path.size());
    const assay::UniqueFd made(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    REQUIRE(::bind(made.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0);
}

}  // namespace

TEST_CASE("Part: a folder, a pipe, a socket or a link to nothing is refused, and put aside") {
    const PartTest t;
    const std::int64_t run = t.open_run();
    for (const std::string kind : {"folder", "pipe", "socket", "link"}) {
        CAPTURE(kind);
        const std::string path = t.path(kind + ".db");
        if (kind == "folder") {
            fs::create_directories(path + "/within");
        } else if (kind == "pipe") {
            REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
        } else if (kind == "socket") {
            make_socket(path);
        } else {
            fs::create_symlink("nowhere", path);
        }
        const auto imported = t.import(run, path);
        const auto* const fault = std::get_if<PartFault>(&imported);
        REQUIRE(fault != nullptr);
        CHECK(fault->kind == PartFault::Kind::Damaged);
        CHECK_MESSAGE(contains(fault->sentence, kind == "folder" ? "is a folder" : "is no file"),
                      fault->sentence);
        const std::string to = quarantine(t.path("all.db"), path, fault->sentence);
        CHECK(fs::symlink_status(path).type() == fs::file_type::not_found);
        CHECK(contains(assay::read_file(to + ".reason"), kind == "folder" ? "folder" : "no file"));
        if (kind == "folder") CHECK(fs::is_directory(to + "/within"));
    }
}

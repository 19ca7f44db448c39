#include "rules/multigame/object/loader.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "rules/multigame/object/object_files.h"
#include "tests/support/temp_dir.h"

using assay::rules::multigame::CompiledProgram;
namespace fs = std::filesystem;

namespace {

/// A folder with a copy of one of the built objects.
class Copy {
public:
    explicit Copy(const std::string& name = "small_object") {
        fs::permissions(dir_.root(), fs::perms::owner_all);
        fs::copy_file(std::string(ASSAY_OBJECTS) + "/lib" + name + ".so", path());
        fs::permissions(path(), fs::perms::owner_read | fs::perms::owner_write);
    }

    [[nodiscard]] std::string path() const { return dir_.path("object.so"); }

    [[nodiscard]] const std::string& root() const { return dir_.root(); }

    /// Why it is not loaded; empty: it is.
    [[nodiscard]] std::string reason(const std::string& hash = "0123") const {
        try {
            (void)CompiledProgram::load(path(), hash);
            return "";
        } catch (const assay::Error& error) {
            const std::string lead = "the compiled rules in " + path() + " are not used: ";
            const std::string said = error.what();
            REQUIRE(said.starts_with(lead));
            return said.substr(lead.size());
        }
    }

private:
    assay::test::TempDir dir_;
};

}  // namespace

TEST_CASE("Compiled rules: an object is loaded where file and folder are the user's own") {
    const Copy copy;
    const auto program = CompiledProgram::load(copy.path(), "0123");
    CHECK(program->game().state_size == 8);
    CHECK(copy.reason() == "");
    fs::permissions(copy.path(), fs::perms::group_write, fs::perm_options::add);
    CHECK(copy.reason() == "others may write to the file");
    fs::permissions(copy.path(), fs::perms::group_write, fs::perm_options::remove);
    fs::permissions(copy.root(), fs::perms::others_write, fs::perm_options::add);
    CHECK(copy.reason() == "others may write to its folder");
}

TEST_CASE("Compiled rules: an object of other rules, another version, or none at all is refused") {
    CHECK(Copy().reason("0124") == "it was made from other rules");
    CHECK(Copy("other_interface").reason() == "it was made for another version of assay");
    CHECK(Copy("without_moves").reason() == "its table of functions is not whole");
    CHECK(Copy("without_entry").reason() == "it has no mg_game_v1()");
    const Copy text;
    std::ofstream(text.path()) << "no object";
    CHECK(text.reason() != "");
    const Copy cut;
    fs::resize_file(cut.path(), fs::file_size(cut.path()) / 2);
    CHECK(cut.reason() != "");
    const Copy gone;
    fs::remove(gone.path());
    CHECK(gone.reason() == "the file cannot be opened (No such file or directory)");
    const Copy link;
    fs::rename(link.path(), link.path() + ".real");
    fs::create_symlink(link.path() + ".real", link.path());
    CHECK(link.reason().starts_with("the file cannot be opened ("));
    const Copy folder;
    fs::remove(folder.path());
    fs::create_directory(folder.path());
    CHECK(folder.reason() == "the file is no regular file");
}

TEST_CASE("Compiled rules: two objects that are loaded one after the other are two") {
    const Copy first;
    const Copy second("other_state");
    const auto one = CompiledProgram::load(first.path(), "0123");
    const auto two = CompiledProgram::load(second.path(), "0123");
    CHECK(one->game().state_size == 8);
    CHECK(two->game().state_size == 16);
}

TEST_CASE("Compiled rules: an object that is cut at any byte is refused") {
    const Copy whole;
    const auto size = fs::file_size(whole.path());
    REQUIRE(size > 1000);
    std::size_t loaded = 0;
    for (auto length = size; length-- > 0;) {
        fs::resize_file(whole.path(), length);
        loaded += whole.reason().empty() ? 1U : 0U;
    }
    CHECK(loaded == 0);
}

TEST_CASE("Compiled rules: an object whose file is cut while it is loaded goes on") {
    const Copy copy;
    const auto program = CompiledProgram::load(copy.path(), "0123");
    fs::resize_file(copy.path(), 0);
    long state = 0;
    CHECK(program->game().moves(&state, nullptr, 0) == MG_FAULT);
    CHECK(program->game().key(&state) == 0);
}

TEST_CASE("Compiled rules: an object with another sum than its name's is refused") {
    const Copy copy;
    const std::string bytes = assay::read_file(copy.path());
    const std::string sum = assay::rules::multigame::sum_of_object(bytes);
    CHECK(sum.size() == 32);
    CHECK_NOTHROW((void)CompiledProgram::load(copy.path(), "0123", sum));
    for (std::size_t at = 0; at < bytes.size(); at += 101) {
        std::string changed = bytes;
        changed[at] = static_cast<char>(changed[at] ^ 1);
        std::ofstream(copy.path(), std::ios::binary) << changed;
        CHECK_THROWS_AS((void)CompiledProgram::load(copy.path(), "0123", sum), assay::Error);
    }
}

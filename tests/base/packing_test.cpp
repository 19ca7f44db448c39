#include "base/packing.h"

#include <string>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/random.h"
#include "tests/support/temp_dir.h"

using assay::File;
using assay::Packer;
using assay::Packing;

namespace {

std::string unpack_text(const std::string& path) {
    const File file = File::open(path);
    std::string out;
    assay::unpack(file, assay::packing_of(file.read_at(0, 8)),
                  [&out](std::string_view bytes) { out += bytes; });
    return out;
}

std::string long_text() {
    assay::Random random(3);
    std::string text;
    for (int i = 0; i < 40'000; ++i) text += std::to_string(random.below(1'000'000)) + "\n";
    return text;
}

}  // namespace

TEST_CASE("unpack: gives back what was packed, of several members too, and needs no suffix") {
    const assay::test::TempDir dir;
    const std::string text = long_text();
    for (const Packing packing : {Packing::None, Packing::Gzip, Packing::Zstd}) {
        CAPTURE(static_cast<int>(packing));
        const std::string path = dir.path("book");
        assay::write_file(path, assay::pack(text, packing));
        CHECK(unpack_text(path) == text);
        assay::write_file(path, assay::pack(text, packing) + assay::pack("tail\n", packing));
        CHECK(unpack_text(path) == text + "tail\n");
    }
}

TEST_CASE("Packer: what is given piece by piece is one archive") {
    const assay::test::TempDir dir;
    const std::string text = long_text();
    for (const Packing packing : {Packing::None, Packing::Gzip, Packing::Zstd}) {
        CAPTURE(static_cast<int>(packing));
        Packer packer(packing);
        std::string out(packer.add(text.substr(0, 1)));
        for (std::size_t at = 1; at < text.size(); at += 1000)
            out += packer.add(text.substr(at, 1000));
        out += packer.finish();
        CHECK(assay::packing_of(out) == packing);
        const std::string path = dir.path("games.pgn.packed");
        assay::write_file(path, out);
        CHECK(unpack_text(path) == text);
        if (packing != Packing::None) CHECK(out.size() < text.size() / 2);
    }
}

TEST_CASE("unpack: zeros behind a gzip member are padding, other bytes are damage") {
    const assay::test::TempDir dir;
    const std::string path = dir.path("book.gz");
    const std::string packed = assay::pack("text\n", Packing::Gzip);
    assay::write_file(path, packed + std::string(600, '\0'));
    CHECK(unpack_text(path) == "text\n");
    assay::write_file(path, packed + "junk");
    CHECK_THROWS_WITH_AS((void)unpack_text(path),
                         (path + ": error: damaged gzip archive: incorrect header check").c_str(),
                         assay::Error);
}

TEST_CASE("unpack: an archive that is cut at any byte is an error that names the file") {
    const assay::test::TempDir dir;
    for (const Packing packing : {Packing::Gzip, Packing::Zstd}) {
        const std::string packed = assay::pack("a few words, a few words\n", packing);
        for (std::size_t length = 5; length < packed.size(); ++length) {
            CAPTURE(length);
            const std::string path = dir.path("book");
            assay::write_file(path, packed.substr(0, length));
            const std::string kind = packing == Packing::Gzip ? "gzip" : "zstd";
            CHECK_THROWS_WITH_AS(
                (void)unpack_text(path),
                (path + ": error: damaged " + kind + " archive: it is cut short").c_str(),
                assay::Error);
        }
    }
}

TEST_CASE("unpack: a flipped byte is an error, or the very text") {
    const assay::test::TempDir dir;
    const std::string text = "a few words, a few words, and some 0123456789 more\n";
    for (const Packing packing : {Packing::Gzip, Packing::Zstd}) {
        const std::string packed = assay::pack(text, packing);
        // zstd's frame as made here carries no checksum of the content, so only gzip promises more
        // than not to crash.
        for (std::size_t i = 4; i < packed.size(); ++i) {
            CAPTURE(i);
            std::string damaged = packed;
            damaged[i] = static_cast<char>(damaged[i] ^ 0x5a);
            const std::string path = dir.path("book");
            assay::write_file(path, damaged);
            try {
                const std::string got = unpack_text(path);
                if (packing == Packing::Gzip) CHECK(got == text);
            } catch (const assay::Error& error) {
                CHECK(std::string(error.what()).starts_with(path + ": error: damaged "));
            }
        }
    }
}

TEST_CASE("read_text: a file that is no text is named by its first bytes, with what to do") {
    using namespace std::string_literals;
    const assay::test::TempDir folder;
    const std::string path = folder.root() + "/book.epd";

    struct Case {
        std::string head;
        std::string words;
    };

    const std::vector<Case> cases{
        {"PK\x03\x04..", "this is a zip archive: unpack it first (unzip)"},
        {"Rar!\x1a\x07..", "this is a rar archive: unpack it first (unrar x)"},
        {"7z\xbc\xaf\x27\x1c..", "this is a 7z archive: unpack it first (7z x)"},
        {"\xfd"
         "7zXZ\0.."s,
         "this is packed with xz: unpack it first (xz -d)"},
        {"BZh9..", "this is packed with bzip2: unpack it first (bzip2 -d)"},
        {std::string(257, 'x') + "ustar", "this is a tar archive: unpack it first (tar xf)"},
        {"\xff\xfe[\0"s, "this is text in UTF-16: save it as UTF-8 (iconv -f UTF-16 -t UTF-8)"},
        {"\xfe\xff\0["s, "this is text in UTF-16: save it as UTF-8 (iconv -f UTF-16 -t UTF-8)"},
        {"SQLite format 3\0"s, "this is an SQLite database, not a text"},
        {"<!DOCTYPE html>", "this is a page of HTML: download the file itself"},
        {assay::pack("x", Packing::Gzip), "this is packed with gzip: unpack it first (gzip -d)"},
        {assay::pack("x", Packing::Zstd), "this is packed with zstd: unpack it first (zstd -d)"},
    };
    for (const Case& c : cases) {
        CAPTURE(c.words);
        assay::write_file(path, c.head);
        CHECK_THROWS_WITH_AS((void)assay::read_text(path), (path + ": error: " + c.words).c_str(),
                             assay::Error);
    }
    assay::write_file(path, "\xef\xbb\xbfname: x\n");
    CHECK(assay::read_text(path) == "name: x\n");
    CHECK(assay::foreign_kind("").empty());
    CHECK(assay::foreign_kind("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - -").empty());
}

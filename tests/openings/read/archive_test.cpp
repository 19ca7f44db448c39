#include "openings/read/archive.h"

#include <iostream>
#include <ostream>
#include <sstream>
#include <string>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/random.h"
#include "openings/read/packing_buffer.h"
#include "tests/support/temp_dir.h"

using assay::openings::File;
using assay::openings::Packing;
using assay::openings::PackingBuffer;

namespace {

std::string unpack_text(const std::string& path) {
    const File file = File::open(path);
    std::string out;
    assay::openings::unpack(file, assay::openings::packing_of(file.read_at(0, 8)),
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
        assay::write_file(path, assay::openings::pack(text, packing));
        CHECK(unpack_text(path) == text);
        assay::write_file(
            path, assay::openings::pack(text, packing) + assay::openings::pack("tail\n", packing));
        CHECK(unpack_text(path) == text + "tail\n");
    }
}

TEST_CASE(
    "PackingBuffer: what is written piece by piece is one archive, and a full target says so") {
    const assay::test::TempDir dir;
    const std::string text = long_text();
    CHECK(PackingBuffer::make(*std::cout.rdbuf(), Packing::None) == nullptr);
    for (const Packing packing : {Packing::Gzip, Packing::Zstd}) {
        CAPTURE(static_cast<int>(packing));
        std::stringbuf target;
        const auto buffer = PackingBuffer::make(target, packing);
        std::ostream out(buffer.get());
        out.put(text.front());
        for (std::size_t at = 1; at < text.size(); at += 1000) out << text.substr(at, 1000);
        CHECK(out.good());
        CHECK(buffer->finish());
        const std::string path = dir.path("games.pgn.packed");
        assay::write_file(path, target.str());
        CHECK(assay::openings::packing_of(target.str()) == packing);
        CHECK(unpack_text(path) == text);
        CHECK(target.str().size() < text.size() / 2);

        std::stringbuf none(std::ios::in);  // takes nothing
        const auto stuck = PackingBuffer::make(none, packing);
        std::ostream(stuck.get()) << "text";
        CHECK_FALSE(stuck->finish());
    }
}

TEST_CASE("unpack: zeros behind a gzip member are padding, other bytes are damage") {
    const assay::test::TempDir dir;
    const std::string path = dir.path("book.gz");
    const std::string packed = assay::openings::pack("text\n", Packing::Gzip);
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
        const std::string packed = assay::openings::pack("a few words, a few words\n", packing);
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
        const std::string packed = assay::openings::pack(text, packing);
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

// A polyglot book's file: its lines are openings, and what is wrong is an error that names it.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

#include "base/check.h"
#include "base/diagnostic.h"
#include "openings/read/opening_reader.h"
#include "openings/read/polyglot_lines.h"
#include "rules/game.h"
#include "rules/make_game.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const auto chess = assay::rules::make_game("chess");
    const int descriptor = ::memfd_create("fuzz", MFD_CLOEXEC);
    ASSAY_CHECK(descriptor >= 0);
    ASSAY_CHECK(::write(descriptor, data, size) == static_cast<ssize_t>(size));
    const assay::File file(assay::UniqueFd(descriptor), "book.bin");
    try {
        const assay::openings::PolyglotFile book(file);
        std::string lines;
        assay::openings::write_polyglot_lines(
            book, file.name(), 6, *chess, 1000,
            [&book](std::uint64_t entry, const std::string& message) {
                ASSAY_CHECK(entry >= 1 && entry <= book.size() && !message.empty());
            },
            [&lines](std::string_view text) { lines += text; });
        ASSAY_CHECK(lines.ends_with('\n'));
        for (std::string_view rest = lines; !rest.empty();) {
            const std::size_t end = rest.find('\n');
            const auto reading = assay::openings::read_moves(rest.substr(0, end), *chess);
            ASSAY_CHECK(reading.opening.has_value() && !reading.opening->moves.empty());
            rest.remove_prefix(end + 1);
        }
    } catch (const assay::Error& error) {
        ASSAY_CHECK(std::string_view(error.what()).starts_with("book.bin: error: "));
    }
    return 0;
}

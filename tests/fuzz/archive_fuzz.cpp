// A book's file as it lies on the disk: packed or not, of any format, through the whole of
// open_book().
#include <cstddef>
#include <cstdint>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

#include "base/check.h"
#include "base/diagnostic.h"
#include "openings/book.h"
#include "rules/game.h"
#include "rules/make_game.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const auto chess = assay::rules::make_game("chess");
    const int descriptor = ::memfd_create("fuzz", MFD_CLOEXEC);
    ASSAY_CHECK(descriptor >= 0);
    ASSAY_CHECK(::write(descriptor, data, size) == static_cast<ssize_t>(size));
    assay::openings::BookOptions options;
    options.path = "/proc/self/fd/" + std::to_string(descriptor);
    options.cache_dir = "/dev/null/none";
    try {
        const auto book = open_book(options, *chess);
        ASSAY_CHECK(book->size() > 0 && book->hash().size() == 64);
        for (std::uint64_t i = 0; i < book->size() && i < 20; ++i) (void)book->at(i);
    } catch (const assay::Error& error) {
        ASSAY_CHECK(std::string(error.what()).starts_with(options.path));
    }
    ::close(descriptor);
    return 0;
}

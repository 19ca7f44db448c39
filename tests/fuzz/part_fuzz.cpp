// A part of a run as it lies in a shared folder: any bytes, and any bytes that its worker sealed.
// What is read is imported too, twice: then the run has it, and can be read.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>
#include <variant>

#include "base/check.h"
#include "base/sha256.h"
#include "harness/store/part/part_import.h"
#include "harness/store/part/part_seal.h"
#include "harness/store/store.h"

// All fuzzers are one source of fuzz_replay.
namespace part_fuzz {

namespace {

using namespace assay::harness;

RunRecord run_of_parts() {
    RunRecord run;
    run.uid = "0123456789abcdef0123456789abcdef";
    run.plan.matches.resize(1);
    return run;
}

/// A store that has the run without games, as bytes.
std::string empty_store() {
    const std::string path = (std::filesystem::temp_directory_path() /
                              ("assay-part-fuzz-" + std::to_string(::getpid()) + ".db"))
                                 .string();
    std::filesystem::remove(path);
    { (void)Store(path, Store::Access::Write).begin_run(run_of_parts()); }
    close_part(path);
    std::string bytes = sealed_bytes(path);
    std::filesystem::remove(path);
    return bytes;
}

/// Whatever is in the part, the store's faults are not its.
void import_into_empty(const Part& part) {
    static const std::string empty = empty_store();
    Store store = Store::in_memory("all.db", empty);
    RunRecord run = run_of_parts();
    run.id = 1;  // its plan has no programs, and could not be read back
    const auto first = take_part(store, run, part);
    ASSAY_CHECK(std::holds_alternative<Imported>(first));
    const auto again = take_part(store, run, part);
    ASSAY_CHECK(std::holds_alternative<Imported>(again));
    ASSAY_CHECK(std::get<Imported>(again).taken == 0);
    ASSAY_CHECK(store.pairs(run.id, 0).size() == part.pairs.size());
    ASSAY_CHECK(store.searches(run.id).empty());
}

void read_part_bytes(std::string_view bytes) {
    const int descriptor = ::memfd_create("fuzz", MFD_CLOEXEC);
    ASSAY_CHECK(descriptor >= 0);
    ASSAY_CHECK(::write(descriptor, bytes.data(), bytes.size()) ==
                static_cast<ssize_t>(bytes.size()));
    const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
    const auto result = read_part(path, run_of_parts());
    if (const auto* const fault = std::get_if<PartFault>(&result))
        ASSAY_CHECK(fault->sentence.starts_with(path));
    else
        import_into_empty(std::get<Part>(result));
    ::close(descriptor);
}

}  // namespace

}  // namespace part_fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    part_fuzz::read_part_bytes(bytes);
    part_fuzz::read_part_bytes(std::string(bytes) + "assay part sha2:" + assay::sha256_of(bytes));
    return 0;
}

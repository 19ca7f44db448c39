// A part of a run as it lies in a shared folder: any bytes, and any bytes that its worker sealed.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>
#include <variant>

#include "base/check.h"
#include "base/sha256.h"
#include "harness/store/part.h"

namespace {

void read_part_bytes(std::string_view bytes) {
    const int descriptor = ::memfd_create("fuzz", MFD_CLOEXEC);
    ASSAY_CHECK(descriptor >= 0);
    ASSAY_CHECK(::write(descriptor, bytes.data(), bytes.size()) ==
                static_cast<ssize_t>(bytes.size()));
    const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
    assay::harness::RunRecord run;
    run.uid = "0123456789abcdef0123456789abcdef";
    run.plan.matches.resize(1);
    const auto result = assay::harness::read_part(path, run);
    if (const auto* const fault = std::get_if<assay::harness::PartFault>(&result))
        ASSAY_CHECK(fault->sentence.starts_with(path));
    ::close(descriptor);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    read_part_bytes(bytes);
    read_part_bytes(std::string(bytes) + "assay part sha2:" + assay::sha256_of(bytes));
    return 0;
}

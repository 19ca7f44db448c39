#include "cli/run/phase_memory.h"

#include <cstdint>
#include <link.h>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

namespace assay::cli {

namespace {

/// The parts of one loaded file that nobody writes to: what is let go there is the file's still.
int give_back_file(dl_phdr_info* info, std::size_t /*size*/, void* /*unused*/) {
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr)& part = info->dlpi_phdr[i];
        if (part.p_type != PT_LOAD || (part.p_flags & PF_W) != 0) continue;
        const std::uintptr_t begin = (info->dlpi_addr + part.p_vaddr) / page * page;
        const std::uintptr_t end = info->dlpi_addr + part.p_vaddr + part.p_memsz;
        // Where the system does not do it, the pages stay, which harms nothing.
        (void)::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
    }
    return 0;
}

void give_back() {
    ::malloc_trim(0);
    ::dl_iterate_phdr(give_back_file, nullptr);
}

}  // namespace

void PhaseMemory::on_match_start(const harness::RunRecord& /*run*/, std::size_t /*match*/,
                                 int /*concurrency*/) {
    give_back();
}

void PhaseMemory::on_match_end(std::size_t /*match*/, const harness::MatchTally& /*tally*/) {
    give_back();
}

}  // namespace assay::cli

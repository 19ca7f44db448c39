#include "tests/support/no_memory.h"

#include <cstdlib>
#include <limits>
#include <new>

namespace {

constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();

thread_local std::size_t most_bytes = kAny;

[[maybe_unused]] void* allocated(std::size_t bytes) {
    const bool is_refused = bytes > most_bytes;
    if (is_refused) most_bytes = kAny;
    return is_refused ? nullptr : std::malloc(bytes == 0 ? 1 : bytes);
}

}  // namespace

#ifndef __SANITIZE_THREAD__
// None of these is inlined: of a pair of which one half is, a compiler believes that it mismatches.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
    void* const memory = allocated(bytes);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

// Where a sanitizer has one of its own, this memory would come from it and go by ours.
[[gnu::noinline]] void* operator new(std::size_t bytes, const std::nothrow_t& /*tag*/) noexcept {
    return allocated(bytes);
}

[[gnu::noinline]] void operator delete(void* memory) noexcept {
    std::free(memory);
}

[[gnu::noinline]] void operator delete(void* memory, std::size_t /*bytes*/) noexcept {
    std::free(memory);
}

[[gnu::noinline]] void operator delete(void* memory, const std::nothrow_t& /*tag*/) noexcept {
    std::free(memory);
}
#endif

namespace assay::test {

bool NoMemory::is_possible() {
#ifdef __SANITIZE_THREAD__
    return false;
#else
    return true;
#endif
}

NoMemory::NoMemory(std::size_t most) {
    most_bytes = most;
}

NoMemory::~NoMemory() {
    most_bytes = kAny;
}

}  // namespace assay::test

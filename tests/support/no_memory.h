#pragma once
#include <cstddef>

namespace assay::test {

/// While it lives, operator new throws std::bad_alloc on this thread for the first that is larger
/// than `most` bytes, once: what is made in answer to that finds room. Needs no_memory.cpp, which
/// replaces operator new.
class NoMemory {
public:
    /// False with the thread sanitizer, whose operator new cannot be replaced.
    [[nodiscard]] static bool is_possible();

    explicit NoMemory(std::size_t most);
    NoMemory(const NoMemory&) = delete;
    NoMemory& operator=(const NoMemory&) = delete;
    ~NoMemory();
};

}  // namespace assay::test

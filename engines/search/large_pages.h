#pragma once
#include <cstddef>
#include <new>
#include <sys/mman.h>

namespace assay::engines {

/// Allocates large blocks in pages of 2 MB, where the system has some to give. A table that is read
/// at random needs an entry of the processor's table of pages for each look otherwise, and fetching
/// one takes as long as fetching the line itself.
template <class T>
struct LargePages {
    using value_type = T;

    LargePages() = default;

    template <class U>
    explicit LargePages(const LargePages<U>&) {}

    [[nodiscard]] T* allocate(std::size_t count) {
        const std::size_t bytes = count * sizeof(T);
        if (bytes < kPage)
            return static_cast<T*>(::operator new(bytes, std::align_val_t(alignof(T))));
        void* const block = ::operator new(bytes, std::align_val_t(kPage));
        // Advice: without such pages the block is as any other.
        (void)::madvise(block, bytes, MADV_HUGEPAGE);
        return static_cast<T*>(block);
    }

    void deallocate(T* block, std::size_t count) {
        const bool is_large = count * sizeof(T) >= kPage;
        ::operator delete(block, std::align_val_t(is_large ? kPage : alignof(T)));
    }

    friend bool operator==(const LargePages&, const LargePages&) { return true; }

private:
    static constexpr std::size_t kPage = std::size_t{1} << 21U;
};

}  // namespace assay::engines

#pragma once
#include <cerrno>

namespace assay {

/// True of errno's values that say that the machine failed (exit code 4): out of descriptors,
/// memory or room, a bad disk. The others are of the path or of what stands there.
[[nodiscard]] constexpr bool is_machine_fault(int error_number) {
    switch (error_number) {
        case EMFILE:
        case ENFILE:
        case EIO:
        case ENOMEM:
        case ENOSPC:
        case EDQUOT:
        case EFBIG:
            return true;
        default:
            return false;
    }
}

}  // namespace assay

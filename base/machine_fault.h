#pragma once
#include <cerrno>

namespace assay {

/// True for values of errno that mean that the machine failed (exit code 4): no descriptors, memory
/// or room left, a limit of file size, a bad disk. The others are the fault of the path or of what
/// is there.
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

#include "harness/build/machines_failure.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <system_error>

#include "base/text.h"

namespace assay::harness {

namespace {

namespace fs = std::filesystem;

bool is_disk_full(const std::string& folder) {
    constexpr std::uintmax_t kLittle = 1U << 20U;
    std::error_code failed;
    const fs::space_info space = fs::space(folder.empty() ? "." : folder, failed);
    return !failed && space.available < kLittle;
}

/// A program can send these to itself too; it is assumed that others sent them, as a failure of the
/// machine passes no gate. A shell reports its command's signal as 128 and the signal.
bool is_from_outside(const adapters::CommandEnd& end) {
    constexpr std::array kSignals{SIGKILL, SIGTERM, SIGINT, SIGHUP, SIGQUIT};
    return std::ranges::any_of(kSignals, [&](int signal) {
        return (end.how == adapters::CommandEnd::How::Killed && end.signal == signal) ||
               (end.how == adapters::CommandEnd::How::Exited && end.exit_code == 128 + signal);
    });
}

}  // namespace

bool is_machines_failure(const adapters::CommandEnd& end, const std::string& folder,
                         std::string_view said) {
    if (end.is_success()) return false;
    if (is_disk_full(folder)) return true;
    if (end.how == adapters::CommandEnd::How::OutOfTime) return false;
    if (is_from_outside(end)) return true;
    return std::ranges::any_of(
        std::array{ENOSPC, EDQUOT, ENOMEM, EMFILE, ENFILE, EIO, EFBIG},
        [&](int error) { return said.find(system_reason(error)) != std::string_view::npos; });
}

}  // namespace assay::harness

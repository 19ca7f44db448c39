#include "cli/frame/standard_output.h"

#include <cstdio>
#include <iostream>
#include <poll.h>
#include <unistd.h>

namespace assay::cli {

namespace {

constexpr int kNotWritten = 4;

bool has_no_reader() {
    pollfd output{STDOUT_FILENO, POLLOUT, 0};
    return ::poll(&output, 1, 0) > 0 && (output.revents & (POLLERR | POLLHUP)) != 0;
}

}  // namespace

int code_after_output(int code) {
    std::cout.flush();
    const bool is_good = std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good();
    return is_good || code != 0 || has_no_reader() ? code : kNotWritten;
}

}  // namespace assay::cli

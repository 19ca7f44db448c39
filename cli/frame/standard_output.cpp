#include "cli/frame/standard_output.h"

#include <cstdio>
#include <fcntl.h>
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

void open_standard_descriptors() {
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        // open() takes the lowest free number, which is this one.
        if (::fcntl(descriptor, F_GETFD) < 0) (void)::open("/dev/null", O_RDWR | O_NOCTTY);
    }
}

int code_after_output(int code) {
    std::cout.flush();
    const bool is_good = std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good();
    return is_good || code != 0 || has_no_reader() ? code : kNotWritten;
}

}  // namespace assay::cli

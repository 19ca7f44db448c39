#pragma once
#include <array>
#include <cstdio>
#include <string>
#include <sys/wait.h>

#include <doctest/doctest.h>

#include "tests/support/contains.h"

namespace assay::test {

struct Finished {
    int code = -1;
    std::string out;  // with standard error
};

/// A shell line in which $ASSAY is the program, run in `folder`.
inline Finished shell(const std::string& folder, const std::string& line) {
    const std::string command = "cd '" + folder +
                                "' && export ASSAY='" ASSAY_BINARY_DIR "/assay' && { " + line +
                                "; } 2>&1 </dev/null";
    FILE* const pipe = ::popen(command.c_str(), "r");
    REQUIRE(pipe != nullptr);
    Finished finished;
    std::array<char, 4096> buffer{};
    while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
        finished.out.append(buffer.data(), got);
    }
    finished.code = WEXITSTATUS(::pclose(pipe));
    return finished;
}

}  // namespace assay::test

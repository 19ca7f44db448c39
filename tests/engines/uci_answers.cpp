#include "tests/engines/uci_answers.h"

#include <array>
#include <unistd.h>

#include <doctest/doctest.h>

#include "engines/uci/uci_loop.h"

namespace assay::test {

std::string answers(engines::Backend& backend, const std::string& lines) {
    std::array<int, 2> in{};
    std::array<int, 2> out{};
    REQUIRE(::pipe(in.data()) == 0);
    REQUIRE(::pipe(out.data()) == 0);
    engines::write_all(in[1], lines);
    ::close(in[1]);
    {
        const SteadyClock clock;
        engines::LineInput input(in[0]);
        engines::UciLoop(backend, input, out[1], clock).run();
    }
    ::close(in[0]);
    ::close(out[1]);
    std::string text;
    std::array<char, 4096> buffer{};
    while (true) {
        const ssize_t got = ::read(out[0], buffer.data(), buffer.size());
        if (got <= 0) break;
        text.append(buffer.data(), static_cast<std::size_t>(got));
    }
    ::close(out[0]);
    return text;
}

}  // namespace assay::test

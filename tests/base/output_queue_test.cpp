#include "base/output_queue.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include "base/unique_fd.h"

using assay::Micros;
using assay::OutputQueue;
using assay::UniqueFd;

namespace {

struct Pipe {
    Pipe() {
        std::array<int, 2> ends{};
        REQUIRE(::pipe2(ends.data(), O_CLOEXEC) == 0);
        reading = UniqueFd(ends[0]);
        writing = UniqueFd(ends[1]);
    }

    [[nodiscard]] std::string read(std::size_t bytes) const {
        std::string text(bytes, '\0');
        std::size_t done = 0;
        while (done < bytes) {
            const ssize_t got = ::read(reading.get(), text.data() + done, bytes - done);
            REQUIRE(got > 0);
            done += static_cast<std::size_t>(got);
        }
        return text;
    }

    UniqueFd reading;
    UniqueFd writing;
};

}  // namespace

TEST_CASE("OutputQueue: all that is put comes out, in order") {
    const Pipe pipe;
    OutputQueue queue(pipe.writing.get());
    std::string expected;
    for (int i = 0; i < 1000; ++i) {
        const std::string line = "line " + std::to_string(i) + "\n";
        CHECK(queue.put(line));
        expected += line;
    }
    CHECK(queue.drain());
    CHECK(queue.error() == 0);
    CHECK(pipe.read(expected.size()) == expected);
}

TEST_CASE("OutputQueue: where nobody reads nobody waits, and what is too much is dropped whole") {
    const Pipe pipe;
    const std::string block(100'000, 'x');  // more than the pipe takes
    OutputQueue queue(pipe.writing.get(), 250'000);
    CHECK(queue.put(block));
    CHECK(queue.put(block));
    CHECK_FALSE(queue.put(block));
    CHECK(queue.put("small"));
    CHECK_FALSE(queue.drain(Micros{1}));
    CHECK(pipe.read(2 * block.size() + 5) == block + block + "small");
    CHECK(queue.drain());
    CHECK(queue.put(block));  // there is room again
    CHECK(pipe.read(block.size()) == block);
}

TEST_CASE("OutputQueue: one that goes while a write is stuck waits for nothing") {
    const Pipe pipe;
    {
        OutputQueue queue(pipe.writing.get());
        CHECK(queue.put(std::string(200'000, 'x')));
        CHECK(pipe.read(1) == "x");  // the write has begun, and is stuck or will be
    }
    CHECK(pipe.read(199'999).size() == 199'999);
}

TEST_CASE("OutputQueue: a reader that has gone is an error, and no wait") {
    static_cast<void>(std::signal(SIGPIPE, SIG_IGN));
    Pipe pipe;
    OutputQueue queue(pipe.writing.get());
    pipe.reading.reset();
    static_cast<void>(queue.put("x"));
    CHECK_FALSE(queue.drain());
    CHECK(queue.error() == EPIPE);
    CHECK_FALSE(queue.put("y"));
    CHECK(OutputQueue(-1).error() == EBADF);
}

#pragma once
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/e2e/bench_run.h"
#include "tests/support/contains.h"

// What the tests of `assay match` under the names of other runners share.
namespace assay::test {

using Argv = std::vector<std::string>;

inline constexpr const char* kRunnerBook =
    "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2\n"
    "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2\n"
    "rnbqkbnr/pppppp1p/6p1/8/2P5/8/PP1PPPPP/RNBQKBNR w KQkq - 0 2\n"
    "rnbqkb1r/pppppppp/5n2/8/3P4/5N2/PPP1PPPP/RNBQKB1R b KQkq - 2 2\n"
    "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n";

inline Argv operator+(Argv words, const Argv& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

/// A folder in which the program can be called by the name of another runner.
class RunnerFolder {
public:
    RunnerFolder() {
        write("book.epd", kRunnerBook);
        for (const char* const name : {"fastchess", "fastchess-ob", "cutechess-cli"})
            std::filesystem::create_symlink(ASSAY_BINARY_DIR "/assay", root() + "/" + name);
        program("instant");
        program("misbehave");
    }

    void write(const std::string& name, const std::string& text) { folder_.write(name, text); }

    std::string program(const std::string& name) { return folder_.program(name); }

    [[nodiscard]] Argv argv(const std::string& name, const Argv& words) const {
        return Argv{root() + "/" + name} + words;
    }

    [[nodiscard]] Finished run(const std::string& name, const Argv& words) const {
        return test::run(argv(name, words), root());
    }

    /// What the reader of a worker says of these streams; the code 0 where it is content.
    Finished read_as(const std::string& worker, const Argv& flags, const Finished& said) {
        write("out.txt", said.out);
        write("err.txt", said.err);
        Argv words{"/usr/bin/env", "python3", ASSAY_SOURCE_DIR "/tests/support/worker_streams.py",
                   worker};
        words = words + flags + Argv{"out.txt"};
        if (worker == "fishtest") words.emplace_back("err.txt");
        return test::run(words, root());
    }

    [[nodiscard]] const std::string& root() const { return folder_.root(); }

    RunFolder& folder() { return folder_; }

private:
    RunFolder folder_;
};

/// As a worker of fishtest calls it, with shorter games.
[[nodiscard]] Argv fishtest_words(const std::string& engine, const std::string& clock, int rounds);

/// As a worker of OpenBench calls it, with shorter games.
[[nodiscard]] Argv openbench_words(const std::string& dev, int rounds);

/// Two engines, of which the second plays at once.
[[nodiscard]] Argv two_engines(const std::string& first, const std::string& args,
                               const std::string& limit);

/// The text without the `which`-th line (from 0) that has `part`.
[[nodiscard]] std::string without_line(const std::string& text, const std::string& part, int which);

}  // namespace assay::test

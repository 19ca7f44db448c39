// The chess player: a UCI program, or with arguments
//   player bench [DEPTH [OPTION=VALUE...]]    nodes and speed over fixed positions

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

#include "base/clock.h"
#include "base/text.h"
#include "engines/chess_player/bench.h"
#include "engines/chess_player/chess_backend.h"
#include "engines/uci/line_input.h"
#include "engines/uci/uci_loop.h"

namespace {

int fail(const std::string& message) {
    std::fprintf(stderr, "player: error: %s\n", message.c_str());
    return 2;
}

int bench(const std::vector<std::string_view>& words) {
    assay::engines::PlayerOptions options;
    int depth = 10;
    for (const std::string_view word : words) {
        const std::size_t equals = word.find('=');
        if (equals == std::string_view::npos) {
            const auto number = assay::to_number<int>(word);
            if (!number || *number < 1) return fail("the depth must be a number of at least 1");
            depth = *number;
            continue;
        }
        if (const auto wrong = assay::engines::set_option(options, word.substr(0, equals),
                                                          word.substr(equals + 1))) {
            return fail(*wrong);
        }
    }
    if (const auto refused = assay::engines::check_options(options)) return fail(*refused);
    assay::engines::write_all(STDOUT_FILENO, run_bench(options, depth, assay::SteadyClock()));
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string_view> words(argv + 1, argv + argc);
    if (!words.empty()) {
        if (words[0] == "bench") return bench({words.begin() + 1, words.end()});
        return fail("unknown argument; use 'bench', or none to speak UCI");
    }
    const assay::SteadyClock clock;
    assay::engines::LineInput input(STDIN_FILENO);
    const auto backend = std::make_unique<assay::engines::ChessBackend>();
    assay::engines::UciLoop(*backend, input, STDOUT_FILENO, clock).run();
    return 0;
}

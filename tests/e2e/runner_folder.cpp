#include "tests/e2e/runner_folder.h"

namespace assay::test {

Argv fishtest_words(const std::string& engine, const std::string& clock, int rounds) {
    const std::string option = engine == "instant" ? "option.Seed=" : "option.Hash=";
    return {"-testEnv",
            "-recover",
            "-repeat",
            "-games",
            "2",
            "-rounds",
            std::to_string(rounds),
            "-ratinginterval",
            "1",
            "-scoreinterval",
            "1",
            "-autosaveinterval",
            "0",
            "-report",
            "penta=true",
            "-pgnout",
            "file=results.pgn",
            "append=false",
            "-crc32",
            "pgn=true",
            "-site",
            "http://localhost/tests/view/1",
            "-event",
            "Batch 0: New vs Base",
            "-srand",
            "12345678901234567890",
            "-resign",
            "movecount=3",
            "score=600",
            "-draw",
            "movenumber=34",
            "movecount=8",
            "score=20",
            "-variant",
            "standard",
            "-concurrency",
            "2",
            "-openings",
            "file=book.epd",
            "format=epd",
            "order=random",
            "plies=16",
            "start=3",
            "-check-mate-pvs",
            "-engine",
            "name=New-0123456789abcdef",
            "tc=" + clock,
            "cmd=" + engine,
            "dir=.",
            option + "1",
            "-engine",
            "name=Base-fedcba9876543210",
            "tc=" + clock,
            "cmd=" + engine,
            "dir=.",
            option + "2",
            "-each",
            "proto=uci",
            "-maxmoves",
            "30"};
}

Argv openbench_words(const std::string& dev, int rounds) {
    return {"-recover",
            "-variant",
            "standard",
            "-testEnv",
            "-concurrency",
            "2",
            "-rounds",
            std::to_string(rounds),
            "-games",
            "2",
            "-resign",
            "movecount=3",
            "score=400",
            "-engine",
            "dir=.",
            "cmd=./" + dev,
            "proto=uci",
            "tc=20.00+0.20",
            "timemargin=250",
            "option.Seed=1",
            "name=engine-dev",
            "-engine",
            "dir=.",
            "cmd=./instant",
            "proto=uci",
            "tc=20.00+0.20",
            "timemargin=250",
            "option.Seed=2",
            "name=engine-base",
            "-openings",
            "file=book.epd",
            "format=epd",
            "order=random",
            "start=1",
            "-srand",
            "42",
            "-pgnout",
            "file=games.pgn",
            "seldepth=true",
            "nodes=true",
            "match_line=^info string pgncomment .*",
            "-maxmoves",
            "30"};
}

Argv two_engines(const std::string& first, const std::string& args, const std::string& limit) {
    Argv words{"-engine", "cmd=./" + first, "name=first"};
    if (!args.empty()) words.push_back("args=" + args);
    return words + Argv{"-engine",   "cmd=./instant", "name=second", "-each", limit,
                        "-openings", "file=book.epd", "-maxmoves",   "20"};
}

std::string without_line(const std::string& text, const std::string& part, int which) {
    std::string kept;
    int seen = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
        const std::string line = text.substr(at, end - at);
        if (!contains(line, part) || seen++ != which) kept += line;
        at = end;
    }
    return kept;
}

}  // namespace assay::test

#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::adapters {

/// What a program speaks where nothing is said of it.
inline constexpr std::string_view kDefaultProtocol = "uci";

/// A file as it was hashed: 64 lower-case hex digits.
struct SealedFile {
    std::string path;
    std::string sha256;

    friend bool operator==(const SealedFile&, const SealedFile&) = default;
};

/// How a program is started, and what it is told in its handshake. argv, never a shell line.
struct ProgramSpec {
    std::string name;                  // for messages
    std::vector<std::string> argv;     // argv[0] is looked up in PATH if it has no slash
    std::vector<std::string> wrapper;  // put before argv (sandbox); may be empty
    std::string dir;                   // working folder; empty: the harness's
    std::vector<std::pair<std::string, std::string>> env;  // added to what it inherits
    /// It inherits PATH, HOME, LANG and LC_* alone, instead of the whole of the harness's
    /// environment.
    bool has_bare_environment = false;
    std::string protocol{kDefaultProtocol};
    std::string game = "chess";  // that all its games are of, by the name of its rules
    std::vector<std::pair<std::string, std::string>> options;  // sent verbatim, in this order
    /// Sent after them, and only where the program declares such an option.
    std::vector<std::pair<std::string, std::string>> options_if_any;
    std::uint64_t memory_bytes = 0;  // address-space limit; 0: none
    std::vector<int> cpus;           // affinity; empty: the harness's
    /// The executable and what belongs to it. Where one of them is another file at a start, the
    /// program is not started.
    std::vector<SealedFile> files;
    bool ponder = false;          // it will be asked to think in its opponent's turn
    bool ping_before_go = false;  // it is asked whether it is ready before each search
    bool restarts = false;        // a new process for each game
    /// Regular expressions (ECMAScript, found anywhere in a line of its output): of each search the
    /// last line that matches is kept (SearchInfo::kept_lines). UCI alone. Lines over
    /// 4 KiB are not searched; an expression that backtracks much holds all games up.
    std::vector<std::string> kept_lines;

    friend bool operator==(const ProgramSpec&, const ProgramSpec&) = default;
};

}  // namespace assay::adapters

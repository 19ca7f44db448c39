#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace assay::adapters {

/// How a program is started. argv, never a shell line.
struct ProgramSpec {
    std::string name;                  // for messages
    std::vector<std::string> argv;     // argv[0] is looked up in PATH if it has no slash
    std::vector<std::string> wrapper;  // put before argv (sandbox); may be empty
    std::string dir;                   // working folder; empty: the harness's
    std::vector<std::pair<std::string, std::string>> env;  // added to the harness's
    std::string protocol = "uci";
    std::vector<std::pair<std::string, std::string>> options;  // sent verbatim, in this order
    /// Sent after them, and only where the program declares such an option.
    std::vector<std::pair<std::string, std::string>> options_if_any;
    std::uint64_t memory_bytes = 0;  // address-space limit; 0: none
    std::vector<int> cpus;           // affinity; empty: the harness's
    bool chess960 = false;
    bool ping_before_go = false;  // isready before each go (costs a round trip)
};

}  // namespace assay::adapters

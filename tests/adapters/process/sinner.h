#pragma once
#include <string>
#include <string_view>

#include "adapters/protocols.h"
#include "base/text.h"
#include "tests/adapters/uci/program_driver.h"

namespace assay::test {

/// The program that misbehaves on request (tests/engines/misbehave.cpp).
inline const std::string kMisbehave = ASSAY_BINARY_DIR "/tests/engines/misbehave";

inline adapters::ProgramSpec shell(const std::string& script) {
    return ProgramDriver::spec({"sh", "-c", script});
}

/// It sins at its search number `at`.
inline adapters::ProgramSpec sinner(const std::string& sin, int at = 1, int delay_ms = 300) {
    return ProgramDriver::spec({kMisbehave, "--sin", sin, "--at", std::to_string(at), "--delay",
                                std::to_string(delay_ms)});
}

/// The event with the move that the program properly plays from the start position as MOVE.
inline std::string named(const std::string& event) {
    static const std::string proper = [] {
        ProgramDriver driver(ProgramDriver::spec({kMisbehave}));
        return driver.start() == "ready" ? driver.best_after("") : std::string("best none");
    }();
    std::string capitals = proper;
    for (char& c : capitals) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    if (event == proper) return "best MOVE";
    return event.substr(event.size() < 5 ? 0 : 5) == capitals.substr(5) ? "best CAPITALS" : event;
}

/// The pid that misbehave's line "info string grandchild N" names, once it is there.
inline int grandchild_of(ProgramDriver& driver) {
    int pid = 0;
    driver.until([&] {
        for (const std::string& line : driver.lines()) {
            constexpr std::string_view kStart = "<info string grandchild ";
            if (!line.starts_with(kStart)) continue;
            pid = to_number<int>(std::string_view(line).substr(kStart.size())).value_or(0);
        }
        return pid != 0;
    });
    return pid;
}

}  // namespace assay::test

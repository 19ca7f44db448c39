#pragma once
#include <functional>
#include <string>

namespace assay::harness {

/// The system's calls that give a file another name, which answer as rename(2) and link(2) do. A
/// test has some that fail as on other file systems.
struct MoveCalls {
    using Call = std::function<int(const char* from, const char* to)>;

    MoveCalls();

    Call rename_to_free;  // fails with EEXIST where `to` is there
    Call link;
};

/// Moves a file that is not taken to `STORE.quarantine/`, with the reason in NAME.reason beside it;
/// where one of the two names is taken both get ".1", …: what is there is never replaced, whoever
/// else moves files there. Where it went. Throws Error (exit code 4) where that fails.
std::string quarantine(const std::string& store, const std::string& file, const std::string& reason,
                       const MoveCalls& calls = {});

}  // namespace assay::harness

#pragma once
#include <string>

#include "configs/dropin/runner_settings.h"

namespace assay::configs::dropin {

/// Where the run behind a file of results is.
struct StoredRunPlace {
    std::string store;
    std::string command_line;  // that the run was begun with
};

/// The file of results (config.json) as fastchess writes it, with the place of the run for
/// ourselves.
[[nodiscard]] std::string result_file_text(const RunnerSettings& settings,
                                           const ResultCounts& results,
                                           const StoredRunPlace& place);

/// The settings of such a file, ours or fastchess's, with the results in RunnerSettings::earlier. A
/// key that is missing keeps its default. Throws BadWord where the text is no such file; `path` is
/// for its message.
[[nodiscard]] RunnerSettings read_result_file(const std::string& text, const std::string& path);

}  // namespace assay::configs::dropin

#pragma once

namespace assay::cli {

/// Gives /dev/null to the standard descriptors that are closed, so that no file gets their numbers
/// and with it what is printed. Before any file is opened.
void open_standard_descriptors();

/// Flushes standard output. Gives `code`, or 4 instead of 0 where the output could not be written,
/// as on a full disk. A reader that closed its pipe early (`head`, a pager) is no failure.
[[nodiscard]] int code_after_output(int code);

}  // namespace assay::cli

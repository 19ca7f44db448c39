#pragma once

namespace assay::cli {

/// The exit code where all was printed: `code`, but 4 in the place of 0 where what was printed so
/// far has not arrived, as on a full disk. A reader that has closed its pipe (`head`, a pager that
/// was left) has got what it wanted. Flushes standard output.
[[nodiscard]] int code_after_output(int code);

}  // namespace assay::cli

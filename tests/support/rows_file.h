#pragma once

namespace assay::tests {

/// Makes files that end in ".rows" files of rules for the rest of the process: a language with
/// three sentences, in place of a real one. "game NAME" and "players ONE TWO …" describe noughts
/// and crosses; "based on FILE" takes in a file of the same folder.
void register_rows_files();

}  // namespace assay::tests

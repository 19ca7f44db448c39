#pragma once
#include <string>
#include <vector>

namespace assay::harness {

/// A store and what lies beside it: its journals, its lock, its builds and its trees, whether they
/// are there yet or not.
[[nodiscard]] std::vector<std::string> files_of_store(const std::string& store);

/// What is ours and no part of a program's files: those of the store, `outputs`, and the regular
/// files that this process' standard output and standard error go to.
[[nodiscard]] std::vector<std::string> own_files(const std::string& store,
                                                 const std::vector<std::string>& outputs);

}  // namespace assay::harness

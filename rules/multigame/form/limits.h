#pragma once
#include <cstddef>
#include <cstdint>

namespace assay::rules::multigame {

// What a program may be and do at the most (SEMANTICS 1.8).
inline constexpr std::size_t kMostColumns = 26;
inline constexpr std::size_t kMostFields = kMostColumns * kMostColumns;
inline constexpr std::size_t kMostPieces = 60;
inline constexpr std::size_t kMostNameLength = 31;
inline constexpr int kMostDerivationStatements = 100'000;
inline constexpr std::int64_t kMostListStatements = 100'000'000;
inline constexpr int kMostCalls = 1'000;  // nested in each other
inline constexpr int kMostOutputs = 65'536;
inline constexpr int kMostNumber = 1'000'000'000;  // of a variable, and its negative the least

}  // namespace assay::rules::multigame

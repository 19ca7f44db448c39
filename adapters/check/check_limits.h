#pragma once
#include <chrono>

/// Limits that the checks of every protocol share.
namespace assay::adapters {

/// How long an answer may take after a stop, and an end after a quit.
inline constexpr std::chrono::milliseconds kStopTime{1000};
inline constexpr std::chrono::milliseconds kEndTime{1000};
/// How long an endless search is watched.
inline constexpr std::chrono::milliseconds kPatience{300};
/// An answer that is later than its time limit by more than this fails, or is a warning.
inline constexpr std::chrono::milliseconds kLateFail{500};
inline constexpr std::chrono::milliseconds kLateWarning{50};
/// Plies of the game that is played at once.
inline constexpr int kLongGame = 300;

}  // namespace assay::adapters

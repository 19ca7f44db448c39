#include "harness/tournament/meeting.h"

#include <algorithm>

#include "base/check.h"

namespace assay::harness {

namespace {

MeetingKey key_of(std::size_t first, std::size_t second, int encounter) {
    return {std::min(first, second), std::max(first, second), encounter};
}

}  // namespace

MeetingKey Meeting::key() const {
    return key_of(first, second, encounter);
}

MeetingKey MeetingResult::key() const {
    return key_of(first, second, encounter);
}

std::int64_t MeetingResult::half_points(std::size_t program) const {
    ASSAY_CHECK(program == first || program == second);
    return 2 * (program == first ? games.wins : games.losses) + games.draws;
}

std::size_t MeetingResult::opponent_of(std::size_t program) const {
    ASSAY_CHECK(program == first || program == second);
    return program == first ? second : first;
}

}  // namespace assay::harness

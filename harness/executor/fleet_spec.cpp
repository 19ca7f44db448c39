#include "harness/executor/fleet_spec.h"

#include <algorithm>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/check.h"
#include "base/diagnostic.h"

namespace assay::harness {

namespace {

constexpr int kSpecFormat = 1;
constexpr std::int64_t kMostSpecNumber = 1'000'000'000;
constexpr std::int64_t kMostFirstClaim = 1'000'000;
constexpr std::size_t kUidDigits = 32;

std::int64_t number_in(const boost::json::object& object, std::string_view key, std::int64_t least,
                       std::int64_t most) {
    const boost::json::value* const found = object.if_contains(key);
    const std::int64_t* const number = found == nullptr ? nullptr : found->if_int64();
    if (number == nullptr || *number < least || *number > most)
        throw Error(fmt::format("'{}' must be a whole number from {} to {}", key, least, most));
    return *number;
}

FleetSpec::Stretch stretch_of(const boost::json::value& value) {
    const boost::json::object* const object = value.if_object();
    if (object == nullptr) throw Error("a stretch must be an object");
    FleetSpec::Stretch stretch;
    stretch.match = static_cast<std::size_t>(number_in(*object, "match", 0, kMostSpecNumber));
    stretch.first = number_in(*object, "first", 0, kMostSpecNumber);
    stretch.pairs = number_in(*object, "pairs", 1, kMostSpecNumber);
    stretch.batch = number_in(*object, "batch", 1, kMostSpecNumber);
    if (object->contains("claim"))
        stretch.claim = static_cast<int>(number_in(*object, "claim", 0, kMostFirstClaim));
    return stretch;
}

bool is_uid(std::string_view text) {
    return text.size() == kUidDigits &&
           text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace

std::int64_t FleetSpec::batches() const {
    std::int64_t count = 0;
    for (const Stretch& stretch : stretches) count += stretch.batches();
    return count;
}

std::optional<Shard::Window> FleetSpec::window_of(std::int64_t batch) const {
    if (batch < 0) return std::nullopt;
    for (const Stretch& stretch : stretches) {
        if (batch >= stretch.batches()) {
            batch -= stretch.batches();
            continue;
        }
        const std::int64_t offset = batch * stretch.batch;
        return Shard::Window{stretch.match, stretch.first + offset,
                             std::min(stretch.batch, stretch.pairs - offset)};
    }
    return std::nullopt;
}

int FleetSpec::first_claim_of(std::int64_t batch) const {
    for (const Stretch& stretch : stretches) {
        if (batch < stretch.batches()) return stretch.claim;
        batch -= stretch.batches();
    }
    ASSAY_CHECK(false);
    return 0;
}

std::vector<std::int64_t> FleetSpec::batches_of(std::size_t match, std::int64_t pair) const {
    std::vector<std::int64_t> found;
    std::int64_t before = 0;
    for (const Stretch& stretch : stretches) {
        const std::int64_t offset = pair - stretch.first;
        if (stretch.match == match && offset >= 0 && offset < stretch.pairs)
            found.push_back(before + offset / stretch.batch);
        before += stretch.batches();
    }
    std::ranges::reverse(found);
    return found;
}

std::string to_json(const FleetSpec& spec) {
    boost::json::array stretches;
    for (const FleetSpec::Stretch& stretch : spec.stretches)
        stretches.push_back({{"match", stretch.match},
                             {"first", stretch.first},
                             {"pairs", stretch.pairs},
                             {"batch", stretch.batch},
                             {"claim", stretch.claim}});
    return boost::json::serialize(boost::json::object{{"format", kSpecFormat},
                                                      {"uid", spec.uid},
                                                      {"play", spec.play},
                                                      {"scale", spec.scale},
                                                      {"reference", spec.reference},
                                                      {"ship", spec.ships},
                                                      {"stretches", std::move(stretches)}}) +
           "\n";
}

FleetSpec fleet_spec_of(std::string_view json) {
    boost::json::error_code error;
    const boost::json::value value = boost::json::parse(json, error);
    const boost::json::object* const object = error ? nullptr : value.if_object();
    if (object == nullptr) throw Error("it is no JSON object");
    if (number_in(*object, "format", 1, kMostSpecNumber) != kSpecFormat)
        throw Error("it was written by a newer assay");
    FleetSpec spec;
    const boost::json::value* const uid = object->if_contains("uid");
    if (uid == nullptr || !uid->is_string() || !is_uid(uid->get_string()))
        throw Error("'uid' must be 32 hexadecimal digits");
    spec.uid = std::string(uid->get_string());
    spec.play = static_cast<int>(number_in(*object, "play", 1, kMostSpecNumber));
    const boost::json::value* const scale = object->if_contains("scale");
    if (scale == nullptr || !scale->is_bool()) throw Error("'scale' must be true or false");
    spec.scale = scale->get_bool();
    const boost::json::value* const reference = object->if_contains("reference");
    if (reference == nullptr || !reference->is_number() || reference->to_number<double>() < 0)
        throw Error("'reference' must be a number from 0 on");
    spec.reference = reference->to_number<double>();
    if (const boost::json::value* const ship = object->if_contains("ship")) {
        if (!ship->is_bool()) throw Error("'ship' must be true or false");
        spec.ships = ship->get_bool();
    }
    const boost::json::value* const stretches = object->if_contains("stretches");
    if (stretches == nullptr || !stretches->is_array()) throw Error("'stretches' must be a list");
    for (const boost::json::value& one : stretches->get_array())
        spec.stretches.push_back(stretch_of(one));
    return spec;
}

}  // namespace assay::harness

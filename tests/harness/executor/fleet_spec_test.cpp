#include "harness/executor/fleet_spec.h"

#include <string>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "tests/support/contains.h"

using assay::harness::fleet_spec_of;
using assay::harness::FleetSpec;
using assay::harness::Shard;
using assay::test::contains;

namespace {

/// Two matches, of 10 pairs in batches of 4 and of 3 pairs in one batch, and pairs added later.
FleetSpec sample_spec() {
    FleetSpec spec;
    spec.uid = std::string(32, 'a');
    spec.stretches = {{0, 0, 10, 4}, {1, 0, 3, 8}, {0, 5, 2, 4, 3}, {0, 10, 1, 4}};
    return spec;
}

std::string refusal_of_spec(const std::string& text) {
    try {
        (void)fleet_spec_of(text);
    } catch (const assay::Error& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("FleetSpec: batches are numbered through all stretches, and the last of each is short") {
    const FleetSpec spec = sample_spec();
    CHECK(spec.batches() == 6);
    CHECK(spec.window_of(0) == Shard::Window{0, 0, 4});
    CHECK(spec.window_of(2) == Shard::Window{0, 8, 2});
    CHECK(spec.window_of(3) == Shard::Window{1, 0, 3});
    CHECK(spec.window_of(4) == Shard::Window{0, 5, 2});
    CHECK(spec.window_of(5) == Shard::Window{0, 10, 1});
    CHECK_FALSE(spec.window_of(6));
    CHECK_FALSE(spec.window_of(-1));
    CHECK(spec.batches_of(0, 6) == std::vector<std::int64_t>{4, 1});
    CHECK(spec.batches_of(1, 2) == std::vector<std::int64_t>{3});
    CHECK(spec.batches_of(1, 3).empty());
    CHECK(spec.first_claim_of(1) == 0);
    CHECK(spec.first_claim_of(4) == 3);
}

TEST_CASE("FleetSpec: it is read back as it was written, and what is none is refused") {
    const std::string text = to_json(sample_spec());
    CHECK(fleet_spec_of(text) == sample_spec());
    for (std::size_t end = 0; end + 1 < text.size(); ++end)
        CHECK_FALSE(refusal_of_spec(text.substr(0, end)).empty());
    CHECK(refusal_of_spec("[]") == "it is no JSON object");
    CHECK(refusal_of_spec(R"({"format": 2})") == "it was written by a newer assay");
    CHECK(contains(refusal_of_spec(R"({"format": 1, "uid": "x"})"), "32 hexadecimal digits"));
    std::string other = text;
    other.replace(other.find("\"batch\":4"), 9, "\"batch\":0");
    CHECK(contains(refusal_of_spec(other), "'batch' must be a whole number from 1"));
}

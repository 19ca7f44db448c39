// What is copied here is an order, so that each step is done as the other runner does it even where
// another would be better: the whole book is shuffled for a match that plays ten of it, and the
// numbers are drawn with a slight bias. OpeningOrder (order.cpp) has neither fault; it is what runs
// of our own use.
#include "openings/shuffled_order.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <utility>

#include "base/check.h"

namespace assay::openings {

namespace {

/// A Fisher-Yates shuffle (Durstenfeld 1964), from the front. The standard defines every number of
/// the generator; the remainder stands in place of std::uniform_int_distribution, which differs
/// between libraries. Its bias is part of the order that is to be met.
std::vector<std::uint32_t> shuffled(std::uint64_t size, std::uint64_t seed) {
    std::vector<std::uint32_t> places(size);
    std::iota(places.begin(), places.end(), std::uint32_t{0});
    std::mt19937_64 random(seed);
    for (std::uint64_t i = 0; i + 2 <= size; ++i)
        std::swap(places[i], places[i + random() % (size - i)]);
    return places;
}

}  // namespace

ShuffledOrder::ShuffledOrder(Order order, std::uint64_t seed, std::uint64_t start,
                             std::uint64_t book_size, std::uint64_t rounds)
    : size_(book_size),
      first_(book_size == 0 ? 0 : (start - 1) % book_size),
      cycle_(rounds == 0 ? book_size : std::min(rounds, book_size)) {
    ASSAY_CHECK(start >= 1 && book_size >= 1 &&
                book_size <= std::numeric_limits<std::uint32_t>::max());
    if (order == Order::Sequential) return;
    places_ = shuffled(size_, seed);
    std::rotate(places_.begin(), places_.begin() + static_cast<std::ptrdiff_t>(first_),
                places_.end());
    places_.resize(cycle_);
    places_.shrink_to_fit();
}

Turn ShuffledOrder::index(std::uint64_t pair) const {
    const std::uint64_t place = pair % cycle_;
    return {places_.empty() ? (first_ + place) % size_ : places_[place], pair / cycle_};
}

}  // namespace assay::openings

// A random order without a table: a Feistel network is a bijection of the 2b-bit words whatever its
// round function is, and following its cycle until a word below n comes up (cycle walking) makes it
// a bijection of [0, n). The domain is less than 4 n for n > 64, so a look-up walks fewer than four
// steps on average. A shuffled table would be simpler but takes 8 bytes an opening, and each part
// of a run would need all of it. Black and Rogaway, "Ciphers with arbitrary finite domains" (2002),
// sections 3 and 4. This is a shuffle, not a cipher: the order can be guessed.
#include "openings/order.h"

#include <algorithm>
#include <bit>

#include "base/check.h"
#include "base/random.h"

namespace assay::openings {

namespace {

// Theory asks for four rounds of wide halves; narrow ones need more to forget their structure. Over
// a million keys, the places of the first opening and of the first two, in books of 3 to 64
// openings: with four rounds or halves of three bits some chi-square sums lie 5 to 10,000 standard
// deviations off; with eight rounds and halves of four bits none of fourteen lies more than 3.1
// off.
constexpr std::uint64_t kRounds = 8;
constexpr unsigned kNarrowestHalf = 4;

std::uint64_t permute(std::uint64_t word, unsigned half_bits, std::uint64_t key) {
    const std::uint64_t mask = (std::uint64_t{1} << half_bits) - 1;
    std::uint64_t left = word >> half_bits;
    std::uint64_t right = word & mask;
    for (std::uint64_t round = 0; round < kRounds; ++round) {
        const std::uint64_t next = left ^ (mix64(key + round, right) & mask);
        left = right;
        right = next;
    }
    return (left << half_bits) | right;
}

}  // namespace

OpeningOrder::OpeningOrder(Order order, std::uint64_t seed, std::uint64_t start,
                           std::uint64_t book_size)
    : order_(order),
      half_bits_(
          std::max(kNarrowestHalf, (static_cast<unsigned>(std::bit_width(book_size - 1)) + 1) / 2)),
      seed_(seed),
      size_(book_size),
      first_index_(book_size == 0 ? 0 : (start - 1) % book_size),
      first_round_(book_size == 0 ? 0 : (start - 1) / book_size) {
    ASSAY_CHECK(start >= 1 && book_size >= 1 && book_size < (std::uint64_t{1} << 60U));
}

Turn OpeningOrder::index(std::uint64_t pair) const {
    // Rotated within the round: n pairs from any start play every opening once.
    const std::uint64_t place = (first_index_ + pair % size_) % size_;
    const std::uint64_t round = first_round_ + pair / size_;
    if (order_ == Order::Sequential) return {place, round};
    const std::uint64_t key = mix64(seed_, round);
    std::uint64_t word = permute(place, half_bits_, key);
    while (word >= size_) word = permute(word, half_bits_, key);
    return {word, round};
}

}  // namespace assay::openings

// A hash table with chains, of which each runs from newer to older positions: a chain's head is the
// position to forget next, so that taking a move back is one assignment. Keys are hashes already,
// and their low bits are the bucket. There are at least as many buckets as positions.
#include "rules/multigame/play/key_history.h"

namespace assay::rules::multigame {

void KeyHistory::push(std::uint64_t key) {
    if (entries_.size() >= heads_.size()) grow();
    int& head = heads_[bucket(key)];
    entries_.push_back({key, head, false});
    head = static_cast<int>(entries_.size()) - 1;
}

void KeyHistory::push_unique() {
    entries_.push_back({0, kNever, true});
}

void KeyHistory::pop() {
    const Entry last = entries_.back();
    entries_.pop_back();
    if (!last.is_unique) heads_[bucket(last.key)] = last.before;
}

int KeyHistory::last_equal(int n) const {
    const Entry& from = entries_[static_cast<std::size_t>(n)];
    if (from.is_unique) return kNever;
    int at = from.before;
    while (at != kNever && entries_[static_cast<std::size_t>(at)].key != from.key) {
        at = entries_[static_cast<std::size_t>(at)].before;
    }
    return at;
}

void KeyHistory::grow() {
    heads_.assign(heads_.empty() ? 64 : heads_.size() * 2, kNever);
    for (std::size_t n = 0; n < entries_.size(); ++n) {
        Entry& each = entries_[n];
        if (each.is_unique) continue;
        each.before = heads_[bucket(each.key)];
        heads_[bucket(each.key)] = static_cast<int>(n);
    }
}

}  // namespace assay::rules::multigame

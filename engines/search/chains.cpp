// The store of dynamic move chains. Chains are inserted and removed at nearly every node of a
// search, so that each is a linked list in one vector, with a list of free links: after a short
// while nothing allocates. There is one chain for each piece on each square, as in the paper.
#include "engines/search/chains.h"

#include <algorithm>

namespace assay::engines {

void ChainStore::clear() {
    for (auto& entries : squares_) entries.clear();
    links_.clear();
    free_ = kNone;
    size_ = 0;
}

std::uint32_t ChainStore::make_links(std::span<const Move> chain) {
    std::uint32_t next = kNone;
    // From the last move to the first, so that each link knows its successor.
    for (std::size_t i = std::min(chain.size(), kLongest); i-- > 0;) {
        std::uint32_t at = free_;
        if (at == kNone) {
            at = static_cast<std::uint32_t>(links_.size());
            links_.emplace_back();
        } else {
            free_ = links_[at].next;
        }
        links_[at] = {chain[i], next};
        next = at;
    }
    return next;
}

void ChainStore::free_links(std::uint32_t first) {
    while (first != kNone) {
        const std::uint32_t next = links_[first].next;
        links_[first].next = free_;
        free_ = first;
        first = next;
    }
}

void ChainStore::insert(Origin origin, std::span<const Move> chain) {
    auto& entries = squares_[origin.square];
    const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) {
        return entry.piece == origin.piece;
    });
    if (found == entries.end()) {
        entries.push_back({origin.piece, make_links(chain)});
        ++size_;
        return;
    }
    free_links(found->first);
    found->first = make_links(chain);
}

const ChainStore::Entry* ChainStore::entry_of(Origin origin, Move first) const {
    for (const Entry& entry : squares_[origin.square]) {
        if (entry.piece == origin.piece && links_[entry.first].move == first) return &entry;
    }
    return nullptr;
}

std::vector<Move> ChainStore::find(Origin origin, Move first) const {
    std::vector<Move> chain;
    if (const Entry* entry = entry_of(origin, first)) {
        for (std::uint32_t at = entry->first; at != kNone; at = links_[at].next) {
            chain.push_back(links_[at].move);
        }
    }
    return chain;
}

bool ChainStore::remove(Origin origin, Move first) {
    const Entry* entry = entry_of(origin, first);
    if (entry == nullptr) return false;
    auto& entries = squares_[origin.square];
    free_links(entry->first);
    entries.erase(entries.begin() + (entry - entries.data()));
    --size_;
    return true;
}

std::size_t ChainStore::longest() const {
    std::size_t most = 0;
    for (const auto& entries : squares_) {
        for (const Entry& entry : entries) {
            std::size_t length = 0;
            for (std::uint32_t at = entry.first; at != kNone; at = links_[at].next) ++length;
            most = std::max(most, length);
        }
    }
    return most;
}

}  // namespace assay::engines

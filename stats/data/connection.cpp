// Which programs of a tournament can be compared. Ford (1957) showed that the strengths of the
// Bradley-Terry model have a finite maximum of the likelihood exactly where every program reaches
// every other along "took at least half a point from". Both relations, this one and "has met", are
// found by a search from each program: n (n + m) steps for n programs and m meetings, which is
// nothing beside the fit.
#include "stats/data/connection.h"

#include <algorithm>

namespace assay::stats {

namespace {

using Neighbours = std::vector<std::vector<std::size_t>>;

/// Everything that can be reached from `start`, itself included.
std::vector<bool> reached_from(const Neighbours& next, std::size_t start) {
    std::vector<bool> seen(next.size(), false);
    std::vector<std::size_t> open{start};
    seen[start] = true;
    while (!open.empty()) {
        const std::size_t at = open.back();
        open.pop_back();
        for (const std::size_t to : next[at]) {
            if (seen[to]) continue;
            seen[to] = true;
            open.push_back(to);
        }
    }
    return seen;
}

}  // namespace

Connection::Connection(std::size_t programs,
                       const std::vector<std::pair<std::size_t, std::size_t>>& took)
    : component_of_(programs, 0), reach_(programs * programs, false) {
    Neighbours beaten(programs);
    Neighbours met(programs);
    for (const auto& [a, b] : took) {
        beaten[a].push_back(b);
        met[a].push_back(b);
        met[b].push_back(a);
    }
    for (Neighbours* lists : {&beaten, &met}) {
        for (auto& list : *lists) {
            std::sort(list.begin(), list.end());
            list.erase(std::unique(list.begin(), list.end()), list.end());
        }
    }
    std::vector<bool> placed(programs, false);
    for (std::size_t i = 0; i < programs; ++i) {
        const std::vector<bool> seen = reached_from(beaten, i);
        for (std::size_t j = 0; j < programs; ++j) reach_[i * programs + j] = seen[j];
        if (placed[i]) continue;
        const std::vector<bool> together = reached_from(met, i);
        std::vector<std::size_t> members;
        for (std::size_t j = 0; j < programs; ++j) {
            if (!together[j]) continue;
            placed[j] = true;
            component_of_[j] = components_.size();
            members.push_back(j);
        }
        components_.push_back(std::move(members));
    }
}

bool Connection::is_strong(std::size_t component) const {
    const std::vector<std::size_t>& members = components_[component];
    return std::all_of(members.begin(), members.end(),
                       [&](std::size_t member) { return is_bounded(members.front(), member); });
}

}  // namespace assay::stats

#include "rules/multigame/interpret/move_list.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace assay::rules::multigame {

void settle_aliases(MoveList& list) {
    if (list.aliases.empty()) return;
    const std::set<std::string_view> names(list.names.begin(), list.names.end());
    std::vector<Alias>& aliases = list.aliases;
    std::ranges::stable_sort(aliases, {}, &Alias::name);
    std::vector<Alias> kept;
    for (std::size_t n = 0; n < aliases.size();) {
        std::size_t end = n + 1;
        bool is_of_one = true;
        while (end < aliases.size() && aliases[end].name == aliases[n].name) {
            is_of_one = is_of_one && aliases[end].move == aliases[n].move;
            ++end;
        }
        if (is_of_one && !names.contains(aliases[n].name)) kept.push_back(aliases[n]);
        n = end;
    }
    aliases = std::move(kept);
}

}  // namespace assay::rules::multigame

#include "rules/multigame/check/merged.h"

namespace assay::rules::multigame {

namespace {

template <class Value>
void replace(const Value*& known, const std::optional<Value>& declared) {
    if (declared) known = &*declared;
}

/// Each entry replaces the one of its name in its place, or comes after the others.
template <class Entry>
void replace_by_name(std::vector<const Entry*>& known, const std::vector<Entry>& declared) {
    for (const Entry& entry : declared) {
        bool is_new = true;
        for (const Entry*& each : known) {
            if (each->name.text != entry.name.text) continue;
            each = &entry;
            is_new = false;
        }
        if (is_new) known.push_back(&entry);
    }
}

}  // namespace

int Merged::rule_called(const std::string& name) const {
    return rule_below(name, top + 1);
}

int Merged::rule_below(const std::string& name, int level) const {
    for (std::size_t n = rules.size(); n-- > 0;) {
        if (rules[n].level < level && rules[n].rule->name.text == name) return static_cast<int>(n);
    }
    return kNone;
}

Merged merged(const std::vector<Tree>& trees) {
    Merged all;
    all.top = static_cast<int>(trees.size()) - 1;
    all.first = trees.back().first;
    all.end = trees.back().end;
    for (const Tree& tree : trees) {
        replace(all.dimensions, tree.dimensions);
        replace(all.players, tree.players);
        replace(all.fields, tree.fields);
        replace(all.start, tree.start);
        replace(all.names, tree.names);
        replace(all.repetition, tree.repetition);
        replace(all.text, tree.text);
        replace(all.sides, tree.sides);
        replace_by_name(all.pieces, tree.pieces);
        replace_by_name(all.zones, tree.zones);
        replace_by_name(all.variables, tree.variables);
        for (const WrittenRule& rule : tree.rules) all.rules.push_back({&rule, tree.file});
    }
    all.counts = trees.back().counts;
    return all;
}

}  // namespace assay::rules::multigame

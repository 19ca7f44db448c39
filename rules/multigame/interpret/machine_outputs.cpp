// What becomes of an output of main: its changes, its name, whether it is a move that is known
// already, and the rule errors that show only at the end of a derivation.
//
// Moves are compared by a 64-bit hash of what differs from the position before (Zobrist, 1970), so
// that two moves that lead to one position are one move whatever the order of their changes. In a
// list of 65,536 moves two different ones have one hash with a probability of 1e-10.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "rules/multigame/interpret/machine.h"

namespace assay::rules::multigame {

namespace {

constexpr std::uint64_t kAgainKey = 0xd1b54a32d192ed03;
constexpr std::uint64_t kClaimKey = 0x8cb92ba72f3d8dd7;
constexpr std::uint64_t kVerdictKey = 0xaef17502108ef2d9;
constexpr std::uint64_t kDecisionKey = 0xc2b2ae3d27d4eb4f;

char small(char symbol) {
    return to_lower(symbol);
}

}  // namespace

std::string Machine::name_of(const Registers& r, std::int32_t events) const {
    std::string written;
    std::string trace;
    std::vector<std::int16_t> printed;
    const auto print = [&](std::int16_t field) {
        trace += item(form_.board.names, field);
        printed.push_back(field);
    };
    for (std::int32_t n = 0; n < events; ++n) {
        const Event& each = item(events_, n);
        switch (each.what) {
            case Written::Text:
                written += item(form_.texts, each.text);
                break;
            case Written::Field:
                written += item(form_.board.names, each.field);
                break;
            case Written::Piece:
                written +=
                    item(item(form_.pieces, piece_of(each.before)).symbols, side_of(each.before));
                break;
            case Written::Picked:
            case Written::Put:
                print(each.field);
                break;
            case Written::Removed:
                trace += 'x';
                print(each.field);
                break;
            case Written::Replaced:
                if (each.before == 0 || std::ranges::find(printed, each.field) == printed.end()) {
                    print(each.field);
                }
                if (each.before != 0 && each.after != 0) {
                    trace += small(item(form_.pieces, piece_of(each.after)).symbols[0]);
                }
                break;
            case Written::Passed:
                trace += "pass";
                break;
        }
    }
    if (r.has_written) return written;
    if (!trace.empty()) return trace;
    switch (r.verdict) {
        case Verdict::Win:
            return "win";
        case Verdict::Lose:
            return "lose";
        case Verdict::Draw:
            return "draw";
        default:
            return "";
    }
}

void Machine::require_name(const std::string& name) const {
    const bool is_printable = std::ranges::all_of(name, [](char c) { return c > ' ' && c < 0x7f; });
    if (!name.empty() && name.size() <= kMostNameLength && is_printable) return;
    fail_at_main(name.empty()
                     ? "a move has no name; 'write' one"
                     : fmt::format("the name '{}' has {} bytes, and a name has 1 to {}; 'write' "
                                   "a shorter one",
                                   name, name.size(), kMostNameLength));
}

void Machine::accept(const Registers& r) {
    if (purpose_ == Purpose::Holds) {
        has_held_ = true;
        choices_.clear();
        return;
    }
    if (purpose_ == Purpose::CanMove && r.hand == 0) {
        if (r.touched == 0) return;
        has_held_ = true;
        choices_.clear();
        return;
    }
    if (r.hand != 0) {
        fail(r, "the hand is full at the end: what this 'pickup' took is not put down", r.held);
    }
    if (++outputs_ > kMostOutputs) fail_at_main("more than 65,536 outputs");
    if (purpose_ == Purpose::Moves && r.touched == 0 && r.verdict == Verdict::None) {
        fail_at_main("a derivation changes nothing and says no verdict; is a 'pass' missing?");
    }
    add_output(r);
}

void Machine::add_output(const Registers& r) {
    MoveEntry made;
    made.signature = r.key;
    made.first_change = static_cast<std::uint32_t>(out_->changes.size());
    made.verdict = r.verdict;
    made.reason = r.reason;
    made.is_claim = purpose_ == Purpose::Moves && r.touched == 0;
    made.is_again = r.is_again;
    made.decision = r.decision;
    made.probability = r.probability;
    const auto board = static_cast<std::int32_t>(board_.size());
    const auto add = [&](std::int32_t place, std::int32_t before, std::int32_t after) {
        if (before != after) out_->changes.push_back({place, before, after});
    };
    ++place_stamp_;
    for (const Trail& each : trail_) {
        const auto place = static_cast<std::size_t>(each.place);
        if (place_stamps_[place] == place_stamp_) continue;
        place_stamps_[place] = place_stamp_;
        if (each.place < board) add(each.place, each.before, board_[place]);
    }
    for (std::size_t n = 0; n < form_.variables.size(); ++n) {
        const Variable& each = form_.variables[n];
        if (each.is_local) continue;
        for (int side = 0; side < each.values(); ++side) {
            const std::int32_t slot = each.read_slot(side);
            const auto at = static_cast<std::size_t>(slot);
            if (each.is_volatile) {
                const std::int32_t after = item(values_, each.write_slot(side));
                if (values_[at] == after) continue;
                made.signature ^= tables_->slot_key(at, values_[at]) ^ tables_->slot_key(at, after);
                add(board + slot, values_[at], after);
            } else if (place_stamps_[static_cast<std::size_t>(board + slot)] == place_stamp_) {
                const auto first = std::ranges::find(trail_, board + slot, &Trail::place);
                add(board + slot, first->before, values_[at]);
            }
        }
    }
    made.changes = static_cast<std::uint32_t>(out_->changes.size()) - made.first_change;
    if (purpose_ == Purpose::Moves && form_.players == 2 && !r.is_again) made.signature ^= kSideKey;

    const std::uint64_t identity = made.signature ^ (r.is_again ? kAgainKey : 0) ^
                                   (made.is_claim ? kClaimKey : 0) ^
                                   static_cast<std::uint64_t>(r.verdict) * kVerdictKey ^
                                   static_cast<std::uint64_t>(r.decision + 1) * kDecisionKey;
    std::string name;
    if (with_names_) {
        name = name_of(r, r.events);
        if (watcher_ != nullptr) watcher_->accepted(steps_of(r), name);
        if (purpose_ == Purpose::Moves) require_name(name);
    }
    if (r.decision != kNone) item(sums_, r.decision) += r.probability;
    if (is_known(r, identity, name, made.first_change)) {
        out_->changes.resize(made.first_change);
        return;
    }
    out_->moves.push_back(made);
    identities_.push_back(identity);
    if (with_names_) out_->names.push_back(std::move(name));
}

/// Looks the move up in an open hash table, and enters it there where it is new.
bool Machine::is_known(const Registers& r, std::uint64_t identity, const std::string& name,
                       std::size_t first_change) {
    if (2 * (identities_.size() + 1) > table_.size()) {
        table_.assign(table_.size() * 2, 0);
        stamps_.assign(table_.size(), 0);
        for (std::size_t n = 0; n < identities_.size(); ++n) {
            std::size_t at = identities_[n] & (table_.size() - 1);
            while (stamps_[at] == stamp_) at = (at + 1) & (table_.size() - 1);
            stamps_[at] = stamp_;
            table_[at] = static_cast<std::uint32_t>(n);
        }
    }
    std::size_t at = identity & (table_.size() - 1);
    for (; stamps_[at] == stamp_; at = (at + 1) & (table_.size() - 1)) {
        if (identities_[table_[at]] != identity) continue;
        if (r.decision != kNone) out_->moves[table_[at]].probability += r.probability;
        if (with_names_) note_difference(out_->moves[table_[at]], first_change);
        if (with_names_ && out_->names[table_[at]] != name) {
            out_->aliases.push_back({name, table_[at]});
        }
        return true;
    }
    stamps_[at] = stamp_;
    table_[at] = static_cast<std::uint32_t>(identities_.size());
    return false;
}

/// Compares the changes of a known move with those of the output at the end of the list.
void Machine::note_difference(const MoveEntry& known, std::size_t end) {
    const auto value_after = [&](std::span<const Change> changes, std::int32_t place) {
        const auto found = std::ranges::find(changes, place, &Change::place);
        if (found != changes.end()) return found->after;
        return std::int32_t{-2};  // no content, and no value that equals it by chance matters
    };
    const std::span<const Change> before = out_->changes_of(known);
    const std::span<const Change> now(out_->changes.data() + end, out_->changes.size() - end);
    for (const Change& each : before) {
        if (value_after(now, each.place) != each.after) out_->silent_difference = each.place;
    }
    for (const Change& each : now) {
        if (value_after(before, each.place) != each.after) out_->silent_difference = each.place;
    }
}

void Machine::finish(Purpose purpose) {
    if (out_->moves.empty()) {
        fail_at_main(purpose == Purpose::Setup
                         ? "'setup' gives no position"
                         : "no output: a program says what no move means, as in 'else draw'");
    }
    if (purpose == Purpose::Setup) {
        if (sums_.empty() && outputs_ > 1) {
            fail_at_main("'setup' gives more than one position without 'random'");
        }
        return;
    }
    if (with_names_) finish_names();
}

void Machine::finish_names() {
    std::set<std::string_view> names;
    for (const std::string& name : out_->names) {
        if (!names.insert(name).second)
            fail_at_main(fmt::format("two moves are called '{}'", name));
    }
    std::set<std::string_view> decisions;
    for (std::size_t n = 0; n < out_->decisions.size(); ++n) {
        const std::string& name = out_->decisions[n];
        if (!decisions.insert(name).second) {
            fail({}, fmt::format("two decisions are called '{}'", name), randoms_[n]);
        }
    }
    settle_aliases(*out_);
}

void Machine::fail(const Registers& r, const std::string& what, int statement) const {
    std::vector<int> path = path_;
    path.resize(std::min(path.size(), static_cast<std::size_t>(r.path)));
    // The board is in the middle of a derivation: the position is the one before it.
    State before = state();
    for (std::size_t n = trail_.size(); n-- > 0;) {
        const auto place = static_cast<std::size_t>(trail_[n].place);
        if (place < board_.size()) {
            before.board[place] = static_cast<Content>(trail_[n].before);
        } else {
            before.values[place - board_.size()] = trail_[n].before;
        }
    }
    throw RuleError(form_, statement, what, path, text_of(form_, before));
}

void Machine::fail_at_main(const std::string& what) const {
    fail({}, what, item(form_.rules, rule_).body);
}

void Machine::fail_length(const Registers& r) const {
    int innermost = item(form_.rules, rule_).body;
    for (std::size_t n = std::min(path_.size(), static_cast<std::size_t>(r.path)); n-- > 0;) {
        const Op op = item(form_.statements, path_[n]).op;
        if (op != Op::Repeat && op != Op::Call) continue;
        innermost = path_[n];
        break;
    }
    fail(r, "100,000 statements in one derivation", innermost);
}

/// A second run to find the path would take as long again. The choices that are open tell most of
/// it.
void Machine::fail_list_length(const Registers& r, int statement) {
    Registers here = r;
    if (!is_traced_) {
        path_.clear();
        for (const Choice& each : choices_) {
            const int chosen = code_[each.saved.at - 1].statement;
            if (chosen != kNone) path_.push_back(chosen);
        }
        here.path = static_cast<std::int32_t>(path_.size());
    }
    is_explained_ = true;
    fail(here, "100,000,000 statements for one list of moves", statement);
}

}  // namespace assay::rules::multigame

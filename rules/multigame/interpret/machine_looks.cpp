// Tests that only look; see looks.cpp.
#include "rules/multigame/interpret/machine.h"

namespace assay::rules::multigame {

bool Machine::compares(const Statement& each, int own) const {
    const std::int64_t left = value_of(each.left, own);
    const std::int64_t right = value_of(each.right, own);
    switch (each.relation) {
        case Relation::Equal:
            return left == right;
        case Relation::NotEqual:
            return left != right;
        case Relation::Less:
            return left < right;
        case Relation::LessEqual:
            return left <= right;
        case Relation::Greater:
            return left > right;
        default:
            return left >= right;
    }
}

bool Machine::is_reached(const Reached& walk, int finger, int own) const {
    const std::size_t words = tables_->words;
    const std::uint64_t* const fields =
        item(walk.fields, own).data() + static_cast<std::size_t>(finger) * words;
    for (std::size_t word = 0; word < words; ++word) {
        std::uint64_t found = 0;
        for (const Content content : item(walk.contents, own)) {
            found |= bits_[content * words + word];
        }
        if ((found & fields[word]) != 0) return true;
    }
    return false;
}

/// True where the test that goes on at this look succeeds. Finger and direction are where the test
/// is; the board does not change.
bool Machine::sees(std::int32_t at, int finger, int direction, int by) {
    const auto next_field = [&] {
        return finger < 0 ? kNone : int{item(item(form_.board.neighbours, finger), direction)};
    };
    while (true) {
        const Look& each = looks_[at];
        if (++total_ > kMostListStatements) {
            fail_list_length({}, item(form_.rules, rule_).body);
        }
        const int own = by ^ each.flip;
        at = each.next;
        switch (each.what) {
            case See::Yes:
                return true;
            case See::Either:
                if (sees(each.other, finger, direction, by)) return true;
                break;
            case See::Try:
                if (sees(each.asked, finger, direction, by)) at = each.other;
                break;
            case See::Test:
                if (!sees(each.asked, finger, direction, by)) return false;
                break;
            case See::Not:
                if (sees(each.asked, finger, direction, by)) return false;
                break;
            case See::PointsAt:
                if (finger < 0 || !tables_->matches(each.a, own, item(board_, finger))) {
                    return false;
                }
                break;
            case See::Step:
                finger = next_field();
                if (finger < 0) return false;
                break;
            case See::StepPoints:
                finger = next_field();
                if (finger < 0 || !tables_->matches(each.a, own, item(board_, finger))) {
                    return false;
                }
                break;
            case See::Slide:
                for (int n = 0;; ++n) {
                    if (n >= each.b) break;
                    if (n >= each.a && sees(each.next, finger, direction, by)) return true;
                    finger = next_field();
                    if (finger < 0 || !tables_->matches(each.asked, own, item(board_, finger))) {
                        return false;
                    }
                }
                break;
            case See::Find:
                for (int field = next_match(each.a, own, 0); field != kNone;
                     field = next_match(each.a, own, field + 1)) {
                    if (sees(each.next, field, direction, by)) return true;
                }
                return false;
            case See::Reach:
                return finger >= 0 &&
                       is_reached(item(tables_->code.looks.reached, each.a), finger, by);
            case See::Directions:
                for (int each_way = each.a; each_way < kDirections; each_way += each.b) {
                    if (sees(each.next, finger, each_way, by)) return true;
                }
                return false;
            case See::Rotate:
                direction = (direction + each.a) % kDirections;
                break;
            case See::Direction:
                direction = each.a;
                break;
            case See::Forward:
                direction = (each.a + 4 * own) % kDirections;
                break;
            case See::InZone: {
                const Zone& zone = item(form_.zones, each.a);
                if (finger < 0 || item(item(zone.holds, own ^ each.b), finger) == 0) return false;
                break;
            }
            case See::At:
                if (finger < 0 || field_in(each.a, own ^ each.b) != finger) return false;
                break;
            case See::Goto:
                finger = field_in(each.a, own ^ each.b);
                if (finger == kNone) return false;
                break;
            case See::Check:
                if (!compares(item(form_.statements, each.a), own)) return false;
                break;
        }
    }
}

}  // namespace assay::rules::multigame

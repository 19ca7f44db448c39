#include "rules/multigame/form/form.h"

#include <algorithm>

namespace assay::rules::multigame {

std::string Board::algebraic(int field) const {
    std::string name(1, static_cast<char>('a' + field % columns));
    name += std::to_string(field / columns + 1);
    return name;
}

bool Form::has_chance() const {
    return std::ranges::any_of(statements,
                               [](const Statement& each) { return each.op == Op::Random; });
}

bool matches(const Form& form, const Pattern& pattern, Content content, int own) {
    if (pattern.piece == Pattern::kEmptyField) return content == 0;
    if (content == 0) return false;
    const int piece = piece_of(content);
    if (pattern.piece >= 0 && piece != pattern.piece) return false;
    if (pattern.owner == Owner::Any) return true;
    const int side = own ^ static_cast<int>(pattern.owner);
    return form.pieces[static_cast<std::size_t>(piece)].is_owned() && side_of(content) == side;
}

Content replacement(const Form& form, const Pattern& pattern, int own) {
    if (pattern.piece < 0) return 0;
    const bool is_owned = form.pieces[static_cast<std::size_t>(pattern.piece)].is_owned();
    return content_of(pattern.piece, is_owned ? own ^ (pattern.owner == Owner::Enemy ? 1 : 0) : 0);
}

std::vector<Content> contents_of(const Form& form, const Pattern& pattern, int own) {
    std::vector<Content> all{0};
    for (std::size_t piece = 0; piece < form.pieces.size(); ++piece) {
        const int sides = form.pieces[piece].is_owned() ? 2 : 1;
        for (int side = 0; side < sides; ++side) {
            all.push_back(content_of(static_cast<int>(piece), side));
        }
    }
    all.erase(
        std::remove_if(all.begin(), all.end(),
                       [&](Content content) { return !matches(form, pattern, content, own); }),
        all.end());
    return all;
}

}  // namespace assay::rules::multigame

#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rules/multigame/form/form.h"
#include "rules/multigame/syntax/problems.h"

namespace assay::rules::multigame {

struct Token {
    enum class Kind : std::uint8_t {
        Word,
        Integer,
        Symbol,
        String,
        Sign,
        Broken,  // reported already
        End
    };
    Kind kind = Kind::End;
    std::string_view text;  // of a string or a symbol: without the quotes
    Place place;
    bool is_first_of_line = false;

    [[nodiscard]] bool is(std::string_view sign_or_word) const {
        return (kind == Kind::Sign || kind == Kind::Word) && text == sign_or_word;
    }
};

/// The tokens of a file, the last one End. What is no token is reported, and Broken stands in its
/// place. The views point into `text`.
[[nodiscard]] std::vector<Token> tokens_of(std::string_view text, int file, Problems& problems);

}  // namespace assay::rules::multigame

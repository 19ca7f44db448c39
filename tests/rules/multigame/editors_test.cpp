// The files by which editors colour programs are made from the table of words.
// ASSAY_UPDATE_GOLDEN=1 writes them anew.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "base/file.h"
#include "base/text.h"
#include "rules/multigame/syntax/words.h"

namespace multigame_editors {

namespace {

namespace mg = assay::rules::multigame;

std::string words(std::span<const std::string_view> list, std::string_view between) {
    return assay::joined(std::vector<std::string>(list.begin(), list.end()), between);
}

/// Words that neither begin a declaration nor a statement.
std::vector<std::string_view> other_words() {
    std::vector<std::string_view> others;
    for (const std::string_view word : mg::reserved_words()) {
        const auto has = [word](std::span<const std::string_view> list) {
            return std::ranges::find(list, word) != list.end();
        };
        if (!has(mg::declaration_words()) && !has(mg::statement_words())) others.push_back(word);
    }
    return others;
}

/// A fixed text with the lists in place of @DECLARATIONS@, @STATEMENTS@ and @OTHERS@.
std::string filled(std::string text, std::string_view between) {
    const std::vector<std::string_view> others = other_words();
    const auto fill = [&](std::string_view name, std::span<const std::string_view> list) {
        const std::size_t at = text.find(name);
        REQUIRE(at != std::string::npos);
        text.replace(at, name.size(), words(list, between));
    };
    fill("@DECLARATIONS@", mg::declaration_words());
    fill("@STATEMENTS@", mg::statement_words());
    fill("@OTHERS@", others);
    return text;
}

constexpr const char* kTextMate = R"json({
  "name": "Multigame",
  "scopeName": "source.multigame",
  "fileTypes": ["mg"],
  "patterns": [
    {"name": "string.quoted.double.multigame", "match": "\"[^\"\\n]*\""},
    {"name": "constant.character.multigame", "match": "'[^\\n]'"},
    {"name": "comment.line.number-sign.multigame", "match": "#.*$"},
    {"name": "entity.name.function.multigame", "match": "^[A-Za-z][A-Za-z0-9_]*(?=\\s*=)"},
    {"name": "keyword.control.multigame", "match": "\\b(@STATEMENTS@)\\b"},
    {"name": "storage.type.multigame", "match": "\\b(@DECLARATIONS@)\\b"},
    {"name": "keyword.other.multigame", "match": "\\b(@OTHERS@)\\b"},
    {"name": "constant.language.multigame", "match": "\\b[a-z][0-9]+\\b"},
    {"name": "constant.numeric.multigame", "match": "\\b[0-9]+\\b"}
  ]
}
)json";

constexpr const char* kVim = R"vim(" Vim syntax file: Multigame (*.mg)
if exists("b:current_syntax")
  finish
endif
syntax keyword mgStatement @STATEMENTS@
syntax keyword mgDeclaration @DECLARATIONS@
syntax keyword mgWord @OTHERS@
syntax match mgRule "^\a\w*\ze\s*="
syntax match mgNumber "\<\d\+\>"
syntax match mgPlace "\<[a-z]\d\+\>"
syntax match mgComment "#.*$"
syntax match mgSymbol "'[^']'"
syntax region mgString start=+"+ end=+"+ oneline
highlight default link mgStatement Statement
highlight default link mgDeclaration Type
highlight default link mgWord Keyword
highlight default link mgRule Function
highlight default link mgNumber Number
highlight default link mgPlace Constant
highlight default link mgComment Comment
highlight default link mgSymbol Character
highlight default link mgString String
let b:current_syntax = "multigame"
)vim";

void check_file(const std::string& name, const std::string& text) {
    const std::string path = ASSAY_SOURCE_DIR "/rules/multigame/editors/" + name;
    // NOLINTNEXTLINE(concurrency-mt-unsafe): one thread
    if (std::getenv("ASSAY_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << text;
    CHECK(assay::read_file(path) == text);
}

}  // namespace

TEST_CASE("Multigame editors: the files for editors have every word of the language") {
    check_file("multigame.tmLanguage.json", filled(kTextMate, "|"));
    check_file("multigame.vim", filled(kVim, " "));
}

}  // namespace multigame_editors

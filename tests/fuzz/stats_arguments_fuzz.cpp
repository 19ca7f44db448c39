// `assay stats` with any words: it answers, or refuses with a sentence; it prints no NaN and no
// infinity, and ends. Words are separated by blanks and lines.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/diagnostic.h"
#include "base/text.h"
#include "cli/frame/commands.h"
#include "cli/frame/parser.h"

namespace {

/// Takes what is printed on standard output (glibc's stdout can be set).
class Captured {
public:
    Captured() : before_(stdout) { stdout = ::open_memstream(&text_, &size_); }

    Captured(const Captured&) = delete;
    Captured& operator=(const Captured&) = delete;

    ~Captured() {
        std::fclose(stdout);
        stdout = before_;
        std::free(text_);
    }

    [[nodiscard]] std::string_view text() {
        std::fflush(stdout);
        return {text_, size_};
    }

private:
    FILE* before_;
    char* text_ = nullptr;
    std::size_t size_ = 0;
};

std::vector<std::string> words_of(std::string text) {
    for (char& c : text) c = c == '\n' || c == '\0' ? ' ' : c;
    std::vector<std::string> words;
    for (const std::string_view word : assay::split_words(text)) words.emplace_back(word);
    return words;
}

/// True where `word` stands in the text and is no longer word's beginning (" information").
bool has_figure(const std::string& text, std::string_view word) {
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if (end == text.size() || text[end] < 'a' || text[end] > 'z') return true;
    }
    return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    // No files of this machine; and a simulation as long as one likes is no hang.
    if (size > 300 || text.find('/') != std::string::npos) return 0;
    std::vector<std::string> words = words_of("stats " + text);
    if (text.find("simulate") != std::string::npos) {
        for (const char* word : {"--runs", "2", "--most-pairs", "500", "--threads", "1"}) {
            words.emplace_back(word);
        }
    }
    assay::cli::Command app("assay", "");
    assay::cli::Exit exit;
    assay::cli::add_stats(app, exit);
    Captured output;
    try {
        assay::cli::run_command_line(app, words);
    } catch (const assay::Error& error) {
        ASSAY_CHECK(error.exit_code() == 2);
        ASSAY_CHECK(std::string_view(error.what()).size() > 5);
    }
    const std::string printed = assay::lower(output.text());
    for (const char* const word :
         {" nan", ":nan", "[nan", " inf", ":inf", "[inf", "-inf", "-nan"}) {
        // Words that the user gave may be echoed; figures may not look so.
        if (text.find("nan") != std::string::npos || text.find("inf") != std::string::npos) break;
        ASSAY_CHECK(!has_figure(printed, word));
    }
    return 0;
}

#include "rules/multigame/check/program_files.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/text.h"
#include "rules/multigame/syntax/lexer.h"

namespace assay::rules::multigame {

namespace {

constexpr std::string_view kMarker = "#file \"";

/// The path after `based on`, with its place; nullopt where the file is based on nothing.
struct Base {
    std::string path;
    Place place;
};

std::optional<Base> base_of(const FormFile& file) {
    // Only the first tokens matter; the parser reports what is wrong.
    const std::vector<FormFile> files{file};
    Problems unheard(files);
    const std::vector<Token> tokens = tokens_of(files.front().text, 0, unheard);
    if (tokens.size() < 4 || !tokens[0].is("based") || !tokens[1].is("on") ||
        tokens[2].kind != Token::Kind::String) {
        return std::nullopt;
    }
    return Base{std::string(tokens[2].text), tokens[2].place};
}

[[noreturn]] void fail(const FormFile& file, const Place& place, std::string message) {
    const Source source(file.path, file.text);
    throw SyntaxError(source.at_line(static_cast<std::size_t>(place.line),
                                     static_cast<std::size_t>(place.column),
                                     static_cast<std::size_t>(place.width), std::move(message)));
}

[[noreturn]] void fail(const std::string& path, std::string message) {
    Diagnostic diagnostic;
    diagnostic.path = path;
    diagnostic.message = std::move(message);
    throw SyntaxError(diagnostic);
}

std::string chain_of(const std::vector<FormFile>& files, const std::string& last) {
    std::string chain;
    for (const FormFile& each : files) chain += each.path + " > ";
    return chain + last;
}

std::string beside(const std::string& path, const std::string& base) {
    return (std::filesystem::path(path).parent_path() / base).lexically_normal().string();
}

void require_length(const FormFile& file) {
    if (file.text.size() > kLongestFile) {
        fail(file.path, fmt::format("the file has {} bytes; at most {} are read", file.text.size(),
                                    kLongestFile));
    }
}

}  // namespace

std::vector<FormFile> files_of(const std::string& path, const FileReader& read) {
    std::vector<FormFile> files;
    const auto text = read(path);
    if (!text) fail(path, "cannot read this file of rules");
    files.push_back({path, *text});
    require_length(files.back());
    while (const auto base = base_of(files.back())) {
        const FormFile& last = files.back();
        const std::string next = beside(last.path, base->path);
        const bool is_cycle = std::ranges::any_of(files, [&](const FormFile& each) {
            return std::filesystem::path(each.path).lexically_normal() == next;
        });
        if (is_cycle) {
            fail(last, base->place, "this file is based on itself: " + chain_of(files, next));
        }
        if (files.size() >= kMostFiles) {
            fail(last, base->place,
                 fmt::format("more than {} files are based on each other: {}", kMostFiles,
                             chain_of(files, next)));
        }
        const auto found = read(next);
        if (!found) {
            fail(last, base->place,
                 fmt::format("cannot read '{}' ({})", printable_utf8(next), chain_of(files, next)));
        }
        files.push_back({next, *found});
        require_length(files.back());
    }
    std::ranges::reverse(files);
    return files;
}

std::string joined_text(const std::vector<FormFile>& files) {
    if (files.size() == 1) return files.front().text;
    std::string all;
    for (const FormFile& each : files) {
        all += fmt::format("{}{}\"\n{}", kMarker, each.path, each.text);
        if (!all.ends_with('\n')) all += '\n';
    }
    return all;
}

std::vector<FormFile> files_of_text(const std::string& path, std::string_view text) {
    std::vector<FormFile> files;
    if (!text.starts_with(kMarker)) {
        files.push_back({path, std::string(text)});
    }
    while (text.starts_with(kMarker)) {
        const std::string_view line = text.substr(0, text.find('\n'));
        std::string_view rest = text.substr(std::min(line.size() + 1, text.size()));
        const std::string mark = "\n" + std::string(kMarker);
        const std::size_t end = rest.starts_with(kMarker) ? 0 : rest.find(mark);
        const std::string_view own =
            rest.substr(0, end == std::string_view::npos || end == 0 ? end : end + 1);
        std::string_view name = line.substr(kMarker.size());
        if (name.ends_with('"')) name.remove_suffix(1);
        files.push_back({std::string(name), std::string(own)});
        text = rest.substr(own.size());
    }
    for (const FormFile& each : files) require_length(each);
    if (files.size() > kMostFiles) {
        fail(path, fmt::format("more than {} files are based on each other", kMostFiles));
    }
    if (const auto base = base_of(files.front())) {
        fail(files.front(), base->place,
             fmt::format("the text does not hold '{}', on which it is based; name the file itself",
                         printable_utf8(base->path)));
    }
    return files;
}

std::optional<std::string> read_rules_file(const std::string& path) {
    try {
        return read_file(path);
    } catch (const Error&) {
        return std::nullopt;
    }
}

}  // namespace assay::rules::multigame

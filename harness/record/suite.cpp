#include "harness/record/suite.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/enum_names.h"
#include "base/text.h"

namespace assay::harness {

namespace {

constexpr std::string_view kUnanswerable = "its log cannot answer: ";

constexpr auto kEndNames = enum_names<SearchEnd>("searched", "unfinished", "no_log", "bad_log",
                                                 "no_start", "crash", "hang");

}  // namespace

QueryAnswer unanswerable(std::string_view why) {
    return {std::nullopt, std::string(kUnanswerable) + std::string(why), {}};
}

bool is_unanswerable(const QueryAnswer& answer) {
    return answer.trouble.starts_with(kUnanswerable);
}

std::string_view name_of(SearchEnd end) {
    return kEndNames.of(end);
}

std::optional<SearchEnd> search_end_of(std::string_view name) {
    return kEndNames.find(name);
}

std::string trees_folder(const std::string& store) {
    return store + ".trees";
}

std::string tree_file(std::int64_t run, const std::string& program, const std::string& position) {
    return fmt::format("{}/{}/{}.gtl", run, file_part(program), file_part(position));
}

bool is_tree_name(const std::string& name) {
    const std::filesystem::path path(name);
    return path.is_relative() && std::find(path.begin(), path.end(), "..") == path.end() &&
           std::distance(path.begin(), path.end()) >= 2;
}

}  // namespace assay::harness

#include "harness/record/suite.h"

#include <array>

#include <fmt/format.h>

#include "base/text.h"

namespace assay::harness {

namespace {

constexpr std::array<std::string_view, kSearchEnds> kEndNames{
    "searched", "unfinished", "no_log", "bad_log", "no_start", "crash", "hang"};

}  // namespace

std::string_view name_of(SearchEnd end) {
    return kEndNames[static_cast<std::size_t>(end)];
}

std::optional<SearchEnd> search_end_of(std::string_view name) {
    for (std::size_t i = 0; i < kEndNames.size(); ++i)
        if (kEndNames[i] == name) return static_cast<SearchEnd>(i);
    return std::nullopt;
}

std::string trees_folder(const std::string& store) {
    return store + ".trees";
}

std::string tree_file(std::int64_t run, const std::string& program, const std::string& position) {
    return fmt::format("{}/{}/{}.gtl", run, file_part(program), file_part(position));
}

}  // namespace assay::harness

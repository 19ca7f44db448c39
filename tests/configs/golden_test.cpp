// Each tests/golden/configs/NAME.yaml is loaded; what is said, or the plan where nothing is wrong,
// must be NAME.expected. ASSAY_UPDATE_GOLDEN=1 writes these files anew, to be read in the diff.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "configs/loader/loader.h"

namespace {

std::string outcome(const std::string& text, const std::string& name) {
    try {
        return to_json(assay::configs::plan_from_text(text, name, "/conf")) + "\n";
    } catch (const assay::Error& error) {
        return std::string(error.what()) + "\n";
    }
}

}  // namespace

TEST_CASE("Config: what is said of every golden file is what its neighbour holds") {
    const std::filesystem::path folder = std::string(ASSAY_SOURCE_DIR) + "/tests/golden/configs";
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".yaml") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    REQUIRE(files.size() > 40);
    const bool updates = std::getenv("ASSAY_UPDATE_GOLDEN") != nullptr;
    for (const auto& file : files) {
        const std::string said = outcome(assay::read_file(file.string()), file.filename().string());
        std::filesystem::path expected = file;
        expected.replace_extension(".expected");
        if (updates) assay::write_file(expected.string(), said);
        CHECK_MESSAGE(said == assay::read_file(expected.string()), file.filename().string());
    }
}

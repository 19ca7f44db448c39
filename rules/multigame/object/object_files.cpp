#include "rules/multigame/object/object_files.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

#include "base/diagnostic.h"
#include "base/sha256.h"

namespace assay::rules::multigame {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kSumDigits = 32;
constexpr std::string_view kObjectEnding = ".so";

std::string absolute_variable(const char* name) {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing in this process changes the environment
    const char* const value = std::getenv(name);
    const std::string_view text = value == nullptr ? "" : value;
    return text.starts_with('/') ? std::string(text) : "";
}

/// Names of the folder that may be objects of the hash, in an order that does not change.
std::vector<std::string> objects_of(const std::string& folder, const std::string& hash) {
    std::vector<std::string> names;
    std::error_code failed;
    for (fs::directory_iterator at(folder, failed), end; !failed && at != end;
         at.increment(failed)) {
        std::string name = at->path().filename().string();
        if (name.starts_with(hash + "-") && name.ends_with(kObjectEnding)) {
            names.push_back(std::move(name));
        }
    }
    std::ranges::sort(names);
    return names;
}

}  // namespace

std::string usual_object_folder() {
    if (const std::string cache = absolute_variable("XDG_CACHE_HOME"); !cache.empty()) {
        return cache + "/assay/rules";
    }
    const std::string home = absolute_variable("HOME");
    return home.empty() ? "" : home + "/.cache/assay/rules";
}

std::string sum_of_object(std::string_view bytes) {
    return sha256_of(bytes).substr(0, kSumDigits);
}

std::shared_ptr<const CompiledProgram> load_object(const std::string& folder,
                                                   const std::string& hash) {
    if (folder.empty()) return nullptr;
    for (const std::string& name : objects_of(folder, hash)) {
        const std::size_t end = name.size() - kObjectEnding.size();
        const std::string sum = name.substr(name.rfind('-') + 1, end - name.rfind('-') - 1);
        if (sum.size() != kSumDigits) continue;
        try {
            return CompiledProgram::load(folder + "/" + name, hash, sum);
        } catch (const Error&) {
            continue;  // it is made anew by those who may
        }
    }
    return nullptr;
}

}  // namespace assay::rules::multigame

// The folder of compiled rules, and the table of functions of an object. First line: the name of a
// file; then its bytes, which are also taken as a table. An object with the sum of its own bytes in
// its name is code of the user, which the system's loader opens: that loader is not under test, so
// what begins like an object has another sum here.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "base/check.h"
#include "rules/multigame/object/loader.h"
#include "rules/multigame/object/object_files.h"

namespace {

using assay::rules::multigame::load_object;
using assay::rules::multigame::problem_of;
using assay::rules::multigame::sum_of_object;
namespace fs = std::filesystem;

constexpr const char* kHash = "0123";
constexpr std::size_t kLongestName = 100;

/// A folder that lasts as long as the process.
class Folder {
public:
    Folder() { ASSAY_CHECK(::mkdtemp(path_.data()) != nullptr); }

    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    ~Folder() {
        std::error_code failed;
        fs::remove_all(path_, failed);
    }

    [[nodiscard]] const std::string& path() const { return path_; }

private:
    std::string path_ = (fs::temp_directory_path() / "object_fuzz.XXXXXX").string();
};

std::string file_name(std::string_view line) {
    std::string name(line.substr(0, kLongestName));
    std::ranges::replace(name, '/', '-');
    std::ranges::replace(name, '\0', '-');
    return name.empty() || name == "." || name == ".." ? "0123-cc-0.so" : name;
}

void look(const std::string& name, std::string_view bytes) {
    static const Folder folder;
    const std::string path = folder.path() + "/" + name;
    const bool is_object = bytes.starts_with("\177ELF");
    if (is_object && name.find(sum_of_object(bytes)) != std::string::npos) return;
    std::ofstream(path, std::ios::binary) << bytes;
    ASSAY_CHECK(load_object(folder.path(), kHash) == nullptr);
    fs::remove(path);
}

/// A table whose numbers and null pointers are those of the bytes; the hash is a text.
void judge(std::string_view bytes) {
    mg_game game{};
    std::memcpy(&game, bytes.data(), std::min(bytes.size(), sizeof(game)));
    std::string hash(bytes.substr(0, 8));
    game.hash = bytes.size() % 2 == 0 ? hash.c_str() : nullptr;
    const char* const problem = problem_of(game, kHash);
    if (problem != nullptr) return;
    ASSAY_CHECK(game.interface == MG_INTERFACE && game.state_size > 0 && game.moves != nullptr);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::string_view bytes = text.substr(std::min(line.size() + 1, text.size()));
    judge(bytes);
    const std::string name = file_name(line);
    look(name, bytes);
    // The same bytes under a name that fits them.
    look("0123-cc-" + sum_of_object(bytes) + ".so", bytes);
    return 0;
}

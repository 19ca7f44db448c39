// Command lines of other runners, a word a line, and their file of results.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "configs/dropin/command_words.h"
#include "configs/dropin/cutechess_flags.h"
#include "configs/dropin/fastchess_flags.h"
#include "configs/dropin/result_file.h"
#include "configs/dropin/runner_plan.h"

namespace {

using assay::configs::dropin::ParsedCommand;
using assay::configs::dropin::Surroundings;

void use(const ParsedCommand& command, const Surroundings& here) {
    if (command.kind != ParsedCommand::Kind::Play) return;
    (void)to_json(runner_plan(command.settings, here, "/here"));
    (void)result_file_text(command.settings, {}, {});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    Surroundings here;
    here.hardware_threads = 4;
    here.exists = [](const std::string&) { return true; };
    here.is_file = here.exists;
    here.read = [&text](const std::string&) -> std::optional<std::string> { return text; };
    std::vector<std::string> words;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        words.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    use(parse_fastchess(words, here), here);
    use(parse_cutechess(words, here), here);
    (void)assay::configs::dropin::shell_words(text);
    try {
        (void)assay::configs::dropin::read_result_file(text, "config.json");
    } catch (const assay::configs::dropin::BadWord&) {
        return 0;
    }
    return 0;
}

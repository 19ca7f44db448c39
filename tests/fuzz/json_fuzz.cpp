#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "adapters/json/json_lines.h"
#include "adapters/process/line_reader.h"
#include "base/text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace assay::adapters;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    SearchInfo info;
    LineReader reader(2000);
    reader.feed(text, [&](std::string_view line, bool) {
        auto message = read_json_line(line);
        if (!message) return true;
        static_cast<void>(assay::printable_utf8(message->complaint));
        merge(info, std::move(message->info));
        // What a program names goes back to programs: it must be readable as a line of its own.
        GameStart game;
        game.start = message->name;
        game.moves = message->move;
        const std::string told = json_new_line(game);
        if (told.find('\n') != told.size() - 1 || !read_json_line(told)) std::abort();
        return true;
    });
    return 0;
}

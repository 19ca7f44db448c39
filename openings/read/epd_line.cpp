// What stands in lines of EPD files is not always EPD. Read are: four fields and operations (the
// standard), six fields as of FEN, six fields and then operations, fields joined to a ';' without a
// blank, counters with a ';' behind, and counters as hmvc and fmvn. The result is always a FEN of
// six fields. Two numbers behind the fourth field are counters; anything else must be an opcode,
// which begins with a letter.
#include "openings/read/epd_line.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace assay::openings {

namespace {

constexpr std::size_t kPositionFields = 4;

bool is_number(std::string_view word) {
    return !word.empty() &&
           std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// The next word, without the ';' that some write behind a counter.
std::string_view take_counter(std::string_view& rest) {
    std::string_view word = take_word(rest);
    while (word.ends_with(';')) word.remove_suffix(1);
    return word;
}

}  // namespace

std::size_t offset_in(std::string_view line, std::string_view part) {
    return static_cast<std::size_t>(part.data() - line.data());
}

std::optional<EpdOperation> take_operation(std::string_view& rest) {
    while (!rest.empty()) {
        EpdOperation out;
        std::size_t end = 0;
        for (; end < rest.size() && (out.has_open_quote || rest[end] != ';'); ++end)
            // A ';' within quotes belongs to the text.
            if (rest[end] == '"') out.has_open_quote = !out.has_open_quote;
        std::string_view text = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        out.opcode = take_word(text);
        out.operands = trim(text);
        if (!out.opcode.empty()) return out;
    }
    return std::nullopt;
}

std::vector<std::string_view> split_operands(std::string_view operands) {
    std::vector<std::string_view> out;
    for (operands = trim(operands); !operands.empty(); operands = trim(operands)) {
        if (operands.front() == '"') {
            const std::size_t close = std::min(operands.find('"', 1), operands.size());
            out.push_back(operands.substr(1, close - 1));
            operands.remove_prefix(std::min(close + 1, operands.size()));
            continue;
        }
        const std::size_t end = std::min(operands.find_first_of(" \t,"), operands.size());
        if (end > 0) out.push_back(operands.substr(0, end));
        operands.remove_prefix(std::min(end + 1, operands.size()));
    }
    return out;
}

EpdLine split_epd(std::string_view line) {
    EpdLine out;
    std::string_view rest = line;
    std::array<std::string_view, kPositionFields> fields;
    for (std::string_view& field : fields) {
        field = take_word(rest);
        // "… - -;D1 20" is written too.
        const std::size_t semicolon = field.find(';');
        if (semicolon != std::string_view::npos) {
            rest = line.substr(offset_in(line, field) + semicolon);
            field = field.substr(0, semicolon);
        }
        if (field.empty()) {
            out.remark = {line.size(), 1, "expected a position of at least 4 fields"};
            return out;
        }
    }
    std::string_view after = rest;
    std::string_view half = take_counter(after);
    std::string_view full = take_counter(after);
    if (is_number(half) && is_number(full)) {
        out.operations = after;
    } else {
        const std::string_view behind = trim(rest);
        const char first = behind.empty() ? ';' : to_lower(behind.front());
        if (first != ';' && (first < 'a' || first > 'z')) {
            out.remark = {offset_in(line, behind), take_word(rest).size(),
                          "expected both counters or an opcode after the position, found '" +
                              printable_utf8(half) + "'"};
            return out;
        }
        out.operations = rest;
        half = "0";
        full = "1";
        while (const auto operation = take_operation(rest)) {
            if (operation->operands.empty()) continue;
            if (operation->opcode == "hmvc") half = operation->operands;
            if (operation->opcode == "fmvn") full = operation->operands;
        }
    }
    out.fen.reserve(line.size() + 4);
    for (const std::string_view field : fields) (out.fen += field) += ' ';
    ((out.fen += half) += ' ') += full;
    return out;
}

}  // namespace assay::openings

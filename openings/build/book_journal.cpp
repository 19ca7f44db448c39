// A book of thousands of openings takes hours of searching, and its building may be killed. Each
// opening that is kept is appended to a journal beside the book as one line, with the number of its
// candidate; the same command goes on behind the last one. Candidates are decided in the order of
// their numbers (book_builder.cpp), so that the book is the same as without the interruption.
//
// The head of the journal is the plan, as comments. Another plan is refused rather than mixed in,
// except where nothing has been found yet: then there is nothing to lose. A line that is cut, by a
// kill within a write, and whatever follows it, is dropped and searched again.
#include "openings/build/book_journal.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/text.h"
#include "openings/build/book_writer.h"

namespace assay::openings {

namespace {

constexpr std::string_view kJournalHead =
    "# unfinished book; the command that began it goes on with it\n";

constexpr std::string_view kProgram = "# it calls itself ";

bool is_playable(const Opening& opening, const rules::Game& game) {
    try {
        auto position = opening.start.empty() ? game.start() : game.parse(opening.start);
        for (const std::string& name : opening.moves) {
            const auto move = position->move_of(name, rules::Notation::Canonical);
            if (!move) return false;
            position->make(*move);
        }
        return true;
    } catch (const Error&) {
        return false;  // a position that the rules refuse
    }
}

/// "NUMBER SCORE START|MOVES"; nullopt where it is no such line.
std::optional<BuiltOpening> opening_of(std::string_view line, const rules::Game& game) {
    BuiltOpening out;
    const auto number = to_number<std::uint64_t>(take_word(line));
    const auto score = to_number<int>(take_word(line));
    const std::size_t bar = line.find('|');
    if (!number || !score || bar == std::string_view::npos) return std::nullopt;
    out.number = *number;
    out.score = *score;
    out.opening.start = trim(line.substr(0, bar));
    for (const std::string_view move : split_words(line.substr(bar + 1)))
        out.opening.moves.emplace_back(move);
    return is_playable(out.opening, game) ? std::optional(std::move(out)) : std::nullopt;
}

std::string line_of(const BuiltOpening& one) {
    std::string out = fmt::format("{} {} {}|", one.number, one.score, one.opening.start);
    for (const std::string& move : one.opening.moves) out += " " + move;
    return out + "\n";
}

std::string as_comment(const std::string& plan) {
    std::string out(kJournalHead);
    std::string_view rest = plan;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        out += "# " + std::string(rest.substr(0, end)) + "\n";
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return out;
}

/// True for the lines that say what a book is made by, with no opening behind them.
bool holds_nothing(std::string_view content) {
    while (!content.empty()) {
        if (content.front() != '#') return false;
        content.remove_prefix(std::min(content.find('\n'), content.size() - 1) + 1);
    }
    return true;
}

/// No quote may end an operand or a tag early.
std::string without_quotes(std::string text) {
    for (char& c : text)
        if (c == '"' || c == '\\' || c == ';') c = '\'';
    return text;
}

}  // namespace

BookJournal::BookJournal(std::string path, const std::string& plan, const rules::Game& game)
    : path_(std::move(path)) {
    const std::string head = as_comment(plan);
    open();
    read(head, game);
    if (sound_bytes_ == 0) file_->write(head);
}

void BookJournal::open() {
    file_ = File::open_locked(path_, File::Lock::Try);
    if (!file_) throw Error(path_ + ": another command is making this book; wait until it ends");
}

void BookJournal::read(const std::string& plan, const rules::Game& game) {
    const std::string content = read_file(path_);
    if (content.size() < plan.size() && plan.starts_with(content)) {
        // Killed while the first lines were written.
        file_->truncate(sound_bytes_);
        return;
    }
    if (!content.starts_with(kJournalHead))
        throw Error(path_ + ": is no unfinished book; move it away, or give the book another name");
    if (!content.starts_with(plan)) {
        if (holds_nothing(content)) {
            file_->truncate(sound_bytes_);
            return;
        }
        throw Error(path_ +
                    ": is of a book that was begun with other flags or another program (its first "
                    "lines say which); delete it to begin anew");
    }
    std::size_t begin = plan.size();
    while (true) {
        const std::size_t end = content.find('\n', begin);
        if (end == std::string::npos) break;
        const std::string_view line = std::string_view(content).substr(begin, end - begin);
        if (line.starts_with(kProgram) && found_.empty()) {
            program_ = line.substr(kProgram.size());
            begin = end + 1;
            continue;
        }
        // A journal may have been edited or damaged: each line is played through before it is
        // taken.
        auto opening = opening_of(line, game);
        if (!opening || (!found_.empty() && opening->number <= found_.back().number)) break;
        found_.push_back(std::move(*opening));
        begin = end + 1;
    }
    sound_bytes_ = begin;
    if (sound_bytes_ < content.size()) file_->truncate(sound_bytes_);
}

void BookJournal::set_program(const std::string& name) {
    if (name.empty() || !program_.empty() || name.find('\n') != std::string::npos) return;
    program_ = name;
    // Behind openings it would be taken for the end of what is sound.
    if (found_.empty()) file_->write(std::string(kProgram) + name + "\n");
}

void BookJournal::add(const BuiltOpening& opening) {
    file_->write(line_of(opening));
}

void BookJournal::remove() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
    file_.reset();
}

std::string write_built_book(const std::vector<BuiltOpening>& openings, BookFormat format,
                             const std::string& note, const rules::Game& game) {
    std::string out;
    const std::string said = without_quotes(note);
    for (std::size_t i = 0; i < openings.size(); ++i) {
        Opening opening = openings[i].opening;
        opening.index = i;
        opening.label = fmt::format("opening {}", i + 1);
        std::string entry = write_opening(opening, format, game);
        if (format == BookFormat::Epd && !game.info().formats.epd) {
            entry.pop_back();
            entry += fmt::format(" ; score {}{}{}\n", openings[i].score, i == 0 ? ", " : "",
                                 i == 0 ? said : "");
        } else if (format == BookFormat::Epd) {
            entry.pop_back();
            if (!entry.ends_with(';')) entry += ' ';
            entry += fmt::format("{}ce {};", entry.ends_with(';') ? " " : "", openings[i].score);
            if (i == 0) entry += fmt::format(" c0 \"{}\";", said);
            entry += "\n";
        } else if (format == BookFormat::Pgn) {
            constexpr std::string_view kResultTag = "[Result \"*\"]\n";
            const std::size_t tag = entry.find(kResultTag);
            entry.insert(tag + kResultTag.size(), fmt::format("[Annotator \"{}\"]\n", said));
            const std::size_t result = entry.rfind('*');
            entry.insert(result, fmt::format("{{ {:+.2f} }} ", openings[i].score / 100.0));
        }
        out += entry;
    }
    return out;
}

}  // namespace assay::openings

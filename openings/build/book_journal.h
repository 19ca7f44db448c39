#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/file.h"
#include "openings/build/book_builder.h"
#include "openings/read/index_file.h"
#include "rules/game.h"

namespace assay::openings {

/// The openings of a book that is still being built, in a text file beside it, one line each. A
/// line is written before the next search counts. When the file is read again, a line that a kill
/// cut short is dropped, and so is everything from the first damaged line on: those walks are
/// repeated.
class BookJournal {
public:
    /// Continues the file, or creates it. `plan` describes in lines of text how the book is built;
    /// a file of another plan is overwritten if it holds no opening. The file is locked for the
    /// life of this object. Throws Error (exit 2) where the file has openings of another plan, is
    /// not a journal, is locked by another one or cannot be written.
    BookJournal(std::string path, const std::string& plan, const rules::Game& game);

    /// What the file held, in order.
    [[nodiscard]] const std::vector<BuiltOpening>& found() const { return found_; }

    /// The name that the program reports, for a session that does not start it; empty: not known.
    /// Only the first call has an effect.
    void set_program(const std::string& name);

    [[nodiscard]] const std::string& program() const { return program_; }

    /// Throws Error where the disk is full.
    void add(const BuiltOpening& opening);
    /// Deletes the file, once the book is written.
    void remove();

    [[nodiscard]] const std::string& path() const { return path_; }

private:
    /// Opens and locks it.
    void open();
    void read(const std::string& plan, const rules::Game& game);

    std::string path_;
    std::string program_;
    std::vector<BuiltOpening> found_;
    std::size_t sound_bytes_ = 0;
    std::optional<File> file_;
};

/// The text of the whole book. Scores are written as EPD's `ce`, or as a comment behind the moves
/// of each PGN game; `note`, a line on how the book was built, as the first line's opcode `c0`, or
/// as the Annotator tag of every game. A FEN list has neither. A game without EPD has both behind a
/// ';'.
[[nodiscard]] std::string write_built_book(const std::vector<BuiltOpening>& openings,
                                           BookFormat format, const std::string& note,
                                           const rules::Game& game);

}  // namespace assay::openings

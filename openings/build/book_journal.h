#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/file.h"
#include "openings/build/book_builder.h"
#include "openings/read/index_file.h"
#include "rules/game.h"

namespace assay::openings {

/// What is kept of a book while it is being made: a file of text beside it, a line an opening, each
/// handed to the system before the next search counts. A line that a kill has torn is dropped, and
/// where one is damaged all from there on: the walks behind it are made again.
class BookJournal {
public:
    /// Goes on with the file, or begins it. `plan` says in lines of text what the book is made by;
    /// a file of another plan is begun anew if it holds no opening, else left alone. Throws Error
    /// (exit 2) where it is of another plan or no journal, another journal holds it (it is locked
    /// as long as this lives) or it cannot be written.
    BookJournal(std::string path, const std::string& plan, const rules::Game& game);

    /// What the file held, in order.
    [[nodiscard]] const std::vector<BuiltOpening>& found() const { return found_; }

    /// What the program calls itself, for a sitting that need not ask it; empty: not known. The
    /// first name stays.
    void set_program(const std::string& name);

    [[nodiscard]] const std::string& program() const { return program_; }

    /// Throws Error where the disk is full.
    void add(const BuiltOpening& opening);
    /// The book is written: the file goes.
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

/// The whole book, to be packed. Scores are EPD's `ce`, and a comment behind each PGN game's moves;
/// `note`, a line on how the book was made, is the first line's opcode `c0`, or every game's
/// Annotator tag. A FEN list has room for neither.
[[nodiscard]] std::string write_built_book(const std::vector<BuiltOpening>& openings,
                                           BookFormat format, const std::string& note,
                                           const rules::Game& game);

}  // namespace assay::openings

#pragma once
#include <functional>
#include <string>

#include "base/clock.h"
#include "harness/program/book_search.h"
#include "openings/build/book_builder.h"
#include "openings/build/book_journal.h"

namespace assay::harness {

/// How the searches of a book ended.
struct BookRun {
    int signal = 0;       // that stopped it; 0: none
    std::string failure;  // of the program or the machine; empty: none
};

/// Searches until the book is full, nothing is left to try, so many walks in a row are refused that
/// no more is to be expected, or something stops it. Each opening that is kept is in the journal
/// before the next. `on_tick` is called often. Throws Error where the journal cannot be written.
[[nodiscard]] BookRun search_book(BookSearch::Setup setup, openings::BookBuilder& builder,
                                  openings::BookJournal& journal, const Clock& clock,
                                  const std::function<void()>& on_tick);

}  // namespace assay::harness

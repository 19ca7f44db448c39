#include "harness/program/book_run.h"

#include <cstdint>
#include <utility>

#include "harness/program/program_loop.h"

namespace assay::harness {

namespace {

constexpr std::uint64_t kMostInVain = 20'000;

}  // namespace

BookRun search_book(BookSearch::Setup setup, openings::BookBuilder& builder,
                    openings::BookJournal& journal, const Clock& clock,
                    const std::function<void()>& on_tick) {
    ProgramLoop loop(clock);
    BookSearch* asked = nullptr;
    setup.on_kept = [&journal, &asked](const openings::BuiltOpening& opening) {
        journal.set_program(asked->program_name());
        journal.add(opening);
    };
    BookSearch search(std::move(setup), loop.players(), clock, builder);
    asked = &search;
    search.start();
    loop.run({[&](TimePoint now) {
                  search.tick(now);
                  on_tick();
                  if (builder.tried_in_vain() >= kMostInVain) search.stop();
              },
              [&] { search.stop(); }, [&] { return search.is_done(); }});
    return {loop.signal(), search.failure()};
}

}  // namespace assay::harness

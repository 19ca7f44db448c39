#pragma once
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "adapters/protocol/player.h"
#include "base/clock.h"
#include "harness/program/launch_timer.h"
#include "harness/program/running_program.h"
#include "harness/program/shutdown_queue.h"
#include "openings/build/book_builder.h"

namespace assay::harness {

/// Has a program answer the searches that a book is made by, several side by side, each as a new
/// game and so from empty tables. A program that ends or hangs is replaced and asked again. A
/// candidate on which it does so twice is refused (Failing), and so are all candidates that come to
/// the same search; no two workers ask the same search at a time. Nothing else is decided here
/// about the book. A program that answers many times in a row without a score or a move is given
/// up. All calls come on the event loop's thread.
class BookSearch final : public ProgramEvents {
public:
    struct Setup {
        adapters::ProgramSpec spec;
        int concurrency = 1;
        // The program is given up after this many failures where it has never answered; or this
        // many candidates in a row that were refused for failures; or this many failed starts in a
        // row of one worker (2 where none of its starts ever succeeded).
        int failures_in_a_row = 5;
        RunningProgram::Limits limits;
        Micros wall{std::chrono::minutes(1)};  // a search
        std::function<void(const openings::BuiltOpening&)> on_kept;
        std::function<void(std::string_view text)> on_warning;  // once of each kind
    };

    /// `builder` and `clock` must outlive it.
    BookSearch(Setup setup, PlayerFactory factory, const Clock& clock,
               openings::BookBuilder& builder);
    BookSearch(const BookSearch&) = delete;
    BookSearch& operator=(const BookSearch&) = delete;
    ~BookSearch() override;

    void start();
    void tick(TimePoint now);
    /// No further search; programs are asked to end.
    void stop();

    /// Nothing is left to do and no program is left.
    [[nodiscard]] bool is_done() const;

    /// Why the program was given up, with its last words; empty: it was not.
    [[nodiscard]] const std::string& failure() const { return failure_; }

    [[nodiscard]] std::uint64_t searches() const { return searches_; }

    /// What the program calls itself, once it has shaken hands.
    [[nodiscard]] const std::string& program_name() const { return program_name_; }

private:
    /// A program and the candidate that is searched by it.
    struct Worker;

    struct Known {
        openings::BuildAnswer answer;
        std::string lack;         // why it judges nothing, or how it failed; empty: it judges
        bool is_failing = false;  // the program ended or hung on it as often as it may
    };

    void on_program_ready(RunningProgram& running) override;
    void on_program_move(RunningProgram& running, const adapters::BestMove& best,
                         adapters::Arrival arrival) override;
    void on_program_failed(RunningProgram& running, const adapters::Gone& gone, bool started,
                           bool is_stall) override;

    void on_program_relaunch(RunningProgram& running, const std::string& why) override;
    void on_program_not_launched(RunningProgram& running, const std::string& why) override;

    [[nodiscard]] bool on_program_hung(RunningProgram&, const adapters::Gone&) override {
        return true;
    }

    void on_program_go_written(RunningProgram&, TimePoint) override {}

    void on_program_warning(RunningProgram& running, std::string_view kind,
                            std::string_view text) override;

    [[nodiscard]] Worker& worker_of(const RunningProgram& running);
    void work(Worker& worker);
    [[nodiscard]] bool take_candidate(Worker& worker, int& left);
    /// Has what is known already answer or refuse the candidate; false where it has to be asked.
    [[nodiscard]] bool answer_known(Worker& worker);
    [[nodiscard]] bool is_asked_elsewhere(const Worker& worker, const std::string& key) const;
    /// Those that waited for an answer to the same question go on.
    void wake();
    /// Counts answers that judge nothing; true where the program is given up for them.
    [[nodiscard]] bool is_useless(const std::string& lack, const RunningProgram& running);
    /// Refuses the candidate for a known failure; true where the program is given up for that.
    [[nodiscard]] bool refuse_failing(Worker& worker, const std::string& why);
    /// Counts a failure; true where the program is to be given up.
    [[nodiscard]] bool is_last_straw(Worker& worker, bool started);
    void give_up(RunningProgram& running);
    void settle(Worker& worker);
    void note(const std::string& trouble, const RunningProgram& running);
    void check_launches(TimePoint now);

    Setup setup_;
    PlayerFactory factory_;
    const Clock& clock_;
    openings::BookBuilder& builder_;
    ShutdownQueue shutdown_queue_;
    LaunchTimer launches_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::unordered_map<std::string, Known> known_;  // by query: answers that walks share, failures
    bool is_stopping_ = false;
    std::set<std::string, std::less<>> warned_;
    int failures_ = 0;          // of a program that has shaken hands
    int refused_in_a_row_ = 0;  // candidates, for failures
    int useless_ = 0;           // answers in a row that judge nothing
    std::uint64_t searches_ = 0;
    std::size_t told_ = 0;  // openings kept for which on_kept was called
    std::string failure_;
    std::string program_name_;
};

}  // namespace assay::harness

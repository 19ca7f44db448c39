#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "adapters/process/process.h"
#include "adapters/protocol/player.h"

namespace assay::adapters {

/// What is noticed about all that a program wrote, beyond single answers. Texts are empty where
/// nothing was odd, and hold the first case as a sentence fragment.
struct StreamNotes {
    std::string line_end;   // CR LF, or a lone CR
    std::string bytes;      // NULs, no UTF-8
    std::string long_line;  // beyond 64 KiB
    std::string slow_line;  // came in pieces
    std::string errors;     // first line of standard error
    std::string info;       // an info line that is malformed
    std::string fake_info;  // an info string that reads like a result
    int surplus_answers = 0;
    int left_behind = 0;            // processes that outlived the program that started them
    std::uint64_t most_memory = 0;  // bytes resident beyond what it had when it was ready
};

/// One process, driven by blocking calls: send lines, then read lines with a time limit. It has no
/// event loop as players do, since a check has one program and waits for it; and it sees the bytes
/// that a player hides. Every wait is bounded, also against floods, and so is what is kept.
class Talk {
public:
    struct Line {
        std::string text;  // without its end; at most 64 KiB
        TimePoint stamp;
    };

    /// `spec`, `spawner`, `clock` and `notes` must outlive it.
    Talk(const ProgramSpec& spec, Spawner& spawner, const Clock& clock, StreamNotes& notes);
    Talk(const Talk&) = delete;
    Talk& operator=(const Talk&) = delete;
    /// Kills what is left. Counts the processes that a program which had ended by itself has left
    /// behind, and those that had left its process group; they are given half a second to end.
    ~Talk();

    /// Empty, or why it could not be started.
    [[nodiscard]] std::string start();
    /// Whole lines. What the pipe does not take within a second is trouble.
    /// A new budget of output begins, unless `is_more`: what is said belongs to what was sent
    /// before.
    void send(std::string_view lines, bool is_more = false);
    /// The next line; nullopt at the limit, or when no line will come any more (trouble()).
    [[nodiscard]] std::optional<Line> line(TimePoint limit);

    /// Why it cannot be talked to any more, as "exited with code 3"; empty while it can.
    [[nodiscard]] const std::string& trouble() const { return trouble_; }

    /// For a program that does not answer: "it is stopped (SIGSTOP)", "it computes", "it waits".
    [[nodiscard]] std::string state() const;
    /// Memory from here on counts as growth.
    void mark_memory();

    void close_input();
    void terminate() const;
    /// True when the process ends within that time, in which it is not counted how long it waited
    /// for a processor, but at most half a minute. Its lines meanwhile are counted.
    [[nodiscard]] bool ends_within(Micros allowed);

    [[nodiscard]] int lines_dropped() const { return dropped_; }

    [[nodiscard]] const ExitStatus& exit_status() const { return status_; }

    /// What it has written in this budget.
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

private:
    void pump(TimePoint limit);
    void read_output();
    void read_errors();
    void take(std::string_view bytes, TimePoint stamp);
    void end_line(std::string_view piece, TimePoint stamp);
    void look_at_memory();
    void fail(std::string why);
    void fail_by_end(std::string otherwise);
    [[nodiscard]] bool is_over_budget(std::size_t bytes);
    [[nodiscard]] int kill_leftovers();

    const ProgramSpec& spec_;
    Spawner& spawner_;
    const Clock& clock_;
    StreamNotes& notes_;
    std::string mark_;  // an environment entry that its children inherit
    Child child_;
    ExitStatus status_;
    bool has_ended_ = false;
    std::string trouble_;
    std::deque<Line> lines_;
    std::string partial_;           // at most kLongestOutputLine bytes of a line
    std::size_t partial_size_ = 0;  // with what was cut off
    TimePoint partial_since_{};
    std::size_t bytes_ = 0;  // of this budget
    std::string errors_;
    int dropped_ = 0;
    std::uint64_t memory_at_start_ = 0;
    TimePoint next_look_{};
};

}  // namespace assay::adapters

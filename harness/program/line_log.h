#pragma once
#include <cstdio>
#include <map>
#include <memory>
#include <string>

#include "adapters/protocol/player.h"

namespace assay::harness {

/// Writes every protocol line with its time and direction: one file a program, DIR/NAME.log with
/// the name as file_part makes it, lines of `seconds since the run began, the process's id, > or <
/// or !, the line as it was`. Where a file cannot be written, one message goes to standard error.
/// One thread.
class LineLog final : public adapters::LineObserver {
public:
    /// Makes the folder. `next` sees each line too; null: none. Throws Error where it cannot.
    LineLog(std::string dir, TimePoint began, adapters::LineObserver* next = nullptr);
    LineLog(const LineLog&) = delete;
    LineLog& operator=(const LineLog&) = delete;
    ~LineLog() override;

    /// The file of a program in the folder.
    [[nodiscard]] static std::string path_in(const std::string& dir, std::string_view program);

    void on_line(std::string_view program, int pid, Direction direction, TimePoint when,
                 std::string_view line) override;

private:
    std::FILE* file_of(std::string_view program);
    [[nodiscard]] std::string path_of(std::string_view program) const;
    void complain(std::string_view program) const;

    std::string dir_;
    TimePoint began_;
    adapters::LineObserver* next_;
    std::map<std::string, std::FILE*, std::less<>> files_;
};

}  // namespace assay::harness

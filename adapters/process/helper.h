#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"

namespace assay::adapters {

/// A second process of this program that answers one question after the other: for work that may
/// crash or hang and must not take this process with it. Questions and answers are short records of
/// bytes, of less than 64 KiB. The helper has no descriptor but its end of the pair of sockets,
/// says nothing on the standard streams, lets stop signals pass, and ends when this object goes or
/// this process ends. One thread.
class Helper {
public:
    /// `words`: the arguments by which main() comes to serve_helper(). `program`: what is started;
    /// this program itself if it is not said. Throws Error (exit 4) where the system starts no
    /// process.
    explicit Helper(const std::vector<std::string>& words,
                    const std::string& program = "/proc/self/exe");
    Helper(const Helper&) = delete;
    Helper& operator=(const Helper&) = delete;
    ~Helper();

    /// The answer; nullopt where the helper ends or needs longer, and ever after: it is killed then
    /// and failure() says why.
    [[nodiscard]] std::optional<std::string> ask(std::string_view question, Micros limit);

    /// What became of the helper, such as "ended by signal 11 (Segmentation fault)"; empty while it
    /// lives.
    [[nodiscard]] const std::string& failure() const { return failure_; }

    /// It was killed because it needed too long.
    [[nodiscard]] bool was_late() const { return was_late_; }

private:
    class Pipe;

    void fail(Micros limit);

    std::unique_ptr<Pipe> pipe_;
    int pid_ = -1;
    bool was_late_ = false;
    std::string failure_;
};

/// The helper's side: answers until the other side is gone, and returns. An answer that takes more
/// than a second longer than its limit ends the process: nobody else may be left to do so.
/// REQUIRES: the answers are not empty.
void serve_helper(const std::function<std::string(std::string_view question)>& answer);

}  // namespace assay::adapters

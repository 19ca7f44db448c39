#pragma once
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/diagnostic.h"

namespace assay::reports::live {

/// Why a question has no answer.
struct Failure {
    bool is_machines = false;  // not that there is no such thing
    std::string words;
};

/// Threads that find answers for one other thread, which alone may call them. Its end waits for
/// the answers that are being made, and drops those that wait for a thread.
class Workers {
public:
    using Work = std::function<void()>;

    /// `home` has what it is given called on the thread that asks, soon. It is called on others.
    Workers(int threads, std::function<void(Work)> home);
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;
    ~Workers();

    [[nodiscard]] bool are_all_busy() const { return asked_ >= threads_; }

    /// Calls `question` on a worker's thread where `is_wanted` still says so there, then at home
    /// `then`: with the answer, or null and why there is none. `held` is let go at home, behind it.
    template <class Answer>
    void ask(std::shared_ptr<void> held, std::function<bool()> is_wanted,
             std::function<Answer()> question,
             std::function<void(const Answer*, const Failure&)> then) {
        ++asked_;
        post([this, held = std::move(held), is_wanted = std::move(is_wanted),
              question = std::move(question), then = std::move(then)]() mutable {
            std::optional<Answer> answer;
            Failure failure;
            try {
                if (is_wanted()) answer = question();
            } catch (const Error& error) {
                failure = {error.exit_code() == 4, error.what()};
            } catch (const std::exception& error) {
                failure = {true, error.what()};
            }
            home_([this, held = std::move(held), then = std::move(then), answer = std::move(answer),
                   failure = std::move(failure)] {
                --asked_;
                then(answer ? &*answer : nullptr, failure);
            });
        });
    }

private:
    struct Pool;

    void post(Work work);

    int threads_;
    int asked_ = 0;  // answers that are being made or wait for a thread
    std::function<void(Work)> home_;
    std::unique_ptr<Pool> pool_;
};

}  // namespace assay::reports::live

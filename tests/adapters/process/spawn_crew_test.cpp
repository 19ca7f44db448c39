#include "adapters/process/spawn_crew.h"

#include <condition_variable>
#include <mutex>
#include <string>
#include <sys/wait.h>
#include <system_error>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

using namespace assay::adapters;

namespace {

/// What a crew tells, in its order, each teller held at a gate. Reaps the children that came.
class Told {
public:
    Told() = default;
    Told(const Told&) = delete;
    Told& operator=(const Told&) = delete;

    ~Told() {
        for (const Child& child : children_) ::waitpid(child.pid, nullptr, 0);
    }

    /// A callback under a name. One that is held returns when the gate is opened.
    SpawnCrew::OnSpawned as(const std::string& name, bool is_held = false) {
        return [this, name, is_held](SpawnCrew::Result result) {
            std::unique_lock lock(mutex_);
            if (auto* const child = std::get_if<Child>(&result)) {
                children_.push_back(std::move(*child));
                text_ += name + " ";
            } else {
                const auto& failure = std::get<SpawnFailure>(result);
                text_ +=
                    name + (failure.is_machines ? " (machine): " : ": ") + failure.reason + " ";
            }
            ++count_;
            changed_.notify_all();
            changed_.wait(lock, [&] { return !is_held || is_open_; });
        };
    }

    /// All that was told, when it is so many.
    std::string after(int count) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return count_ >= count; });
        return text_;
    }

    void open_gate() {
        const std::lock_guard lock(mutex_);
        is_open_ = true;
        changed_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Child> children_;
    std::string text_;
    int count_ = 0;
    bool is_open_ = false;
};

ProgramSpec some_program() {
    ProgramSpec spec;
    spec.argv = {"/bin/true"};
    return spec;
}

}  // namespace

TEST_CASE("SpawnCrew: who is cancelled before its turn is neither started nor told") {
    Spawner spawner;
    Told told;
    SpawnCrew crew(spawner);
    crew.spawn(some_program(), told.as("held", true));
    crew.spawn(some_program(), told.as("held", true));
    CHECK(told.after(2) == "held held ");
    const SpawnCrew::Order unwanted = crew.spawn(some_program(), told.as("unwanted"));
    const SpawnCrew::Order wanted = crew.spawn(some_program(), told.as("wanted"));
    CHECK(crew.is_waiting(unwanted));
    CHECK(crew.is_waiting(wanted));
    CHECK(crew.cancel(unwanted));
    CHECK_FALSE(crew.is_waiting(unwanted));
    CHECK(crew.is_waiting(wanted));
    CHECK_FALSE(crew.cancel(unwanted));
    told.open_gate();
    CHECK(told.after(3) == "held held wanted ");
    CHECK_FALSE(crew.is_waiting(wanted));
}

TEST_CASE("SpawnCrew: a start that hangs and nobody waits for takes no other's turn") {
    Spawner spawner;
    Told told;
    SpawnCrew crew(spawner);
    const SpawnCrew::Order hangs = crew.spawn(some_program(), told.as("hangs", true));
    crew.spawn(some_program(), told.as("hangs", true));
    CHECK(told.after(2) == "hangs hangs ");
    crew.spawn(some_program(), told.as("next"));
    CHECK_FALSE(crew.cancel(hangs));
    CHECK(told.after(3) == "hangs hangs next ");
    told.open_gate();
}

TEST_CASE(
    "SpawnCrew: one thread is enough, and without any each order is answered with the reason") {
    for (const int most : {0, 1}) {
        CAPTURE(most);
        Spawner spawner;
        Told told;
        int made = 0;
        SpawnCrew crew(spawner, [&](std::function<void()> work) {
            if (made == most) {
                const auto code = std::make_error_code(std::errc::resource_unavailable_try_again);
                throw std::system_error(code);
            }
            ++made;
            return std::thread(std::move(work));
        });
        crew.spawn(some_program(), told.as("a"));
        crew.spawn(some_program(), told.as("b"));
        const std::string none = " (machine): no thread can be started ";
        CHECK(told.after(2) == (most == 1 ? "a b " : "a" + none + "b" + none));
    }
}

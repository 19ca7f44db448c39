#include "adapters/process/event_loop.h"

#include <array>
#include <csignal>
#include <fcntl.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <unistd.h>

#include <doctest/doctest.h>

#include "adapters/process/reactor.h"

using assay::Micros;
using assay::SteadyClock;
using assay::adapters::Arrival;
using assay::adapters::EventLoop;
using Reactor = assay::adapters::EventLoop::Reactor;

namespace {

struct TestPipe {
    TestPipe() {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) throw std::runtime_error("pipe2");
        read = assay::UniqueFd(ends[0]);
        write = assay::UniqueFd(ends[1]);
    }

    void put(std::string_view text) const {
        static_cast<void>(!::write(write.get(), text.data(), text.size()));
    }

    assay::UniqueFd read;
    assay::UniqueFd write;
};

// Writes down what it is told as "tag:bytes", "tag!" for events.
class Recorder final : public assay::adapters::FdListener {
public:
    void on_bytes(int tag, std::string_view bytes, Arrival arrival) override {
        text += std::to_string(tag) + ":" + std::string(bytes) + " ";
        last = arrival;
        if (then) then(tag);
    }

    void on_event(int tag, Arrival arrival) override {
        text += std::to_string(tag) + "! ";
        last = arrival;
        if (then) then(tag);
    }

    std::string text;
    Arrival last;
    std::function<void(int)> then;
};

}  // namespace

TEST_CASE("EventLoop: bytes come in order of arrival, before ticks and wakes, with their stamps") {
    const SteadyClock clock;
    EventLoop loop(clock);
    const TestPipe a;
    const TestPipe b;
    Recorder recorder;
    Reactor& reactor = loop.reactor();
    auto wakes = reactor.add(-1, Reactor::Interest::None, recorder, 9);
    auto in_a = reactor.add(a.read.get(), Reactor::Interest::Read, recorder, 1);
    auto in_b = reactor.add(b.read.get(), Reactor::Interest::Read, recorder, 2);
    loop.post([&recorder, &loop] {
        recorder.text += "posted ";
        loop.stop();
    });
    reactor.wake_soon(wakes);
    b.put("second?");
    a.put("no");
    loop.run();
    CHECK(recorder.text == "2:second? 1:no posted 9! ");
    CHECK(recorder.last.wake == loop.wake());
    CHECK(recorder.last.stamp >= recorder.last.wake);
    reactor.remove(in_a);
    reactor.remove(in_b);
}

TEST_CASE("EventLoop: nothing reaches a registration that was removed in the same round") {
    const SteadyClock clock;
    EventLoop loop(clock);
    const TestPipe a;
    const TestPipe b;
    Recorder recorder;
    Reactor& reactor = loop.reactor();
    auto wakes = reactor.add(-1, Reactor::Interest::None, recorder, 9);
    auto in_a = reactor.add(a.read.get(), Reactor::Interest::Read, recorder, 1);
    auto in_b = reactor.add(b.read.get(), Reactor::Interest::Read, recorder, 2);
    recorder.then = [&](int tag) {
        reactor.remove(tag == 1 ? in_b : in_a);
        reactor.remove(wakes);
        // Takes a slot that was just freed; the stale events must not reach it.
        static_cast<void>(reactor.add(-1, Reactor::Interest::None, recorder, 7));
        loop.stop();
    };
    reactor.wake_soon(wakes);
    a.put("x");
    b.put("y");
    loop.run();
    CHECK(recorder.text == "1:x ");
}

TEST_CASE("EventLoop: end of file is told once") {
    const SteadyClock clock;
    EventLoop loop(clock);
    TestPipe pipe;
    Recorder recorder;
    static_cast<void>(loop.reactor().add(pipe.read.get(), Reactor::Interest::Read, recorder, 1));
    pipe.put("end");
    pipe.write.reset();
    int ticks = 0;
    loop.every(Micros(200), [&] {
        if (++ticks == 5) loop.stop();
    });
    loop.run();
    CHECK(recorder.text == "1:end 1: ");
}

TEST_CASE("EventLoop: no reader is given more than 64 KiB a round, and nobody starves") {
    const SteadyClock clock;
    EventLoop loop(clock);
    const TestPipe big;
    const TestPipe small;
    ::fcntl(big.write.get(), F_SETPIPE_SZ, 1 << 20);
    Recorder recorder;
    static_cast<void>(loop.reactor().add(big.read.get(), Reactor::Interest::Read, recorder, 1));
    static_cast<void>(loop.reactor().add(small.read.get(), Reactor::Interest::Read, recorder, 2));
    const std::string block(300'000, 'x');
    big.put(block);
    small.put("here");
    recorder.then = [&](int tag) {
        if (tag == 2) loop.stop();
    };
    loop.run();
    CHECK(recorder.text.size() < 70'000);
    CHECK(recorder.text.ends_with("2:here "));
}

TEST_CASE("EventLoop: wakes are due in time's order and not before") {
    const SteadyClock clock;
    EventLoop loop(clock);
    Recorder recorder;
    Reactor& reactor = loop.reactor();
    const auto first = reactor.add(-1, Reactor::Interest::None, recorder, 1);
    const auto second = reactor.add(-1, Reactor::Interest::None, recorder, 2);
    const assay::TimePoint start = clock.now();
    reactor.wake_at(second, start + std::chrono::milliseconds(6));
    reactor.wake_at(first, start + std::chrono::milliseconds(2));
    recorder.then = [&](int tag) {
        if (tag == 2) loop.stop();
    };
    loop.run();
    CHECK(recorder.text == "1! 2! ");
    CHECK(recorder.last.stamp >= start + std::chrono::milliseconds(6));
}

TEST_CASE("EventLoop: work may be posted from any thread, and signals are heard") {
    const SteadyClock clock;
    EventLoop loop(clock);
    int sum = 0;
    int heard = 0;
    sigset_t before;
    ::pthread_sigmask(SIG_BLOCK, nullptr, &before);
    loop.on_signals({SIGUSR2}, [&](int signal) {
        heard = signal;
        loop.stop();
    });
    std::thread other([&loop, &sum] {
        for (int i = 1; i <= 100; ++i) loop.post([&sum, i] { sum += i; });
        loop.post([] { std::raise(SIGUSR2); });
    });
    loop.run();
    other.join();
    CHECK(sum == 5050);
    CHECK(heard == SIGUSR2);
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TEST_CASE("EventLoop: an owner that throws when its program runs loses no other's") {
    const SteadyClock clock;
    EventLoop loop(clock);
    Recorder recorder;
    Reactor& reactor = loop.reactor();
    auto owner = reactor.add(-1, Reactor::Interest::None, recorder, 1);
    assay::adapters::ProgramSpec spec;
    spec.argv = {"/bin/true"};
    int told = 0;
    int thrown = 0;
    constexpr int kPrograms = 4;
    for (int i = 0; i < kPrograms; ++i) {
        reactor.launch(spec, owner, [&](assay::adapters::SpawnCrew::Result result) {
            auto child = std::move(std::get<assay::adapters::Child>(result));
            reactor.spawner.forget(child.pid);
            reactor.abandon(std::move(child.pidfd), reactor.clock.now());
            if (++told == kPrograms) loop.stop();
            throw std::runtime_error("no memory");
        });
    }
    while (told < kPrograms) {
        try {
            loop.run();
        } catch (const std::runtime_error&) {
            ++thrown;
        }
    }
    CHECK(told == kPrograms);
    CHECK(thrown == kPrograms);
    reactor.remove(owner);
}

TEST_CASE("EventLoop: an exception of a callback passes through run(), which may be called again") {
    const SteadyClock clock;
    EventLoop loop(clock);
    loop.post([] { throw std::runtime_error("from a callback"); });
    CHECK_THROWS_WITH(loop.run(), "from a callback");
    loop.post([&loop] { loop.stop(); });
    loop.run();
}

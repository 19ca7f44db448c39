// The cost of the adapters alone, compared with bare pipes in the same run: no rules, store or
// clocks. Usage: adapters_bench [plies] [start] [clock]; without arguments, all three
// (bench/README.md).
//        adapters_bench bare CONCURRENCY PLIES | spawns COUNT | sleepers COUNT MOVES
// The second form measures the lower limits alone, for match_bench.py.
#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <functional>
#include <memory>
#include <spawn.h>
#include <string>
#include <string_view>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <variant>
#include <vector>

#include "adapters/process/event_loop.h"
#include "adapters/process/process.h"
#include "adapters/protocols.h"
#include "base/clock.h"
#include "base/text.h"

namespace {

using namespace assay;            // NOLINT(google-build-using-namespace): a program of one file
using namespace assay::adapters;  // NOLINT(google-build-using-namespace)

const std::string kInstant = ASSAY_BINARY_DIR "/engines/instant";
constexpr int kMostPlies = 200;  // a game

double seconds_since(TimePoint start) {
    return std::chrono::duration<double>(SteadyClock().now() - start).count();
}

double cpu_seconds(int whose = RUSAGE_SELF) {
    rusage usage{};
    ::getrusage(whose, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double peak_mib() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

ProgramSpec instant(int seed) {
    ProgramSpec spec;
    spec.name = "instant";
    spec.argv = {kInstant};
    spec.options = {{"Seed", std::to_string(seed)}};
    return spec;
}

struct Measure {
    const char* what;
    int concurrency;
    long plies;
    double seconds;
    double cpu;

    void print() const {
        std::printf("%-8s %11d %9ld %9.0f %14.2f\n", what, concurrency, plies,
                    static_cast<double>(plies) / seconds, cpu * 1e6 / static_cast<double>(plies));
        std::fflush(stdout);
    }
};

// The text of a game. Both variants below append to it in the same way.
struct Game {
    std::string moves;
    int ply = 0;

    void add(std::string_view move, int most = kMostPlies) {
        if (move == "(none)" || ++ply >= most) {
            moves.clear();
            ply = 0;
            return;
        }
        if (!moves.empty()) moves += ' ';
        moves.append(move);
    }
};

// --- bare pipes

struct BareGame {
    std::array<Child, 2> players;
    Game game;
    std::string command;
    int mover = 0;

    void go() {
        command.assign("position startpos");
        if (!game.moves.empty()) command.append(" moves ").append(game.moves);
        command += "\ngo depth 1\n";
        const int fd = players[static_cast<std::size_t>(mover)].in.get();
        if (::write(fd, command.data(), command.size()) < 0) std::abort();
    }
};

void start_players(Spawner& spawner, int epoll, BareGame& game, std::size_t number) {
    for (Child& player : game.players) {
        player = std::move(std::get<Child>(spawner.spawn(instant(0))));
        epoll_event event{};
        event.events = EPOLLIN;
        event.data.u64 = number;
        ::epoll_ctl(epoll, EPOLL_CTL_ADD, player.out.get(), &event);
    }
}

void end_players(Spawner& spawner, std::vector<BareGame>& games) {
    for (BareGame& game : games) {
        for (Child& player : game.players) {
            ::kill(-player.pid, SIGKILL);
            spawner.forget(player.pid);
            ::waitpid(player.pid, nullptr, 0);
        }
    }
}

Measure run_bare(int concurrency, long plies) {
    Spawner spawner;
    const int epoll = ::epoll_create1(EPOLL_CLOEXEC);
    std::vector<BareGame> games(static_cast<std::size_t>(concurrency));
    for (std::size_t i = 0; i < games.size(); ++i) start_players(spawner, epoll, games[i], i);
    const TimePoint start = SteadyClock().now();
    const double cpu = cpu_seconds();
    for (BareGame& game : games) game.go();
    long done = 0;
    std::array<epoll_event, 256> ready{};
    std::array<char, 65536> buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init)
    while (done < plies) {
        const int count = ::epoll_wait(epoll, ready.data(), static_cast<int>(ready.size()), -1);
        for (int i = 0; i < count; ++i) {
            BareGame& game = games[ready[static_cast<std::size_t>(i)].data.u64];
            const int fd = game.players[static_cast<std::size_t>(game.mover)].out.get();
            const ssize_t got = ::read(fd, buffer.data(), buffer.size());
            if (got <= 0) continue;
            const std::string_view text(buffer.data(), static_cast<std::size_t>(got));
            const std::size_t at = text.find("bestmove ");
            if (at == std::string_view::npos) continue;
            game.game.add(trim(text.substr(at + 9)));
            game.mover = 1 - game.mover;
            ++done;
            game.go();
        }
    }
    const Measure result{"bare", concurrency, done, seconds_since(start), cpu_seconds() - cpu};
    end_players(spawner, games);
    ::close(epoll);
    return result;
}

// --- players

class BenchGame final : public PlayerListener {
public:
    BenchGame(EventLoop& loop, const ProgramSpec& spec, std::function<void()> on_event)
        : on_event_(std::move(on_event)) {
        for (auto& player : players_) player = make_player(loop, spec, *this, nullptr);
    }

    void start() {
        for (auto& player : players_) player->start({});
    }

    void begin() {
        is_playing_ = true;
        go();
    }

    void end() {
        is_playing_ = false;
        for (auto& player : players_) player->quit();
    }

    [[nodiscard]] int ready() const { return ready_; }

    [[nodiscard]] int gone() const { return gone_; }

    [[nodiscard]] long plies() const { return plies_; }

private:
    void on_ready(Arrival) override {
        ++ready_;
        on_event_();
    }

    void on_best_move(const BestMove& best, Arrival) override {
        game_.add(best.move);
        mover_ = 1 - mover_;
        ++plies_;
        on_event_();
        if (is_playing_) go();
    }

    void on_gone(const Gone& gone, Arrival) override {
        if (is_playing_) std::fprintf(stderr, "a program is gone: %s\n", gone.detail.c_str());
        ++gone_;
        on_event_();
    }

    void on_warning(std::string_view, std::string_view) override {}

    void go() {
        request_.moves = game_.moves;
        request_.depth = 1;
        players_[static_cast<std::size_t>(mover_)]->go(request_);
    }

    std::function<void()> on_event_;
    std::array<std::unique_ptr<Player>, 2> players_;
    Game game_;
    SearchRequest request_;
    int mover_ = 0;
    int ready_ = 0;
    int gone_ = 0;
    long plies_ = 0;
    bool is_playing_ = false;
};

// Games of players on one event loop, and their totals.
class Table {
public:
    Table(const ProgramSpec& spec, int concurrency) : loop_(clock_) {
        loop_.every(Micros(10'000), [] {});  // the harness's deadlines
        for (int i = 0; i < concurrency; ++i) {
            games_.push_back(std::make_unique<BenchGame>(loop_, spec, [this] {
                ++events_;
                look();
            }));
        }
    }

    void start() {
        for (auto& game : games_) game->start();
        run_until([this] { return events_ == 2 * static_cast<long>(games_.size()); });
    }

    long play(long plies) {
        events_ = 0;
        for (auto& game : games_) game->begin();
        run_until([this, plies] { return events_ >= plies; });
        return events_;
    }

    void end() {
        for (auto& game : games_) game->end();
        run_until([this] {
            return std::all_of(games_.begin(), games_.end(),
                               [](const auto& game) { return game->gone() == 2; });
        });
    }

private:
    void run_until(std::function<bool()> claim) {
        claim_ = std::move(claim);
        if (!claim_()) loop_.run();
    }

    void look() {
        if (claim_()) loop_.stop();
    }

    SteadyClock clock_;
    EventLoop loop_;
    std::vector<std::unique_ptr<BenchGame>> games_;
    std::function<bool()> claim_;
    long events_ = 0;
};

Measure run_players(int concurrency, long plies) {
    Table table(instant(0), concurrency);
    table.start();
    const TimePoint start = SteadyClock().now();
    const double cpu = cpu_seconds();
    const long done = table.play(plies);
    const Measure result{"players", concurrency, done, seconds_since(start), cpu_seconds() - cpu};
    table.end();
    return result;
}

void bench_plies() {
    std::printf("%-8s %11s %9s %9s %14s\n", "", "concurrency", "plies", "plies/s", "CPU us/ply");
    for (const int concurrency : {1, 2, 8, 32, 512}) {
        const long plies = concurrency == 512 ? 100'000 : 200'000;
        run_bare(concurrency, plies).print();
        run_players(concurrency, plies).print();
        std::printf("         peak RSS so far %.1f MiB\n", peak_mib());
    }
}

// --- start and end

double all_cpu_seconds() {
    return cpu_seconds() + cpu_seconds(RUSAGE_CHILDREN);
}

// Wall time, and processor time of this process and of the programs.
struct Cost {
    double wall = 0;
    double cpu = 0;
};

Cost median(std::vector<Cost>& costs) {
    std::sort(costs.begin(), costs.end(), [](Cost a, Cost b) { return a.cpu < b.cpu; });
    const double cpu = costs[costs.size() / 2].cpu;
    std::sort(costs.begin(), costs.end(), [](Cost a, Cost b) { return a.wall < b.wall; });
    return {costs[costs.size() / 2].wall, cpu};
}

Cost bare_spawns(int count) {
    const TimePoint start = SteadyClock().now();
    const double cpu = all_cpu_seconds();
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    std::vector<pid_t> pids(static_cast<std::size_t>(count));
    std::string name = kInstant;
    std::array<char*, 2> argv{name.data(), nullptr};
    for (pid_t& pid : pids) {
        if (::posix_spawn(&pid, name.c_str(), &actions, nullptr, argv.data(), environ) != 0) {
            std::abort();
        }
    }
    for (const pid_t pid : pids) ::waitpid(pid, nullptr, 0);
    ::posix_spawn_file_actions_destroy(&actions);
    return {seconds_since(start), all_cpu_seconds() - cpu};
}

Cost start_and_end(int programs) {
    const TimePoint start = SteadyClock().now();
    const double cpu = all_cpu_seconds();
    {
        Table table(instant(0), programs / 2);
        table.start();
        table.end();
    }
    return {seconds_since(start), all_cpu_seconds() - cpu};
}

void bench_start() {
    for (const int count : {2, 64, 1024}) {
        std::vector<Cost> bare;
        std::vector<Cost> ours;
        for (int i = 0; i < (count > 100 ? 3 : 9); ++i) {
            bare.push_back(bare_spawns(count));
            ours.push_back(start_and_end(count));
        }
        const Cost b = median(bare);
        const Cost o = median(ours);
        std::printf(
            "start + end of %4d programs: bare %.1f ms (CPU %.1f), with handshake %.1f ms "
            "(CPU %.1f), ratio %.2f (CPU %.2f)\n",
            count, b.wall * 1e3, b.cpu * 1e3, o.wall * 1e3, o.cpu * 1e3, o.wall / b.wall,
            o.cpu / b.cpu);
    }
}

// --- clock

class Sleeper final : public PlayerListener, public LineObserver {
public:
    Sleeper(EventLoop& loop, std::vector<double>& errors, std::function<void()> on_event)
        : errors_(errors), on_event_(std::move(on_event)) {
        ProgramSpec spec = instant(0);
        spec.options = {{"SleepMs", "20"}};
        player_ = make_player(loop, spec, *this, this);
        player_->start({});
    }

private:
    void on_ready(Arrival) override { go(); }

    void on_best_move(const BestMove&, Arrival arrival) override {
        const auto booked = micros_between(sent_, arrival.stamp).count();
        errors_.push_back(static_cast<double>(booked - slept_us_) / 1000);
        on_event_();
        go();
    }

    void on_gone(const Gone&, Arrival) override {}

    void on_warning(std::string_view, std::string_view) override {}

    void on_line(std::string_view, int, Direction, TimePoint, std::string_view line) override {
        constexpr std::string_view kStart = "info string slept_us ";
        if (!line.starts_with(kStart)) return;
        slept_us_ = to_number<long>(line.substr(kStart.size())).value_or(0);
    }

    void go() {
        SearchRequest request;
        request.depth = 1;
        sent_ = player_->go(request);
    }

    std::vector<double>& errors_;
    std::function<void()> on_event_;
    std::unique_ptr<Player> player_;
    TimePoint sent_{};
    long slept_us_ = 0;
};

// Sorted, for quantiles.
struct Errors {
    double mean = 0;
    double median = 0;
    double p99 = 0;
    double max = 0;
};

Errors errors_of(std::vector<double> errors) {
    std::sort(errors.begin(), errors.end());
    double sum = 0;
    for (const double error : errors) sum += error;
    return {sum / static_cast<double>(errors.size()), errors[errors.size() / 2],
            errors[errors.size() * 99 / 100], errors.back()};
}

// A lower limit for every harness: the clock is read before the write and after the read of bare
// pipes, and nothing else is done. Games of two sleepers of 20 ms, of 40 plies, as in
// match_bench.py.
Errors bare_sleepers(int count, std::size_t moves) {
    constexpr int kPlies = 40;
    Spawner spawner;
    const UniqueFd epoll(::epoll_create1(EPOLL_CLOEXEC));
    std::vector<BareGame> games(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < games.size(); ++i) start_players(spawner, epoll.get(), games[i], i);
    const SteadyClock clock;
    std::vector<TimePoint> sent(games.size());
    for (std::size_t i = 0; i < games.size(); ++i) {
        for (const Child& player : games[i].players) {
            constexpr std::string_view kSleep = "setoption name SleepMs value 20\n";
            if (::write(player.in.get(), kSleep.data(), kSleep.size()) < 0) std::abort();
        }
        sent[i] = clock.now();
        games[i].go();
    }
    std::vector<double> errors;
    std::array<epoll_event, 256> ready{};
    std::array<char, 65536> buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init)
    while (errors.size() < moves) {
        const int number =
            ::epoll_wait(epoll.get(), ready.data(), static_cast<int>(ready.size()), -1);
        for (int i = 0; i < number; ++i) {
            const std::size_t index = ready[static_cast<std::size_t>(i)].data.u64;
            BareGame& game = games[index];
            const int fd = game.players[static_cast<std::size_t>(game.mover)].out.get();
            const ssize_t got = ::read(fd, buffer.data(), buffer.size());
            const TimePoint stamp = clock.now();
            if (got <= 0) continue;
            const std::string_view text(buffer.data(), static_cast<std::size_t>(got));
            constexpr std::string_view kSlept = "slept_us ";
            const std::size_t slept = text.find(kSlept);
            const std::size_t best = text.find("bestmove ");
            if (slept == std::string_view::npos || best == std::string_view::npos) std::abort();
            const std::string_view figure = text.substr(slept + kSlept.size());
            const auto own = to_number<long>(figure.substr(0, figure.find('\n'))).value_or(0);
            const auto booked = micros_between(sent[index], stamp).count();
            errors.push_back(static_cast<double>(booked - own) / 1000);
            game.game.add(trim(text.substr(best + 9)), kPlies);
            game.mover = 1 - game.mover;
            sent[index] = clock.now();
            game.go();
        }
    }
    end_players(spawner, games);
    return errors_of(std::move(errors));
}

void bench_clock() {
    const SteadyClock clock;
    EventLoop loop(clock);
    std::vector<double> errors;
    std::vector<std::unique_ptr<Sleeper>> sleepers;
    for (int i = 0; i < 32; ++i) {
        sleepers.push_back(std::make_unique<Sleeper>(loop, errors, [&errors, &loop] {
            if (errors.size() >= 16'000) loop.stop();
        }));
    }
    loop.run();
    const auto print = [](const char* what, const Errors& e) {
        std::printf(
            "clock: booked minus own time of 32 sleepers of 20 ms, %s: mean %.3f ms, median %.3f, "
            "p99 %.3f, max %.3f\n",
            what, e.mean, e.median, e.p99, e.max);
    };
    print("players", errors_of(std::move(errors)));
    print("bare pipes", bare_sleepers(32, 16'000));
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() == 3 && words[0] == "bare") {
        run_bare(std::stoi(words[1]), std::stol(words[2])).print();
        return 0;
    }
    if (words.size() == 2 && words[0] == "spawns") {
        const Cost cost = bare_spawns(std::stoi(words[1]));
        std::printf("%.3f %.3f\n", cost.wall * 1e3, cost.cpu * 1e3);
        return 0;
    }
    if (words.size() == 3 && words[0] == "sleepers") {
        const Errors errors =
            bare_sleepers(std::stoi(words[1]), static_cast<std::size_t>(std::stol(words[2])));
        std::printf("%.4f %.4f\n", errors.mean, errors.p99);
        return 0;
    }
    const auto wants = [argc, argv](std::string_view word) {
        return argc < 2 || std::any_of(argv + 1, argv + argc,
                                       [word](const char* given) { return given == word; });
    };
    if (wants("plies")) bench_plies();
    if (wants("start")) bench_start();
    if (wants("clock")) bench_clock();
    return 0;
}

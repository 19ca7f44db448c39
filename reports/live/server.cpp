#include "reports/live/server.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <httplib.h>
#include <mutex>
#include <poll.h>
#include <sys/socket.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"

namespace assay::reports::live {

namespace {

constexpr std::size_t kMostThreads = 512;  // a connection keeps one as long as it is open
constexpr int kMostStreams = 128;          // of them, for news of runs
// With the library's five, one connection of a burst waits for seconds.
constexpr int kBacklog = 128;
constexpr int kWriteMs = 5000;  // for a reader that takes nothing
constexpr int kStopLookMs = 100;
constexpr std::size_t kMostRequests = 100;  // over one connection
constexpr auto kLook = std::chrono::milliseconds(500);
constexpr int kLooksToKeepAlive = 30;
constexpr const char* kHtml = "text/html; charset=utf-8";

const char* type_of(const std::string& format) {
    if (format == "json" || format == "badge") return "application/json";
    if (format == "junit") return "application/xml";
    if (format == "openmetrics") return "application/openmetrics-text; version=1.0.0";
    return "text/plain; charset=utf-8";
}

/// A thread for each connection, made when it is needed and kept for the next. Beyond the most, the
/// newest connection is served first: those that say nothing wait, and nobody waits for them.
class Connections final : public httplib::TaskQueue {
public:
    void enqueue(std::function<void()> job) override {
        const std::lock_guard lock(mutex_);
        jobs_.push_back(std::move(job));
        if (idle_ < jobs_.size() && threads_.size() < kMostThreads) add_thread();
        wake_.notify_one();
    }

    void shutdown() override {
        {
            const std::lock_guard lock(mutex_);
            is_over_ = true;
        }
        wake_.notify_all();
        for (std::thread& thread : threads_) thread.join();
    }

private:
    /// REQUIRES: mutex_ is held.
    void add_thread() {
        try {
            threads_.emplace_back([this] { work(); });
        } catch (const std::system_error&) {
            if (threads_.empty()) throw;  // those that are there have to do
        }
    }

    void work() {
        std::unique_lock lock(mutex_);
        while (true) {
            ++idle_;
            wake_.wait(lock, [this] { return is_over_ || !jobs_.empty(); });
            --idle_;
            if (jobs_.empty()) return;
            const std::function<void()> job = std::move(jobs_.back());
            jobs_.pop_back();
            lock.unlock();
            job();
            lock.lock();
        }
    }

    std::mutex mutex_;
    std::condition_variable wake_;
    std::vector<std::function<void()>> jobs_;
    std::vector<std::thread> threads_;
    std::size_t idle_ = 0;
    bool is_over_ = false;
};

bool is_ready_for(socket_t socket, short events, int ms) {
    pollfd one{socket, events, 0};
    int found = 0;
    do {
        found = ::poll(&one, 1, std::max(0, ms));
    } while (found < 0 && errno == EINTR);
    return found > 0;
}

/// A connection whose requests each have one deadline for all their bytes: a client that sends one
/// byte now and then holds a thread no longer than a silent one.
class Connection final : public httplib::Stream {
public:
    explicit Connection(socket_t socket) : socket_(socket) {}

    void begin_request(std::chrono::milliseconds patience) { deadline_ = Time::now() + patience; }

    /// A request did not come whole in time.
    [[nodiscard]] bool is_late() const { return is_late_; }

    [[nodiscard]] bool has_unread() const { return begin_ < end_; }

    [[nodiscard]] bool is_readable() const override {
        return has_unread() || is_ready_for(socket_, POLLIN, left_ms());
    }

    [[nodiscard]] bool is_writable() const override {
        return is_ready_for(socket_, POLLOUT, kWriteMs);
    }

    ssize_t read(char* to, std::size_t size) override {
        if (!has_unread()) {
            is_late_ = left_ms() <= 0 || !is_ready_for(socket_, POLLIN, left_ms());
            if (is_late_) return -1;
            const ssize_t count = ::recv(socket_, buffer_.data(), buffer_.size(), 0);
            if (count <= 0) return count;
            begin_ = 0;
            end_ = static_cast<std::size_t>(count);
        }
        const std::size_t taken = std::min(size, end_ - begin_);
        std::copy_n(buffer_.data() + begin_, taken, to);
        begin_ += taken;
        return static_cast<ssize_t>(taken);
    }

    ssize_t write(const char* from, std::size_t size) override {
        return is_writable() ? ::send(socket_, from, size, MSG_NOSIGNAL) : -1;
    }

    void get_remote_ip_and_port(std::string& ip, int& port) const override {
        ip = "127.0.0.1";
        port = 0;
    }

    void get_local_ip_and_port(std::string& ip, int& port) const override {
        get_remote_ip_and_port(ip, port);
    }

    [[nodiscard]] socket_t socket() const override { return socket_; }

private:
    using Time = std::chrono::steady_clock;

    [[nodiscard]] int left_ms() const {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Time::now());
        return static_cast<int>(std::max<std::int64_t>(0, left.count()));
    }

    socket_t socket_;
    Time::time_point deadline_{};
    std::array<char, 4096> buffer_{};
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    bool is_late_ = false;
};

/// The library's server, with our connections.
class HttpServer final : public httplib::Server {
public:
    explicit HttpServer(std::chrono::milliseconds patience) : patience_(patience) {}

private:
    bool process_and_close_socket(socket_t socket) override {
        Connection connection(socket);
        for (std::size_t left = kMostRequests; left > 0 && waits_for_request(connection); --left) {
            connection.begin_request(patience_);
            bool is_closed = false;
            const bool is_good = process_request(connection, left == 1, is_closed, nullptr);
            if (!is_good || is_closed || connection.is_late()) break;
        }
        ::shutdown(socket, SHUT_RDWR);
        return ::close(socket) == 0;
    }

    /// False where none comes in time, or the server stops.
    [[nodiscard]] bool waits_for_request(const Connection& connection) const {
        for (int waited = 0; waited < patience_.count(); waited += kStopLookMs) {
            if (svr_sock_ == INVALID_SOCKET) return false;
            if (connection.has_unread() || is_ready_for(connection.socket(), POLLIN, kStopLookMs))
                return true;
        }
        return false;
    }

    std::chrono::milliseconds patience_;
};

/// Counts as long as it lives.
class Counted {
public:
    explicit Counted(std::atomic<int>& count) : count_(count) { ++count_; }

    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;

    ~Counted() { --count_; }

private:
    std::atomic<int>& count_;
};

}  // namespace

struct Server::Parts {
    explicit Parts(std::chrono::milliseconds patience) : http(patience) {}

    Site site;
    std::atomic<int> streams{0};
    HttpServer http;
    int port = 0;
    socket_t listening = INVALID_SOCKET;
    std::atomic<bool> is_stopping{false};

    void add_routes();
    void answer(httplib::Response& response, const char* type,
                const std::function<std::string()>& text) const;
    void stream(std::int64_t run, httplib::Response& response);
    [[nodiscard]] bool is_for_us(const httplib::Request& request) const;
};

bool Server::Parts::is_for_us(const httplib::Request& request) const {
    const std::string host = request.get_header_value("Host");
    return host == fmt::format("127.0.0.1:{}", port) || host == fmt::format("localhost:{}", port);
}

void Server::Parts::answer(httplib::Response& response, const char* type,
                           const std::function<std::string()>& text) const {
    try {
        response.set_content(text(), type);
        response.set_header("Cache-Control", "no-store");
        response.set_header("X-Content-Type-Options", "nosniff");
    } catch (const std::exception& error) {
        response.status = 404;
        response.set_content(std::string(error.what()) + "\n", "text/plain; charset=utf-8");
    }
}

/// One line of data at each change, until the run is over, the reader is gone or the server stops.
void Server::Parts::stream(std::int64_t run, httplib::Response& response) {
    const auto counted = std::make_shared<Counted>(streams);
    if (streams > kMostStreams) {
        response.status = 503;
        response.set_content("too many pages wait for news of runs\n", "text/plain; charset=utf-8");
        return;
    }
    Progress first;
    try {
        first = site.progress(run);
    } catch (const std::exception& error) {
        response.status = 404;
        response.set_content(std::string(error.what()) + "\n", "text/plain; charset=utf-8");
        return;
    }
    response.set_header("Cache-Control", "no-store");
    const auto seen = std::make_shared<Progress>(first);
    const auto looks = std::make_shared<int>(0);
    response.set_chunked_content_provider(
        "text/event-stream",
        [this, run, seen, looks, counted](std::size_t offset, httplib::DataSink& sink) {
            const auto tell = [&](const Progress& progress) {
                const std::string text = fmt::format("data: {{\"pairs\":{},\"over\":{}}}\n\n",
                                                     progress.pairs, progress.is_over);
                return sink.write(text.data(), text.size());
            };
            if (offset == 0) return tell(*seen) && (!seen->is_over || (sink.done(), true));
            if (is_stopping) {
                sink.done();
                return true;
            }
            std::this_thread::sleep_for(kLook);
            Progress now = *seen;
            try {
                now = site.progress(run);
            } catch (const std::exception&) {
                sink.done();  // the run was deleted
                return true;
            }
            if (now == *seen) {
                if (++*looks % kLooksToKeepAlive != 0) return true;
                constexpr std::string_view kComment = ": still here\n\n";
                return sink.write(kComment.data(), kComment.size());
            }
            *seen = now;
            const bool is_sent = tell(now);
            if (now.is_over) sink.done();
            return is_sent;
        });
}

void Server::Parts::add_routes() {
    // Without the library's SO_REUSEPORT, by which two servers would share a port unknowingly.
    http.set_socket_options([this](socket_t socket) {
        listening = socket;
        const int yes = 1;
        ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
    });
    http.new_task_queue = [] { return new Connections; };
    http.set_pre_routing_handler(
        [this](const httplib::Request& request, httplib::Response& response) {
            const bool is_reading = request.method == "GET" || request.method == "HEAD";
            if (is_for_us(request) && is_reading)
                return httplib::Server::HandlerResponse::Unhandled;
            response.status = is_reading ? 403 : 405;
            response.set_content(
                is_reading ? "this server answers to 127.0.0.1 only\n" : "this server only reads\n",
                "text/plain");
            return httplib::Server::HandlerResponse::Handled;
        });
    http.Get("/", [this](const httplib::Request&, httplib::Response& response) {
        answer(response, kHtml, site.index);
    });
    http.Get(R"(/run/(\d{1,18}))",
             [this](const httplib::Request& request, httplib::Response& response) {
                 const auto run = to_number<std::int64_t>(request.matches[1].str()).value_or(0);
                 answer(response, kHtml, [&] { return site.run(run); });
             });
    http.Get(R"(/run/(\d{1,18})\.([a-z]+))",
             [this](const httplib::Request& request, httplib::Response& response) {
                 const auto run = to_number<std::int64_t>(request.matches[1].str()).value_or(0);
                 const std::string format = request.matches[2].str();
                 answer(response, type_of(format), [&] { return site.form(run, format); });
             });
    http.Get(R"(/history/(.+))",
             [this](const httplib::Request& request, httplib::Response& response) {
                 const std::string name = request.matches[1].str();
                 answer(response, kHtml, [&] { return site.history(name); });
             });
    http.Get(R"(/events/run/(\d{1,18}))",
             [this](const httplib::Request& request, httplib::Response& response) {
                 stream(to_number<std::int64_t>(request.matches[1].str()).value_or(0), response);
             });
}

Server::Server(Site site, int port, std::chrono::milliseconds patience)
    : parts_(std::make_unique<Parts>(patience)) {
    parts_->site = std::move(site);
    parts_->add_routes();
    if (port == 0) {
        parts_->port = parts_->http.bind_to_any_port("127.0.0.1");
    } else if (parts_->http.bind_to_port("127.0.0.1", port)) {
        parts_->port = port;
    }
    if (parts_->port <= 0)
        throw Error(fmt::format("serve: port {} of 127.0.0.1 is taken; --port takes another", port),
                    4);
    (void)::listen(parts_->listening, kBacklog);
}

Server::~Server() {
    stop();
}

int Server::port() const {
    return parts_->port;
}

void Server::run() {
    parts_->http.listen_after_bind();
}

void Server::stop() {
    parts_->is_stopping = true;
    parts_->http.stop();
}

}  // namespace assay::reports::live

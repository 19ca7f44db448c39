#include <arpa/inet.h>
#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <mutex>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "reports/live/server.h"
#include "reports/live/wanted.h"

using namespace assay;
using namespace assay::reports;

namespace {

/// A connection over which the text was sent. `buffer`: of the system for what is received, in
/// bytes; 0: its own choice.
int connection_to(int port, const std::string& text, int buffer = 0) {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    REQUIRE(socket >= 0);
    const timeval limit{400, 0};
    ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
    if (buffer > 0) ::setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof(buffer));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const auto* const where = static_cast<const sockaddr*>(static_cast<const void*>(&address));
    REQUIRE(::connect(socket, where, sizeof(address)) == 0);
    REQUIRE(::send(socket, text.data(), text.size(), MSG_NOSIGNAL) ==
            static_cast<ssize_t>(text.size()));
    return socket;
}

/// All that comes until the server closes or `enough` has come.
std::string received(int socket, const std::string& enough = "") {
    std::string text;
    char buffer[4096];
    while (enough.empty() || text.find(enough) == std::string::npos) {
        const ssize_t count = ::recv(socket, buffer, sizeof(buffer), 0);
        if (count <= 0) break;
        text.append(buffer, static_cast<std::size_t>(count));
    }
    return text;
}

/// The same of the answer to a request's text.
std::string answer_of(int port, const std::string& request, const std::string& enough = "") {
    const int socket = connection_to(port, request);
    std::string text = received(socket, enough);
    ::close(socket);
    return text;
}

void pass(int milliseconds) {
    ::poll(nullptr, 0, milliseconds);
}

constexpr std::size_t kLarge = 4U << 20U;

/// A server of a small site, until the object goes.
class Serving {
public:
    explicit Serving(std::chrono::milliseconds patience = live::Server::kPatience)
        : server_(site(), 0, patience), thread_([this] { server_.run(); }) {}

    Serving(const Serving&) = delete;
    Serving& operator=(const Serving&) = delete;

    ~Serving() {
        // run() must have begun, or there is nothing to stop.
        (void)get("/");
        server_.stop();
        thread_.join();
    }

    [[nodiscard]] std::string send(const std::string& line, const std::string& host,
                                   const std::string& enough = "") const {
        return answer_of(server_.port(),
                         line + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n",
                         enough);
    }

    [[nodiscard]] std::string get(const std::string& path, const std::string& enough = "") const {
        return send("GET " + path, "127.0.0.1:" + std::to_string(server_.port()), enough);
    }

    [[nodiscard]] int port() const { return server_.port(); }

    /// A connection that has asked for a page and waits for it.
    [[nodiscard]] int asking(const std::string& path, int buffer = 0) const {
        return connection_to(port(), "GET " + path + " HTTP/1.1\r\n" + host() + "\r\n", buffer);
    }

    [[nodiscard]] std::string host() const {
        return "Host: localhost:" + std::to_string(port()) + "\r\n";
    }

    /// Lets the pages of run 5 be made, which wait for that.
    void release() { gate_.set_value(); }

    std::atomic<std::int64_t> pairs{3};
    std::atomic<bool> is_over{false};
    std::atomic<long long> now_us{5'000'000};

    void show(const std::string& json) {
        const std::lock_guard lock(games_mutex);
        games = std::make_shared<const std::string>(json);
    }

    std::mutex games_mutex;
    std::shared_ptr<const std::string> games;
    std::atomic<int> gated{0};  // pages of run 5 that were begun

private:
    live::Site site() {
        live::Site site;
        site.index = [] { return "the index"; };
        site.run = [this, open = gate_.get_future().share()](std::int64_t run) {
            if (run == 4) throw Error("the disk is full", 4);
            if (run == 5) {
                ++gated;
                open.wait();
            }
            if (run != 7 && run != 5) throw Error("there is no such run");
            return "run " + std::to_string(run);
        };
        site.history = [](const std::string& name) { return "history of " + name; };
        site.form = [](std::int64_t, const std::string& format) {
            return format == "large" ? std::string(kLarge, 'x') : "as " + format;
        };
        site.now_us = [this] { return now_us.load(); };
        site.progress = [this](std::int64_t) {
            const std::lock_guard lock(games_mutex);
            return live::Progress{pairs, is_over, games};
        };
        return site;
    }

    std::promise<void> gate_;
    live::Server server_;
    std::thread thread_;
};

}  // namespace

TEST_CASE(
    "Live: the games in play are sent when they have changed, and not again with other news") {
    Serving serving;
    serving.show("\"one\"");
    const int stream = serving.asking("/events/run/7");
    std::string text = received(stream, "}\n\n");
    CHECK(text.find("{\"pairs\":3,\"over\":false,\"now\":5000,\"games\":\"one\"}") !=
          std::string::npos);
    // The markup stays as it is, so the page learns from each message how late it is.
    serving.now_us = 9'000'999;
    serving.pairs = 4;
    text = received(stream, "}\n\n");
    CHECK(text.find("{\"pairs\":4,\"over\":false,\"now\":9000}") != std::string::npos);
    serving.show("\"two\"");
    text = received(stream, "}\n\n");
    CHECK(text.find("{\"pairs\":4,\"over\":false,\"now\":9000,\"games\":\"two\"}") !=
          std::string::npos);
    ::close(stream);
}

TEST_CASE("Live: pages, forms and names of histories are served") {
    const Serving serving;
    CHECK(serving.get("/").find("the index") != std::string::npos);
    CHECK(serving.get("/run/7").find("run 7") != std::string::npos);
    CHECK(serving.get("/run/7.json").find("as json") != std::string::npos);
    CHECK(serving.get("/history/a%20night%2Fly").find("history of a night/ly") !=
          std::string::npos);
    const std::string missing = serving.get("/run/8");
    CHECK(missing.find(" 404 ") != std::string::npos);
    CHECK(missing.find("there is no such run") != std::string::npos);
    CHECK(serving.get("/run/99999999999999999999").find(" 404 ") != std::string::npos);
    CHECK(serving.get("/run/4").find(" 503 ") != std::string::npos);
}

TEST_CASE("Live: at port 80 browsers name the host alone") {
    CHECK(live::names_us("127.0.0.1", 80));
    CHECK(live::names_us("localhost", 80));
    CHECK(live::names_us("localhost:80", 80));
    CHECK_FALSE(live::names_us("localhost", 8080));
    CHECK_FALSE(live::names_us("localhost.evil.example", 80));
}

TEST_CASE("Live: a request with two hosts is refused") {
    const Serving serving;
    const std::string two = serving.host() + serving.host();
    CHECK(answer_of(serving.port(), "GET / HTTP/1.1\r\n" + two + "Connection: close\r\n\r\n", "")
              .find(" 403 ") != std::string::npos);
}

TEST_CASE("Live: another host's name and all that is no reading are refused") {
    const Serving serving;
    CHECK(serving.send("GET /", "evil.example").find(" 403 ") != std::string::npos);
    CHECK(serving.send("GET /", "").find(" 403 ") != std::string::npos);
    const std::string posted = serving.send("POST /run/7", "evil.example");
    CHECK(posted.find("run 7") == std::string::npos);
}

TEST_CASE("Live: a connection serves several requests, a head has no body, garbage is refused") {
    const Serving serving;
    const std::string host =
        " HTTP/1.1\r\nHost: localhost:" + std::to_string(serving.port()) + "\r\n";
    const std::string both =
        answer_of(serving.port(), "HEAD /run/7.json" + host + "\r\nGET /run/7" + host +
                                      "Connection: close\r\n\r\n");
    CHECK(both.find("Content-Length: 7\r\n\r\nHTTP/1.1 200 OK") != std::string::npos);
    CHECK(both.ends_with("\r\n\r\nrun 7"));
    const std::string posted =
        answer_of(serving.port(), "POST /run/7" + host + "Content-Length: 5\r\n\r\nhello");
    CHECK(posted.find(" 405 ") != std::string::npos);
    CHECK(answer_of(serving.port(), "hello\r\n\r\n").find(" 400 ") != std::string::npos);
}

TEST_CASE("Live: a refusal is seen by who sends much that is not read") {
    const Serving serving;
    const std::string posted =
        answer_of(serving.port(), "POST /run/7 HTTP/1.1\r\n" + serving.host() +
                                      "Content-Length: 4194304\r\n\r\n" + std::string(kLarge, 'x'));
    CHECK(posted.find(" 405 ") != std::string::npos);
    CHECK(posted.ends_with("this server only reads\n"));
}

TEST_CASE("Live: who sends no more may still listen") {
    Serving serving;
    const int socket = serving.asking("/run/5");
    ::shutdown(socket, SHUT_WR);
    // Its answer comes after the server has seen that.
    CHECK(serving.get("/nothing").find(" 404 ") != std::string::npos);
    serving.release();
    CHECK(received(socket).ends_with("run 5"));
    ::close(socket);
}

TEST_CASE("Live: a large page comes whole over a slow line") {
    // A piece may take 10 s, and the page takes longer than a request may.
    const Serving serving(std::chrono::seconds(1));
    const int socket = serving.asking("/run/7.large", 64 << 10);
    std::string text;
    std::vector<char> piece(32U << 10U);
    ssize_t count = 1;
    while (text.size() < kLarge && count > 0) {
        pass(20);
        count = ::recv(socket, piece.data(), piece.size(), MSG_WAITALL);
        if (count > 0) text.append(piece.data(), static_cast<std::size_t>(count));
    }
    text += received(socket, std::string(16, 'x'));
    CHECK(text.size() - text.find("\r\n\r\n") - 4 == kLarge);
    ::close(socket);
}

TEST_CASE("Live: hundreds of connections that say nothing keep no reader waiting") {
    const Serving serving;
    std::vector<int> silent;
    for (int i = 0; i < 300; ++i)
        silent.push_back(
            connection_to(serving.port(), i % 2 == 0 ? "GET / HTTP/1.1\r\nHost:" : ""));
    CHECK(serving.get("/").find("the index") != std::string::npos);
    for (const int socket : silent) ::close(socket);
}

TEST_CASE("Live: of too many connections those that were silent for longest are closed") {
    const Serving serving(std::chrono::minutes(1));
    std::vector<int> silent;
    for (int i = 0; i < live::Server::kMostConnections + 10; ++i)
        silent.push_back(connection_to(serving.port(), i % 2 == 0 ? "GET / HTTP/1.1\r\n" : ""));
    CHECK(serving.get("/").find("the index") != std::string::npos);
    char byte = 0;
    for (int i = 0; i < 11; ++i)
        CHECK(::recv(silent[static_cast<std::size_t>(i)], &byte, 1, 0) <= 0);
    pollfd last{silent.back(), POLLIN, 0};
    CHECK(::poll(&last, 1, 0) == 0);
    for (const int socket : silent) ::close(socket);
}

TEST_CASE("Live: where all connections wait for pages, one more is told so") {
    Serving serving;
    std::vector<int> asking;
    for (int i = 0; i < live::Server::kMostConnections - 1; ++i)
        asking.push_back(serving.asking("/run/5"));
    // Once this one is told something, all requests before it have been read.
    asking.push_back(serving.asking("/events/run/7"));
    CHECK(received(asking.back(), "\"pairs\":3").find(" 200 ") != std::string::npos);
    CHECK(serving.get("/").find(" 503 ") != std::string::npos);
    for (const int socket : asking) ::close(socket);
    serving.release();
}

TEST_CASE("Live: slow pages hold up no news, and none is made for who has left") {
    Serving serving;
    std::vector<int> asking;
    for (int i = 0; i < 24; ++i) asking.push_back(serving.asking("/run/5"));
    CHECK(serving.get("/events/run/7", "\"pairs\":3").find(" 200 ") != std::string::npos);
    for (std::size_t i = 4; i < asking.size(); ++i) ::close(asking[i]);
    // Its answer comes after the server has looked at them.
    CHECK(serving.get("/nothing").find(" 404 ") != std::string::npos);
    serving.release();
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK(received(asking[i], "run 5").find(" 200 ") != std::string::npos);
        ::close(asking[i]);
    }
    CHECK(serving.get("/run/7").find("run 7") != std::string::npos);
    CHECK(serving.gated == 4);
}

TEST_CASE("Live: a request whose bytes drip in is given up, one that comes in two parts is not") {
    const Serving serving(std::chrono::milliseconds(300));
    const int dripping = connection_to(serving.port(), "GET / HTTP/1.1\r\nHost: ");
    // Whole only after ten minutes.
    bool is_closed = false;
    for (int i = 0; i < 6000 && !is_closed; ++i) {
        is_closed = ::send(dripping, "x", 1, MSG_NOSIGNAL) < 0;
        pollfd one{dripping, POLLIN, 0};
        char byte = 0;
        if (!is_closed && ::poll(&one, 1, 100) > 0) is_closed = ::recv(dripping, &byte, 1, 0) <= 0;
    }
    CHECK(is_closed);
    ::close(dripping);

    const int slow = connection_to(serving.port(), "GET / HTTP/1.1\r\n");
    const std::string rest = "Host: 127.0.0.1:" + std::to_string(serving.port()) + "\r\n\r\n";
    REQUIRE(::send(slow, rest.data(), rest.size(), MSG_NOSIGNAL) > 0);
    char answer[32];
    CHECK(::recv(slow, answer, sizeof(answer), 0) > 0);
    CHECK(std::string_view(answer, 12) == "HTTP/1.1 200");
    ::close(slow);
}

TEST_CASE("Live: a request that begins late on a kept connection has all its time") {
    const std::chrono::milliseconds patience(1500);
    const Serving serving(patience);
    const std::string request = "GET /run/7 HTTP/1.1\r\n" + serving.host() + "\r\n";
    // On a busy machine a half may be later than it may: then nothing is shown, and it is tried
    // again.
    bool was_shown = false;
    for (int attempt = 0; attempt < 40 && !was_shown; ++attempt) {
        const auto before = std::chrono::steady_clock::now();
        const int socket = serving.asking("/run/7");
        CHECK(received(socket, "run 7").ends_with("run 7"));
        pass(900);
        const bool was_sent = ::send(socket, request.data(), 5, MSG_NOSIGNAL) == 5;
        const auto half = std::chrono::steady_clock::now();
        pass(900);
        (void)::send(socket, request.data() + 5, request.size() - 5, MSG_NOSIGNAL);
        const auto end = std::chrono::steady_clock::now();
        const bool is_in_time = half - before < patience && end - half < patience;
        was_shown = was_sent && is_in_time && received(socket, "run 7").ends_with("run 7");
        ::close(socket);
    }
    CHECK(was_shown);
}

TEST_CASE("Live: readers of news who have left keep nobody out") {
    const Serving serving;
    for (int round = 0; round < 2; ++round) {
        std::vector<int> readers;
        for (int i = 0; i < 100; ++i) readers.push_back(serving.asking("/events/run/7"));
        int told = 0;
        for (const int socket : readers)
            told += received(socket, "\"pairs\":3").find(" 200 ") != std::string::npos ? 1 : 0;
        CHECK(told == 100);
        for (const int socket : readers) ::close(socket);
    }
}

TEST_CASE("Live: an event stream tells each change and ends with the run") {
    Serving serving;
    CHECK(serving.get("/events/run/7", "\"pairs\":3").find("text/event-stream") !=
          std::string::npos);
    serving.pairs = 4;
    serving.is_over = true;
    const std::string end = serving.get("/events/run/7");
    CHECK(end.find("data: {\"pairs\":4,\"over\":true,\"now\":5000}\n\n") != std::string::npos);
}

TEST_CASE("Live: a port that is taken is an error") {
    live::Site site;
    const live::Server first(site, 0);
    CHECK_THROWS_AS(live::Server(site, first.port()), Error);
}

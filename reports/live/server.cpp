#include "reports/live/server.h"

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <fmt/format.h>

#include "reports/live/port.h"
#include "reports/live/wanted.h"
#include "reports/live/workers.h"

namespace assay::reports::live {

namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using Tcp = asio::ip::tcp;
using ErrorCode = boost::system::error_code;

constexpr int kMostStreams = 128;
constexpr unsigned kMostHeader = 16U << 10U;
constexpr std::size_t kPiece = 4096;  // read at once
constexpr int kWritePatience = 10;    // times the patience for a request
/// Also the size of the system's send buffer. A write reports progress when the system has taken a
/// part of the buffer; with the system's larger default a slow connection would seem to be stalled.
constexpr int kSendBuffer = 256 << 10;
constexpr std::chrono::milliseconds kDrain{1000};
constexpr std::chrono::milliseconds kLook{500};
constexpr int kLooksToKeepAlive = 30;
constexpr const char* kPlain = "text/plain; charset=utf-8";
constexpr std::chrono::milliseconds kWaitForDescriptors{100};

}  // namespace

/// Everything except the work of the workers happens on the thread of run().
struct Server::Parts {
    class Connection;

    Site site;
    int port = 0;
    std::chrono::milliseconds patience{};
    int connections = 0;  // that are open
    int streams = 0;      // of them, those that wait for news
    /// Connections that have sent no whole request, or have received their last answer; the one
    /// that has been idle for longest comes first.
    std::list<Connection*> idle;
    asio::io_context io{1};  // its end destroys connections, which use what is above
    Tcp::acceptor acceptor{io};
    asio::steady_timer retry{io};
    Workers pages{4, to_io()};  // last: their work uses all of it
    Workers news{1, to_io()};   // so that no page, however long it takes, keeps news waiting

    void accept();
    void take(Tcp::socket socket);

    std::function<void(Workers::Work)> to_io() {
        return [this](Workers::Work work) { asio::post(io, std::move(work)); };
    }
};

/// One connection. The operation that it waits for (a read, a write, a timer, a worker) keeps it
/// alive. Everything belongs to the thread of run() except the flag that workers read. An operation
/// may already be complete when the connection is closed, so each handler checks the flag first.
class Server::Parts::Connection : public std::enable_shared_from_this<Connection> {
public:
    Connection(Parts& parts, Tcp::socket socket)
        : parts_(parts),
          socket_(std::move(socket)),
          deadline_(parts.io),
          next_look_(parts.io),
          buffer_(kMostHeader) {
        ErrorCode ignored;
        socket_.set_option(asio::socket_base::send_buffer_size(kSendBuffer), ignored);
        ++parts_.connections;
    }

    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    ~Connection() { end(); }

    /// Waits for the next request and answers it.
    void read() {
        state_ = State::Waiting;
        become_idle();
        parser_.emplace();
        parser_->header_limit(kMostHeader);
        parser_->body_limit(boost::none);  // none is read
        give_time(parts_.patience);
        if (buffer_.size() > 0) {
            read_all();
        } else {
            watch();
        }
    }

    /// Answers that there are too many connections. Called instead of read().
    void refuse() {
        state_ = State::Answering;
        answer(http::status::service_unavailable, kPlain, "too many are connected\n");
    }

    /// Closes the connection and removes it from the count, whatever it waits for.
    void end() {
        if (is_closed_.exchange(true)) return;
        --parts_.connections;
        be_busy();
        leave_news();
        ErrorCode ignored;
        socket_.close(ignored);
        deadline_.cancel();
        next_look_.cancel();
    }

private:
    using Response = http::response<http::string_body>;
    using Then = std::function<void()>;

    enum class State { Waiting, Reading, Answering, News, Draining };

    template <class Answer>
    using Shown = std::function<void(const Answer*, const Failure&)>;

    /// Starts the deadline anew; the earlier one is void.
    void give_time(std::chrono::milliseconds time) {
        deadline_.expires_after(time);
        deadline_.async_wait([weak = weak_from_this()](ErrorCode error) {
            const auto self = weak.lock();
            // The deadline may have been moved after it expired and before this call.
            if (self && !error && self->deadline_.expiry() <= std::chrono::steady_clock::now())
                self->end();
        });
    }

    void give_all_time() { deadline_.expires_at(asio::steady_timer::time_point::max()); }

    void become_idle() {
        be_busy();
        idle_ = parts_.idle.insert(parts_.idle.end(), this);
    }

    void be_busy() {
        if (idle_) parts_.idle.erase(*idle_);
        idle_.reset();
    }

    void leave_news() {
        if (is_stream_) --parts_.streams;
        is_stream_ = false;
    }

    /// Keeps a read pending at all times, so that a client that leaves is noticed at once. The
    /// first bytes of a next request are kept; other bytes that arrive meanwhile are dropped.
    void watch() {
        if (is_watched_) return;
        if (!is_kept_) buffer_.clear();
        if (buffer_.size() > 0) return;
        is_watched_ = true;
        socket_.async_read_some(buffer_.prepare(kPiece),
                                [self = shared_from_this()](ErrorCode error, std::size_t size) {
                                    self->is_watched_ = false;
                                    self->buffer_.commit(size);
                                    self->on_seen(error);
                                });
    }

    void on_seen(ErrorCode error) {
        if (is_closed_) return;
        if (error == asio::error::eof && state_ == State::Answering && !has_to_wait_) {
            // The client may have closed only its sending side, which a write would show. A client
            // that waits in the queue is treated as gone.
            has_ended_ = true;
        } else if (error) {
            end();
        } else if (state_ == State::Waiting) {
            read_all();
        } else {
            watch();
        }
    }

    /// One deadline for all bytes of a request, however many reads they take.
    void read_all() {
        state_ = State::Reading;
        give_time(parts_.patience);
        http::async_read_header(
            socket_, buffer_, *parser_,
            [self = shared_from_this()](ErrorCode error, std::size_t) { self->on_read(error); });
    }

    void on_read(ErrorCode error) {
        const bool is_garbage =
            error.category() == http::make_error_code(http::error::end_of_stream).category() &&
            error != http::error::end_of_stream;
        if (is_closed_ || (error && !is_garbage)) {
            end();
            return;
        }
        be_busy();
        state_ = State::Answering;
        if (is_garbage) {
            is_kept_ = false;
            answer(http::status::bad_request, kPlain,
                   "this is no request: " + error.message() + "\n");
            return;
        }
        const auto& request = parser_->get();
        is_head_ = request.method() == http::verb::head;
        const bool is_reading = request.method() == http::verb::get || is_head_;
        // The body would be read as the next request.
        is_kept_ = request.keep_alive() && is_reading && parser_->is_done();
        if (!is_reading) {
            answer(http::status::method_not_allowed, kPlain, "this server only reads\n");
        } else if (request.count(http::field::host) != 1 ||
                   !names_us(request[http::field::host], parts_.port)) {
            answer(http::status::forbidden, kPlain, "this server answers to 127.0.0.1 only\n");
        } else {
            give(wanted_by(parts_.site, request.target()));
        }
    }

    void give(const Wanted& wanted) {
        if (!wanted.is_found()) {
            answer(http::status::not_found, kPlain, "there is no such page\n");
        } else if (wanted.news_of) {
            begin_stream(*wanted.news_of);
        } else {
            give_all_time();
            has_to_wait_ = parts_.pages.are_all_busy();
            watch();
            ask<std::string>(
                parts_.pages, wanted.text,
                [this, type = wanted.type](const std::string* text, const Failure& why) {
                    if (text != nullptr) {
                        answer(http::status::ok, type, *text);
                    } else {
                        fail(why);
                    }
                });
        }
    }

    /// Neither is called for a client that left before its turn.
    template <class Answer>
    void ask(Workers& workers, std::function<Answer()> question, Shown<Answer> then) {
        workers.ask<Answer>(
            shared_from_this(), [this] { return !is_closed_; }, std::move(question),
            [this, then = std::move(then)](const Answer* answer, const Failure& why) {
                if (!is_closed_) then(answer, why);
            });
    }

    void answer(http::status status, const char* type, std::string text) {
        has_to_wait_ = false;
        response_ = Response(status, 11);
        response_.set(http::field::content_type, type);
        response_.set(http::field::cache_control, "no-store");
        response_.set("X-Content-Type-Options", "nosniff");
        response_.keep_alive(is_kept_);
        response_.body() = std::move(text);
        response_.prepare_payload();
        write(is_head_, [this] {
            serializer_.reset();
            response_ = Response();  // it may be large
            if (has_ended_) {
                end();
            } else if (is_kept_) {
                read();
            } else {
                drain();
            }
        });
    }

    void fail(const Failure& why) {
        answer(why.is_machines ? http::status::service_unavailable : http::status::not_found,
               kPlain, why.words + "\n");
    }

    /// Writes the response, or only its head; then calls `then`.
    void write(bool is_head_only, Then then) {
        serializer_.emplace(response_);
        serializer_->split(is_head_only);
        write_piece(is_head_only, std::move(then));
    }

    /// Writes as much as the system takes at once. The deadline starts anew for each piece, so that
    /// a page may take as long as a slow connection needs, but may not stall.
    void write_piece(bool is_head_only, Then then) {
        give_time(parts_.patience * kWritePatience);
        http::async_write_some(socket_, *serializer_,
                               [self = shared_from_this(), is_head_only, then = std::move(then)](
                                   ErrorCode error, std::size_t) mutable {
                                   if (error || self->is_closed_) {
                                       self->end();
                                   } else if (is_head_only ? self->serializer_->is_header_done()
                                                           : self->serializer_->is_done()) {
                                       then();
                                   } else {
                                       self->write_piece(is_head_only, std::move(then));
                                   }
                               });
    }

    /// After the last answer. Closing while bytes of the client are unread resets the connection
    /// and loses what was written.
    void drain() {
        leave_news();
        state_ = State::Draining;
        become_idle();
        ErrorCode ignored;
        socket_.shutdown(Tcp::socket::shutdown_send, ignored);
        give_time(kDrain);
        watch();
    }

    /// Events of a run: one line of data for each change, until the run is over, the client is gone
    /// or the server stops. The event stream ends with the connection.
    void begin_stream(std::int64_t run) {
        is_kept_ = false;
        if (parts_.streams == kMostStreams) {
            answer(http::status::service_unavailable, kPlain,
                   "too many pages wait for news of runs\n");
            return;
        }
        ++parts_.streams;
        is_stream_ = true;
        state_ = State::News;
        run_ = run;
        give_all_time();
        watch();
        look([this](const Progress* first, const Failure& why) {
            if (first == nullptr) {
                fail(why);
                return;
            }
            response_ = Response(http::status::ok, 11);
            response_.set(http::field::content_type, "text/event-stream");
            response_.set(http::field::cache_control, "no-store");
            response_.keep_alive(false);
            write(true, [this, seen = *first] {
                if (is_head_) {
                    drain();
                } else {
                    tell(seen);
                }
            });
        });
    }

    void look(Shown<Progress> then) {
        ask<Progress>(
            parts_.news, [&site = parts_.site, run = run_] { return site.progress(run); },
            std::move(then));
    }

    void look_later() {
        give_all_time();
        next_look_.expires_after(kLook);
        next_look_.async_wait([self = shared_from_this()](ErrorCode error) {
            if (error || self->is_closed_) return;
            self->look([&here = *self](const Progress* now, const Failure& why) {
                if (now == nullptr && !why.is_machines) {
                    here.drain();  // the run was deleted
                } else if (now != nullptr && *now != here.seen_) {
                    here.tell(*now);
                } else if (++here.looks_ % kLooksToKeepAlive == 0) {
                    here.say(": still here\n\n", [&here] { here.look_later(); });
                } else {
                    here.look_later();
                }
            });
        });
    }

    void tell(const Progress& progress) {
        const bool has_games = progress.games && progress.games != seen_.games;
        seen_ = progress;
        say(fmt::format("data: {{\"pairs\":{},\"over\":{},\"now\":{}{}{}}}\n\n", progress.pairs,
                        progress.is_over, parts_.site.now_us() / 1000,
                        has_games ? ",\"games\":" : "", has_games ? *progress.games : ""),
            [this] {
                if (seen_.is_over) {
                    drain();
                } else {
                    look_later();
                }
            });
    }

    void say(std::string text, Then then) {
        said_ = std::move(text);
        give_time(parts_.patience * kWritePatience);
        asio::async_write(
            socket_, asio::buffer(said_),
            [self = shared_from_this(), then = std::move(then)](ErrorCode error, std::size_t) {
                if (error || self->is_closed_) {
                    self->end();
                } else {
                    then();
                }
            });
    }

    Parts& parts_;
    Tcp::socket socket_;
    asio::steady_timer deadline_;
    asio::steady_timer next_look_;
    boost::beast::flat_buffer buffer_;
    std::optional<http::request_parser<http::empty_body>> parser_;
    Response response_;
    std::optional<http::response_serializer<http::string_body>> serializer_;
    State state_ = State::Waiting;
    std::optional<std::list<Connection*>::iterator> idle_;
    std::atomic<bool> is_closed_{false};
    bool has_ended_ = false;    // no more requests will come
    bool has_to_wait_ = false;  // for others' pages, before its own is begun
    bool is_watched_ = false;
    bool is_head_ = false;
    bool is_kept_ = false;
    bool is_stream_ = false;  // and counted
    std::int64_t run_ = 0;
    Progress seen_;
    int looks_ = 0;
    std::string said_;
};

void Server::Parts::accept() {
    acceptor.async_accept([this](ErrorCode error, Tcp::socket socket) {
        if (error == asio::error::operation_aborted) return;
        if (error) {
            // The process has no descriptor left.
            if (!idle.empty()) idle.front()->end();
            retry.expires_after(kWaitForDescriptors);
            retry.async_wait([this](ErrorCode stopped) {
                if (!stopped) accept();
            });
            return;
        }
        accept();
        take(std::move(socket));
    });
}

void Server::Parts::take(Tcp::socket socket) {
    const auto connection = std::make_shared<Connection>(*this, std::move(socket));
    const bool is_full = connections > kMostConnections;
    if (is_full && idle.empty()) {
        connection->refuse();
        return;
    }
    if (is_full) idle.front()->end();
    connection->read();
}

Server::Server(Site site, int port, std::chrono::milliseconds patience)
    : parts_(std::make_unique<Parts>()) {
    parts_->site = std::move(site);
    parts_->patience = patience;
    Tcp::acceptor& acceptor = parts_->acceptor;
    acceptor.assign(Tcp::v4(), listen_at(port));
    parts_->port = acceptor.local_endpoint().port();
    parts_->accept();
}

Server::~Server() {
    stop();
}

int Server::port() const {
    return parts_->port;
}

void Server::run() {
    while (!parts_->io.stopped()) {
        try {
            parts_->io.run();
        } catch (const std::exception&) {
            // The exception has ended one connection, for lack of memory for example.
            continue;
        }
    }
}

void Server::stop() {
    parts_->io.stop();
}

}  // namespace assay::reports::live

#include "reports/live/server.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"

namespace assay::reports::live {

namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;
using Tcp = asio::ip::tcp;

constexpr std::size_t kWorkers = 4;  // threads that make pages; one more reads and writes
constexpr int kMostStreams = 128;    // for news of runs
constexpr unsigned kMostHeader = 16U << 10U;
constexpr std::size_t kPiece = 4096;  // read of a request at once
constexpr std::chrono::seconds kWritePatience{30};
constexpr std::chrono::milliseconds kLook{500};
constexpr int kLooksToKeepAlive = 30;
constexpr std::chrono::milliseconds kWaitForDescriptors{100};
constexpr std::size_t kMostDigits = 18;  // of a run's number
constexpr const char* kHtml = "text/html; charset=utf-8";
constexpr const char* kPlain = "text/plain; charset=utf-8";

const char* type_of(const std::string& format) {
    if (format == "json" || format == "badge") return "application/json";
    if (format == "junit") return "application/xml";
    if (format == "openmetrics") return "application/openmetrics-text; version=1.0.0";
    return kPlain;
}

/// The path of a request's target, `%20` and the like read; what is no such code stands for itself.
std::string path_of(std::string_view target) {
    target = target.substr(0, target.find_first_of("?#"));
    const auto digit = [&](std::size_t at) {
        constexpr std::string_view kDigits = "0123456789abcdef";
        const char c = at < target.size() ? target[at] : ' ';
        return kDigits.find(c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c);
    };
    std::string path;
    for (std::size_t i = 0; i < target.size(); ++i) {
        const bool is_code = target[i] == '%' && digit(i + 1) < 16 && digit(i + 2) < 16;
        path += is_code ? static_cast<char>(digit(i + 1) * 16 + digit(i + 2)) : target[i];
        if (is_code) i += 2;
    }
    return path;
}

/// The run's number at the front of `text`, which loses it.
std::optional<std::int64_t> take_run(std::string_view& text) {
    const std::size_t size = std::min(text.find_first_not_of("0123456789"), text.size());
    if (size == 0 || size > kMostDigits) return std::nullopt;
    const auto run = to_number<std::int64_t>(text.substr(0, size));
    text.remove_prefix(size);
    return run;
}

bool take_prefix(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    return true;
}

/// What a path asks for: a text that is made on a worker's thread, or news of a run.
struct Wanted {
    const char* type = kHtml;
    std::function<std::string()> text;
    std::optional<std::int64_t> news_of;

    [[nodiscard]] bool is_found() const { return text || news_of; }
};

Wanted wanted_by(const Site& site, std::string_view path) {
    Wanted wanted;
    if (path == "/") {
        wanted.text = site.index;
    } else if (take_prefix(path, "/history/") && !path.empty()) {
        wanted.text = [&site, name = std::string(path)] { return site.history(name); };
    } else if (take_prefix(path, "/events/run/")) {
        const auto run = take_run(path);
        if (run && path.empty()) wanted.news_of = run;
    } else if (take_prefix(path, "/run/")) {
        const auto run = take_run(path);
        if (run && path.empty()) {
            wanted.text = [&site, run = *run] { return site.run(run); };
        } else if (run && take_prefix(path, ".") && !path.empty()) {
            const std::string format(path);
            wanted.type = type_of(format);
            wanted.text = [&site, run = *run, format] { return site.form(run, format); };
        }
    }
    return wanted;
}

}  // namespace

struct Server::Parts {
    class Connection;

    Site site;
    std::atomic<int> streams{0};
    int port = 0;
    std::chrono::milliseconds patience{};
    asio::io_context io{1};  // its end destroys connections, which use what is above
    Tcp::acceptor acceptor{io};
    asio::steady_timer retry{io};
    asio::thread_pool workers{kWorkers};  // last: its work uses all of it

    void accept();
};

/// One connection. All members belong to the thread of run(), and the object is held by what it
/// waits for.
class Server::Parts::Connection : public std::enable_shared_from_this<Connection> {
public:
    Connection(Parts& parts, Tcp::socket socket)
        : parts_(parts), stream_(std::move(socket)), timer_(parts.io) {}

    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    ~Connection() {
        if (is_stream_) --parts_.streams;
    }

    /// The next request.
    void read() {
        parser_.emplace();
        parser_->header_limit(kMostHeader);
        if (buffer_.size() > 0) {
            read_all();
            return;
        }
        stream_.expires_after(parts_.patience);
        stream_.async_read_some(buffer_.prepare(kPiece),
                                [self = shared_from_this()](error_code error, std::size_t size) {
                                    if (error) return;
                                    self->buffer_.commit(size);
                                    self->read_all();
                                });
    }

private:
    using Response = http::response<http::string_body>;

    /// One deadline for all its bytes, however they come.
    void read_all() {
        stream_.expires_after(parts_.patience);
        http::async_read_header(
            stream_, buffer_, *parser_,
            [self = shared_from_this()](error_code error, std::size_t) { self->on_read(error); });
    }

    void on_read(error_code error) {
        if (error.category() == http::make_error_code(http::error::end_of_stream).category() &&
            error != http::error::end_of_stream) {
            is_kept_ = false;
            answer(http::status::bad_request, kPlain,
                   "this is no request: " + error.message() + "\n");
            return;
        }
        if (error) return;
        const auto& request = parser_->get();
        const bool is_reading =
            request.method() == http::verb::get || request.method() == http::verb::head;
        is_head_ = request.method() == http::verb::head;
        // A body would be taken for the next request.
        is_kept_ = request.keep_alive() && is_reading && parser_->is_done();
        if (!is_reading) {
            answer(http::status::method_not_allowed, kPlain, "this server only reads\n");
        } else if (!is_for_us(request[http::field::host])) {
            answer(http::status::forbidden, kPlain, "this server answers to 127.0.0.1 only\n");
        } else {
            give(wanted_by(parts_.site, path_of(request.target())));
        }
    }

    [[nodiscard]] bool is_for_us(std::string_view host) const {
        return host == fmt::format("127.0.0.1:{}", parts_.port) ||
               host == fmt::format("localhost:{}", parts_.port);
    }

    void give(const Wanted& wanted) {
        if (!wanted.is_found()) {
            answer(http::status::not_found, kPlain, "there is no such page\n");
        } else if (wanted.news_of) {
            begin_stream(*wanted.news_of);
        } else {
            stream_.expires_never();
            const auto show = [this, type = wanted.type](const std::string* text,
                                                         const std::string& error) {
                if (text != nullptr) {
                    answer(http::status::ok, type, *text);
                } else {
                    answer(http::status::not_found, kPlain, error + "\n");
                }
            };
            ask<std::string>(wanted.text, show);
        }
    }

    /// Calls `question` on a worker's thread, then `then` on ours: with the answer, or null and the
    /// words of what was thrown.
    template <class Answer>
    void ask(std::function<Answer()> question,
             std::function<void(const Answer*, const std::string&)> then) {
        asio::post(parts_.workers, [self = shared_from_this(), question = std::move(question),
                                    then = std::move(then)]() mutable {
            std::optional<Answer> answer;
            std::string error;
            try {
                answer = question();
            } catch (const std::exception& thrown) {
                error = thrown.what();
            }
            asio::io_context& io = self->parts_.io;
            asio::post(io,
                       [self = std::move(self), then = std::move(then), answer = std::move(answer),
                        error = std::move(error)] { then(answer ? &*answer : nullptr, error); });
        });
    }

    void answer(http::status status, const char* type, std::string text) {
        response_ = Response(status, 11);
        response_.set(http::field::content_type, type);
        response_.set(http::field::cache_control, "no-store");
        response_.set("X-Content-Type-Options", "nosniff");
        response_.keep_alive(is_kept_);
        response_.body() = std::move(text);
        response_.prepare_payload();
        write(is_head_, [this] {
            if (is_kept_) {
                read();
            } else {
                close();
            }
        });
    }

    /// The response, or its head alone; then `then`.
    void write(bool is_head_only, std::function<void()> then) {
        serializer_.emplace(response_);
        stream_.expires_after(kWritePatience);
        auto done = [self = shared_from_this(), then = std::move(then)](error_code error,
                                                                        std::size_t) {
            if (!error) then();
        };
        if (is_head_only) {
            http::async_write_header(stream_, *serializer_, std::move(done));
        } else {
            http::async_write(stream_, *serializer_, std::move(done));
        }
    }

    void close() {
        error_code ignored;
        stream_.socket().shutdown(Tcp::socket::shutdown_send, ignored);
    }

    /// News of a run: a line of data at each change, until the run is over, the reader is gone or
    /// the server stops. The end of the connection ends it.
    void begin_stream(std::int64_t run) {
        is_kept_ = false;
        if (++parts_.streams > kMostStreams) {
            --parts_.streams;
            answer(http::status::service_unavailable, kPlain,
                   "too many pages wait for news of runs\n");
            return;
        }
        is_stream_ = true;
        run_ = run;
        stream_.expires_never();
        look([this](const Progress* first, const std::string& error) {
            if (first == nullptr) {
                answer(http::status::not_found, kPlain, error + "\n");
                return;
            }
            response_ = Response(http::status::ok, 11);
            response_.set(http::field::content_type, "text/event-stream");
            response_.set(http::field::cache_control, "no-store");
            response_.keep_alive(false);
            write(true, [this, seen = *first] {
                if (is_head_) {
                    close();
                } else {
                    tell(seen);
                }
            });
        });
    }

    void look(std::function<void(const Progress*, const std::string&)> then) {
        ask<Progress>([&site = parts_.site, run = run_] { return site.progress(run); },
                      std::move(then));
    }

    void look_later() {
        timer_.expires_after(kLook);
        timer_.async_wait([self = shared_from_this()](error_code error) {
            if (error) return;
            self->look([&here = *self](const Progress* now, const std::string&) {
                if (now == nullptr) {
                    here.close();  // the run was deleted
                } else if (*now != here.seen_) {
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
        seen_ = progress;
        say(fmt::format("data: {{\"pairs\":{},\"over\":{}}}\n\n", progress.pairs, progress.is_over),
            [this] {
                if (seen_.is_over) {
                    close();
                } else {
                    look_later();
                }
            });
    }

    void say(std::string text, std::function<void()> then) {
        said_ = std::move(text);
        stream_.expires_after(kWritePatience);
        asio::async_write(
            stream_, asio::buffer(said_),
            [self = shared_from_this(), then = std::move(then)](error_code error, std::size_t) {
                if (error) return;
                self->stream_.expires_never();
                then();
            });
    }

    Parts& parts_;
    boost::beast::tcp_stream stream_;
    asio::steady_timer timer_;
    boost::beast::flat_buffer buffer_{kMostHeader};
    std::optional<http::request_parser<http::empty_body>> parser_;
    Response response_;
    std::optional<http::response_serializer<http::string_body>> serializer_;
    bool is_head_ = false;
    bool is_kept_ = false;
    bool is_stream_ = false;  // and counted
    std::int64_t run_ = 0;
    Progress seen_;
    int looks_ = 0;
    std::string said_;
};

void Server::Parts::accept() {
    acceptor.async_accept([this](error_code error, Tcp::socket socket) {
        if (error == asio::error::operation_aborted) return;
        if (error) {
            // Too many are open: silent ones end soon.
            retry.expires_after(kWaitForDescriptors);
            retry.async_wait([this](error_code stopped) {
                if (!stopped) accept();
            });
            return;
        }
        accept();
        std::make_shared<Connection>(*this, std::move(socket))->read();
    });
}

Server::Server(Site site, int port, std::chrono::milliseconds patience)
    : parts_(std::make_unique<Parts>()) {
    parts_->site = std::move(site);
    parts_->patience = patience;
    const Tcp::endpoint here(asio::ip::address_v4::loopback(), static_cast<std::uint16_t>(port));
    Tcp::acceptor& acceptor = parts_->acceptor;
    error_code error;
    acceptor.open(here.protocol(), error);
    // Not SO_REUSEPORT, by which two servers would share a port unknowingly.
    if (!error) acceptor.set_option(Tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor.bind(here, error);
    if (!error) acceptor.listen(Tcp::acceptor::max_listen_connections, error);
    if (error == asio::error::address_in_use)
        throw Error(fmt::format("serve: port {} of 127.0.0.1 is taken; --port takes another", port),
                    4);
    if (error)
        throw Error(fmt::format("serve: port {} of 127.0.0.1: {}", port, error.message()), 4);
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
            // Of one connection, which has ended by that: it had no memory, for example.
            continue;
        }
    }
}

void Server::stop() {
    parts_->io.stop();
}

}  // namespace assay::reports::live

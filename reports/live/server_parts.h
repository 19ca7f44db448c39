#pragma once
#include <atomic>
#include <chrono>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

#include "reports/live/server.h"
#include "reports/live/wanted.h"

namespace assay::reports::live {

using Tcp = boost::asio::ip::tcp;
using ErrorCode = boost::system::error_code;

/// Threads that make answers. Its members but `pool` belong to the thread of run().
struct Workers {
    explicit Workers(int count) : threads(count), pool(static_cast<std::size_t>(count)) {}

    int threads;
    int asked = 0;  // answers that are being made or wait for a thread
    boost::asio::thread_pool pool;
};

/// All but the workers' own work belongs to the thread of run().
struct Server::Parts {
    class Connection;

    Site site;
    int port = 0;
    std::chrono::milliseconds patience{};
    int connections = 0;  // that are open
    int streams = 0;      // of them, those that wait for news
    /// No whole request of theirs is here, or they have got their last answer: whoever has been so
    /// for longest is first.
    std::list<Connection*> idle;
    boost::asio::io_context io{1};  // its end destroys connections, which use what is above
    Tcp::acceptor acceptor{io};
    boost::asio::steady_timer retry{io};
    Workers pages{4};  // last: their work uses all of it
    Workers news{1};   // so that no page, however long it takes, keeps news waiting

    void accept();
    void take(Tcp::socket socket);
};

/// One connection, which is held by what it waits for: a read, a write, a timer or a worker. All
/// of it belongs to the thread of run(), but for the flag that workers look at.
class Server::Parts::Connection : public std::enable_shared_from_this<Connection> {
public:
    Connection(Parts& parts, Tcp::socket socket);
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection();

    /// Waits for the next request and answers it.
    void read();
    /// Says that there are too many, instead of read().
    void refuse();
    /// Closes and uncounts it, whatever it waits for.
    void end();

private:
    using Response = boost::beast::http::response<boost::beast::http::string_body>;
    using Then = std::function<void()>;

    enum class State { Waiting, Reading, Answering, News, Draining };

    struct Failure {
        boost::beast::http::status status = boost::beast::http::status::not_found;
        std::string words;
    };

    template <class Answer>
    using Shown = std::function<void(const Answer*, const Failure&)>;

    void give_time(std::chrono::milliseconds time);
    void give_all_time();
    void become_idle();
    void be_busy();
    void leave_news();

    void watch();
    void on_seen(ErrorCode error);
    void read_all();
    void on_read(ErrorCode error);
    [[nodiscard]] bool is_for_us(std::string_view host) const;

    void give(const Wanted& wanted);
    template <class Answer>
    void ask(Workers& workers, std::function<Answer()> question, Shown<Answer> then);
    void answer(boost::beast::http::status status, const char* type, std::string text);
    void fail(const Failure& failure);
    void write(bool is_head_only, Then then);
    void write_piece(bool is_head_only, Then then);
    void drain();

    void begin_stream(std::int64_t run);
    void look(Shown<Progress> then);
    void look_later();
    void tell(const Progress& progress);
    void say(std::string text, Then then);

    Parts& parts_;
    Tcp::socket socket_;
    boost::asio::steady_timer deadline_;
    boost::asio::steady_timer next_look_;
    boost::beast::flat_buffer buffer_;
    std::optional<boost::beast::http::request_parser<boost::beast::http::empty_body>> parser_;
    Response response_;
    std::optional<boost::beast::http::response_serializer<boost::beast::http::string_body>>
        serializer_;
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

}  // namespace assay::reports::live

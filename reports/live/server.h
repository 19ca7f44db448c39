#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/clock.h"

namespace assay::reports::live {

/// How far a run is, for whoever waits for news of it.
struct Progress {
    std::int64_t pairs = 0;  // that are stored, and searches of its suite
    bool is_over = false;
    /// What the page is to show of the games in play, as JSON on one line; null: nothing is known
    /// of them. Compared by its address: what has not changed is given as the same object.
    std::shared_ptr<const std::string> games = nullptr;  // running clocks by the wall clock

    friend bool operator==(const Progress&, const Progress&) = default;
};

/// What the server shows. Each is called on a thread of the server, several at once. An Error that
/// it throws becomes "404" with its words; one with exit code 4, the machine's, and all other
/// exceptions "503".
struct Site {
    std::function<std::string()> index;                           // a page
    std::function<std::string(std::int64_t run)> run;             // a page
    std::function<std::string(const std::string& name)> history;  // a page
    /// A run's other forms: json, markdown, junit, badge, openmetrics.
    std::function<std::string(std::int64_t run, const std::string& format)> form;
    std::function<Progress(std::int64_t run)> progress;
    /// The wall clock, microseconds since 1970: news have it, so that a page knows how far its own
    /// clock is from the one that its running clocks are counted by.
    std::function<long long()> now_us = wall_clock_us;
};

/// Serves a site on 127.0.0.1, and reads only: nothing that a request says changes anything.
/// Requests that name another host are refused, so that no page of the web can read along through
/// a name that it points here. A request must come whole within `patience`, counted from its first
/// byte, and the next one begin within as much; a reader must take some of an answer within ten
/// times as much, and may take as long as it likes for the whole. Of more than kMostConnections
/// the one that has said nothing for longest is closed; where all are being answered, "503".
/// Hundreds that wait, or send a byte now and then, so keep no reader waiting. Nothing is looked up
/// for readers who have gone before their turn came, and long pages do not hold up news.
///
///     GET /   /run/N   /run/N.json …   /history/NAME   /events/run/N (server-sent events)
class Server {
public:
    static constexpr std::chrono::milliseconds kPatience{3000};
    static constexpr int kMostConnections = 256;

    /// Binds at once. `port` 0: any free one. Throws Error where the port is taken.
    Server(Site site, int port, std::chrono::milliseconds patience = kPatience);
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    ~Server();

    [[nodiscard]] int port() const;

    /// Answers until stop(); on the calling thread and some of its own.
    void run();
    /// From any thread. Open event streams end within a second.
    void stop();

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace assay::reports::live

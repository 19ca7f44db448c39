#include "reports/live/server.h"

#include <chrono>
#include <exception>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "reports/live/server_parts.h"

namespace assay::reports::live {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::milliseconds kWaitForDescriptors{100};

}  // namespace

void Server::Parts::accept() {
    acceptor.async_accept([this](ErrorCode error, Tcp::socket socket) {
        if (error == asio::error::operation_aborted) return;
        if (error) {
            // No descriptor is left.
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
    const Tcp::endpoint here(asio::ip::address_v4::loopback(), static_cast<std::uint16_t>(port));
    Tcp::acceptor& acceptor = parts_->acceptor;
    ErrorCode error;
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

#include "reports/live/port.h"

#include <arpa/inet.h>
#include <cerrno>
#include <cstdint>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/file.h"

namespace assay::reports::live {

namespace {

bool begin_listening(int socket, int port) {
    const int yes = 1;
    sockaddr_in here{};
    here.sin_family = AF_INET;
    here.sin_port = htons(static_cast<std::uint16_t>(port));
    here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const auto* const address = static_cast<const sockaddr*>(static_cast<const void*>(&here));
    // Without SO_REUSEPORT, with which two servers could share a port by accident.
    return ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)) == 0 &&
           ::bind(socket, address, sizeof(here)) == 0 && ::listen(socket, SOMAXCONN) == 0;
}

}  // namespace

int listen_at(int port) {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket >= 0 && begin_listening(socket, port)) return socket;
    const int reason = errno;
    if (socket >= 0) (void)::close(socket);
    throw Error(
        reason == EADDRINUSE
            ? fmt::format("serve: port {} of 127.0.0.1 is taken; --port takes another", port)
            : fmt::format("serve: port {} of 127.0.0.1: {}", port, system_reason(reason)),
        4);
}

}  // namespace assay::reports::live

#pragma once
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <doctest/doctest.h>

#include "base/unique_fd.h"

namespace assay::test {

/// A port of this machine alone that takes connections as long as this lives.
class OpenPort {
public:
    OpenPort() : listener_(::socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        auto* const any = reinterpret_cast<sockaddr*>(&address);  // NOLINT: as the calls want it
        REQUIRE(::bind(listener_.get(), any, size) == 0);
        REQUIRE(::getsockname(listener_.get(), any, &size) == 0);
        REQUIRE(::listen(listener_.get(), 8) == 0);
        number_ = ntohs(address.sin_port);
    }

    [[nodiscard]] int number() const { return number_; }

private:
    UniqueFd listener_;
    int number_ = 0;
};

}  // namespace assay::test

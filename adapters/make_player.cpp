#include "adapters/make_player.h"

#include <array>
#include <string_view>

#include "adapters/uci/uci.h"
#include "base/diagnostic.h"

namespace assay::adapters {

namespace {
constexpr std::array<std::string_view, 1> kProtocols{"uci"};
}

std::unique_ptr<Player> make_player(EventLoop& loop, const ProgramSpec& spec,
                                    PlayerListener& listener, LineObserver* observer) {
    if (spec.protocol == "uci") return make_uci_player(loop, spec, listener, observer);
    std::string known;
    for (const std::string_view name : kProtocols) {
        known += (known.empty() ? "" : ", ") + std::string(name);
    }
    throw Error("unknown protocol '" + spec.protocol + "' of program '" + spec.name +
                "'; there is: " + known + did_you_mean(spec.protocol, kProtocols));
}

}  // namespace assay::adapters

#include "adapters/protocols.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "adapters/check/player_check.h"
#include "adapters/json/json_player.h"
#include "adapters/uci/uci.h"
#include "base/diagnostic.h"
#include "base/text.h"
#include "rules/chess/chess_game.h"

namespace assay::adapters {

namespace {

/// What to do with a program of the xboard protocol, which assay does not speak.
constexpr std::string_view kAdapter = "start it through an adapter such as Wb2Uci";

}  // namespace

std::span<const Protocol* const> protocols() {
    static const std::array all{&uci_protocol(), &json_protocol()};
    return all;
}

std::string protocol_names() {
    std::vector<std::string> names;
    for (const Protocol* const one : protocols()) names.emplace_back(one->info.name);
    return joined(names, " ");
}

const Protocol* find_protocol(std::string_view name) {
    for (const Protocol* const one : protocols()) {
        if (one->info.name == name) return one;
    }
    return nullptr;
}

const Protocol& protocol_named(std::string_view name, std::string_view whose) {
    if (const Protocol* const found = find_protocol(name)) return *found;
    std::vector<std::string_view> names;
    std::string known;
    for (const Protocol* const one : protocols()) {
        names.push_back(one->info.name);
        known.append(known.empty() ? "" : ", ").append(one->info.name);
    }
    const std::string hint = name == "xboard" || name == "cecp" ? "; " + std::string(kAdapter)
                                                                : did_you_mean(name, names);
    throw Error("unknown protocol '" + printable_utf8(name) + "'" + std::string(whose) +
                "; there is: " + known + hint);
}

std::string other_protocol(const std::vector<std::string>& said, std::string_view spoken) {
    constexpr std::array<std::string_view, 3> kAnswers{"Error (unknown command)",
                                                       "Illegal move: ", "feature "};
    for (const std::string& line : said) {
        const auto begins = [&](std::string_view answer) { return line.starts_with(answer); };
        if (std::none_of(kAnswers.begin(), kAnswers.end(), begins)) continue;
        return ": it answered '" + printable_utf8(line) +
               "', as a program of the xboard protocol does, and 'protocol' says " +
               std::string(spoken) + "; take a version that speaks that, or " +
               std::string(kAdapter);
    }
    return "";
}

ComplianceReport check_program(const ProgramSpec& spec, const rules::Game& game,
                               const ComplianceLimits& limits, const Clock& clock,
                               const std::function<void(const ComplianceStep&)>& on_step) {
    const Protocol& protocol = protocol_named(spec.protocol);
    // The steps on single lines of UCI know positions of chess.
    if (&protocol == &uci_protocol() && rules::chess::variant_of(game))
        return check_uci(spec, limits, clock, on_step);
    return check_player(protocol, spec, game, limits, clock, on_step);
}

std::unique_ptr<Player> make_player(EventLoop& loop, const ProgramSpec& spec,
                                    PlayerListener& listener, LineObserver* observer) {
    return protocol_named(spec.protocol, " of program '" + spec.name + "'")
        .make_player(loop, spec, listener, observer);
}

}  // namespace assay::adapters

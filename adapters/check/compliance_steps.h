#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/check/check_session.h"
#include "adapters/check/compliance_talk.h"
#include "adapters/uci/uci_options.h"
#include "rules/game.h"

namespace assay::adapters {

/// A search that a step asks for.
struct SearchTask {
    std::string_view fen{};                   // empty: the start position
    std::string_view moves{};                 // from there
    std::string_view go = "go depth 2";       // the command
    Micros allowed{std::chrono::seconds(5)};  // then it is told to stop
    std::string_view move{};                  // the one that must come; empty: any legal one
};

/// The UCI program under check, with what all steps share. One thread.
class Checkup final : public CheckSession {
public:
    Checkup(const ProgramSpec& spec, const ComplianceLimits& limits, const Clock& clock,
            ComplianceReport& report, const OnStep& on_step);

    /// Starts the process and sends nothing; empty or why not.
    [[nodiscard]] std::string launch();
    /// Sends uci and reads up to uciok; fills handshake lines, options and identity.
    [[nodiscard]] std::string shake_hands();
    /// Lines, then isready, up to readyok. Empty, or a fragment of why not. A bestmove meanwhile
    /// is a surplus answer.
    [[nodiscard]] std::string ping(std::string_view lines = {},
                                   Micros time = std::chrono::seconds(5));
    /// REQUIRES: ensure_ready().
    [[nodiscard]] Answer search(const SearchTask& task);
    /// Begins a search that does not end by itself.
    void begin(const SearchTask& task);
    /// The bestmove of an open search, sent at `since`.
    [[nodiscard]] Answer await(const SearchTask& task, TimePoint since);
    /// True where a bestmove came before the limit, although none was due.
    [[nodiscard]] bool answers_early(Micros limit);
    [[nodiscard]] std::unique_ptr<rules::Position> position_of(const SearchTask& task) const;

    void drop() override { talk_.reset(); }

    /// After a ping or search found trouble.
    void drop_if_broken();

    [[nodiscard]] const UciOption* option(std::string_view name) const {
        return find_option(options_, name);
    }

    [[nodiscard]] const std::vector<UciOption>& options() const { return options_; }

    [[nodiscard]] const std::vector<std::string>& handshake() const { return handshake_; }

    /// How many came behind the first.
    [[nodiscard]] int more_uciok() const { return more_uciok_; }

    /// The first option that was declared behind uciok; empty: none was.
    [[nodiscard]] const std::string& first_late_option() const { return first_late_option_; }

    [[nodiscard]] Talk& talk() { return *talk_; }

    [[nodiscard]] bool has_talk() const { return talk_ != nullptr; }

    [[nodiscard]] StreamNotes& notes() { return notes_; }

    void set_chess960(bool on) { is_chess960_ = on; }

    bool has_searched = false;   // a search was begun
    bool keeps_to_nodes = true;  // found by the step `nodes`, for those after it

private:
    [[nodiscard]] std::string restart() override;

    [[nodiscard]] bool is_ready() override {
        drop_if_broken();
        return talk_ != nullptr;
    }

    [[nodiscard]] std::string settle();
    [[nodiscard]] std::string silence(std::string_view what, Micros limit) const;
    void read_late_option(const std::string& line);
    void read_info(std::string_view rest, Answer& answer);
    void read_best(std::string_view rest, const SearchTask& task, Answer& answer) const;

    Spawner spawner_;
    StreamNotes notes_;
    std::unique_ptr<Talk> talk_;
    std::vector<std::string> handshake_;
    std::vector<UciOption> options_;
    int more_uciok_ = 0;  // of this process
    std::string first_late_option_;
    bool is_chess960_ = false;
};

/// A step, or some that belong together: it says all its names, or those that it did not are
/// skipped. The tables of steps are the checks of a protocol, in their order.
struct CheckStep {
    std::string_view names;  // blank-separated
    void (*run)(Checkup&, const CheckStep&) = nullptr;
    SearchTask search = {};  // of a step that is one search
    bool needs_ready = true;
};

[[nodiscard]] std::span<const CheckStep> handshake_steps();
[[nodiscard]] std::span<const CheckStep> search_steps();
[[nodiscard]] std::span<const CheckStep> long_search_steps();
[[nodiscard]] std::span<const CheckStep> end_steps();

}  // namespace assay::adapters

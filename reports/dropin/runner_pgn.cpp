#include "reports/dropin/runner_pgn.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <map>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "reports/files/pgn.h"

namespace assay::reports::dropin {

namespace {

using harness::GameRecord;
using harness::MoveRecord;
using harness::TimeControl;

constexpr std::size_t kLineBytes = 80;

/// Text of programs in a comment or tag: printable ASCII without what ends either.
std::string harmless(std::string_view text) {
    std::string out = ascii_text(text);
    for (char& c : out) c = c == '{' ? '(' : c == '}' ? ')' : c == '"' ? '\'' : c;
    return out;
}

/// The inside of a comment. A reader takes the first result that it finds behind the tags for the
/// game's, in comments too.
std::string comment_text(std::string_view text) {
    std::string out = harmless(text);
    std::replace(out.begin(), out.end(), '*', '+');
    for (const std::string_view result : {"1-0", "0-1", "1/2-1/2"}) {
        for (std::size_t at = out.find(result); at != std::string::npos; at = out.find(result, at))
            out[at + result.find('-')] = '_';
    }
    return out;
}

std::tm local_time(long long us) {
    const auto seconds = static_cast<std::time_t>(us / 1'000'000);
    std::tm time{};
    ::localtime_r(&seconds, &time);
    return time;
}

/// "2026.11.29".
std::string date_text(long long us) {
    const std::tm time = local_time(us);
    return fmt::format("{:04}.{:02}.{:02}", time.tm_year + 1900, time.tm_mon + 1, time.tm_mday);
}

/// With the offset from UTC, as fastchess has it: "... +0100".
std::string fast_time_text(long long us) {
    const std::tm time = local_time(us);
    const long minutes = std::labs(time.tm_gmtoff) / 60;
    return fmt::format("{} {}{:02}{:02}", time_tag_begin(us), time.tm_gmtoff < 0 ? '-' : '+',
                       minutes / 60, minutes % 60);
}

/// With milliseconds and the time zone's name, as cutechess-cli has it: "....123 CET".
std::string cute_time_text(long long us) {
    const std::tm time = local_time(us);
    return fmt::format("{}.{:03} {}", time_tag_begin(us), us / 1000 % 1000, time.tm_zone);
}

std::string duration_text(const GameRecord& game) {
    const long long seconds = std::max(0LL, game.ended_us - game.started_us) / 1'000'000;
    return fmt::format("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

std::string seconds_text(Micros time) {
    return fmt::format("{:.3f}s", static_cast<double>(time.count() / 1000) / 1000);
}

/// As many decimals as cutechess-cli has for a time of this length.
std::string rounded_seconds_text(Micros time) {
    const long long ms = time.count() / 1000;
    if (ms == 0) return "0s";
    const int decimals = ms < 100 ? 3 : ms < 1000 ? 2 : ms < 10'000 ? 1 : 0;
    return fmt::format("{:.{}f}s", static_cast<double>(ms) / 1000, decimals);
}

/// A game with what both forms need of it.
class GameWriter {
public:
    GameWriter(const RunnerPgnOptions& options, const rules::Game& rules,
               const std::vector<RunnerPlayer>& players, const GameRecord& game, std::int64_t round)
        : options_(options),
          rules_(rules),
          players_(players),
          game_(game),
          round_(round),
          is_cute_(options.runner == Runner::Cutechess),
          position_(game.start.empty() ? rules.start() : rules.parse(game.start)),
          start_(position_->text()),
          reason_(reason_text(options.runner, rules.info(), game)) {}

    [[nodiscard]] std::string write() {
        std::string text = is_cute_ ? cute_tags() : fast_tags();
        text += '\n';
        write_moves();
        return text + body_ + "\n\n";
    }

private:
    static void add_tag(std::string& out, std::string_view name, std::string_view value) {
        if (!value.empty()) out += fmt::format("[{} \"{}\"]\n", name, harmless(value));
    }

    [[nodiscard]] bool is_variant() const { return !rules_.info().variant.empty(); }

    [[nodiscard]] bool has_setup() const {
        return is_variant() || start_ != rules_.start()->text();
    }

    [[nodiscard]] std::string fen() const { return is_variant() ? shredder_text(start_) : start_; }

    [[nodiscard]] std::string time_tag(std::size_t player) const {
        return time_control_tag(options_.runner, players_.at(player).time);
    }

    [[nodiscard]] std::size_t plies() const { return game_.opening.size() + game_.moves.size(); }

    [[nodiscard]] std::string roster() const {
        std::string out;
        add_tag(out, "Event", options_.event);
        add_tag(out, "Site", options_.site);
        add_tag(out, "Date", date_text(game_.started_us));
        add_tag(out, "Round", fmt::format("{}", round_));
        add_tag(out, "White", players_.at(0).name);
        add_tag(out, "Black", players_.at(1).name);
        add_tag(out, "Result", pgn_result(game_));
        return out;
    }

    [[nodiscard]] std::string fast_tags() const {
        std::string out = roster();
        if (!options_.min) {
            add_tag(out, "EngineWhiteName", players_.at(0).id_name);
            add_tag(out, "EngineWhiteAuthor", players_.at(0).id_author);
            add_tag(out, "EngineBlackName", players_.at(1).id_name);
            add_tag(out, "EngineBlackAuthor", players_.at(1).id_author);
        }
        if (has_setup()) {
            add_tag(out, "SetUp", "1");
            add_tag(out, "FEN", fen());
        }
        if (is_variant()) add_tag(out, "Variant", "Chess960");
        if (options_.min) return out;
        add_tag(out, "GameDuration", duration_text(game_));
        add_tag(out, "GameStartTime", fast_time_text(game_.started_us));
        add_tag(out, "GameEndTime", fast_time_text(game_.ended_us));
        // The illegal move counts, though it is not written.
        add_tag(out, "PlyCount",
                fmt::format("{}", plies() + (game_.illegal_move.empty() ? 0U : 1U)));
        add_tag(out, "Termination", termination_tag(options_.runner, game_.termination));
        if (players_.at(0).time == players_.at(1).time) {
            add_tag(out, "TimeControl", time_tag(0));
        } else {
            add_tag(out, "WhiteTimeControl", time_tag(0));
            add_tag(out, "BlackTimeControl", time_tag(1));
        }
        if (const auto opening = opening_name_of(rules_, game_)) {
            add_tag(out, "ECO", opening->code);
            add_tag(out, "Opening", opening->name);
        }
        return out;
    }

    /// Behind the roster the tags stand in the order of their names.
    [[nodiscard]] std::string cute_tags() const {
        std::map<std::string_view, std::string> tags;
        if (has_setup()) {
            tags["FEN"] = fen();
            tags["SetUp"] = "1";
        }
        if (is_variant()) tags["Variant"] = "fischerandom";
        if (!options_.min) {
            tags["GameDuration"] = duration_text(game_);
            tags["GameStartTime"] = cute_time_text(game_.started_us);
            tags["GameEndTime"] = cute_time_text(game_.ended_us);
            tags["PlyCount"] = fmt::format("{}", plies());
            if (const auto opening = opening_name_of(rules_, game_)) {
                tags["ECO"] = opening->code;
                tags["Opening"] = opening->name;
            }
            tags["Termination"] = termination_tag(options_.runner, game_.termination);
            if (time_tag(0) == time_tag(1)) {
                tags["TimeControl"] = time_tag(0);
            } else {
                tags["WhiteTimeControl"] = time_tag(0);
                tags["BlackTimeControl"] = time_tag(1);
            }
        }
        std::string out = roster();
        for (const auto& [name, value] : tags) add_tag(out, name, value);
        return out;
    }

    void write_moves() {
        is_first_ = true;
        number_ = is_cute_ ? 1 : position_->move_number();
        if (plies() == 0) put_reason_alone();
        for (std::size_t i = 0; i < game_.opening.size(); ++i) {
            std::string comment = options_.min ? "" : "book";
            // fastchess tells no reason behind a book move.
            if (is_cute_ && i + 1 == plies()) add_reason(comment);
            if (!put_move(game_.opening[i], comment)) break;
        }
        for (std::size_t i = 0; i < game_.moves.size(); ++i) {
            const MoveRecord& move = game_.moves[i];
            std::string comment = comment_of(move);
            if (i + 1 == game_.moves.size()) add_reason(comment);
            if (!put_move(move.name, comment)) break;
        }
        put(std::string(pgn_result(game_)));
    }

    /// A game without a move: the reason stands by itself, in fastchess only that of an illegal
    /// move.
    void put_reason_alone() {
        if (options_.min || (!is_cute_ && game_.illegal_move.empty())) return;
        std::string comment;
        add_reason(comment);
        put("{" + comment + "}");
    }

    void add_reason(std::string& comment) const {
        if (options_.min) return;
        if (!comment.empty()) comment += ", ";
        comment += comment_text(reason_);
        if (!is_cute_ && !game_.illegal_move.empty())
            comment += ": " + comment_text(game_.illegal_move);
    }

    /// False, and nothing is written, where the rules refuse it.
    bool put_move(const std::string& name, const std::string& comment) {
        const auto move = position_->move_of(name, rules::Notation::Canonical);
        if (!move) return false;
        const bool is_whites = position_->to_move() == 0;
        std::string text;
        if (is_whites) {
            text = fmt::format("{}. ", number_);
        } else if (is_first_) {
            text = fmt::format("{}... ", number_);
        }
        text += move_text(*move, name);
        if (!comment.empty()) text += " {" + comment + "}";
        put(text);
        position_->make(*move);
        is_first_ = false;
        if (!is_whites) ++number_;
        return true;
    }

    [[nodiscard]] std::string move_text(rules::Move move, const std::string& name) const {
        using Notation = RunnerPgnOptions::Notation;
        if (options_.notation == Notation::Uci) return name;
        std::string san = position_->name_of(move, rules::Notation::Text);
        return options_.notation == Notation::Lan ? lan_of(san, name) : san;
    }

    [[nodiscard]] std::string comment_of(const MoveRecord& move) const {
        if (options_.min) return "";
        return is_cute_ ? cute_comment(move) : fast_comment(move);
    }

    [[nodiscard]] std::string fast_comment(const MoveRecord& move) const {
        std::string text = fmt::format("{}/{} {}", move.score ? score_text(*move.score) : "",
                                       move.depth.value_or(0), seconds_text(move.used));
        if (options_.timeleft) text += ", tl=" + seconds_text(left_after(move));
        if (options_.latency) {
            const Micros said = move.said.value_or(Micros{0});
            text += ", latency=" + seconds_text(move.used - said);
        }
        if (options_.nodes) text += fmt::format(", n={}", move.nodes.value_or(0));
        if (options_.seldepth) text += fmt::format(", sd={}", move.seldepth.value_or(0));
        if (options_.nps) text += fmt::format(", nps={}", move.nps.value_or(0));
        if (options_.hashfull) text += fmt::format(", hashfull={}", move.hashfull.value_or(0));
        if (options_.tbhits) text += fmt::format(", tbhits={}", move.tbhits.value_or(0));
        if (options_.pv) text += fmt::format(", pv=\"{}\"", comment_text(move.pv));
        for (const std::string& line : move.lines)
            text += fmt::format(", line=\"{}\"", comment_text(line));
        return text;
    }

    /// fastchess gives a fixed time a move back before it looks at the clock.
    [[nodiscard]] Micros left_after(const MoveRecord& move) const {
        const TimeControl& time = players_.at(static_cast<std::size_t>(move.player)).time;
        return time.kind == TimeControl::Kind::MoveTime ? time.move_time : move.left;
    }

    [[nodiscard]] static std::string cute_comment(const MoveRecord& move) {
        const bool says_nothing = !move.depth && !move.score && !move.nodes && !move.nps;
        if (says_nothing && move.used < Micros{500'000}) return "";
        std::string text;
        if (move.depth.value_or(0) > 0) {
            text = fmt::format("{}/{} ", move.score ? score_text(*move.score) : "", *move.depth);
        }
        return text + rounded_seconds_text(move.used);
    }

    /// A word of the body; it stays whole, also where it is longer than a line.
    void put(const std::string& word) {
        if (column_ > 0) {
            const bool fits = column_ + 1 + word.size() <= kLineBytes;
            body_ += fits ? ' ' : '\n';
            column_ = fits ? column_ + 1 : 0;
        }
        body_ += word;
        column_ += word.size();
    }

    const RunnerPgnOptions& options_;
    const rules::Game& rules_;
    const std::vector<RunnerPlayer>& players_;
    const GameRecord& game_;
    std::int64_t round_;
    bool is_cute_;
    std::unique_ptr<rules::Position> position_;
    std::string start_;
    std::string reason_;
    std::string body_;
    std::size_t column_ = 0;
    int number_ = 1;
    bool is_first_ = true;
};

}  // namespace

std::string runner_pgn(const RunnerPgnOptions& options, const rules::Game& rules,
                       const std::vector<RunnerPlayer>& players, const GameRecord& game,
                       std::int64_t round) {
    return GameWriter(options, rules, players, game, round).write();
}

std::string time_tag_begin(long long us) {
    const std::tm time = local_time(us);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", time.tm_year + 1900, time.tm_mon + 1,
                       time.tm_mday, time.tm_hour, time.tm_min, time.tm_sec);
}

std::string lan_of(const std::string& san, const std::string& uci) {
    if (san.front() == 'O') return san;
    const std::string to = uci.substr(2, 2);
    const std::size_t tail = san.rfind(to);
    if (tail == std::string::npos) return san;
    const bool is_piece = san.front() >= 'A' && san.front() <= 'Z';
    const bool is_capture = san.find('x') != std::string::npos;
    return (is_piece ? san.substr(0, 1) : "") + uci.substr(0, 2) + (is_capture ? "x" : "") +
           san.substr(tail);
}

std::string tag_text(std::string_view text) {
    return harmless(text);
}

std::string final_position(Runner runner, const rules::Game& rules, const GameRecord& game) {
    const std::unique_ptr<rules::Position> position =
        game.start.empty() ? rules.start() : rules.parse(game.start);
    const auto make = [&position](const std::string& name) {
        const auto move = position->move_of(name, rules::Notation::Canonical);
        if (move) position->make(*move);
        return move.has_value();
    };
    bool is_legal = std::all_of(game.opening.begin(), game.opening.end(), make);
    for (std::size_t i = 0; is_legal && i < game.moves.size(); ++i)
        is_legal = make(game.moves[i].name);
    std::string text = position->text();
    if (runner == Runner::Cutechess) return text + '\n';
    if (!rules.info().variant.empty()) text = shredder_text(text);
    const std::size_t number = text.rfind(' ');
    const std::size_t clock = text.rfind(' ', number - 1);
    return fmt::format("{} hmvc {}; fmvn {};\n", text.substr(0, clock),
                       text.substr(clock + 1, number - clock - 1), text.substr(number + 1));
}

}  // namespace assay::reports::dropin

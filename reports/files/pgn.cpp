#include "reports/files/pgn.h"

#include <ctime>

#include <fmt/format.h>

#include "harness/plan/tournament_plan.h"
#include "reports/view/escape.h"
#include "reports/view/number_text.h"
#include "reports/view/version_text.h"
#include "rules/line.h"

namespace assay::reports {

namespace {

using harness::GameRecord;
using harness::seconds_text;
using harness::Termination;
using harness::TimeControl;

constexpr std::size_t kLineBytes = 79;

std::string date(long long us) {
    if (us <= 0) return "????.??.??";
    const std::tm t = utc_of(us);
    return fmt::format("{:04}.{:02}.{:02}", t.tm_year + 1900, t.tm_mon + 1, t.tm_mday);
}

std::string iso_time(long long us) {
    const std::tm t = utc_of(us);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", t.tm_year + 1900, t.tm_mon + 1,
                       t.tm_mday, t.tm_hour, t.tm_min, t.tm_sec);
}

std::string tag(std::string_view name, std::string_view value) {
    return fmt::format("[{} \"{}\"]\n", name, pgn_tag(value));
}

bool has_clock(const TimeControl& control) {
    switch (control.kind) {
        case TimeControl::Kind::Clock:
        case TimeControl::Kind::Hourglass:
        case TimeControl::Kind::Byoyomi:
        case TimeControl::Kind::Canadian:
            return true;
        default:
            return false;
    }
}

/// PGN's tags call the players of every game White and Black; a game that has no PGN has tags of
/// the same form with the names of its own players.
std::string player_tag(const rules::GameInfo& info, std::size_t player) {
    if (info.formats.pgn) return player == 0 ? "White" : "Black";
    std::string name = info.players.at(player);
    std::erase_if(name, [](char c) { return c == ' ' || c == '"'; });
    return name;
}

std::string clock_text(Micros left) {
    const long long ms = std::max(0LL, static_cast<long long>(left.count())) / 1000;
    return fmt::format("[%clk {}:{:02}:{:02}.{:03}]", ms / 3'600'000, ms / 60'000 % 60,
                       ms / 1000 % 60, ms % 1000);
}

/// Puts words on lines; a word stays whole unless it is longer than a line. No line begins with
/// '%', which would make readers skip it.
class Lines {
public:
    void word(std::string_view word) {
        while (word.size() > kLineBytes) {
            put(word.substr(0, kLineBytes));
            word.remove_prefix(kLineBytes);
        }
        if (!word.empty()) put(word);
    }

    /// The words of a comment with its braces. `last` stays in one piece.
    void comment(std::string_view text, std::string_view last = "") {
        std::string pending = "{";
        for (std::size_t from = 0; from < text.size();) {
            const std::size_t blank = std::min(text.find(' ', from), text.size());
            pending += text.substr(from, blank - from);
            from = blank + 1;
            if (from >= text.size()) break;
            word(pending);
            pending.clear();
        }
        if (!last.empty() && pending != "{") {
            word(pending);
            pending.clear();
        }
        pending += last;
        word(pending + "}");
    }

    [[nodiscard]] std::string text() const { return out_ + "\n"; }

private:
    void put(std::string_view word) {
        if (column_ > 0) {
            const bool fits = column_ + 1 + word.size() <= kLineBytes || word.front() == '%';
            out_ += fits ? ' ' : '\n';
            column_ = fits ? column_ + 1 : 0;
        }
        out_ += word;
        column_ += word.size();
    }

    std::string out_;
    std::size_t column_ = 0;
};

/// Moves made on a position and written down.
class Movetext {
public:
    Movetext(const rules::GameInfo& info, rules::Position& position, Lines& lines)
        : info_(info), position_(position), lines_(lines) {}

    /// False, and nothing is written, where the rules refuse it.
    bool move(std::string_view name) {
        const auto move = position_.move_of(name, rules::Notation::Canonical);
        if (!move) return false;
        // After a comment every move needs its number (PGN standard, 8.2.2.2).
        const std::string number = rules::move_label(info_, position_);
        lines_.word(fmt::format("{}{} {}", number, info_.numbers_rounds ? "" : ".",
                                position_.name_of(*move, rules::Notation::Text)));
        position_.make(*move);
        return true;
    }

private:
    const rules::GameInfo& info_;
    rules::Position& position_;
    Lines& lines_;
};

}  // namespace

std::optional<rules::OpeningName> opening_name_of(const rules::Game& rules,
                                                  const GameRecord& game) {
    std::vector<std::string_view> names(game.opening.begin(), game.opening.end());
    for (const harness::MoveRecord& move : game.moves) names.push_back(move.name);
    return rules::opening_name_of(rules, game.start, names);
}

std::string_view pgn_result(const GameRecord& game) {
    if (game.termination == Termination::Interrupted || game.scores.players != 2) return "*";
    const float first = game.scores[0];
    const float second = game.scores[1];
    if (first == 1 && second == 0) return "1-0";
    if (first == 0 && second == 1) return "0-1";
    if (first == second && first == 0.5F) return "1/2-1/2";
    return "*";
}

std::string_view pgn_termination(const Termination& termination) {
    switch (termination.cause) {
        case Termination::DrawAdjudicated:
        case Termination::WinAdjudicated:
        case Termination::Tablebase:
        case Termination::Length:
            return "adjudication";
        case Termination::Time:
            return "time forfeit";
        case Termination::IllegalMove:
            return "illegal move";
        case Termination::Crash:
        case Termination::Disconnect:
        case Termination::Stall:
        case Termination::NoStart:
            return "abandoned";
        case Termination::Interrupted:
            return "unterminated";
        default:
            return "normal";
    }
}

std::string pgn_time_control(const TimeControl& control) {
    switch (control.kind) {
        case TimeControl::Kind::Clock: {
            std::string text;
            for (const harness::Period& period : control.periods) {
                if (!text.empty()) text += ':';
                text += to_text(period);
            }
            return text.empty() ? "?" : text;
        }
        case TimeControl::Kind::MoveTime:
            return "1/" + seconds_text(control.move_time);
        case TimeControl::Kind::Hourglass:
            return "*" + seconds_text(control.main);
        case TimeControl::Kind::Byoyomi:
            return fmt::format("{}:1/{}", seconds_text(control.main),
                               seconds_text(control.byoyomi));
        case TimeControl::Kind::Canadian:
            return fmt::format("{}:{}/{}", seconds_text(control.main), control.stones,
                               seconds_text(control.byoyomi));
        default:
            return "-";
    }
}

PgnWriter::PgnWriter(const harness::RunRecord& run, std::size_t match, RoundOf round)
    : run_(run),
      match_(run.plan.matches.at(match)),
      round_(std::move(round)),
      rules_(harness::game_of(match_)) {}

std::string PgnWriter::text(const GameRecord& game) const {
    return tags(game) + "\n" + movetext(game) + "\n";
}

std::unique_ptr<rules::Position> PgnWriter::start_of(const GameRecord& game) const {
    return game.start.empty() ? rules_->start() : rules_->parse(game.start);
}

std::string PgnWriter::tags(const GameRecord& game) const {
    const auto name = [&](std::size_t player) -> const std::string& {
        const auto side = static_cast<std::size_t>(game.program[player]);
        return run_.plan.programs.at(match_.between[side]).name;
    };
    const auto control = [&](std::size_t player) {
        return pgn_time_control(match_.time[static_cast<std::size_t>(game.program[player])]);
    };
    std::string out = tag("Event", run_.name.empty() ? "?" : run_.name);
    // The machine's name is in the store; a game that is passed on does not tell it.
    out += tag("Site", "?");
    out += tag("Date", date(game.started_us));
    out += tag("Round", round_ ? round_(game) : fmt::format("{}.{}", game.pair + 1, game.game + 1));
    const rules::GameInfo& info = rules_->info();
    const std::string first = player_tag(info, 0);
    const std::string second = player_tag(info, 1);
    out += tag(first, name(0));
    out += tag(second, name(1));
    out += tag("Result", pgn_result(game));
    if (harness::is_armageddon(run_.plan, game.pair))
        out += tag("Armageddon", fmt::format("a draw counts for {}", name(1)));
    const std::string start = start_of(game)->text();
    const std::string& variant = info.formats.pgn ? info.variant : info.name;
    if (!variant.empty()) out += tag("Variant", variant);
    if (!variant.empty() || start != rules_->start()->text()) {
        out += tag("SetUp", "1");
        out += tag(info.formats.pgn ? "FEN" : "Start", start);
    }
    if (const auto opening = opening_name_of(*rules_, game)) {
        out += tag("ECO", opening->code);
        out += tag("Opening", opening->name);
    }
    if (control(0) == control(1)) {
        out += tag("TimeControl", control(0));
    } else {
        out += tag(first + "TimeControl", control(0));
        out += tag(second + "TimeControl", control(1));
    }
    out += limit_tags(game);
    out += version_tags(game);
    out += tag("PlyCount", fmt::format("{}", game.opening.size() + game.moves.size()));
    out += tag("Termination", pgn_termination(game.termination));
    out += tag("GameEndReason", game.reason.empty() ? harness::words_of(game.termination)
                                                    : std::string_view(game.reason));
    if (game.started_us > 0) out += tag("GameStartTime", iso_time(game.started_us));
    if (game.ended_us > 0) out += tag("GameEndTime", iso_time(game.ended_us));
    return out;
}

/// What tells a version from those of other nights, which play under the same name.
std::string PgnWriter::version_tags(const GameRecord& game) const {
    std::string out;
    for (std::size_t player = 0; player < 2; ++player) {
        const auto side = static_cast<std::size_t>(game.program[player]);
        const auto* const version = version_at(run_, match_.between[side]);
        if (version == nullptr) continue;
        const std::string whose = player_tag(rules_->info(), player);
        if (version->source) out += tag(whose + "Commit", version->source->short_id());
        if (const std::string subject = subject_of(version); !subject.empty())
            out += tag(whose + "Subject", subject);
        if (!version->id_name.empty()) out += tag(whose + "IdName", version->id_name);
    }
    return out;
}

/// The standard knows no other word than "-" for what is no time; these tags say what it is.
std::string PgnWriter::limit_tags(const GameRecord& game) const {
    const auto limit = [&](std::size_t player) -> std::string {
        const TimeControl& control = match_.time[static_cast<std::size_t>(game.program[player])];
        if (control.kind == TimeControl::Kind::Nodes) return fmt::format("{} nodes", control.nodes);
        if (control.kind == TimeControl::Kind::Depth) return fmt::format("depth {}", control.depth);
        return "";
    };
    const std::string first = limit(0);
    const std::string second = limit(1);
    if (first == second) return first.empty() ? "" : tag("SearchLimit", first);
    const auto limit_tag = [&](std::size_t player, const std::string& text) {
        return text.empty() ? "" : tag(player_tag(rules_->info(), player) + "SearchLimit", text);
    };
    return limit_tag(0, first) + limit_tag(1, second);
}

std::string PgnWriter::movetext(const GameRecord& game) const {
    const std::unique_ptr<rules::Position> position = start_of(game);
    Lines lines;
    Movetext moves(rules_->info(), *position, lines);
    std::string refused;
    for (const std::string& name : game.opening) {
        if (!moves.move(name)) {
            refused = name;
            break;
        }
        lines.comment("book");
    }
    for (const harness::MoveRecord& move : game.moves) {
        if (!refused.empty()) break;
        const int mover = position->to_move();
        if (mover == rules::kNobody || !moves.move(move.name)) {
            refused = move.name.empty() ? "(none)" : move.name;
            break;
        }
        if (mover < 0) continue;  // an event of chance: nobody thought about it
        std::string note;
        // The form has no sign for a bound, and its readers take every score for an exact one.
        if (move.score && move.score->bound == adapters::Score::Bound::Exact) {
            note = score_text(*move.score, rules_->info().score_unit);
            if (move.depth) note += fmt::format("/{}", *move.depth);
            note += ' ';
        }
        note += fmt::format("{:.3f}s", static_cast<double>(move.used.count()) / 1e6);
        const auto side = static_cast<std::size_t>(game.program[static_cast<std::size_t>(mover)]);
        lines.comment(note, has_clock(match_.time[side]) ? clock_text(move.left) : "");
    }
    if (!refused.empty()) lines.comment(pgn_comment("illegal move: " + shortened(refused, 60)));
    if (harness::is_failure(game.termination) && !game.reason.empty())
        lines.comment(pgn_comment(game.reason));
    lines.word(pgn_result(game));
    return lines.text();
}

}  // namespace assay::reports

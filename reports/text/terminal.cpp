#include "reports/text/terminal.h"

#include <algorithm>
#include <cstdlib>
#include <ostream>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "reports/text/match/failed_games.h"
#include "reports/text/match/live_facts.h"
#include "reports/text/match/match_summary.h"
#include "reports/text/painted.h"
#include "reports/text/suite_text.h"
#include "reports/text/summary.h"
#include "reports/text/tournament_report.h"
#include "reports/text/tournament_text.h"
#include "reports/view/number_text.h"

namespace assay::reports {

namespace {

constexpr std::size_t kWarningsOnTerminal = 50;
constexpr std::size_t kFailedGamesOnTerminal = 1000;
constexpr std::ptrdiff_t kMostShownFailures = 3;  // of one program in one match
constexpr std::size_t kMostShownSearches = 5;
constexpr std::size_t kMostBlockLines = 3;
constexpr auto kRedraw = std::chrono::milliseconds(250);
constexpr auto kWorthSaying = std::chrono::seconds(1);  // of a pair of benchmark runs
constexpr auto kPlainLine = std::chrono::minutes(1);

std::string_view environment(const char* name) {
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets any
    return value == nullptr ? std::string_view() : std::string_view(value);
}

int width_of(int descriptor) {
    winsize size{};
    if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
    return size.ws_col;
}

/// Fills lines with facts; what does not fit into the block is left out from the end.
std::vector<std::string> laid_out(const std::vector<std::string>& facts, std::size_t width) {
    std::vector<std::string> lines;
    for (const std::string& fact : facts) {
        const bool fits = !lines.empty() && columns(lines.back()) + 3 + columns(fact) <= width;
        if (fits) {
            lines.back() += "   " + fact;
        } else if (columns(fact) + 1 <= width && lines.size() < kMostBlockLines) {
            lines.push_back(" " + fact);
        }
    }
    return lines;
}

}  // namespace

TerminalStyle terminal_style(int descriptor) {
    TerminalStyle style;
    const bool is_terminal = ::isatty(descriptor) == 1 && environment("TERM") != "dumb";
    style.is_live = is_terminal;
    style.has_colour = is_terminal && environment("NO_COLOR").empty();
    const std::string_view forced = environment("FORCE_COLOR");
    if (!forced.empty()) style.has_colour = forced != "0" && forced != "false";
    if (is_terminal) style.width = [descriptor] { return width_of(descriptor); };
    return style;
}

Terminal::Terminal(std::ostream& out, TerminalStyle style, const Clock& clock,
                   std::string store_path)
    : out_(out), style_(std::move(style)), clock_(clock), store_path_(std::move(store_path)) {}

void Terminal::on_run_start(const harness::RunRecord& run) {
    run_ = run;
}

void Terminal::on_match_start(const harness::RunRecord& run, std::size_t match, int concurrency) {
    run_ = run;
    begin(match);
    const RunView view{run_, {}, {}, store_path_};
    print(match_header(view, match, concurrency) + "\n");
}

void Terminal::on_tournament_start(const harness::RunRecord& run,
                                   const harness::TournamentState& state, int concurrency) {
    run_ = run;
    begin(0);
    played_ = state.played;
    print(tournament_header(run_, state, store_path_, concurrency) + "\n");
}

void Terminal::begin(std::size_t match) {
    in_play_[match] = InPlay();
    in_play_[match].started = clock_.now();
}

Terminal::InPlay& Terminal::in_play(std::size_t match) {
    return in_play_[run_.plan.tournament ? 0 : match];
}

void Terminal::on_game_end(const harness::GameRecord& game, bool is_void) {
    if (is_void) return;
    std::optional<FailedGame> failed = failed_game(run_, game.match, game);
    if (!failed) return;
    std::vector<FailedGame>& known = in_play(game.match).failed;
    const auto before =
        std::ranges::count(known, failed->program, [](const FailedGame& f) { return f.program; });
    if (before < kMostShownFailures) {
        print(failed_game_text(run_, *failed, store_path_));
    } else if (before == kMostShownFailures) {
        print(fmt::format("  further failures of {} are counted and stored, not shown\n",
                          printable_utf8(failed->program)));
    }
    if (known.size() < kFailedGamesOnTerminal) known.push_back(std::move(*failed));
}

void Terminal::on_pair(const harness::PairDigest& pair, const harness::MatchTally& tally) {
    if (run_.plan.tournament) {
        const auto [low, high] = tally.plan().between;
        if (pair.state == harness::PairState::Counted) (void)played_.add(low, high, pair);
        return;
    }
    InPlay& one = in_play(pair.match);
    const bool has_changed = std::exchange(one.verdict, tally.verdict()) != tally.verdict();
    show(pair.match, tally, has_changed);
}

void Terminal::on_tick(std::size_t match, const harness::MatchTally& tally) {
    show(match, tally, false);
}

void Terminal::on_tournament_tick(const harness::TournamentProgress& progress) {
    InPlay& one = in_play(0);
    if (!one.first_pairs) one.first_pairs = progress.pairs;
    if (!is_due(one)) return;
    one.shown = clock_.now();
    show_facts(tournament_facts(*run_.plan.tournament, progress, speed_of(one, progress.pairs),
                                leader_text(run_, played_, progress)));
}

void Terminal::on_warning(std::string_view kind, std::string_view text) {
    const std::string warning = printable_lines(text);
    if (std::ranges::find(warnings_, warning) != warnings_.end()) return;
    if (warnings_.size() == kWarningsOnTerminal) return;
    warnings_.push_back(warning);
    // A warning about a book begins with "file:line:column: warning:", where tools look for it.
    const bool has_place = kind == "book";
    print((has_place ? "" : painted("warning", style_.has_colour) + ": ") + warning + "\n");
    if (warnings_.size() == kWarningsOnTerminal) print("further warnings are not shown\n");
}

void Terminal::on_note(std::string_view text) {
    print(printable_utf8(text) + "\n");
}

void Terminal::on_speed_progress(const harness::SpeedProgress& progress) {
    if (progress.is_over) {
        erase_block();
        return;
    }
    const TimePoint now = clock_.now();
    if (progress.done == 0) {
        started_ = now;
        shown_.reset();
        print(
            fmt::format("speed of {} against {}: {} to {} runs of each one's benchmark, in turn\n",
                        printable_utf8(progress.first), printable_utf8(progress.second),
                        progress.next_look, progress.most));
        return;
    }
    const Micros each = micros_between(started_, now) / progress.done;
    if (progress.done == 1 && each >= kWorthSaying) {
        print(fmt::format("a run of both takes {}: settled in {} to {}\n", duration(each),
                          duration(each * progress.next_look), duration(each * progress.most)));
        shown_ = now;
    }
    const bool is_due =
        now - shown_.value_or(started_) >= (style_.is_live ? Micros(kRedraw) : Micros(kPlainLine));
    if (!is_due && !(style_.is_live && progress.done == 1)) return;
    shown_ = now;
    const std::vector<std::string> facts{
        fmt::format("benchmark runs {}/{}", progress.done, progress.most),
        fmt::format("next look in {}", duration(each * (progress.next_look - progress.done))),
        fmt::format("at most {} left", duration(each * (progress.most - progress.done)))};
    if (style_.is_live) {
        draw_block(facts);
    } else {
        print(fmt::format("{}   {}   {}\n", facts[0], facts[1], facts[2]));
    }
}

void Terminal::on_machines(const harness::RunRecord& run) {
    run_ = run;
}

void Terminal::on_match_end(std::size_t match, const harness::MatchTally& tally) {
    erase_block();
    RunView view{run_, {}, {}, store_path_};
    view.matches.resize(match + 1, MatchView{&tally, {}});
    view.matches[match].failed = std::move(in_play(match).failed);
    in_play_.erase(match);
    out_ << match_summary(view, match, style_.has_colour) << "\n" << std::flush;
}

void Terminal::on_tournament_end(const harness::RunRecord& run,
                                 const harness::TournamentState& state) {
    erase_block();
    out_ << tournament_report(tournament_of(run, state),
                              {style_.width ? style_.width() : 0, style_.has_colour})
         << "\n"
         << std::flush;
}

void Terminal::on_suite_start(const harness::RunRecord& run, int concurrency) {
    run_ = run;
    started_ = clock_.now();
    shown_.reset();
    failed_searches_ = 0;
    print(suite_header({run_, {}, {}, store_path_}, concurrency));
}

void Terminal::on_search_end(const harness::SearchRecord& search, std::size_t done) {
    const harness::SuitePlan& suite = *run_.plan.suite;
    if (search.is_failure() && failed_searches_++ < kMostShownSearches)
        print(fmt::format("  {} at position {}: {}: {}\n",
                          printable_utf8(run_.plan.programs[suite.programs[search.program]].name),
                          printable_utf8(suite.positions[search.position].id),
                          harness::name_of(search.end), printable_utf8(search.reason)));
    const TimePoint now = clock_.now();
    const auto since = now - shown_.value_or(started_);
    if (since < (style_.is_live ? Micros(kRedraw) : Micros(kPlainLine))) return;
    shown_ = now;
    const std::string fact =
        fmt::format("searches {}/{}", done, suite.positions.size() * suite.programs.size());
    if (style_.is_live)
        draw_block({fact});
    else
        print(fact + "\n");
}

void Terminal::on_suite_end(const harness::RunRecord& run, const harness::SuiteResult& result) {
    erase_block();
    RunView view{run, {}, {}, store_path_};
    view.suite = &result;
    out_ << suite_table(view, style_.has_colour) << "\n" << std::flush;
}

void Terminal::on_run_end(const harness::RunRecord& run) {
    erase_block();
    // Its warnings have been shown.
    out_ << run_end({run, {}, {}, store_path_}, style_.has_colour) << std::flush;
}

/// Of matches that are played at once the block has the first, and each has lines of its own.
void Terminal::show(std::size_t match, const harness::MatchTally& tally, bool is_due_now) {
    InPlay& one = in_play(match);
    if (!one.first_pairs) one.first_pairs = tally.pairs();
    if (style_.is_live && match != in_play_.begin()->first) return;
    if (!is_due(one) && !is_due_now) return;
    one.shown = clock_.now();
    std::vector<std::string> facts = live_facts(tally, speed_of(one, tally.pairs()));
    if (in_play_.size() > 1) facts.insert(facts.begin(), printable_utf8(tally.plan().name));
    show_facts(facts);
}

bool Terminal::is_due(const InPlay& one) const {
    const auto since = clock_.now() - one.shown.value_or(one.started);
    return style_.is_live ? !one.shown || since >= kRedraw : since >= kPlainLine;
}

void Terminal::show_facts(const std::vector<std::string>& facts) {
    if (style_.is_live) {
        draw_block(facts);
        return;
    }
    print(joined(facts, "   ") + "\n");
}

void Terminal::print(const std::string& text) {
    const std::string block = block_;
    const std::size_t lines = block_lines_;
    erase_block();
    out_ << text;
    if (lines > 0) {
        out_ << block;
        block_ = block;
        block_lines_ = lines;
    }
    out_ << std::flush;
}

void Terminal::erase_block() {
    if (block_lines_ == 0) return;
    // A terminal that became narrower has wrapped the block's lines.
    const auto width = static_cast<std::size_t>(style_.width ? std::max(style_.width(), 1) : 1000);
    std::size_t rows = 0;
    std::string_view rest = block_;
    for (std::size_t line = 0; line < block_lines_; ++line) {
        rows += std::max<std::size_t>(1, (columns(take_line(rest)) + width - 1) / width);
    }
    out_ << '\r';
    if (rows > 1) out_ << fmt::format("\x1b[{}A", rows - 1);
    out_ << "\x1b[J";
    block_lines_ = 0;
    block_.clear();
}

void Terminal::draw_block(const std::vector<std::string>& facts) {
    // The last column stays free: writing there wraps on some terminals.
    const int width = style_.width ? std::max(style_.width(), 2) - 1 : 1000;
    const std::vector<std::string> lines = laid_out(facts, static_cast<std::size_t>(width));
    erase_block();
    for (const std::string& line : lines) block_ += (block_.empty() ? "" : "\n") + line;
    block_lines_ = lines.size();
    out_ << block_ << std::flush;
}

MatchSpeed Terminal::speed_of(const InPlay& one, std::int64_t pairs) const {
    MatchSpeed speed;
    speed.spent = micros_between(one.started, clock_.now());
    const std::int64_t done = pairs - one.first_pairs.value_or(0);
    if (done > 0)
        speed.us_per_pair = static_cast<double>(speed.spent.count()) / static_cast<double>(done);
    return speed;
}

}  // namespace assay::reports

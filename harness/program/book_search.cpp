#include "harness/program/book_search.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "base/text.h"

namespace assay::harness {

namespace {

constexpr Micros kGrace{std::chrono::seconds(1)};
constexpr int kMostUseless = 50;
constexpr int kMostFailures = 2;          // on one candidate
constexpr std::uint64_t kMostAhead = 64;  // candidates that wait for a late one, for each place
/// Walks that one place judges by known answers before others, and signals, have their turn.
constexpr int kMostAtOnce = 500;

/// What an answer lacks to judge a position, all of which have moves; empty: nothing.
std::string lack_of(const adapters::BestMove& best) {
    if (!best.info->score) return "it answers without saying a score";
    if (best.move.empty() || best.move == "(none)" || best.move == "0000")
        return "it answers 'bestmove " + printable_utf8(best.move) + "' where there are moves";
    return "";
}

/// Two searches with the same key are one question.
std::string key_of(const openings::BuildQuery& query) {
    return fmt::format("{}|{}|{}|{}", query.start, query.moves, query.nodes, query.depth);
}

openings::BuildAnswer answer_of(const adapters::BestMove& best) {
    openings::BuildAnswer answer;
    answer.best = printable_utf8(best.move);
    if (!lack_of(best).empty()) return answer;
    const auto& score = best.info->score;
    if (score && !score->is_mate) answer.score = score->value;
    answer.is_exact = score && score->bound == adapters::Score::Bound::Exact;
    return answer;
}

}  // namespace

struct BookSearch::Desk {
    std::unique_ptr<RunningProgram> running;
    std::unique_ptr<openings::Candidate> candidate;
    bool is_asked = false;    // is_known was asked of it
    std::string key;          // of the search that it asks the program; empty: none
    bool is_waiting = false;  // for another's answer to the search that it would ask
    int failures = 0;         // of the program, on this candidate
    int failed_starts = 0;    // in a row
    int unlaunched = 0;       // starts in a row that the system did not manage
    TimePoint deadline{};
};

BookSearch::BookSearch(Setup setup, PlayerFactory factory, const Clock& clock,
                       openings::BookBuilder& builder)
    : setup_(std::move(setup)),
      factory_(std::move(factory)),
      clock_(clock),
      builder_(builder),
      launches_(setup_.limits.start) {
    told_ = builder_.kept().size();
    for (int i = 0; i < setup_.concurrency; ++i) {
        auto desk = std::make_unique<Desk>();
        desk->running = std::make_unique<RunningProgram>(i, setup_.spec, factory_, clock_,
                                                         shutdown_queue_, setup_.limits, *this);
        desks_.push_back(std::move(desk));
    }
}

BookSearch::~BookSearch() = default;

BookSearch::Desk& BookSearch::desk_of(const RunningProgram& running) {
    return *desks_.at(static_cast<std::size_t>(running.program()));
}

void BookSearch::start() {
    for (const auto& desk : desks_) work(*desk);
}

bool BookSearch::take_candidate(Desk& desk, int& left) {
    const std::uint64_t most_ahead = kMostAhead * desks_.size();
    while (!desk.candidate) {
        // tick() comes back to it
        if (left-- <= 0 || builder_.ahead() >= most_ahead) return false;
        desk.candidate = builder_.next();
        desk.is_asked = false;
        desk.failures = 0;
        if (!desk.candidate) return false;
        if (!desk.candidate->query()) settle(desk);
    }
    return true;
}

/// Goes on as far as it can without the program, then asks it.
void BookSearch::work(Desk& desk) {
    int left = kMostAtOnce;
    while (!is_stopping_ && take_candidate(desk, left)) {
        openings::Candidate& candidate = *desk.candidate;
        if (candidate.is_at_end() && !desk.is_asked) {
            desk.is_asked = true;
            if (builder_.is_known(candidate)) candidate.refuse(openings::Refusal::Repeated);
        }
        if (!candidate.query()) {
            settle(desk);
            continue;
        }
        if (answer_known(desk)) continue;
        if (is_stopping_) return;
        std::string key = key_of(*candidate.query());
        desk.is_waiting = is_asked_elsewhere(desk, key);
        if (desk.is_waiting) return;
        desk.key = std::move(key);
        desk.running->prepare();
        return;
    }
    if (!is_stopping_ && builder_.is_done()) stop();
}

bool BookSearch::answer_known(Desk& desk) {
    const auto known = known_.find(key_of(*desk.candidate->query()));
    if (known == known_.end()) return false;
    if (known->second.is_failing) return !refuse_failing(desk, known->second.lack);
    if (!known->second.lack.empty() && is_useless(known->second.lack, *desk.running)) return false;
    desk.candidate->answer(known->second.answer);
    return true;
}

bool BookSearch::is_asked_elsewhere(const Desk& desk, const std::string& key) const {
    return std::any_of(desks_.begin(), desks_.end(), [&](const auto& other) {
        return other.get() != &desk && other->key == key;
    });
}

void BookSearch::wake() {
    for (const auto& desk : desks_)
        if (std::exchange(desk->is_waiting, false) && !is_stopping_) work(*desk);
}

bool BookSearch::is_useless(const std::string& lack, const RunningProgram& running) {
    useless_ = lack.empty() ? 0 : useless_ + 1;
    if (useless_ < kMostUseless) return false;
    note(lack, running);
    stop();
    return true;
}

bool BookSearch::refuse_failing(Desk& desk, const std::string& why) {
    desk.candidate->refuse(openings::Refusal::Failing);
    if (++refused_in_a_row_ < setup_.failures_in_a_row) return false;
    note(why, *desk.running);
    stop();
    return true;
}

void BookSearch::settle(Desk& desk) {
    builder_.settle(std::move(desk.candidate));
    for (; told_ < builder_.kept().size(); ++told_)
        if (setup_.on_kept) setup_.on_kept(builder_.kept()[told_]);
}

void BookSearch::on_program_ready(RunningProgram& running) {
    Desk& desk = desk_of(running);
    desk.failed_starts = 0;
    desk.unlaunched = 0;
    if (is_stopping_ || !desk.candidate || !desk.candidate->query()) return;
    if (program_name_.empty()) program_name_ = printable_utf8(running.player()->identity().name);
    const openings::BuildQuery& query = *desk.candidate->query();
    adapters::SearchRequest request;
    request.start = query.start;
    request.moves = query.moves;
    if (query.nodes > 0) request.nodes = query.nodes;
    if (query.depth > 0) request.depth = query.depth;
    desk.deadline = clock_.now() + setup_.wall;
    running.go(request);
}

void BookSearch::on_program_move(RunningProgram& running, const adapters::BestMove& best,
                                 adapters::Arrival /*arrival*/) {
    Desk& desk = desk_of(running);
    if (is_stopping_ || !desk.candidate || !desk.candidate->query()) return;
    ++searches_;
    const std::string lack = lack_of(best);
    if (is_useless(lack, running)) return;
    const openings::BuildAnswer answer = answer_of(best);
    if (desk.candidate->query()->is_common) known_[desk.key] = {answer, lack, false};
    desk.key.clear();
    desk.candidate->answer(answer);
    if (!desk.candidate->query()) refused_in_a_row_ = 0;
    work(desk);
    wake();
}

void BookSearch::on_program_failed(RunningProgram& running, const adapters::Gone& gone,
                                   bool started, bool /*is_stall*/) {
    if (is_stopping_) return;
    Desk& desk = desk_of(running);
    if (is_last_straw(desk, started)) {
        note((started ? "" : "could not be started: ") + gone.detail, running);
        stop();
        return;
    }
    // A place without work starts its program when there is something to ask.
    if (desk.key.empty()) return;
    if (desk.failures < kMostFailures) {
        running.prepare();
        return;
    }
    known_[desk.key] = {{}, gone.detail, true};
    desk.key.clear();
    desk.candidate->refuse(openings::Refusal::Failing);
    settle(desk);
    work(desk);
    wake();
}

bool BookSearch::is_last_straw(Desk& desk, bool started) {
    if (!started) {
        // What never shook hands gets one more try, as in a match.
        const bool is_new = !desk.running->ever_started();
        return ++desk.failed_starts >= (is_new ? 2 : setup_.failures_in_a_row);
    }
    desk.failed_starts = 0;
    ++failures_;
    if (searches_ == 0 && failures_ >= setup_.failures_in_a_row) return true;
    if (desk.key.empty() || ++desk.failures < kMostFailures) return false;
    return ++refused_in_a_row_ >= setup_.failures_in_a_row;
}

void BookSearch::on_program_not_launched(RunningProgram& running, const std::string& why) {
    if (is_stopping_) return;
    if (desk_of(running).unlaunched++ == 0) {
        on_program_warning(running, "machine", why + "; tried once more");
        running.prepare();
        return;
    }
    failure_ = "the machine cannot start programs: " + why + ", twice in a row";
    stop();
}

void BookSearch::check_launches(TimePoint now) {
    bool is_any_waiting = false;
    std::uint64_t steps = 0;
    for (const auto& desk : desks_) {
        is_any_waiting = is_any_waiting || desk->running->is_waiting_for_launch();
        steps += desk->running->launch_steps();
    }
    if (!launches_.is_stuck(now, is_any_waiting, steps)) return;
    failure_ = fmt::format("the machine cannot start programs: none within {} s",
                           launches_.limit().count() / 1'000'000);
    stop();
}

void BookSearch::on_program_warning(RunningProgram& /*running*/, std::string_view kind,
                                    std::string_view text) {
    if (setup_.on_warning && warned_.emplace(kind).second) setup_.on_warning(text);
}

void BookSearch::note(const std::string& trouble, const RunningProgram& running) {
    if (!failure_.empty()) return;
    failure_ = trouble;
    if (!running.last_words().empty()) failure_ += "\n" + running.last_words();
}

void BookSearch::tick(TimePoint now) {
    for (const auto& desk : desks_) {
        desk->running->tick(now);
        if (!is_stopping_ && !desk->candidate) work(*desk);
        if (is_stopping_ || !desk->running->is_thinking() || now < desk->deadline) continue;
        desk->running->remember_words();
        desk->running->replace();
        on_program_failed(
            *desk->running,
            {adapters::GoneReason::Protocol, 0, 0,
             fmt::format("no bestmove within {} s",
                         plain_number(static_cast<double>(setup_.wall.count()) / 1e6))},
            true, true);
    }
    if (!is_stopping_) check_launches(now);
    shutdown_queue_.tick(now);
}

void BookSearch::stop() {
    if (is_stopping_) return;
    is_stopping_ = true;
    for (const auto& desk : desks_) {
        desk->running->remember_words();
        desk->running->dismiss(kGrace);
    }
}

bool BookSearch::is_done() const {
    return is_stopping_ && shutdown_queue_.is_empty();
}

}  // namespace assay::harness

// The searches of a book's building, by several processes of one program. Candidates are decided in
// the order of their numbers (openings/build/book_builder.cpp), while their searches end in any
// order: a worker whose candidate is far ahead of the oldest open one waits, so that what is
// finished and undecided stays bounded.
//
// Many walks begin alike. Searches of the first plies are asked once and remembered; a worker that
// would ask what another one is asking waits for that answer.
//
// What a program does wrong must end some time. One candidate may fail twice and is refused,
// candidates refused in a row end the building, and so do answers that lack a score.
#include "harness/program/book_search.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "base/text.h"

namespace assay::harness {

namespace {

constexpr Micros kGrace{500'000};
constexpr int kMostUseless = 50;
constexpr int kMostFailures = 2;          // on one candidate
constexpr std::uint64_t kMostAhead = 64;  // candidates that wait for a late one, for each worker
/// Walks that one worker judges by known answers before others, and signals, are served.
constexpr int kMostAtOnce = 500;

/// What an answer lacks to judge a position, all of which have moves; empty: nothing.
std::string lack_of(const adapters::BestMove& best, std::string_view word) {
    if (!best.info->score) return "it answers without saying a score";
    if (best.kind != adapters::BestMove::Kind::Move || best.move.empty())
        return fmt::format("it answers '{} {}' where there are moves", word,
                           printable_utf8(best.move));
    return "";
}

/// Two searches with the same key are one question.
std::string key_of(const openings::BuildQuery& query) {
    return fmt::format("{}|{}|{}|{}", query.start, query.moves, query.nodes, query.depth);
}

openings::BuildAnswer answer_of(const adapters::BestMove& best, int player) {
    openings::BuildAnswer answer;
    answer.best = printable_utf8(best.move);
    if (!best.info->score) return answer;
    const adapters::Score score = adapters::seen_by_mover(*best.info->score, player);
    if (!score.is_mate) answer.score = score.value;
    answer.is_exact = score.bound == adapters::Score::Bound::Exact;
    return answer;
}

}  // namespace

struct BookSearch::Worker {
    std::unique_ptr<RunningProgram> running;
    std::unique_ptr<openings::Candidate> candidate;
    bool is_asked = false;    // is_known was asked of it
    std::string key;          // of the search that it asks the program; empty: none
    bool is_waiting = false;  // for another's answer to the search that it would ask
    int failures = 0;         // of the program, on this candidate
    int failed_starts = 0;    // in a row
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
        auto worker = std::make_unique<Worker>();
        worker->running = std::make_unique<RunningProgram>(i, setup_.spec, factory_, clock_,
                                                           shutdown_queue_, setup_.limits, *this);
        workers_.push_back(std::move(worker));
    }
}

BookSearch::~BookSearch() = default;

BookSearch::Worker& BookSearch::worker_of(const RunningProgram& running) {
    return *workers_.at(static_cast<std::size_t>(running.program()));
}

void BookSearch::start() {
    for (const auto& worker : workers_) work(*worker);
}

bool BookSearch::take_candidate(Worker& worker, int& left) {
    const std::uint64_t most_ahead = kMostAhead * workers_.size();
    while (!worker.candidate) {
        // tick() comes back to it
        if (left-- <= 0 || builder_.ahead() >= most_ahead) return false;
        worker.candidate = builder_.next();
        worker.is_asked = false;
        worker.failures = 0;
        if (!worker.candidate) return false;
        if (!worker.candidate->query()) settle(worker);
    }
    return true;
}

/// Goes on as far as it can without the program, then asks it.
void BookSearch::work(Worker& worker) {
    int left = kMostAtOnce;
    while (!is_stopping_ && take_candidate(worker, left)) {
        openings::Candidate& candidate = *worker.candidate;
        if (candidate.is_at_end() && !worker.is_asked) {
            worker.is_asked = true;
            if (builder_.is_known(candidate)) candidate.refuse(openings::Refusal::Repeated);
        }
        if (!candidate.query()) {
            settle(worker);
            continue;
        }
        if (answer_known(worker)) continue;
        if (is_stopping_) return;
        std::string key = key_of(*candidate.query());
        worker.is_waiting = is_asked_elsewhere(worker, key);
        if (worker.is_waiting) return;
        worker.key = std::move(key);
        worker.running->prepare({});
        return;
    }
    if (!is_stopping_ && builder_.is_done()) stop();
}

bool BookSearch::answer_known(Worker& worker) {
    const auto known = known_.find(key_of(*worker.candidate->query()));
    if (known == known_.end()) return false;
    if (known->second.is_failing) return !refuse_failing(worker, known->second.lack);
    if (!known->second.lack.empty() && is_useless(known->second.lack, *worker.running))
        return false;
    worker.candidate->answer(known->second.answer);
    return true;
}

bool BookSearch::is_asked_elsewhere(const Worker& worker, const std::string& key) const {
    return std::any_of(workers_.begin(), workers_.end(), [&](const auto& other) {
        return other.get() != &worker && other->key == key;
    });
}

void BookSearch::wake() {
    for (const auto& worker : workers_)
        if (std::exchange(worker->is_waiting, false) && !is_stopping_) work(*worker);
}

bool BookSearch::is_useless(const std::string& lack, const RunningProgram& running) {
    useless_ = lack.empty() ? 0 : useless_ + 1;
    if (useless_ < kMostUseless) return false;
    note(lack, running);
    stop();
    return true;
}

bool BookSearch::refuse_failing(Worker& worker, const std::string& why) {
    worker.candidate->refuse(openings::Refusal::Failing);
    if (++refused_in_a_row_ < setup_.failures_in_a_row) return false;
    note(why, *worker.running);
    stop();
    return true;
}

void BookSearch::settle(Worker& worker) {
    builder_.settle(std::move(worker.candidate));
    for (; told_ < builder_.kept().size(); ++told_)
        if (setup_.on_kept) setup_.on_kept(builder_.kept()[told_]);
}

void BookSearch::on_program_ready(RunningProgram& running) {
    Worker& worker = worker_of(running);
    worker.failed_starts = 0;
    if (is_stopping_ || !worker.candidate || !worker.candidate->query()) return;
    if (program_name_.empty()) program_name_ = printable_utf8(running.player()->identity().name);
    const openings::BuildQuery& query = *worker.candidate->query();
    adapters::SearchRequest request;
    request.start = query.start;
    request.moves = query.moves;
    request.player = query.player;
    if (query.nodes > 0) request.nodes = query.nodes;
    if (query.depth > 0) request.depth = query.depth;
    running.go(request, setup_.wall);
}

/// The wall limit of a search is over.
void BookSearch::give_up(RunningProgram& running) {
    adapters::Gone gone;
    gone.reason = adapters::GoneReason::Protocol;
    gone.detail = fmt::format("no {} within {} s", running.player()->protocol().words.answer,
                              plain_number(static_cast<double>(setup_.wall.count()) / 1e6));
    running.remember_words();
    running.replace();
    on_program_failed(running, gone, true, true);
}

void BookSearch::on_program_move(RunningProgram& running, const adapters::BestMove& best,
                                 adapters::Arrival /*arrival*/) {
    Worker& worker = worker_of(running);
    if (is_stopping_ || !worker.candidate || !worker.candidate->query()) return;
    if (running.was_stopped()) {
        // What it answers then is not the answer to the question; it is as slow the next time.
        give_up(running);
        return;
    }
    ++searches_;
    const std::string lack = lack_of(best, running.player()->protocol().words.answer);
    if (is_useless(lack, running)) return;
    openings::BuildAnswer answer = answer_of(best, worker.candidate->query()->player);
    if (!lack.empty()) answer.score.reset();
    if (worker.candidate->query()->is_common) known_[worker.key] = {answer, lack, false};
    worker.key.clear();
    worker.candidate->answer(answer);
    if (!worker.candidate->query()) refused_in_a_row_ = 0;
    work(worker);
    wake();
}

void BookSearch::on_program_failed(RunningProgram& running, const adapters::Gone& gone,
                                   bool started, bool /*is_stall*/) {
    if (is_stopping_) return;
    Worker& worker = worker_of(running);
    if (gone.reason == adapters::GoneReason::Replaced || is_last_straw(worker, started)) {
        note((started ? "" : "could not be started: ") + gone.detail, running);
        stop();
        return;
    }
    // A worker without work starts its program when there is something to ask.
    if (worker.key.empty()) return;
    if (worker.failures < kMostFailures) {
        running.prepare();
        return;
    }
    known_[worker.key] = {{}, gone.detail, true};
    worker.key.clear();
    worker.candidate->refuse(openings::Refusal::Failing);
    settle(worker);
    work(worker);
    wake();
}

bool BookSearch::is_last_straw(Worker& worker, bool started) {
    if (!started) {
        // A program that never completed a handshake is tried once more, as in a match.
        const bool is_new = !worker.running->ever_started();
        return ++worker.failed_starts >= (is_new ? 2 : setup_.failures_in_a_row);
    }
    worker.failed_starts = 0;
    ++failures_;
    if (searches_ == 0 && failures_ >= setup_.failures_in_a_row) return true;
    if (worker.key.empty() || ++worker.failures < kMostFailures) return false;
    return ++refused_in_a_row_ >= setup_.failures_in_a_row;
}

void BookSearch::on_program_relaunch(RunningProgram& running, const std::string& why) {
    on_program_warning(running, "machine", why);
}

void BookSearch::on_program_not_launched(RunningProgram& /*running*/, const std::string& why) {
    if (is_stopping_) return;
    failure_ = "the machine cannot start programs: " + why;
    stop();
}

void BookSearch::check_launches(TimePoint now) {
    bool is_any_waiting = false;
    std::uint64_t steps = 0;
    for (const auto& worker : workers_) {
        is_any_waiting = is_any_waiting || worker->running->is_waiting_for_launch();
        steps += worker->running->launch_steps();
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
    for (const auto& worker : workers_) {
        worker->running->tick(now);
        if (!is_stopping_ && !worker->candidate) work(*worker);
    }
    if (!is_stopping_) check_launches(now);
    if (is_stopping_) shutdown_queue_.hurry(now, kGrace);
    shutdown_queue_.tick(now);
}

void BookSearch::stop() {
    if (is_stopping_) return;
    is_stopping_ = true;
    for (const auto& worker : workers_) {
        worker->running->remember_words();
        worker->running->dismiss(kGrace);
    }
}

bool BookSearch::is_done() const {
    return is_stopping_ && shutdown_queue_.is_empty();
}

}  // namespace assay::harness

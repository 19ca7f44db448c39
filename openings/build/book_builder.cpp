// Openings for testing must be many, different, and neither lost nor dull. Random legal moves give
// variety but mostly positions that one side has lost; so a move that a short search finds to lose
// `loss` points is kept with probability exp(-loss / spread) only (the rule of Metropolis et al.,
// "Equation of state calculations by fast computing machines", 1953, used here to prefer good
// moves, not to sample an exact distribution), and the last move must lead into the window of
// scores. Searching every legal move and drawing by score would cost some thirty searches a ply;
// here a ply costs two or three. Two evaluations with different limits remove positions whose score
// is not stable.
//
// Candidates are numbered, each with a random generator of its own, and are decided in the order of
// their numbers. The book is therefore the same however many programs search at once.
#include "openings/build/book_builder.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "base/diagnostic.h"
#include "base/enum_names.h"
#include "openings/read/book_format.h"

namespace assay::openings {

namespace {

using rules::Notation;

constexpr std::size_t kCommonPlies = 2;
constexpr int kWalkSlack = 40;  // how far a short search may be off, in the scores' unit
constexpr int kMostWalk = 200;
constexpr std::uint64_t kQuickShare = 3;
constexpr int kQuickPlies = 2;
constexpr std::uint64_t kStartDraw = 960;  // any constant; another one would change books

}  // namespace

std::string_view text_of(Refusal refusal) {
    return enum_names<Refusal>("outside the window", "with an unstable evaluation", "not quiet",
                               "known already", "without a way on", "that the program failed on")
        .of(refusal);
}

Candidate::Candidate(const BuildRules& rules, const rules::Game& game, Opening from,
                     std::uint64_t number)
    : rules_(rules),
      number_(number),
      random_(mix64(rules.seed, number)),
      opening_(std::move(from)),
      position_(position_after(opening_, game)) {
    // The length is drawn first: a walk that ended where a good position is met would give more
    // short openings.
    const int lengths = rules.most_plies - rules.fewest_plies + 1;
    const std::uint64_t more = random_.below(static_cast<std::uint64_t>(lengths));
    plies_left_ = rules.fewest_plies + static_cast<int>(more);
    if (position_->result()) {
        refuse(Refusal::NoMove);  // the given opening ends the game
    } else {
        go_on();
    }
}

std::uint64_t Candidate::key() const {
    return position_->opening_key();
}

void Candidate::refuse(Refusal why) {
    refusal_ = why;
    query_.reset();
}

/// At a new position of the walk.
void Candidate::go_on() {
    if (plies_left_ == 0) {
        ask(Stage::Quick);
        return;
    }
    position_->moves(untried_);
    const bool wants_score = rules_.walk_nodes > 0 && plies_left_ > 1;
    if (wants_score && !is_scored_) {
        ask(Stage::Base);
    } else {
        try_move();
    }
}

/// Draws the next move and makes it; take_trial() keeps it or takes it back.
void Candidate::try_move() {
    while (!untried_.empty()) {
        const std::size_t drawn = random_.below(untried_.size());
        trial_ = untried_[drawn];
        untried_[drawn] = untried_.back();
        untried_.pop_back();
        const std::string name = position_->name_of(trial_, Notation::Canonical);
        position_->make(trial_);
        if (position_->result()) {
            position_->undo();
            continue;
        }
        opening_.moves.push_back(name);
        // Without short searches the walk is random, and the last judgement alone decides.
        if (rules_.walk_nodes == 0) {
            --plies_left_;
            go_on();
        } else {
            ask(Stage::Trial);
        }
        return;
    }
    refuse(Refusal::NoMove);
}

void Candidate::ask(Stage stage) {
    stage_ = stage;
    BuildQuery query;
    query.start = opening_.start;
    query.player = position_->to_move();
    for (const std::string& move : opening_.moves) {
        if (!query.moves.empty()) query.moves += ' ';
        query.moves += move;
    }
    if (stage == Stage::Base || stage == Stage::Trial) {
        query.nodes = rules_.walk_nodes;
        query.is_common = opening_.start.empty() && opening_.moves.size() <= kCommonPlies;
    } else if (rules_.nodes > 0) {
        query.nodes = stage == Stage::Full ? rules_.nodes
                                           : std::max<std::uint64_t>(1, rules_.nodes / kQuickShare);
    } else {
        query.depth = stage == Stage::Full ? rules_.depth : std::max(1, rules_.depth - kQuickPlies);
    }
    query_ = std::move(query);
}

bool Candidate::is_in_window(int score, int slack) const {
    const int size = std::abs(score);
    return size >= rules_.least_score - slack && size <= rules_.most_score + slack;
}

void Candidate::answer(const BuildAnswer& answer) {
    ASSAY_CHECK(query_.has_value());
    query_.reset();
    switch (stage_) {
        case Stage::Base:
            if (!answer.score) {
                refuse(Refusal::Window);
                return;
            }
            score_ = *answer.score;
            is_scored_ = true;
            try_move();
            return;
        case Stage::Trial:
            take_trial(answer);
            return;
        case Stage::Quick:
        case Stage::Full:
            judge(answer);
            return;
    }
}

void Candidate::take_trial(const BuildAnswer& answer) {
    bool is_taken = false;
    if (answer.score && plies_left_ == 1) {
        is_taken = is_in_window(*answer.score, 0);
    } else if (answer.score) {
        // The score behind the move is the opponent's: a move that loses nothing gives its
        // negative.
        const int loss = std::max(0, score_ + *answer.score);
        is_taken = random_.unit() < std::exp(-static_cast<double>(loss) / rules_.spread);
    }
    if (!is_taken) {
        position_->undo();
        opening_.moves.pop_back();
        try_move();
        return;
    }
    score_ = *answer.score;
    is_scored_ = true;
    --plies_left_;
    go_on();
}

bool Candidate::is_loud(const std::string& best) const {
    const auto move = position_->move_of(best, Notation::Canonical);
    return position_->is_loud(move.value_or(rules::kNoMove));
}

void Candidate::judge(const BuildAnswer& answer) {
    const bool is_last = stage_ == Stage::Full;
    if (!answer.score || !is_in_window(*answer.score, is_last ? 0 : kWalkSlack)) {
        refuse(Refusal::Window);
    } else if (is_last && (!answer.is_exact || std::abs(*answer.score - score_) > rules_.stable)) {
        refuse(Refusal::Unsteady);
    } else if (is_last && rules_.quiet && is_loud(answer.best)) {
        refuse(Refusal::Loud);
    } else {
        score_ = *answer.score;
        if (!is_last) ask(Stage::Full);
    }
}

BookBuilder::BookBuilder(const BuildRules& rules, const rules::Game& game, const Book* from)
    : rules_(rules), game_(game), from_(from) {
    if (rules.count < 1) throw Error("the book wants at least one opening");
    if (rules.fewest_plies < 0 || rules.fewest_plies > rules.most_plies)
        throw Error(fmt::format("plies: expected a range that ascends from 0, found {}..{}",
                                rules.fewest_plies, rules.most_plies));
    if (rules.most_plies == 0 && from == nullptr && game.info().start_positions == 1)
        throw Error("a book of no half-moves holds the start position alone");
    if (rules.least_score < 0 || rules.least_score > rules.most_score)
        throw Error(fmt::format("window: expected a range that ascends from 0, found {}..{}",
                                rules.least_score, rules.most_score));
    if ((rules.nodes > 0) == (rules.depth > 0))
        throw Error("expected either nodes or a depth for the last judgement");
    if (rules.most_plies > kMostWalk)
        throw Error(
            fmt::format("plies: expected at most {}, found {}", kMostWalk, rules.most_plies));
    if (rules.spread < 1) throw Error("spread: expected at least 1 centipawn");
    if (from != nullptr) order_.emplace(Order::Random, rules.seed, 1, from->size());
}

void BookBuilder::restore(std::vector<BuiltOpening> kept) {
    for (BuiltOpening& one : kept) {
        if (is_full()) return;
        keys_.insert(position_after(one.opening, game_)->opening_key());
        next_ = due_ = one.number + 1;
        kept_.push_back(std::move(one));
    }
}

Opening BookBuilder::root(std::uint64_t number) const {
    Opening opening;
    if (from_ != nullptr) {
        opening = from_->at(order_->index(number).index);
    } else if (const int starts = game_.info().start_positions; starts > 1) {
        // A word of its own, so that the walk's draws do not depend on it.
        const std::uint64_t word = mix64(mix64(rules_.seed, number), kStartDraw);
        opening.start =
            game_.start_text(static_cast<int>(word % static_cast<std::uint64_t>(starts)));
    }
    return opening;
}

bool BookBuilder::has_candidates() const {
    if (is_full()) return false;
    return rules_.most_plies > 0 || from_ == nullptr || next_ < from_->size();
}

std::unique_ptr<Candidate> BookBuilder::next() {
    if (!has_candidates()) return nullptr;
    const std::uint64_t number = next_++;
    return std::make_unique<Candidate>(rules_, game_, root(number), number);
}

bool BookBuilder::is_known(const Candidate& candidate) const {
    return keys_.count(candidate.key()) > 0;
}

void BookBuilder::settle(std::unique_ptr<Candidate> candidate) {
    const std::uint64_t number = candidate->number();
    waiting_.emplace(number, std::move(candidate));
    for (auto due = waiting_.find(due_); due != waiting_.end(); due = waiting_.find(due_)) {
        if (!is_full()) decide(*due->second);
        waiting_.erase(due);
        ++due_;
    }
}

void BookBuilder::decide(const Candidate& candidate) {
    ++tried_;
    ++in_vain_;
    std::optional<Refusal> why = candidate.refusal();
    if (!why && !keys_.insert(candidate.key()).second) why = Refusal::Repeated;
    if (why) {
        ++refused_.at(static_cast<std::size_t>(*why));
        return;
    }
    in_vain_ = 0;
    kept_.push_back({candidate.number(), candidate.score(), candidate.opening()});
}

bool BookBuilder::is_done() const {
    return is_full() || (!has_candidates() && due_ == next_);
}

}  // namespace assay::openings

// One game as a state machine that is fed with what programs did (a move, a flag, a stall, an end
// of the process) and asked for the next request. It starts nothing, reads no clock and waits for
// nobody, so that a test plays a whole game by calls and a slot of the executor only carries
// messages.
//
// The order of judgement in on_move() is the contract, and follows from who could be wronged. An
// illegal move is judged before the flag, because the clock of a move that cannot be made means
// nothing. The flag comes before the rules: a mate given too late was not given. What the rules say
// comes before tables and adjudicators, which only guess or look up what the rules would say later;
// tables, which know, come before adjudicators, which rely on what programs say.
//
// Every player has a move list in the notation of its own program. Lists are grown by one name a
// ply and never built again, so that a game of n plies costs n appends and not n squared.
#include "harness/match/game_play.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "base/text.h"

namespace assay::harness {

namespace {

std::string milliseconds(Micros time) {
    return fmt::format("{:.3f} ms", static_cast<double>(time.count()) / 1000.0);
}

// Of what a program said, as much as is kept.
constexpr std::size_t kMostMoveBytes = 40;
constexpr std::size_t kMostLineBytes = 1000;

/// The lines that the run asks for; the strings belong to the next search otherwise.
std::vector<std::string> said_lines(const adapters::SearchInfo& info) {
    std::vector<std::string> lines;
    for (const std::string& line : info.kept_lines) {
        if (!line.empty()) lines.push_back(line);
    }
    return lines;
}

void append_move(std::string& moves, std::string_view name) {
    if (!moves.empty()) moves += ' ';
    moves += name;
}

}  // namespace

Lineup lineup_of(std::size_t entrants, int turn) {
    Lineup lineup;
    for (std::size_t player = 0; player < entrants; ++player) {
        lineup.push_back(static_cast<int>((player + static_cast<std::size_t>(turn)) % entrants));
    }
    return lineup;
}

GamePlay::GamePlay(const rules::Game& game, std::span<const GameEntrant> entrants,
                   const AdjudicatePlan& adjudicate, const openings::Opening& opening,
                   const Setup& setup)
    : game_(game),
      is_flag_drawn_(adjudicate.flag_is_draw_if_none_can_win),
      tables_(adjudicate.tablebase),
      tablebase_(setup.tablebase),
      position_(opening.start.empty() ? game.start() : game.parse(opening.start)),
      moves_(entrants.size()),
      adjudicator_(adjudicate, game.players()),
      chance_(setup.chance, setup.luck),
      checks_pv_(setup.checks_pv),
      keeps_pv_(setup.keeps_pv) {
    ASSAY_CHECK(std::ssize(entrants) == game.players());
    record_.program = lineup_of(entrants.size(), setup.turn);
    for (std::size_t player = 0; player < entrants.size(); ++player) {
        const GameEntrant& entrant = entrants[static_cast<std::size_t>(record_.program[player])];
        names_.push_back(entrant.name);
        clocks_.emplace_back(entrant.time);
        notation_.push_back(entrant.notation);
    }
    record_.match = setup.match;
    record_.number = setup.number;
    record_.pair = setup.pair;
    record_.game = setup.game;
    record_.attempt = setup.attempt;
    record_.slot = setup.slot;
    record_.start = opening.start;
    record_.opening = opening.moves;
    record_.opening_index = opening.index;
    for (const std::string& name : opening.moves) {
        const auto move = position_->move_of(name, rules::Notation::Canonical);
        ASSAY_CHECK(move.has_value());
        make(*move);
    }
    ASSAY_CHECK(!position_->result().has_value());
    go_to_player();
    ASSAY_CHECK(!over_);
}

void GamePlay::make(rules::Move move) {
    // Programs of one notation, the common case, have the name of a move computed once.
    std::string name;
    for (std::size_t player = 0; player < players(); ++player) {
        const bool is_known = player > 0 && notation_[player] == notation_[player - 1];
        if (!is_known) name = position_->name_of(move, notation_[player]);
        append_move(moves_[player], name);
    }
    position_->make(move);
    last_ = move;
}

void GamePlay::go_to_player() {
    if (over_) return;
    // Chance events are drawn here and not by a player: none has a turn in between, and a game may
    // end by one.
    mover_ = position_->to_move();  // which asks for the result: once a ply is enough
    while (mover_ == rules::kChance) {
        const rules::Move event = chance_.draw(*position_, last_);
        MoveRecord& record = record_.moves.emplace_back();
        record.name = position_->name_of(event, rules::Notation::Canonical);
        record.player = rules::kChance;
        make(event);
        judge_position();
        if (over_) return;
        mover_ = position_->to_move();
    }
    ASSAY_CHECK(mover_ >= 0 && mover_ < std::ssize(clocks_));
}

adapters::GameStart GamePlay::start_of(int player) const {
    adapters::GameStart start;
    start.start = record_.start;
    start.moves = moves_[static_cast<std::size_t>(player)];
    start.player = player;
    start.time = game_time_of(clock(player).control());
    return start;
}

adapters::SearchRequest GamePlay::request() const {
    adapters::SearchRequest request;
    request.start = record_.start;
    request.moves = moves_[static_cast<std::size_t>(mover())];
    request.player = mover();
    fill_clocks(request, clocks_, mover());
    clock(mover()).fill_limits(request);
    return request;
}

std::optional<adapters::SearchRequest> GamePlay::ponder_request(int player,
                                                                std::string_view expected,
                                                                std::string& moves) const {
    const auto move = position_->move_of(expected, notation_[static_cast<std::size_t>(player)]);
    if (!move) return std::nullopt;
    // A program may expect a move that ends the game, or one after which it is not its turn: there
    // would be nothing to search.
    const std::unique_ptr<rules::Position> after = position_->clone();
    after->make(*move);
    if (after->result() || after->to_move() != player) return std::nullopt;

    moves = moves_[static_cast<std::size_t>(player)];
    append_move(moves, expected);
    adapters::SearchRequest request;
    request.start = record_.start;
    request.moves = moves;
    request.player = player;
    request.ponder = true;
    fill_clocks(request, clocks_, player);
    clock(player).fill_limits(request);
    return request;
}

LiveGame GamePlay::live() const {
    LiveGame game;
    game.match = record_.match;
    game.number = record_.number;
    game.pair = record_.pair;
    game.attempt = record_.attempt;
    game.slot = record_.slot;
    game.start = record_.start;
    game.moves = moves_[0];
    game.has_text_moves = notation_[0] == rules::Notation::Text;
    game.mover = mover_;
    for (std::size_t player = 0; player < players(); ++player) {
        LivePlayer& shown = game.players.emplace_back();
        shown.program = record_.program[player];
        if (clocks_[player].has_clock()) shown.clock = clocks_[player].left();
    }
    // The last move of each player; the first that is met from the end.
    std::size_t found = 0;
    std::vector<bool> has_said(players());
    for (auto move = record_.moves.rbegin(); move != record_.moves.rend(); ++move) {
        if (found == players()) break;
        if (move->player < 0) continue;  // a chance event
        const auto player = static_cast<std::size_t>(move->player);
        if (has_said[player]) continue;
        has_said[player] = true;
        ++found;
        game.players[player].score = move->score;
        game.players[player].depth = move->depth;
    }
    return game;
}

std::optional<Micros> GamePlay::flag_limit() const {
    return clock(mover()).flag_limit();
}

Micros GamePlay::wall_limit() const {
    return clock(mover()).control().wall_limit;
}

const std::string& GamePlay::name_of(int player) const {
    return names_[static_cast<std::size_t>(player)];
}

std::string GamePlay::where() const {
    // "7...", and "7" for "7.": a full stop would seem to end the sentence.
    std::string label = rules::move_label(game_.info(), *position_);
    if (label.ends_with('.') && !label.ends_with("..")) label.pop_back();
    return "move " + label;
}

void GamePlay::on_move(const adapters::BestMove& best, const MoveTime& time) {
    ASSAY_CHECK(!over_);
    const int player = mover();
    const std::string claim = granted_claim(best, player);
    if (claim.empty() && judge_claim(best, player)) return;
    const bool is_pass = best.kind == adapters::BestMove::Kind::Pass && best.move.empty();
    const std::string_view name = !claim.empty() ? claim : is_pass ? "pass" : best.move;
    const auto move = position_->move_of(name, notation_[static_cast<std::size_t>(player)]);
    if (checks_pv_ && claim.empty()) check_pv(best, move, player);
    if (!move) {
        record_.illegal_move = printable_utf8(name.substr(0, kMostMoveBytes));
        const std::string said = printable_utf8(name.substr(0, 40));
        lose(player, Termination::IllegalMove,
             name.empty()
                 ? fmt::format("{} answered without a move at {}", name_of(player), where())
                 : fmt::format("{} played '{}' at {}, which is not legal", name_of(player), said,
                               where()));
        return;
    }

    // Of the position in which the move was asked: adjudicators count rounds from the mover's view,
    // and make() has not been called yet.
    const int round = game_.info().numbers_rounds ? position_->move_number()
                                                  : position_->ply() / game_.players() + 1;
    const Micros over = book_move(clocks_, player, time.used);
    MoveRecord move_record = record_of(*move, *best.info, player, time);
    if (over > Micros{0}) {
        lose_on_time(player, over, time);
        return;
    }
    make(*move);
    const std::optional<adapters::Score> score = move_record.score;
    record_.moves.push_back(std::move(move_record));
    const bool claims = best.kind == adapters::BestMove::Kind::ClaimDraw;
    // A move without the claim takes back those of all players: a draw needs the consent of
    // everybody in a row of moves.
    draw_claims_ = claims ? draw_claims_ | 1U << static_cast<unsigned>(player) : 0;
    judge_position();
    if (!over_) ask_tables();
    if (!over_) adjudicate(player, score, round);
    go_to_player();
}

/// REQUIRES: the move is booked on the player's clock, and not made yet.
MoveRecord GamePlay::record_of(rules::Move move, const adapters::SearchInfo& info, int player,
                               const MoveTime& time) const {
    MoveRecord move_record;
    move_record.name = position_->name_of(move, rules::Notation::Canonical);
    move_record.player = player;
    move_record.used = time.used;
    move_record.delay = time.delay;
    move_record.left = clock(player).left();
    if (info.score) move_record.score = adapters::seen_by_mover(*info.score, player);
    move_record.score_word = info.score_word;
    move_record.depth = info.depth;
    move_record.seldepth = info.seldepth;
    move_record.nodes = info.nodes;
    move_record.nps = info.nps;
    move_record.tbhits = info.tbhits;
    move_record.hashfull = info.hashfull;
    move_record.said = info.time;
    move_record.lines = said_lines(info);
    if (keeps_pv_) move_record.pv = info.pv;
    return move_record;
}

/// What a program says in place of a move: the name of the claim that the rules let it make here,
/// so that it is made as a move; empty: they do not grant it.
std::string GamePlay::granted_claim(const adapters::BestMove& best, int player) const {
    using Said = adapters::BestMove::Kind;
    const bool is_draw = best.kind == Said::ClaimDraw && best.move.empty();
    if (!is_draw && best.kind != Said::ClaimWin) return "";
    const int winner = is_draw ? -1 : player;
    std::vector<rules::Move> claims;
    position_->claims(claims);
    for (const rules::Move claim : claims) {
        const std::unique_ptr<rules::Position> after = position_->clone();
        after->make(claim);
        const std::optional<rules::Outcome> outcome = after->result();
        if (outcome && outcome->scores.winner() == winner)
            return position_->name_of(claim, notation_[static_cast<std::size_t>(player)]);
    }
    return "";
}

void GamePlay::check_pv(const adapters::BestMove& best, std::optional<rules::Move> move,
                        int player) {
    troubles_.clear();
    const rules::Notation notation = notation_[static_cast<std::size_t>(player)];
    pv_check_.look(*position_, {player, notation, *best.info, best.move, move}, troubles_);
    for (const adapters::PvTrouble& trouble : troubles_) {
        PvFinding& finding = findings_.emplace_back();
        finding.flaw = trouble.flaw;
        finding.program = program_of(player);
        finding.player = player;
        finding.game = record_.number;
        finding.ply = position_->ply();
        finding.move = printable_utf8(trouble.move.substr(0, kMostMoveBytes));
        const std::string& line = best.info->line.empty() ? best.info->pv : best.info->line;
        finding.line = printable_utf8(std::string_view(line).substr(0, kMostLineBytes));
        finding.start = record_.start;
        finding.moves = moves_[static_cast<std::size_t>(player)];
        finding.mate = trouble.mate;
        finding.other_mate = trouble.other_mate;
        if (trouble.flaw == PvFlaw::MateSign) {
            finding.other_line =
                printable_utf8(std::string_view(pv_check_.other_line()).substr(0, kMostLineBytes));
        }
        count_pv_finding(record_.pv_counts, finding);
    }
}

/// Judges what is said in place of a move, and a draw that all want; true where that ends the game.
/// A claim comes here only where the rules do not grant it.
bool GamePlay::judge_claim(const adapters::BestMove& best, int player) {
    using Said = adapters::BestMove::Kind;
    if (best.kind == Said::Resign) {
        end(rules::scores_with_loser(player, players()), Termination::ClaimResign,
            fmt::format("{} resigned at {}", name_of(player), where()));
    } else if (best.kind == Said::ClaimWin) {
        lose(player, Termination::IllegalMove,
             fmt::format("{} claimed a win at {}, which the rules do not give", name_of(player),
                         where()));
    } else if (best.kind == Said::ClaimDraw && all_others_claimed_draw(player)) {
        end(rules::scores_with_winner(-1, players()), Termination::ClaimDraw,
            players() == 2 ? "both programs claimed a draw" : "all programs claimed a draw");
    } else if (best.kind == Said::ClaimDraw && best.move.empty()) {
        lose(player, Termination::IllegalMove,
             fmt::format("{} claimed a draw at {}, which neither the rules nor its opponent grant",
                         name_of(player), where()));
    }
    return over_;
}

void GamePlay::judge_position() {
    const std::optional<rules::Outcome> outcome = position_->result();
    if (!outcome) return;
    const int winner = outcome->scores.winner();
    const std::string manner = rules::manner_of(game_.info(), outcome->word);
    end(outcome->scores, Termination::by_rules(outcome->word),
        winner >= 0 ? fmt::format("{} wins by {}", name_of(winner), manner)
                    : fmt::format("draw by {}", manner));
}

/// Tables know nothing of the moves before, so that they are asked where the count of quiet moves
/// begins.
void GamePlay::ask_tables() {
    using Result = AdjudicatePlan::Tables::Result;
    if (!tables_ || tablebase_ == nullptr || position_->quiet_plies() != 0) return;
    if (tables_->pieces > 0 && tablebase_->pieces(*position_) > tables_->pieces) return;
    const std::optional<rules::TableValue> value = tablebase_->value(*position_);
    if (!value) return;
    const bool is_drawn = value->is_drawn_by_counter && tables_->counts_quiet_moves;
    const int winner = is_drawn ? -1 : value->winner;
    if (tables_->result == (winner < 0 ? Result::Win : Result::Draw)) return;
    end(rules::scores_with_winner(winner, players()), Termination::Tablebase,
        winner < 0 ? "draw by tablebase" : fmt::format("{} wins by tablebase", name_of(winner)));
}

void GamePlay::adjudicate(int mover_before, const std::optional<adapters::Score>& score,
                          int round) {
    const auto ruling =
        adjudicator_.after_move(mover_before, score, round, position_->quiet_plies());
    if (!ruling) return;
    end(rules::scores_with_winner(ruling->winner, players()), ruling->termination,
        ruling->winner >= 0 ? fmt::format("{} wins by adjudication", name_of(ruling->winner))
                            : fmt::format("draw by {}", ruling->termination == Termination::Length
                                                            ? "length limit"
                                                            : "adjudication"));
}

void GamePlay::lose_on_time(int player, Micros over, const MoveTime& time) {
    // The move was in time as far as the program goes, if the harness's own delay explains all of
    // the overrun; the pair is void then instead of lost.
    record_.harness_caused = over <= time.delay;
    record_.overrun = over + clock(player).control().margin;
    const std::string overrun = fmt::format("{} overran its time by {} at {}", name_of(player),
                                            milliseconds(over), where());
    if (is_flag_drawn_ && !can_others_win(player)) {
        record_.guilty = player;
        end(rules::scores_with_winner(-1, players()), Termination::Time,
            overrun + ", but " + game_.info().cannot_lose + ": draw");
        return;
    }
    lose(player, Termination::Time, overrun);
}

void GamePlay::on_flag(const MoveTime& time) {
    const std::optional<Micros> limit = flag_limit();
    ASSAY_CHECK(!over_ && limit.has_value());
    lose_on_time(mover(), time.used - *limit, time);
}

void GamePlay::on_stall(int player, const std::string& what) {
    lose(player, Termination::Stall, fmt::format("{} {} at {}", name_of(player), what, where()));
}

void GamePlay::on_gone(int player, const adapters::Gone& gone, bool started) {
    using adapters::GoneReason;
    Termination termination = Termination::Crash;
    std::string what = "crashed";
    if (!started) {
        termination = Termination::NoStart;
        what = "did not start";
    } else if (gone.reason == GoneReason::ClosedOutput || gone.reason == GoneReason::ClosedInput) {
        termination = Termination::Disconnect;
        what = "disconnected";
    } else if (gone.reason == GoneReason::Flood) {
        termination = Termination::Disconnect;
        what = "was cut off";
    }
    lose(player, termination,
         fmt::format("{} {} at {}: {}", name_of(player), what, where(), gone.detail));
}

void GamePlay::set_last_words(std::string lines, std::string command) {
    record_.last_lines = std::move(lines);
    record_.last_command = std::move(command);
}

void GamePlay::set_times(long long started_us, long long ended_us) {
    record_.started_us = started_us;
    record_.ended_us = ended_us;
}

bool GamePlay::all_others_claimed_draw(int player) const {
    const std::uint32_t everybody = (1U << players()) - 1;
    return (draw_claims_ | 1U << static_cast<unsigned>(player)) == everybody;
}

bool GamePlay::can_others_win(int player) const {
    for (int other = 0; other < std::ssize(clocks_); ++other) {
        if (other != player && position_->can_win(other)) return true;
    }
    return false;
}

void GamePlay::lose(int player, Termination termination, std::string reason) {
    record_.guilty = player;
    end(rules::scores_with_loser(player, players()), termination, std::move(reason));
}

void GamePlay::end(const rules::Scores& scores, Termination termination, std::string reason) {
    if (over_) return;
    over_ = true;
    record_.scores = scores;
    record_.termination = termination;
    record_.reason = std::move(reason);
}

}  // namespace assay::harness

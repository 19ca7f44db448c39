#include "engines/chess_player/chess_backend.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <new>
#include <unistd.h>

#include "base/text.h"
#include "engines/chess_player/chess_search.h"
#include "rules/chess/notation.h"

namespace assay::engines {

namespace {

const char* environment(const char* name) {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody here changes the environment
    return std::getenv(name);
}

std::size_t memory_of_machine() {
    const long pages = ::sysconf(_SC_PHYS_PAGES);
    const long page = ::sysconf(_SC_PAGESIZE);
    if (pages <= 0 || page <= 0) return std::numeric_limits<std::size_t>::max();
    return static_cast<std::size_t>(pages) * static_cast<std::size_t>(page);
}

std::string name_in(bool chess960, Move move) {
    return rules::chess::write_uci(
        move, chess960 ? rules::chess::Variant::Chess960 : rules::chess::Variant::Standard);
}

void write_move_name(Move move, char* text, const void* context) {
    const bool chess960 = *static_cast<const bool*>(context);
    const std::string name = move == kNoMove ? "0000" : name_in(chess960, move);
    std::copy_n(name.c_str(), name.size() + 1, text);
}

}  // namespace

std::string ChessBackend::declaration() const {
    return "id name assay player\nid author the assay authors\n" + declare_options();
}

std::optional<std::string> ChessBackend::set_option(std::string_view name, std::string_view value) {
    if (equal_ignoring_case(name, "Clear Hash")) {
        memory_.clear();
        return std::nullopt;
    }
    if (auto wrong = engines::set_option(wanted_, name, value)) return wrong;
    is_settled_ = false;
    return std::nullopt;
}

/// Sizes the table. False without enough memory: the table is then unchanged or empty.
bool ChessBackend::size_table(const PlayerOptions& options) {
    const std::size_t bytes = options.search.table ? options.hash_mb << 20U : 0;
    // The system would grant more than the machine has, and kill the program once it is used.
    if (bytes > memory_of_machine()) return false;
    try {
        memory_.size_table(bytes);
        return true;
    } catch (const std::bad_alloc&) {
        memory_.size_table(0);
        return false;
    }
}

std::vector<std::string> ChessBackend::apply_options() {
    if (is_settled_) return {};
    is_settled_ = true;
    std::vector<std::string> sentences;
    std::optional<std::string> refused = check_options(wanted_);
    if (!refused && !size_table(wanted_)) {
        (void)size_table(options_);
        refused = "there is no memory for a table of " + std::to_string(wanted_.hash_mb) + " MB";
    }
    if (refused) {
        sentences.push_back("refused: " + *refused + ". The previous options stay in force.");
    } else {
        options_ = wanted_;
    }
    if (auto failed = open_log()) sentences.push_back(std::move(*failed));
    return sentences;
}

/// Opens the log that the option names, or else the environment. Returns a sentence if that fails.
std::optional<std::string> ChessBackend::open_log() {
    const char* const by_environment = environment("ASSAY_TREE_LOG");
    std::string path = options_.tree_log;
    if (path.empty() && by_environment != nullptr) path = by_environment;
    if (path == log_path_) return std::nullopt;
    log_path_ = path;
    log_.reset();
    if (path.empty()) return std::nullopt;
    std::uint64_t most_nodes = 0;
    if (const char* const limit = environment("ASSAY_TREE_LOG_LIMIT")) {
        most_nodes = to_number<std::uint64_t>(limit).value_or(0);
    }
    log_ =
        std::make_unique<NodeLog>(path, "chess", most_nodes, write_move_name, &options_.chess960);
    const std::string error = log_->error();
    if (error.empty()) return std::nullopt;
    return "no tree log: " + printable_utf8(error);
}

Backend::Settings ChessBackend::settings() const {
    return {options_.chess960, options_.lines, std::chrono::milliseconds(options_.overhead_ms)};
}

void ChessBackend::forget() {
    memory_.clear();
}

Backend::Root ChessBackend::root_of(const rules::Position& position) const {
    const rules::chess::Board board = engines::root_of(position).board;
    return {board.side() == rules::chess::Color::White ? 0 : 1, board.in_check()};
}

std::vector<Line> ChessBackend::search(const rules::Position& position, const Limits& limits,
                                       Control& control) {
    return engines::search(position, options_, memory_, limits, control, log_.get());
}

std::string ChessBackend::name_of(Move move) const {
    return name_in(options_.chess960, move);
}

}  // namespace assay::engines

// A scripted searcher that logs its tree: every iteration visits the first Width moves (by name) of
// each position to its depth, each leaf is a quiescence root, and nothing depends on the machine.
// What it does wrong is asked for by options: Explode N puts N nodes below the first quiescence
// root; Trouble crash, hang, deaf, no_log, garbage, cut (the log ends within the last iteration) or
// slow is done at positions whose FEN begins with TroubleAt. With the argument --option it takes
// its log's path by a UCI option only.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

#include "base/text.h"
#include "engines/uci/uci_position.h"
#define TREELOG_IMPLEMENTATION
#include "gtql/log/treelog.h"
#include "rules/make_game.h"

namespace {

constexpr std::int64_t kQNode = 1;
constexpr std::int64_t kQRootNode = 2;

struct Settings {
    int width = 3;
    int explode = 0;
    std::string trouble;
    std::string trouble_at;
    std::string log_path;
    bool takes_option = false;
};

class Searcher {
public:
    Searcher(assay::rules::Position& position, const Settings& settings, treelog_stream* stream)
        : position_(position), settings_(settings), stream_(stream) {}

    void iterate(int depth) {
        has_exploded_ = false;
        visit(TREELOG_NO_MOVE, depth, 0);
    }

    [[nodiscard]] std::string best() const { return best_; }

private:
    void visit(std::int64_t move, int depth, int ply) {
        const bool is_leaf = depth == 0;
        TREELOG_ENTER(stream_, move, depth, ply, is_leaf ? kQNode | kQRootNode : 0);
        std::vector<assay::rules::Move> moves;
        position_.moves(moves);
        std::sort(moves.begin(), moves.end(), [this](auto a, auto b) { return name(a) < name(b); });
        if (ply == 0 && !moves.empty()) best_ = name(moves.front());
        if (is_leaf && !has_exploded_ && !moves.empty()) {
            has_exploded_ = true;
            for (int i = 0; i < settings_.explode; ++i) {
                TREELOG_ENTER(stream_, moves.front(), -1, ply + 1, kQNode);
                TREELOG_LEAVE(stream_, 0);
            }
        }
        if (!is_leaf && !position_.result()) {
            moves.resize(std::min(moves.size(), static_cast<std::size_t>(settings_.width)));
            for (const assay::rules::Move each : moves) {
                position_.make(each);
                visit(each, depth - 1, ply + 1);
                position_.undo();
            }
        }
        TREELOG_LEAVE(stream_, static_cast<std::int64_t>(position_.hash() % 200));
    }

    [[nodiscard]] std::string name(assay::rules::Move move) const {
        return position_.name_of(move, assay::rules::Notation::Canonical);
    }

    assay::rules::Position& position_;
    const Settings& settings_;
    treelog_stream* stream_;
    std::string best_;
    bool has_exploded_ = false;
};

/// A move's text from its code: the squares as rules/chess packs them are not known here, so the
/// names are looked up among the moves that have been made.
struct Names {
    assay::rules::Position* position = nullptr;
};

void write_name(std::int64_t move, char* text, void* context) {
    const auto* const names = static_cast<Names*>(context);
    // A node is entered after its move was made (or, below an explosion, not made at all).
    assay::rules::Position& here = *names->position;
    const auto code = static_cast<assay::rules::Move>(move);
    std::string found;
    if (here.is_legal(code)) {
        found = here.name_of(code, assay::rules::Notation::Canonical);
    } else if (here.ply() > 0) {
        const auto before = here.clone();
        before->undo();
        found = before->name_of(code, assay::rules::Notation::Canonical);
    }
    std::snprintf(text, TREELOG_MOVE_TEXT, "%s", found.c_str());
}

void say(const std::string& line) {
    std::cout << line << "\n" << std::flush;
}

treelog* open_log(const Settings& settings, Names& names) {
    treelog* log =
        settings.takes_option ? treelog_new(settings.log_path.c_str()) : treelog_from_environment();
    treelog_program(log, "treelogger", nullptr);
    treelog_attribute(log, "depth", TREELOG_ENTRY);
    treelog_attribute(log, "ply", TREELOG_ENTRY);
    treelog_attribute(log, "flags", TREELOG_ENTRY);
    treelog_attribute(log, "value", TREELOG_EXIT);
    treelog_constant(log, "QNode", kQNode);
    treelog_constant(log, "QRootNode", kQRootNode);
    treelog_move_names(log, write_name, &names);
    return log;
}

void write_garbage() {
    const char* const path = std::getenv("ASSAY_TREE_LOG");
    if (path == nullptr) return;
    if (std::FILE* const file = std::fopen(path, "wb")) {
        std::fputs("this is no tree log", file);
        std::fclose(file);
    }
}

void go(assay::rules::Position& position, int depth, const Settings& settings) {
    const bool is_here = position.text().starts_with(settings.trouble_at);
    const std::string trouble = is_here ? settings.trouble : "";
    if (trouble == "crash") {
        std::cerr << "treelogger: about to abort" << std::endl;
        std::abort();
    }
    if (trouble == "deaf") ::pause();
    if (trouble == "hang") return;
    if (trouble == "slow") ::usleep(300'000);
    if (trouble == "garbage") write_garbage();
    if (trouble == "garbage" || trouble == "no_log") {
        say("bestmove 0000");
        return;
    }
    Names names{&position};
    treelog* const log = open_log(settings, names);
    treelog_stream* const stream = treelog_stream_new(log);
    const std::string root = position.text();
    Searcher searcher(position, settings, stream);
    for (int iteration = 1; iteration <= depth; ++iteration) {
        treelog_open(stream, 0, static_cast<std::uint32_t>(iteration), root.c_str(), nullptr);
        searcher.iterate(iteration);
        if (trouble == "cut" && iteration == depth) ::_exit(0);
        treelog_close(stream);
    }
    treelog_stream_free(stream);
    treelog_free(log);
    say("bestmove " + searcher.best());
}

void set_option(std::string_view rest, Settings& settings) {
    assay::take_word(rest);  // "name"
    const std::string name = assay::lower(assay::take_word(rest));
    assay::take_word(rest);  // "value"
    const std::string value(assay::trim(rest));
    if (name == "width") settings.width = assay::to_number<int>(value).value_or(0);
    if (name == "explode") settings.explode = assay::to_number<int>(value).value_or(0);
    if (name == "trouble") settings.trouble = value;
    if (name == "troubleat") settings.trouble_at = value;
    if (name == "treelog") settings.log_path = value;
}

void introduce(const Settings& settings) {
    say("id name treelogger");
    say("id author the assay authors");
    say("option name Width type spin default 3 min 1 max 200");
    say("option name Explode type spin default 0 min 0 max 1000000");
    say("option name Trouble type string default");
    say("option name TroubleAt type string default");
    if (settings.takes_option) say("option name TreeLog type string default");
    say("uciok");
}

}  // namespace

int main(int argc, char** argv) {
    Settings settings;
    settings.takes_option = argc > 1 && std::string_view(argv[1]) == "--option";
    const auto game = assay::rules::make_game("chess");
    assay::engines::UciPosition position(*game);
    std::string line;
    while (std::getline(std::cin, line)) {
        std::string_view rest = line;
        const std::string_view word = assay::take_word(rest);
        if (word == "uci") introduce(settings);
        if (word == "isready") say("readyok");
        if (word == "setoption") set_option(rest, settings);
        if (word == "position") position.read(rest);
        if (word == "go") {
            assay::take_word(rest);  // "depth"
            go(position.position(), assay::to_number<int>(assay::trim(rest)).value_or(1), settings);
        }
        if (word == "quit") break;
    }
    return 0;
}

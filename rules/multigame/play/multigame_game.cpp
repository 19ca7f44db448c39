#include "rules/multigame/play/multigame_game.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "base/diagnostic.h"
#include "rules/make_game.h"
#include "rules/multigame/check/checker.h"
#include "rules/multigame/check/program_files.h"
#include "rules/multigame/play/multigame_position.h"

namespace assay::rules::multigame {

namespace {

constexpr std::array<Notation, 1> kOnlyNotation{Notation::Canonical};

struct KnownEnding {
    std::string_view word;
    std::string_view manner;
    std::string_view state;
};

/// Endings that all games know, with the words of their sentences (SEMANTICS 1.7.8).
constexpr std::array kKnownEndings{
    KnownEnding{"mate", "checkmate", "it is mate"},
    KnownEnding{"stalemate", "stalemate", "it is stalemate"},
    KnownEnding{"fifty moves", "fifty-move rule", "fifty moves passed without progress"},
    KnownEnding{"insufficient", "insufficient material", "nobody can win any more"},
};

Ending ending_called(const std::string& word) {
    for (const KnownEnding& each : kKnownEndings) {
        if (each.word == word) return {word, std::string(each.manner), std::string(each.state)};
    }
    return {word, "", ""};
}

void add_ending(std::vector<Ending>& endings, const Ending& ending) {
    const bool is_new = std::ranges::find(endings, ending.word, &Ending::word) == endings.end();
    if (is_new) endings.push_back(ending);
}

/// Fields of one colour alone make a board of draughts, and cells to glide over one of lines. A
/// queen moves over the light and dark fields of chess.
BoardStyle style_of(const Form& form) {
    const Board& board = form.board;
    std::array<bool, 2> has_field{};
    bool has_lines = false;
    for (int row = 0; row < board.rows; ++row) {
        for (int column = 0; column < board.columns; ++column) {
            const auto cell = item(board.pictures, row)[static_cast<std::size_t>(column)];
            if (cell == '#') item(has_field, (row + column) % 2) = true;
            if (cell == '-') has_lines = true;
        }
    }
    const bool is_flat = board.columns == 1 || board.rows == 1;
    const bool has_queen =
        std::ranges::find(form.pieces, "queen", &Piece::name) != form.pieces.end();
    if (!is_flat && (has_field[0] != has_field[1] || (has_queen && !has_lines)))
        return BoardStyle::Chequered;
    return has_lines ? BoardStyle::Lines : BoardStyle::Plain;
}

/// By content: whether it is a piece of this side.
std::vector<std::uint8_t> owned_by(const Form& form, int side) {
    std::vector<std::uint8_t> owned(1, 0);
    for (const Piece& piece : form.pieces) {
        for (int each = 0; each < 2; ++each) {
            owned.push_back(piece.is_owned() && each == side ? 1 : 0);
        }
    }
    return owned;
}

/// What each content shows. A piece has a name where its side has several kinds.
std::vector<PictureField> shown_contents(const Form& form) {
    const auto owned_kinds =
        std::ranges::count_if(form.pieces, [](const Piece& each) { return each.is_owned(); });
    std::vector<PictureField> shown(1);
    for (const Piece& piece : form.pieces) {
        for (int side = 0; side < 2; ++side) {
            PictureField& field = shown.emplace_back();
            field.letter = item(piece.symbols, side);
            if (piece.is_owned()) field.owner = form.players == 1 ? 0 : side;
            if (!piece.is_owned() || owned_kinds > 1) field.piece = piece.name;
        }
    }
    return shown;
}

/// Each field with its neighbours to the north and to the east, as a picture numbers them.
std::vector<std::pair<int, int>> joining_lines(const Board& board) {
    constexpr int kNorth = 0;
    constexpr int kEast = 2;
    const auto place = [&](int field) {
        const int row = board.rows - 1 - field / board.columns;
        return row * board.columns + field % board.columns;
    };
    std::vector<std::pair<int, int>> lines;
    for (int field = 0; field < static_cast<int>(board.size()); ++field) {
        if (item(board.is_field, field) == 0) continue;
        for (const int direction : {kNorth, kEast}) {
            const int other = item(item(board.neighbours, field), direction);
            if (other != kNone) lines.emplace_back(place(field), place(other));
        }
    }
    return lines;
}

GameInfo info_of(const Form& form, const std::string& name) {
    GameInfo info;
    info.name = name;
    info.players = form.sides;
    for (const Statement& each : form.statements) {
        if (each.op != Op::Verdict) continue;
        if (each.index == kNone) {
            add_ending(info.endings, {"rules", "the rules", "the rules end it here"});
            continue;
        }
        add_ending(info.endings, ending_called(item(form.texts, each.index)));
    }
    if (form.repetition.occurrences > 0) {
        add_ending(info.endings, {"repetition", "repetition", "the position has come up again"});
        if (form.repetition.perpetual != kNone) add_ending(info.endings, {"perpetual", "", ""});
    }
    info.has_chance = form.has_chance();
    info.numbers_rounds = form.players == 2;
    info.first_player = form.first_side;
    info.board = style_of(form);
    info.variant = name;
    info.pgn_variant = name;
    return info;
}

class MultigameGame final : public Game {
public:
    explicit MultigameGame(std::shared_ptr<const Program> program) : program_(std::move(program)) {}

    [[nodiscard]] const GameInfo& info() const override { return program_->info; }

    [[nodiscard]] std::span<const Notation> notations() const override { return kOnlyNotation; }

    [[nodiscard]] std::span<const PictureField> contents() const override {
        return program_->contents;
    }

    [[nodiscard]] std::unique_ptr<Position> start() const override {
        FirstPosition first = first_position(program_->tables);
        const State state{std::move(first.contents), std::move(first.values),
                          program_->form.first_side, 1};
        return position_of(state, first.is_before_setup);
    }

    [[nodiscard]] std::unique_ptr<Position> parse(std::string_view text) const override {
        if (text == "setup" && program_->form.setup_rule != kNone) return start();
        const std::size_t blank = text.rfind(' ');
        if (program_->info.has_chance && blank != std::string_view::npos) {
            if (auto decided = decided_position(text.substr(0, blank), text.substr(blank + 1))) {
                return decided;
            }
        }
        return position_of(state_of(program_->form, text), false);
    }

    [[nodiscard]] const Program& program() const { return *program_; }

private:
    [[nodiscard]] std::unique_ptr<MultigamePosition> position_of(const State& state,
                                                                 bool is_before_setup) const {
        return std::make_unique<MultigamePosition>(program_, state, is_before_setup);
    }

    /// The position in which chance draws the outcome of a decision; null where the words say no
    /// such thing.
    [[nodiscard]] std::unique_ptr<Position> decided_position(std::string_view text,
                                                             std::string_view decision) const {
        try {
            auto position = position_of(state_of(program_->form, text), false);
            if (position->decide(decision)) return position;
        } catch (const Error&) {
            return nullptr;  // read as a whole, the text gives the better message
        }
        return nullptr;
    }

    std::shared_ptr<const Program> program_;
};

}  // namespace

std::unique_ptr<Game> make_game_of_rules(const std::string& name, const std::string& path,
                                         std::string_view text, const FindCompiled& find) {
    auto program = std::make_shared<Program>();
    program->form = compiled(files_of_text(path, text));
    program->tables = std::make_shared<Tables>(program->form);
    if (find) program->compiled = find(program->form);
    program->info = info_of(program->form, name);
    program->endings = program->form.texts;
    program->contents = shown_contents(program->form);
    for (int side = 0; side < 2; ++side) item(program->is_of, side) = owned_by(program->form, side);
    if (program->info.board == BoardStyle::Lines)
        program->lines = joining_lines(program->form.board);
    return std::make_unique<MultigameGame>(std::move(program));
}

std::string read_rules(const std::string& path) {
    return joined_text(files_of(path, read_rules_file));
}

std::string game_name_of(std::string_view path) {
    return std::filesystem::path(path).stem().string();
}

const Form* form_of(const Game& game) {
    const auto* made_here = dynamic_cast<const MultigameGame*>(&game);
    return made_here == nullptr ? nullptr : &made_here->program().form;
}

std::shared_ptr<const CompiledProgram> compiled_program_of(const Game& game) {
    const auto* made_here = dynamic_cast<const MultigameGame*>(&game);
    return made_here == nullptr ? nullptr : made_here->program().compiled;
}

FirstPosition first_position(const std::shared_ptr<const Tables>& tables) {
    const Form& form = tables->form();
    State first = first_state(form);
    if (form.setup_rule == kNone) return {std::move(first.board), std::move(first.values), false};
    Machine machine(tables);
    machine.load(first);
    MoveList outcomes;
    machine.setups(outcomes);
    const bool draws = outcomes.moves.front().decision != kNone;
    if (!draws) {
        machine.apply_setup(outcomes, 0);
        first = machine.state();
    }
    return {std::move(first.board), std::move(first.values), draws};
}

void use_compiled_rules(FindCompiled find) {
    register_game_files({std::string(kRulesEnding), read_rules, [find](const GameSource& source) {
                             return make_game_of_rules(game_name_of(source.path), source.path,
                                                       source.text, find);
                         }});
}

}  // namespace assay::rules::multigame

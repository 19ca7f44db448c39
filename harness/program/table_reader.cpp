// The helper is asked first to open the tables and then for one position after the other. A
// question is the text of the position, an answer three bytes: whether there is a value, the winner
// and whether the counter of quiet moves makes it a draw. What has more pieces than any table is
// not asked, so that most games cost nothing: a question costs two switches between processes, some
// 20 us beside the reading of the table itself.
#include "harness/program/table_reader.h"

#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "adapters/process/helper.h"
#include "base/diagnostic.h"
#include "base/text.h"
#include "rules/make_game.h"
#include "rules/table_pieces.h"

namespace assay::harness {

namespace {

// Many tables on a slow disk are looked at; a position is looked up in one.
constexpr Micros kOpenLimit = std::chrono::minutes(5);
constexpr Micros kValueLimit = std::chrono::seconds(2);

// First bytes of the answers to the first question.
constexpr char kOpened = 'o';    // then: how many pieces a table has at most, one byte
constexpr char kNoTables = 'n';  // of such a game
constexpr char kRefused = 'r';   // then: the exit code, one byte, and why

// And of the others.
constexpr char kHasValue = 'v';  // then: winner and is_drawn_by_counter, one byte each
constexpr char kNoValue = 'u';

char byte_of(int number) {
    return static_cast<char>(static_cast<std::int8_t>(number));
}

int number_of(char byte) {
    return static_cast<std::int8_t>(byte);
}

/// What the helper holds.
class Served {
public:
    Served(std::string game, std::string folders)
        : name_(std::move(game)), folders_(std::move(folders)) {}

    [[nodiscard]] std::string answer(std::string_view question) {
        try {
            return tables_ ? value_of(question) : opened();
        } catch (const Error& error) {
            if (tables_) return {kNoValue};
            return std::string{kRefused, byte_of(error.exit_code())} + error.what();
        }
    }

private:
    [[nodiscard]] std::string opened() {
        // Rules of a file have none.
        if (!rules::name_of_game(name_)) return {kNoTables};
        game_ = rules::make_game(name_);
        tables_ = game_->open_tablebase(folders_);
        if (!tables_) return {kNoTables};
        return {kOpened, byte_of(tables_->most_pieces())};
    }

    [[nodiscard]] std::string value_of(std::string_view text) const {
        const auto value = tables_->value(*game_->parse(text));
        if (!value) return {kNoValue};
        return {kHasValue, byte_of(value->winner), byte_of(value->is_drawn_by_counter ? 1 : 0)};
    }

    std::string name_;
    std::string folders_;
    std::unique_ptr<rules::Game> game_;
    std::unique_ptr<rules::Tablebase> tables_;
};

}  // namespace

struct TableReader::State {
    std::string folders;
    std::unique_ptr<adapters::Helper> helper;  // null: no table is read any more
    int most_pieces = 0;
    std::string failure;
    Say say;
};

std::unique_ptr<TableReader> TableReader::open(const rules::Game& game, const std::string& folders,
                                               const std::string& program) {
    const std::vector<std::string> words{std::string(kReadTables), std::string(game.name()),
                                         folders};
    auto state = std::make_unique<State>();
    state->folders = folders;
    state->helper = program.empty() ? std::make_unique<adapters::Helper>(words)
                                    : std::make_unique<adapters::Helper>(words, program);
    const auto answer = state->helper->ask("open", kOpenLimit);
    if (answer && answer->size() > 1 && answer->front() == kRefused)
        throw Error(answer->substr(2), number_of((*answer)[1]));
    if (answer && answer->front() == kNoTables) return nullptr;
    if (!answer || answer->size() != 2 || answer->front() != kOpened)
        throw Error(fmt::format("the tablebases in '{}' cannot be read: the reader {}",
                                printable_utf8(folders), state->helper->failure()));
    state->most_pieces = number_of((*answer)[1]);
    return std::unique_ptr<TableReader>(new TableReader(std::move(state)));  // NOLINT: private
}

TableReader::TableReader(std::unique_ptr<State> state) : state_(std::move(state)) {}

TableReader::~TableReader() = default;

void TableReader::on_failure(Say say) {
    state_->say = std::move(say);
}

void TableReader::switch_off() {
    state_->helper.reset();
}

const std::string& TableReader::folders() const {
    return state_->folders;
}

const std::string& TableReader::failure() const {
    return state_->failure;
}

std::optional<rules::TableValue> TableReader::value(const rules::Position& position) const {
    if (!state_->helper || pieces(position) > most_pieces()) return std::nullopt;
    const std::string text = position.text();
    const auto answer = state_->helper->ask(text, kValueLimit);
    if (answer && answer->size() == 3 && answer->front() == kHasValue)
        return rules::TableValue{number_of((*answer)[1]), (*answer)[2] != 0};
    if (answer) return std::nullopt;
    state_->failure =
        fmt::format("the tables of '{}' {} at {} ({})", printable_utf8(folders()),
                    state_->helper->was_late() ? "held the reader up" : "crashed the reader", text,
                    state_->helper->failure());
    state_->helper.reset();
    if (state_->say) state_->say(state_->failure);
    return std::nullopt;
}

int TableReader::most_pieces() const {
    return state_->most_pieces;
}

int TableReader::pieces(const rules::Position& position) const {
    return rules::table_pieces(position);
}

void read_tables(const std::vector<std::string>& words) {
    if (words.size() != 2) return;
    Served served(words[0], words[1]);
    adapters::serve_helper([&](std::string_view question) { return served.answer(question); });
}

}  // namespace assay::harness

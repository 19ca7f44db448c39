// Tables of Syzygy, read by Fathom (https://github.com/jdart1/Fathom).
//
// The library is loaded when tables are first asked for, and not linked: it exists as a shared
// object alone, few matches use it, and assay starts on machines that lack it. Three of its symbols
// are enough. It keeps one set of tables a process, as global variables, so that two sets of
// folders cannot be open at once; it maps a table when a position first needs it, and prints to
// standard error, but goes on, where a table is none. What a table's size and first bytes tell is
// therefore looked at here, before a game is played.
#include "rules/chess/syzygy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <dlfcn.h>
#include <filesystem>
#include <mutex>
#include <vector>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/text.h"
#include "rules/chess/chess_game.h"
#include "rules/table_pieces.h"

namespace assay::rules::chess {

namespace {

constexpr const char* kLibrary = "libfathom.so.1";
constexpr std::string_view kEnding = ".rtbw";

// Values of tb_probe_wdl_impl(), for the side to move.
constexpr unsigned kSaidLoss = 0;
constexpr unsigned kSaidBlessedLoss = 1;
constexpr unsigned kSaidDraw = 2;
constexpr unsigned kSaidCursedWin = 3;
constexpr unsigned kSaidWin = 4;

/// The functions of the library that are called.
struct Fathom {
    bool (*init)(const char* folders) = nullptr;
    unsigned (*probe)(std::uint64_t white, std::uint64_t black, std::uint64_t kings,
                      std::uint64_t queens, std::uint64_t rooks, std::uint64_t bishops,
                      std::uint64_t knights, std::uint64_t pawns, unsigned ep,
                      bool is_white) = nullptr;
    const unsigned* most_pieces = nullptr;
};

template <class Symbol>
void find_symbol(void* library, const char* name, Symbol& symbol) {
    symbol = reinterpret_cast<Symbol>(::dlsym(library, name));  // NOLINT: as dlsym() wants it
    if (symbol == nullptr) throw Error(fmt::format("{} has no '{}'", kLibrary, name));
}

Fathom load_library() {
    void* const library = ::dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        throw Error(fmt::format(
            "tablebases are read through {}, which is not on this machine; install it (Debian: "
            "libfathom1)",
            kLibrary));
    Fathom fathom;
    find_symbol(library, "tb_init", fathom.init);
    find_symbol(library, "tb_probe_wdl_impl", fathom.probe);
    find_symbol(library, "TB_LARGEST", fathom.most_pieces);
    return fathom;
}

const Fathom& library() {
    static const Fathom fathom = load_library();
    return fathom;
}

/// "KQvK" and "KRPvKR", as files of tables are named.
bool is_name_of_table(std::string_view name) {
    const std::size_t between = name.find('v');
    if (between == std::string_view::npos || between + 1 == name.size()) return false;
    const auto is_side = [](std::string_view side) {
        return side.front() == 'K' && side.find_first_not_of("KQRBNP") == std::string_view::npos;
    };
    return between > 0 && is_side(name.substr(0, between)) && is_side(name.substr(between + 1));
}

/// Throws Error where the file is no table of this kind.
void check_table(const std::string& path) {
    constexpr std::array<unsigned char, 4> kMagic{0x71, 0xe8, 0x23, 0x5d};
    // Blocks of 64 bytes, and a sum of 16.
    constexpr std::uintmax_t kBlock = 64;
    constexpr std::uintmax_t kSum = 16;
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    const std::string head = error ? "" : read_start(path, kMagic.size()).value_or("");
    const bool is_magic =
        head.size() == kMagic.size() &&
        std::equal(kMagic.begin(), kMagic.end(), head.begin(),
                   [](unsigned char a, char b) { return a == static_cast<unsigned char>(b); });
    if (error || !is_magic)
        throw Error(path + ": this is no Syzygy table of wins and draws (.rtbw); copy it anew");
    if (size <= kBlock || size % kBlock != kSum)
        throw Error(fmt::format("{}: the table is cut short or damaged ({} bytes); copy it anew",
                                path, size));
}

bool is_table(const std::filesystem::path& path) {
    return path.extension() == kEnding && is_name_of_table(path.stem().native());
}

/// The folder in `parent` whose name is like this one's, or the first in which a table is; empty:
/// there is none.
std::string meant_folder(const std::filesystem::path& parent, std::string_view name) {
    std::vector<std::string> names;
    std::string with_table;
    std::error_code error;
    std::filesystem::directory_iterator entry(parent, error);
    for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
        std::error_code ignored;
        if (!entry->is_directory(ignored)) continue;
        names.push_back(entry->path().filename().string());
        if (name.empty()) {
            std::filesystem::directory_iterator inner(entry->path(), ignored);
            const bool has_table =
                !ignored && std::any_of(begin(inner), end(inner),
                                        [](const auto& one) { return is_table(one.path()); });
            if (has_table && (with_table.empty() || names.back() < with_table))
                with_table = names.back();
        }
    }
    if (name.empty()) return with_table.empty() ? "" : (parent / with_table).string();
    const std::vector<std::string_view> candidates(names.begin(), names.end());
    const std::string near = nearest_name(name, candidates);
    return near.empty() ? "" : (parent / near).string();
}

std::string did_you_mean_folder(const std::string& meant) {
    return meant.empty() ? "" : fmt::format("; did you mean '{}'?", printable_utf8(meant));
}

/// Throws Error where there is none, or one is damaged.
void check_folders(const std::string& folders) {
    std::size_t found = 0;
    for (const std::string_view one : split_at(folders, ':')) {
        const std::string folder(one);
        std::error_code error;
        if (!std::filesystem::is_directory(folder, error))
            throw Error(fmt::format("there is no folder of tablebases '{}'{}",
                                    printable_utf8(folder),
                                    did_you_mean_folder(meant_folder(
                                        std::filesystem::path(folder).parent_path(),
                                        std::filesystem::path(folder).filename().native()))));
        std::filesystem::directory_iterator entry(folder, error);
        for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
            const std::filesystem::path& path = entry->path();
            if (!is_table(path)) continue;
            check_table(path.string());
            ++found;
        }
        if (error) throw Error(fmt::format("{}: {}", folder, error.message()));
    }
    if (found == 0)
        throw Error(fmt::format("there is no table (KQvK{}, ...) in '{}'{}", kEnding,
                                printable_utf8(folders),
                                did_you_mean_folder(meant_folder(folders, ""))));
}

/// The folders that the library has open, and by how many objects.
struct Use {
    std::mutex mutex;
    std::string folders;
    int objects = 0;
};

Use& use() {
    static Use one;
    return one;
}

const Board& board_of(const Position& position) {
    return dynamic_cast<const ChessPosition&>(position).board();
}

class Syzygy final : public Tablebase {
public:
    explicit Syzygy(const std::string& folders) {
        check_folders(folders);
        const Fathom& fathom = library();
        const std::lock_guard lock(use().mutex);
        if (use().objects > 0 && use().folders != folders)
            throw Error(fmt::format(
                "tablebases of '{}' are in use: one run has one set of them; name all folders, "
                "with ':' between them",
                printable_utf8(use().folders)));
        if (use().objects == 0 && (!fathom.init(folders.c_str()) || *fathom.most_pieces == 0))
            throw Error(
                fmt::format("the tablebases in '{}' cannot be read", printable_utf8(folders)));
        use().folders = folders;
        ++use().objects;
        most_pieces_ = static_cast<int>(*fathom.most_pieces);
    }

    Syzygy(const Syzygy&) = delete;
    Syzygy& operator=(const Syzygy&) = delete;

    ~Syzygy() override {
        const std::lock_guard lock(use().mutex);
        --use().objects;
    }

    [[nodiscard]] int most_pieces() const override { return most_pieces_; }

    [[nodiscard]] int pieces(const Position& position) const override {
        return table_pieces(position);
    }

    [[nodiscard]] std::optional<TableValue> value(const Position& position) const override {
        const Board& board = board_of(position);
        if (board.rights() != 0 || std::popcount(board.occupied()) > most_pieces_)
            return std::nullopt;
        const unsigned ep = board.ep() == kNoSquare ? 0 : static_cast<unsigned>(board.ep());
        const bool is_white = board.side() == Color::White;
        const unsigned said =
            library().probe(board.of(Color::White), board.of(Color::Black), board.of(Kind::King),
                            board.of(Kind::Queen), board.of(Kind::Rook), board.of(Kind::Bishop),
                            board.of(Kind::Knight), board.of(Kind::Pawn), ep, is_white);
        const int mover = is_white ? 0 : 1;
        switch (said) {
            case kSaidLoss:
            case kSaidBlessedLoss:
                return TableValue{1 - mover, said == kSaidBlessedLoss};
            case kSaidDraw:
                return TableValue{};
            case kSaidWin:
            case kSaidCursedWin:
                return TableValue{mover, said == kSaidCursedWin};
            default:
                return std::nullopt;  // no table of these pieces
        }
    }

private:
    int most_pieces_ = 0;
};

}  // namespace

std::unique_ptr<Tablebase> open_syzygy(const std::string& folders) {
    return std::make_unique<Syzygy>(folders);
}

}  // namespace assay::rules::chess

int assay::rules::table_pieces(const Position& position) {
    return std::popcount(chess::board_of(position).occupied());
}

bool assay::rules::check_tablebase(const Game& game, const std::string& folders) {
    if (dynamic_cast<const chess::ChessGame*>(&game) == nullptr) return false;
    chess::check_folders(folders);
    return true;
}

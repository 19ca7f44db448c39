#include "openings/book.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/packing.h"
#include "cli/book/book_build.h"
#include "cli/frame/commands.h"
#include "cli/frame/target.h"
#include "cli/frame/values.h"
#include "openings/book_survey.h"
#include "openings/build/book_writer.h"
#include "openings/read/book_format.h"
#include "openings/shipped.h"
#include "rules/game.h"
#include "rules/make_game.h"

namespace assay::cli {

namespace {

using openings::Book;
using openings::BookFormat;

struct BookFlags {
    std::string in;
    std::string out;
    std::string game = "chess";
    std::optional<int> plies;
    std::string cache;
    bool unique = false;
    bool json = false;
};

std::unique_ptr<Book> open(const BookFlags& flags, const rules::Game& game) {
    openings::BookOptions options;
    options.path = openings::book_path_of(flags.in);
    options.plies = flags.plies;
    options.cache_dir = flags.cache;
    return open_book(options, game);
}

void print_json(const Book& book, const openings::Survey& found, int players) {
    boost::json::object out;
    out["schema"] = 1;
    out["path"] = book.path();
    out["format"] = openings::name_of(book.format());
    out["openings"] = found.openings;
    out["skipped"] = found.skipped;
    out["duplicates"] = found.duplicates;
    out["plies"] = {found.fewest_plies, found.most_plies};
    boost::json::array sides;
    for (int i = 0; i < players; ++i)
        sides.emplace_back(found.to_move[static_cast<std::size_t>(i)]);
    out["to_move"] = std::move(sides);
    out["hash"] = book.hash();
    boost::json::object names;
    for (const auto& [name, count] : found.names) names[name] = count;
    out["names"] = std::move(names);
    boost::json::array warnings;
    for (const Diagnostic& each : found.remarks) {
        warnings.emplace_back(boost::json::object{
            {"line", each.line}, {"column", each.column}, {"message", each.message}});
    }
    out["warnings"] = std::move(warnings);
    fmt::print("{}\n", boost::json::serialize(out));
}

/// The most frequent ones; nothing where no opening has a name.
void print_names(const openings::Survey& found) {
    constexpr std::size_t kMost = 10;
    if (found.names.empty()) return;
    std::vector<std::pair<std::uint64_t, std::string_view>> by_count;
    std::uint64_t named = 0;
    for (const auto& [name, count] : found.names) {
        by_count.emplace_back(count, name);
        named += count;
    }
    std::ranges::stable_sort(by_count, std::greater<>(),
                             &std::pair<std::uint64_t, std::string_view>::first);
    fmt::print("named       {} of {}, by the positions that they pass\n", named, found.openings);
    for (std::size_t i = 0; i < std::min(kMost, by_count.size()); ++i)
        fmt::print("{:>9}   {}\n", by_count[i].first, by_count[i].second);
    if (by_count.size() > kMost) fmt::print("            and {} more\n", by_count.size() - kMost);
}

void print_text(const Book& book, const openings::Survey& found, int players) {
    for (const Diagnostic& each : found.remarks) fmt::print(stderr, "{}", format(each));
    fmt::print("book        {}\n", book.path());
    fmt::print("format      {}\n", openings::name_of(book.format()));
    fmt::print("openings    {}, of which {} repeat a position\n", found.openings, found.duplicates);
    fmt::print("skipped     {}\n", found.skipped);
    fmt::print("plies       {} to {}\n", found.fewest_plies, found.most_plies);
    fmt::print("to move    ");
    for (int i = 0; i < players; ++i) {
        fmt::print(" {} {}{}", i == 0 ? "first player" : "second",
                   found.to_move[static_cast<std::size_t>(i)], i + 1 < players ? "," : "\n");
    }
    fmt::print("hash        {}\n", book.hash());
    print_names(found);
}

void run_info(const BookFlags& flags) {
    const auto game = rules::make_game(rules::find_game(flags.game));
    const auto book = open(flags, *game);
    const openings::Survey found = survey(*book, *game);
    if (flags.json) {
        print_json(*book, found, game->players());
    } else {
        print_text(*book, found, game->players());
    }
}

void run_convert(const BookFlags& flags) {
    const BookFormat format = openings::format_to_write(flags.out);
    check_target(flags.out);
    const auto game = rules::make_game(rules::find_game(flags.game));
    const auto book = open(flags, *game);
    std::error_code ignored;
    if (std::filesystem::equivalent(book->path(), flags.out, ignored)) {
        throw Error(flags.out +
                    ": is the book itself, which is read while the new one is written; "
                    "give the new one another name");
    }
    for (const Diagnostic& each : book->warnings()) fmt::print(stderr, "{}", assay::format(each));
    std::string content;
    std::unordered_set<std::uint64_t> seen;
    std::uint64_t written = 0;
    for (std::uint64_t i = 0; i < book->size(); ++i) {
        const openings::Opening opening = book->at(i);
        if (opening.index != i) continue;
        if (flags.unique && !seen.insert(position_after(opening, *game)->hash()).second) continue;
        content += write_opening(opening, format, *game);
        ++written;
    }
    write_file(flags.out, pack(content, packing_of_name(flags.out)));
    fmt::print(stderr, "{}: {} openings of {}\n", flags.out, written, book->size());
}

void add_common(Command& verb, BookFlags& flags) {
    verb.add_option(
            "BOOK", flags.in,
            "EPD, PGN, FEN list or polyglot book, also compressed by gzip or zstd; or 'unbalanced' or "
            "'balanced', the books that ship with assay")
        ->type_name("")
        ->required();
    verb.add_option("--game,--variant", flags.game, game_help())
        ->type_name("GAME")
        ->capture_default_str();
    verb.add_option(
            "--plies", flags.plies,
            "half-moves to take of each game of a PGN or line of a polyglot book (default all)")
        ->type_name("N")
        ->transform(number(1, 10'000));
    verb.add_option("--cache", flags.cache,
                    "folder for the index of a large book (default $XDG_CACHE_HOME/assay)")
        ->type_name("DIR");
}

}  // namespace

void add_book(Command& app, Exit& exit) {
    Command* const book = app.add_subcommand("book", "build, inspect and convert opening books");
    book->require_subcommand(1);
    const auto flags = std::make_shared<BookFlags>();

    add_book_build(*book, exit);

    Command* const info = book->add_subcommand("info", "describe a book");
    add_common(*info, *flags);
    info->add_flag("--json", flags->json, "one JSON object on standard output");
    info->footer(
        "examples:\n"
        "  assay book info unbalanced\n"
        "  assay book info book.bin --plies 8\n"
        "  assay book info games.pgn.gz --plies 12 --json");
    info->callback([flags] { run_info(*flags); });

    Command* const convert =
        book->add_subcommand("convert", "write a book in another format, compressed or not");
    add_common(*convert, *flags);
    convert
        ->add_option(
            "OUT", flags->out,
            "file to write; its name gives the format: .epd, .fen or .pgn, then .gz, .zst or nothing")
        ->type_name("")
        ->required();
    convert->add_flag("--unique", flags->unique, "keep each position once");
    convert->footer(
        "examples:\n"
        "  assay book convert games.pgn openings.epd.zst --plies 16 --unique\n"
        "  assay book convert book.bin lines.pgn --plies 8\n"
        "  assay book convert balanced balanced.pgn");
    convert->callback([flags] { run_convert(*flags); });

    book->footer(
        "examples:\n"
        "  assay book build mine.epd.zst --program /usr/games/stockfish --count 500\n"
        "  assay book info unbalanced\n"
        "  assay book convert games.pgn openings.epd --plies 16 --unique");
}

}  // namespace assay::cli

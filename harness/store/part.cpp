// A part comes from another machine over a network, a shared folder or a CI system's artefacts, and
// any of them may cut it short, change it, or hand over another file of the same name. SQLite keeps
// no checksums: a byte that changes inside a game would be read as another game. So a part is
// closed with the SHA-256 of all its bytes behind the last page, where SQLite, which takes the
// number of pages from the file's first page, does not look: a sealed part is still a store that
// every command reads. Nothing of a file is given to SQLite before its seal is right.
//
// What the seal does not tell is checked on a copy in memory, so that nothing is written beside the
// part, no lock is asked of a network drive, and a part of an older schema can be migrated. A
// worker is trusted not to lie about results (docs/security.md), but whatever the bytes are, they
// give a sentence and no crash.
//
// Cost: reading decodes all moves, some 40 µs a game.
#include "harness/store/part.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/sha256.h"
#include "base/text.h"
#include "harness/record/run_identity.h"
#include "harness/store/run_copier.h"
#include "harness/store/store.h"
#include "harness/store/store_lock.h"
#include "harness/store/store_parts.h"
#include "harness/store/store_schema.h"

namespace assay::harness {

namespace {

namespace fs = std::filesystem;

using PartFaultKind = PartFault::Kind;

/// Followed by the digits of the SHA-256 of all before it.
constexpr std::string_view kSealMark = "assay part sha2:";
constexpr std::size_t kSealSize = kSealMark.size() + 64;

// Of SQLite's file format: https://www.sqlite.org/fileformat.html, "The Database Header".
constexpr std::size_t kSqliteHeader = 100;
constexpr std::size_t kWriteVersion = 18;  // 2: there is a log (WAL)
constexpr std::size_t kReadVersion = 19;
constexpr std::size_t kUserVersion = 60;

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = at; i < at + 4; ++i)
        value = value << 8U | static_cast<unsigned char>(bytes[i]);
    return value;
}

/// Ends the reading of a part.
struct PartRefusal {
    PartFaultKind kind = PartFaultKind::Damaged;
    std::string why;  // behind "FILE: "
};

[[noreturn]] void refuse_part(PartFaultKind kind, std::string why) {
    throw PartRefusal{kind, std::move(why)};
}

PartFault part_fault(const std::string& file, const PartRefusal& refusal) {
    return {refusal.kind, printable_utf8(file) + ": " + printable_utf8(refusal.why)};
}

/// Runs `work`, and gives a PartFault for whatever it meets in the bytes of the part.
template <class Result, class Work>
std::variant<Result, PartFault> read_guarded(const std::string& file, const Work& work) {
    try {
        return work();
    } catch (const PartRefusal& refusal) {
        return part_fault(file, refusal);
    } catch (const Error& error) {
        return PartFault{PartFaultKind::Damaged, printable_utf8(error.what())};
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& error) {
        return part_fault(file,
                          {PartFaultKind::Damaged, std::string("is damaged: ") + error.what()});
    }
}

/// The file's bytes, without the seal.
std::string sealed_bytes(const std::string& file) {
    std::string bytes;
    try {
        const File opened = File::open_regular(file);
        const std::uint64_t size = opened.stamp().size;
        if (size > kMostPartBytes)
            refuse_part(
                PartFaultKind::TooLarge,
                fmt::format("has {} bytes; a part has at most {} MB", size, kMostPartBytes >> 20U));
        // Most of what was cut short is known by its end.
        if (size > kSealSize &&
            !opened.read_at(size - kSealSize, kSealSize).starts_with(kSealMark)) {
            bytes = opened.read_at(0, kSqliteHeader);
        } else {
            bytes = opened.read_at(0, static_cast<std::size_t>(size));
        }
    } catch (const Error& error) {
        refuse_part(PartFaultKind::Missing, fmt::format("cannot be read ({})", error.what()));
    }
    if (bytes.size() < kSqliteHeader || !bytes.starts_with("SQLite format 3"))
        refuse_part(PartFaultKind::Damaged, bytes.empty()
                                                ? "is empty, not a part of a run"
                                                : "is not a part of a run, or was cut short");
    const std::uint32_t version = number_at(bytes, kUserVersion);
    const std::size_t known = store_migrations().size();
    const bool has_seal =
        bytes.size() > kSealSize &&
        std::string_view(bytes).substr(bytes.size() - kSealSize).starts_with(kSealMark);
    if (!has_seal)
        refuse_part(
            PartFaultKind::Damaged,
            "has no seal at its end: it was cut short, or is still being written, or no worker "
            "wrote it");
    const std::string seal = bytes.substr(bytes.size() - kSealSize + kSealMark.size());
    bytes.resize(bytes.size() - kSealSize);
    if (sha256_of(bytes) != seal)
        refuse_part(PartFaultKind::Damaged,
                    "was changed after it was closed: its SHA-256 is not that of its seal");
    if (version > known)
        refuse_part(
            PartFaultKind::Newer,
            fmt::format("is of version {}, and this assay reads up to version {}; its worker "
                        "runs a newer assay",
                        version, known));
    if (bytes[kWriteVersion] != 1 || bytes[kReadVersion] != 1)
        refuse_part(PartFaultKind::Damaged, "was not closed to one file by its worker");
    return bytes;
}

/// What an assay would not have put there could run while we write.
void check_part_schema(const Store& store) {
    if (store.has_only_tables()) return;
    refuse_part(PartFaultKind::Damaged,
                "has triggers, views or virtual tables, which no assay writes");
}

RunRecord only_run_of(const Store& store) {
    std::vector<RunRecord> runs = store.runs();
    if (runs.size() != 1)
        refuse_part(PartFaultKind::Damaged,
                    fmt::format("holds {} runs; a part holds one", runs.size()));
    return std::move(runs.front());
}

void check_part_of(const RunRecord& run, const RunRecord& expected) {
    if (run.uid != expected.uid)
        refuse_part(PartFaultKind::Foreign,
                    fmt::format("is a part of another run ({}, not {})", run.uid, expected.uid));
    if (const std::string why = why_not_one_run(expected, run); !why.empty())
        refuse_part(PartFaultKind::Foreign, fmt::format("is not a part of the run: {}", why));
}

using PartGameKey = std::tuple<std::int64_t, int, int>;  // pair, attempt, game

class PartReader {
public:
    PartReader(const Store& store, const RunRecord& run, const PartAsked& asked, Part& part)
        : store_(store), run_(run), asked_(asked), part_(part) {}

    void read() {
        const std::size_t matches = run_.plan.matches.size();
        for (const std::size_t match : store_.begun_matches(part_.run.id)) {
            if (match >= matches)
                refuse_part(
                    PartFaultKind::Pairs,
                    fmt::format("has games of match {}, and the run has {}", match + 1, matches));
            read_match(match);
        }
        for (std::size_t match = 0; match < matches; ++match)
            part_.meters.push_back(store_.meters(part_.run.id, match));
        part_.builds = store_.builds(part_.run.id);
        part_.attempts = store_.attempts(part_.run.id);
        for (const MachineBuild& build : part_.builds)
            if (build.program < 0 || build.program >= std::ssize(part_.run.versions))
                refuse_part(PartFaultKind::Damaged,
                            "names the build of a program that the run does not have");
    }

private:
    void read_match(std::size_t match) {
        total_ += store_.pair_count(part_.run.id, match);
        if (total_ > kMostPartPairs)
            refuse_part(PartFaultKind::TooLarge,
                        fmt::format("has {} pairs; a part has at most {}", total_, kMostPartPairs));
        std::map<PartGameKey, std::size_t> places;  // of its pair in part_.pairs
        std::set<std::int64_t> standing;
        for (PairDigest& digest : store_.pairs(part_.run.id, match)) {
            check_pair(digest);
            if (!is_left_out(digest.state) && !standing.insert(digest.pair).second)
                refuse_part(PartFaultKind::Pairs,
                            fmt::format("has pair {} twice", digest.pair + 1));
            for (const int game : {0, 1})
                places[{digest.pair, digest.attempt, game}] = part_.pairs.size();
            part_.pairs.push_back({std::move(digest), {}});
        }
        take_games(match, places);
        take_pv_counts(match, places);
    }

    void check_pair(const PairDigest& pair) const {
        const std::optional<AskedPairs>& asked = asked_.pairs;
        if (pair.pair < 0 || pair.attempt < 0)
            refuse_part(PartFaultKind::Damaged, "has a pair whose number is below 1");
        if (asked && !asked->has(pair.match, pair.pair))
            refuse_part(
                PartFaultKind::Pairs,
                fmt::format("has pair {} of match {}; asked for were pairs {} to {} of match {}",
                            pair.pair + 1, pair.match + 1, asked->first + 1,
                            asked->first + asked->count, asked->match + 1));
        if (asked_.claim && pair.attempt / kAttemptsOfClaim != *asked_.claim)
            refuse_part(PartFaultKind::Pairs,
                        fmt::format("has attempt {} of pair {}, which is not one of claim {}",
                                    pair.attempt, pair.pair + 1, *asked_.claim));
        if (pair.is_single)
            refuse_part(PartFaultKind::Pairs, "has single games where the run plays pairs");
    }

    void take_games(std::size_t match, const std::map<PartGameKey, std::size_t>& places) {
        std::int64_t halves = 0;
        store_.for_each_game(part_.run.id, match, [&](const GameRecord& game) {
            const auto place = places.find({game.pair, game.attempt, game.game});
            if (place == places.end()) {
                ++halves;
                return;
            }
            PartPair& pair = part_.pairs[place->second];
            const GameDigest& digest = pair.digest.games[static_cast<std::size_t>(game.game)];
            const bool is_whole = game.number == 2 * game.pair + game.game + 1 &&
                                  digest_of(game).moves_hash == digest.moves_hash &&
                                  game.opening_index == pair.digest.opening_index;
            if (!is_whole)
                refuse_part(PartFaultKind::Damaged,
                            fmt::format("has a game {} that contradicts itself", game.number));
            pair.games.push_back(game);
        });
        if (halves > 0)
            part_.warnings.push_back(fmt::format(
                "{}: {} {} of pairs that were not finished {} left out", printable_utf8(part_.file),
                halves, halves == 1 ? "game" : "games", halves == 1 ? "is" : "are"));
    }

    void take_pv_counts(std::size_t match, const std::map<PartGameKey, std::size_t>& places) {
        store_.for_each_pv_count(part_.run.id, match,
                                 [&](const Store::GameOf& of, const PvCount& count) {
                                     const auto place = places.find({of.pair, of.attempt, of.game});
                                     if (place == places.end()) return;
                                     for (GameRecord& game : part_.pairs[place->second].games)
                                         if (game.game == of.game) game.pv_counts.push_back(count);
                                 });
    }

    const Store& store_;
    const RunRecord& run_;
    const PartAsked& asked_;
    Part& part_;
    std::int64_t total_ = 0;
};

void add_part_warnings(Part& part) {
    const MachineRecord& machine = part.run.machine;
    const std::string& name = machine.worker.empty() ? machine.host : machine.worker;
    for (const std::string& drift : part.run.findings.drift)
        part.warnings.push_back(printable_utf8(name + ": " + drift));
    if (!machine.trouble.empty())
        part.warnings.push_back(printable_utf8(name + ": " + machine.trouble));
}

Part read_part_store(const std::string& file, const Store& store, const RunRecord& run,
                     const PartAsked& asked) {
    check_part_schema(store);
    Part part;
    part.file = file;
    part.run = only_run_of(store);
    check_part_of(part.run, run);
    PartReader(store, run, asked, part).read();
    add_part_warnings(part);
    return part;
}

fs::path free_quarantine_name(const fs::path& folder, const std::string& name) {
    fs::path path = folder / name;
    for (int i = 1; fs::exists(fs::symlink_status(path)); ++i)
        path = folder / fmt::format("{}.{}", name, i);
    return path;
}

}  // namespace

void Part::set_machine(std::int64_t number) {
    for (PartPair& pair : pairs) {
        if (pair.digest.machine == 0) pair.digest.machine = number;
        for (GameRecord& game : pair.games)
            if (game.machine == 0) game.machine = number;
    }
    for (MachineBuild& build : builds)
        if (build.machine == 0) build.machine = number;
    for (AttemptRecord& attempt : attempts)
        if (attempt.machine == 0) attempt.machine = number;
}

void close_part(const std::string& file) {
    {
        const std::string end = read_file(file);
        if (end.size() > kSealSize && end.substr(end.size() - kSealSize).starts_with(kSealMark))
            return;
    }
    try {
        SQLite::Database database(file, SQLite::OPEN_READWRITE, kStoreBusyMilliseconds);
        const std::string mode = database.execAndGet("PRAGMA journal_mode = DELETE").getString();
        if (mode != "delete")
            throw StoreFailure(printable_utf8(file) + ": cannot be closed: it is in use");
        // Most tables of a part are empty, and take a page each.
        database.exec("PRAGMA page_size = 1024; VACUUM");
    } catch (const SQLite::Exception&) {
        rethrow_store_error(file);
    }
    const std::string sha256 = sha256_of_file(file);
    const File sealed = File::append(file);
    sealed.write(fmt::format("{}{}", kSealMark, sha256));
    if (::fsync(sealed.descriptor()) != 0) throw_file_error(file, "write", errno);
}

std::variant<Part, PartFault> read_part(const std::string& file, const RunRecord& run,
                                        const PartAsked& asked) {
    return read_guarded<Part>(file, [&] {
        return read_part_store(file, Store::in_memory(file, sealed_bytes(file)), run, asked);
    });
}

std::string quarantine(const std::string& store, const std::string& file,
                       const std::string& reason) {
    const fs::path folder = path_beside(store, ".quarantine");
    try {
        fs::create_directories(folder);
        const fs::path target = free_quarantine_name(folder, fs::path(file).filename());
        std::error_code failed;
        fs::rename(file, target, failed);
        if (failed == std::errc::cross_device_link) {
            fs::copy_file(file, target);
            fs::remove(file);
        } else if (failed) {
            throw fs::filesystem_error("cannot move", failed);
        }
        write_file(target.string() + ".reason", reason + "\n");
        return target;
    } catch (const fs::filesystem_error& error) {
        throw Error(fmt::format("{}: cannot be moved to {}: {}", printable_utf8(file),
                                printable_utf8(folder.string()), error.code().message()),
                    4);
    }
}

std::variant<Imported, PartFault> import_part(const std::string& store, std::int64_t run,
                                              const std::string& file, const PartAsked& asked) {
    const std::optional<RunRecord> record =
        Store(store, Store::Access::Read).find_run(std::to_string(run));
    if (!record) throw Error(fmt::format("{}: there is no run {}", printable_utf8(store), run));
    std::string bytes;
    std::variant<Part, PartFault> part = read_guarded<Part>(file, [&] {
        const Store part_store = Store::in_memory(file, sealed_bytes(file));
        bytes = part_store.bytes();
        return read_part_store(file, part_store, *record, asked);
    });
    if (auto* const fault = std::get_if<PartFault>(&part)) return std::move(*fault);
    try {
        RunCopier copier(store);
        copier.attach_copy(bytes);
        return copier.import({&file, std::get<Part>(part).run, run}, std::get<Part>(part).pairs,
                             store, asked.is_late);
    } catch (const SQLite::Exception&) {
        rethrow_store_error(store);
    } catch (const RunCopier::Differs& differs) {
        return PartFault{PartFaultKind::Foreign, differs.what()};
    }
}

}  // namespace assay::harness

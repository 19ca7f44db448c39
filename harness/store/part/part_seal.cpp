// SQLite keeps no checksums: a byte that changes inside a game would be read as another game. So a
// part is closed with the SHA-256 of all its bytes behind the last page, where SQLite, which takes
// the number of pages from the file's first page, does not look: a sealed part is still a store
// that every command reads. Nothing of a file is given to SQLite before its seal is right.
#include "harness/store/part/part_seal.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/sha256.h"
#include "base/text.h"
#include "harness/store/part/part.h"
#include "harness/store/store.h"
#include "harness/store/store_parts.h"
#include "harness/store/store_schema.h"

namespace assay::harness {

namespace {

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

bool ends_with_seal(const File& file, std::uint64_t size) {
    return size > kSealSize && file.read_at(size - kSealSize, kSealSize).starts_with(kSealMark);
}

std::string too_many_bytes(std::uint64_t size) {
    return fmt::format("has {} bytes; a part has at most {} MB", size, kMostPartBytes >> 20U);
}

/// What the reader would refuse is not closed.
void check_limits(const std::string& file, SQLite::Database& database) {
    const std::int64_t pairs = database.execAndGet("SELECT count(*) FROM pairs").getInt64();
    const std::uint64_t size = File::open_regular(file).stamp().size + kSealSize;
    std::string why;
    if (pairs > kMostPartPairs)
        why = fmt::format("has {} pairs; a part has at most {}", pairs, kMostPartPairs);
    if (size > kMostPartBytes) why = too_many_bytes(size);
    if (why.empty()) return;
    throw Error(
        fmt::format("{}: {}: give a worker fewer pairs at once", printable_utf8(file), why));
}

/// The file's bytes with the seal; of a file without one its header alone, as most of what was cut
/// short is known by its end.
std::string bytes_to_check(const std::string& file) {
    std::error_code error;
    const std::filesystem::file_type type = std::filesystem::symlink_status(file, error).type();
    using Type = std::filesystem::file_type;
    const bool is_found = !error && type != Type::not_found && type != Type::none;
    const bool is_file = type == Type::regular || std::filesystem::is_regular_file(file, error);
    if (is_found && !is_file)
        refuse_part(PartFault::Kind::Damaged,
                    type == Type::directory ? "is a folder, and a part is a file"
                                            : "is no file (but a pipe, a device, or a link that "
                                              "leads to none), and a part is one");
    try {
        const File opened = File::open_regular(file);
        const std::uint64_t size = opened.stamp().size;
        if (size > kMostPartBytes) refuse_part(PartFault::Kind::TooLarge, too_many_bytes(size));
        const bool is_header_enough = size > kSealSize && !ends_with_seal(opened, size);
        return opened.read_at(0, is_header_enough ? kSqliteHeader : static_cast<std::size_t>(size));
    } catch (const Error& unread) {
        std::string_view why = unread.what();
        if (why.starts_with(file + ": ")) why.remove_prefix(file.size() + 2);
        refuse_part(PartFault::Kind::Missing, fmt::format("cannot be read ({})", why));
    }
}

}  // namespace

void close_part(const std::string& file) {
    {
        const File end = File::open_regular(file);
        if (ends_with_seal(end, end.stamp().size)) return;
    }
    try {
        SQLite::Database database(file, SQLite::OPEN_READWRITE, kStoreBusyMilliseconds);
        const std::string mode = database.execAndGet("PRAGMA journal_mode = DELETE").getString();
        if (mode != "delete")
            throw StoreFailure(printable_utf8(file) + ": cannot be closed: it is in use");
        // Most tables of a part are empty, and take a page each.
        database.exec("PRAGMA page_size = 1024; VACUUM");
        check_limits(file, database);
    } catch (const SQLite::Exception&) {
        rethrow_store_error(file);
    }
    const std::string sha256 = sha256_of_file(file);
    const File sealed = File::append(file);
    sealed.write(fmt::format("{}{}", kSealMark, sha256));
    if (::fsync(sealed.descriptor()) != 0) throw_file_error(file, "write", errno);
}

std::string sealed_bytes(const std::string& file) {
    using Kind = PartFault::Kind;
    std::string bytes = bytes_to_check(file);
    if (bytes.size() < kSqliteHeader || !bytes.starts_with("SQLite format 3"))
        refuse_part(Kind::Damaged, bytes.empty() ? "is empty, not a part of a run"
                                                 : "is not a part of a run, or was cut short");
    const std::uint32_t version = number_at(bytes, kUserVersion);
    const std::size_t known = store_migrations().size();
    const bool has_seal =
        bytes.size() > kSealSize &&
        std::string_view(bytes).substr(bytes.size() - kSealSize).starts_with(kSealMark);
    if (!has_seal)
        refuse_part(
            Kind::Damaged,
            "has no seal at its end: it was cut short, or is still being written, or no worker "
            "wrote it");
    const std::string seal = bytes.substr(bytes.size() - kSealSize + kSealMark.size());
    bytes.resize(bytes.size() - kSealSize);
    if (sha256_of(bytes) != seal)
        refuse_part(Kind::Damaged,
                    "was changed after it was closed: its SHA-256 is not that of its seal");
    if (version > known)
        refuse_part(Kind::Newer,
                    fmt::format("is of version {}, and this assay reads up to version {}; its "
                                "worker runs a newer assay",
                                version, known));
    if (bytes.size() < kSqliteHeader || bytes[kWriteVersion] != 1 || bytes[kReadVersion] != 1)
        refuse_part(Kind::Damaged, "was not closed to one file by its worker");
    return bytes;
}

}  // namespace assay::harness

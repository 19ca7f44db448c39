#include "rules/multigame/object/loader.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "base/diagnostic.h"
#include "base/text.h"
#include "rules/multigame/object/object_files.h"

namespace assay::rules::multigame {

namespace {

constexpr std::uint32_t kMostState = 1U << 20U;
constexpr std::size_t kMostObject = std::size_t{64} << 20U;

[[noreturn]] void refuse(const std::string& path, const std::string& reason) {
    throw Error("the compiled rules in " + printable_utf8(path) + " are not used: " + reason);
}

/// What is opened is what is checked and loaded, whatever becomes of the name meanwhile.
UniqueFd open_checked(const std::string& path, int flags, const std::string& what,
                      const std::string& shown) {
    UniqueFd descriptor(::open(path.c_str(), flags | O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (descriptor.get() < 0) {
        refuse(shown, what + " cannot be opened (" + std::generic_category().message(errno) + ")");
    }

    struct stat status {};

    if (::fstat(descriptor.get(), &status) != 0) refuse(shown, what + " cannot be examined");
    if (status.st_uid != ::geteuid()) refuse(shown, what + " belongs to another user");
    if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
        refuse(shown, "others may write to " + what);
    }
    const bool is_folder = (flags & O_DIRECTORY) != 0;
    if (!is_folder && !S_ISREG(status.st_mode)) refuse(shown, what + " is no regular file");
    return descriptor;
}

std::string folder_of(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    if (slash == std::string::npos) return ".";
    return slash == 0 ? "/" : path.substr(0, slash);
}

/// True for an object that ends before its sections do. dlopen() would map pages that the object
/// does not have, and the process would die of SIGBUS. Linkers put the table of sections last, so
/// its end is the object's.
bool is_cut(std::string_view bytes) {
    Elf64_Ehdr head{};
    if (bytes.size() < sizeof(head)) return true;
    std::memcpy(&head, bytes.data(), sizeof(head));
    if (std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0) return false;  // dlopen() says so better
    const std::uint64_t sections = std::uint64_t{head.e_shnum} * head.e_shentsize;
    return sections == 0 || head.e_shoff > bytes.size() || bytes.size() - head.e_shoff < sections;
}

std::string bytes_of(int descriptor, const std::string& path) {
    std::string bytes;
    std::array<char, 65'536> part{};
    while (true) {
        const ssize_t size =
            ::pread(descriptor, part.data(), part.size(), static_cast<off_t>(bytes.size()));
        if (size == 0) return bytes;
        if (size < 0 && errno == EINTR) continue;
        if (size < 0 || bytes.size() > kMostObject) refuse(path, "the file cannot be read");
        bytes.append(part.data(), static_cast<std::size_t>(size));
    }
}

/// The same bytes in memory that nobody else can change: a file that is cut while it is mapped
/// would kill the process. Not open where the system has no such memory.
UniqueFd copy_of(const std::string& bytes) {
    UniqueFd copy(::memfd_create("rules", MFD_CLOEXEC));
    for (std::size_t done = 0; copy.is_open() && done < bytes.size();) {
        const ssize_t size = ::write(copy.get(), bytes.data() + done, bytes.size() - done);
        if (size < 0 && errno == EINTR) continue;
        if (size <= 0) return {};
        done += static_cast<std::size_t>(size);
    }
    return copy;
}

}  // namespace

const char* problem_of(const mg_game& game, const std::string& hash) {
    if (game.interface != MG_INTERFACE) return "it was made for another version of assay";
    if (game.hash == nullptr || hash != game.hash) return "it was made from other rules";
    const bool is_whole = game.state_size > 0 && game.state_size <= kMostState && game.fields > 0 &&
                          game.start != nullptr && game.load != nullptr && game.moves != nullptr &&
                          game.apply != nullptr && game.take_back != nullptr &&
                          game.key != nullptr && game.side != nullptr && game.turn != nullptr &&
                          game.contents != nullptr && game.values != nullptr &&
                          game.perpetual != nullptr && game.write != nullptr &&
                          game.read != nullptr && game.can_move != nullptr;
    return is_whole ? nullptr : "its table of functions is not whole";
}

std::unique_ptr<CompiledProgram> CompiledProgram::load(const std::string& path,
                                                       const std::string& hash,
                                                       const std::string& sum) {
    const UniqueFd folder = open_checked(folder_of(path), O_DIRECTORY, "its folder", path);
    UniqueFd file = open_checked(path, O_NONBLOCK, "the file", path);
    const std::string bytes = bytes_of(file.get(), path);
    if (is_cut(bytes)) refuse(path, "the file is cut");
    if (!sum.empty() && sum_of_object(bytes) != sum) {
        refuse(path, "its bytes are not those that were built");
    }
    if (UniqueFd copy = copy_of(bytes); copy.is_open()) file = std::move(copy);
    const std::string opened = "/proc/self/fd/" + std::to_string(file.get());
    void* const object = ::dlopen(opened.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (object == nullptr) {
        // NOLINTNEXTLINE(concurrency-mt-unsafe): glibc keeps the message for each thread
        const char* const said = ::dlerror();
        refuse(path, said == nullptr ? "it is no shared object" : printable_utf8(said));
    }
    void* const symbol = ::dlsym(object, "mg_game_v1");
    const mg_game* (*function)() = nullptr;
    static_assert(sizeof(function) == sizeof(symbol));
    std::memcpy(&function, &symbol, sizeof(function));
    const mg_game* const game = function == nullptr ? nullptr : function();
    const char* const problem =
        game == nullptr ? "it has no mg_game_v1()" : problem_of(*game, hash);
    if (problem != nullptr) {
        ::dlclose(object);
        refuse(path, problem);
    }
    auto program = std::make_unique<CompiledProgram>(*game);
    program->object_ = object;
    program->file_ = std::move(file);
    return program;
}

CompiledProgram::~CompiledProgram() {
    if (object_ != nullptr) ::dlclose(object_);
}

}  // namespace assay::rules::multigame

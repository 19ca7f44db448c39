#include "rules/multigame/compile/loader.h"

#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "base/diagnostic.h"
#include "base/text.h"

namespace assay::rules::multigame {

namespace {

constexpr std::uint32_t kMostState = 1U << 20U;

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

/// True for an object that ends before its sections do. dlopen() would map pages that the file does
/// not have, and the process would die of SIGBUS. Linkers put the table of sections last, so its
/// end is the file's.
bool is_cut(int descriptor) {
    Elf64_Ehdr head{};

    struct stat status {};

    if (::pread(descriptor, &head, sizeof(head), 0) != static_cast<ssize_t>(sizeof(head)))
        return true;
    if (::fstat(descriptor, &status) != 0) return true;
    if (std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0) return false;  // dlopen() says so better
    const std::uint64_t sections = std::uint64_t{head.e_shnum} * head.e_shentsize;
    const auto size = static_cast<std::uint64_t>(status.st_size);
    return sections == 0 || head.e_shoff > size || size - head.e_shoff < sections;
}

/// Null, or why the table cannot be used.
const char* problem_of(const mg_game& game, const std::string& hash) {
    if (game.interface != MG_INTERFACE) return "it was made for another version of assay";
    if (game.hash == nullptr || hash != game.hash) return "it was made from other rules";
    const bool is_whole = game.state_size > 0 && game.state_size <= kMostState && game.fields > 0 &&
                          game.start != nullptr && game.load != nullptr && game.moves != nullptr &&
                          game.apply != nullptr && game.take_back != nullptr &&
                          game.key != nullptr && game.side != nullptr && game.turn != nullptr &&
                          game.contents != nullptr && game.values != nullptr &&
                          game.perpetual != nullptr;
    return is_whole ? nullptr : "its table of functions is not whole";
}

}  // namespace

std::unique_ptr<CompiledProgram> CompiledProgram::load(const std::string& path,
                                                       const std::string& hash) {
    const UniqueFd folder = open_checked(folder_of(path), O_DIRECTORY, "its folder", path);
    UniqueFd file = open_checked(path, O_NONBLOCK, "the file", path);
    if (is_cut(file.get())) refuse(path, "the file is cut");
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

// Why a program could not be executed, in words that name the cure. execve() has one number for
// very different causes: "No such file" is also a script whose interpreter is missing, one with
// line ends of Windows (the interpreter is then "/bin/sh\r"), or a program whose loader is not
// there; "Exec format error" is a script without a first line, a text, or a program for another
// processor. The file itself is looked at to tell them apart, after the failure: a start that works
// pays nothing.
#include "adapters/process/exec_failure.h"

#include <cerrno>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"

namespace assay::adapters {

namespace {

constexpr std::size_t kHead = 256;  // what Linux reads of a first line

/// The first bytes of a regular file; empty where they cannot be read.
std::string head_of(const std::string& path) {
    return read_start(path, kHead).value_or("");
}

/// `first_line` begins with "#!".
std::string script_failure(std::string_view first_line, int error_number) {
    const bool has_cr = first_line.ends_with('\r');
    std::string_view rest = trim(first_line.substr(2));
    const std::string interpreter(take_word(rest));
    if (interpreter.empty()) return "its first line names no interpreter after '#!'";
    const std::string named = "its first line asks for the interpreter '" +
                              printable_utf8(interpreter) + (has_cr && rest.empty() ? "\\r" : "") +
                              "'";
    if (has_cr) return named + "; convert its line ends to LF (dos2unix)";
    const bool is_missing = error_number == ENOENT && ::access(interpreter.c_str(), F_OK) != 0;
    return named + (is_missing ? ", which is missing" : ": " + system_reason(error_number));
}

std::string format_failure(const std::string& head) {
    if (head.empty()) return "it is an empty file";
    if (head.find('\0') == std::string::npos && !head.starts_with("\x7f")) {
        return "it is a text file whose first line names no interpreter, as #!/bin/sh does";
    }
    return "it is not a program for this kind of machine (" + system_reason(ENOEXEC) + ")";
}

}  // namespace

std::string exec_failure_text(const std::string& path, int error_number) {
    struct stat info {};

    if (::stat(path.c_str(), &info) != 0) return system_reason(error_number);
    if (S_ISDIR(info.st_mode)) return "it is a folder, not a program";
    if (!S_ISREG(info.st_mode)) return "it is not a regular file";
    if (error_number == EACCES && ::access(path.c_str(), X_OK) != 0) {
        return "it is not executable; try chmod +x";
    }
    const std::string head = head_of(path);
    const bool is_of_file =
        error_number == ENOENT || error_number == EACCES || error_number == ENOEXEC;
    if (is_of_file && head.starts_with("#!")) {
        return script_failure(std::string_view(head).substr(0, head.find('\n')), error_number);
    }
    if (error_number == ENOEXEC) return format_failure(head);
    if (error_number == ENOENT && head.starts_with("\x7f")) {
        return "the loader that it asks for is missing; was it built for another system?";
    }
    return system_reason(error_number);
}

std::string not_in_path_text(const std::string& word) {
    struct stat info {};

    if (::stat(word.c_str(), &info) != 0) return "is not in PATH; give its full path";
    if (S_ISDIR(info.st_mode)) return "is not in PATH, and what is here is a folder, not a program";
    return "is not in PATH; write ./" + word + " for the file that is here";
}

}  // namespace assay::adapters

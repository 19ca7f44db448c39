#pragma once
#include <string>
#include <vector>

#include "configs/dropin/command_words.h"
#include "configs/dropin/runner_settings.h"

namespace assay::test {

/// A machine of four processors with the files of a small folder.
inline configs::dropin::Surroundings small_machine() {
    configs::dropin::Surroundings here;
    here.hardware_threads = 4;
    here.exists = [](const std::string& path) {
        return path == "book.epd" || path == "book.pgn" || path == "book.txt";
    };
    here.is_file = [exists = here.exists](const std::string& path) {
        return exists(path) || path == "/bin/engine" || path == "engines/a";
    };
    here.read = [](const std::string& path) -> std::optional<std::string> {
        if (path == "engines.json")
            return R"([{"name": "Known", "command": "/bin/engine --quiet", "protocol": "uci",
                "workingDirectory": "/tmp"}])";
        if (path == "bad.json") return "{";
        return std::nullopt;
    };
    here.version = "fastchess alpha 1.8.2 (assay 0.1.0)";
    here.time_stamp = "20261129_170000";
    here.engines_file = "engines.json";
    return here;
}

/// The words of a line, as a shell splits them.
inline std::vector<std::string> words_of(const std::string& line) {
    return configs::dropin::shell_words(line);
}

/// What the program prints first, on either stream; empty where it plays without a word.
inline std::string first_line(const configs::dropin::ParsedCommand& command) {
    const std::string text =
        command.messages.empty() ? command.text : command.messages.front().text;
    return text.substr(0, text.find('\n'));
}

inline int exit_code(const configs::dropin::ParsedCommand& command) {
    return command.kind == configs::dropin::ParsedCommand::Kind::Refuse ? 1 : 0;
}

/// A command line, the exit code that it ends with if its match goes well, and what is printed
/// first.
struct CommandLine {
    std::string line;
    int code;
    std::string first;
};

}  // namespace assay::test

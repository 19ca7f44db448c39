#include <array>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/frame/commands.h"
#include "harness/plan/time_control.h"

namespace assay::cli {

namespace {

constexpr const char* kInitExamples = R"(examples:
  assay init                      writes assay.yaml, to be filled in
  assay init match.yaml --program ./new --program /usr/games/stockfish
  assay init gate.yaml --gate --program ./new --program ./old)";

struct InitFlags {
    std::string file = "assay.yaml";
    std::vector<std::string> programs;
    bool is_gate = false;
    bool force = false;
};

/// A YAML scalar that reads back as these bytes.
std::string yaml_word(const std::string& word) {
    std::string quoted = "'";
    for (const char c : word) quoted += c == '\'' ? std::string("''") : std::string(1, c);
    return quoted + "'";
}

/// A program name for the config: the file's stem, with unusual bytes replaced.
std::string name_of(const std::string& program) {
    std::string name = std::filesystem::path(program).stem().string();
    for (char& c : name) {
        const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                              (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
        if (!is_plain) c = '-';
    }
    return name.empty() || name.size() > 40 ? "program" : name;
}

std::array<std::string, 2> names_of(const std::vector<std::string>& programs) {
    std::array<std::string, 2> names{name_of(programs[0]), name_of(programs[1])};
    // Keys of time controls cannot name a program.
    for (std::string& name : names) {
        for (const std::string_view word : harness::kClockWords) {
            if (name == word) name += "-engine";
        }
    }
    if (names[0] == names[1]) return {"new-" + names[0], "old-" + names[1]};
    return names;
}

/// Paths in a config are relative to its folder; those of flags to the current one.
std::string command_of(const std::string& program) {
    if (program.find('/') == std::string::npos) return yaml_word(program);
    return yaml_word(std::filesystem::absolute(program).lexically_normal().string());
}

std::string config_text(const InitFlags& flags) {
    const auto names = names_of(flags.programs);
    std::string text = fmt::format(
        R"(# {0} against {1}. Every key that is left out has a default;
#   assay run --explain {2}    prints all of them, and what the match can show.
each:                                  # keys of both programs; a program's own keys override them
  options: {{Hash: 16, Threads: 1}}      # sent as they are written; 'assay check PROGRAM' lists traps
programs:
  {0}:
    command: [{3}]        # one word each, never a shell line
  {1}:
    command: [{4}]
match:
  between: [{0}, {1}]           # the first is the point of view of every score
  time: 8+0.08                         # also 40/60, {{nodes: 20000}}, {{depth: 8}}, {{move: 100ms}}
{5}  openings: {{book: default}}            # or a .epd or .pgn file; none: the start position
  adjudicate:                          # ends games early where both programs agree
    draw: {{from: 34, moves: 8, score: 20}}
    resign: {{moves: 3, score: 600}}
)",
        names[0], names[1], std::filesystem::path(flags.file).filename().string(),
        command_of(flags.programs[0]), command_of(flags.programs[1]),
        flags.is_gate
            ? ""
            : "  pairs: 200                           # the most; a pair is one opening played "
              "twice, sides swapped\n");
    if (flags.is_gate) {
        text += fmt::format(
            R"(stop:
  capped: no_regression                # tests that {0} is not worse, as precisely as the minutes allow
  minutes: 60
require: {{crashes: 0, time_losses: 0}}  # of {0}, whatever the verdict
)",
            names[0]);
    } else {
        text +=
            R"(# stop: {capped: gain}                 # a verdict, as precise as the pairs allow; or {fixed: {}}
)";
    }
    return text;
}

/// The default answer: an installed engine, if there is one.
std::string default_program(std::size_t index) {
    constexpr std::array<const char*, 2> kPlaces{"/usr/games/stockfish", "/usr/bin/stockfish"};
    for (const char* const place : kPlaces) {
        if (std::filesystem::exists(place)) return place;
    }
    return index == 0 ? "./new-engine" : "./old-engine";
}

/// Asks for the programs that were not given, where a person is at the terminal.
void complete(InitFlags& flags) {
    constexpr std::array<const char*, 2> kWhat{"the program to test", "the one to compare it with"};
    const bool is_person = ::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1;
    while (flags.programs.size() < kWhat.size()) {
        const std::size_t next = flags.programs.size();
        const std::string fallback = default_program(next);
        std::string answer;
        if (is_person) {
            std::printf("%s [%s]: ", kWhat[next], fallback.c_str());
            std::fflush(stdout);
            std::getline(std::cin, answer);
        }
        const std::string_view word = trim(answer);
        flags.programs.push_back(word.empty() ? fallback : std::string(word));
    }
}

void write_config(InitFlags& flags) {
    if (flags.programs.size() > 2) {
        throw Error("init: a starter config has two programs; add others to the file");
    }
    for (const std::string& program : flags.programs) {
        if (trim(program).empty()) throw Error("init: --program needs a program, found ''");
    }
    if (!flags.force && std::filesystem::exists(flags.file)) {
        throw Error(flags.file + ": exists already; --force writes over it");
    }
    complete(flags);
    write_file(flags.file, config_text(flags));
    const char* const command = flags.is_gate ? "gate" : "run";
    std::printf("wrote %s; next: assay check %s, then assay %s %s\n", flags.file.c_str(),
                flags.programs[0].c_str(), command, flags.file.c_str());
}

}  // namespace

void add_init(Command& app, Exit&) {
    const auto flags = std::make_shared<InitFlags>();
    Command* const command = app.add_subcommand("init", "write a commented starter config");
    command->add_option("file", flags->file, "the config to write")
        ->type_name("FILE")
        ->capture_default_str();
    command->add_option("--program", flags->programs, "an engine to play; give it twice")
        ->type_name("PROGRAM")
        ->allow_extra_args(false);
    command->add_flag("--gate", flags->is_gate, "for CI: with a stop rule and requirements");
    command->add_flag("--force", flags->force, "write over a file that exists");
    command->footer(kInitExamples);
    command->callback([flags] { write_config(*flags); });
}

}  // namespace assay::cli

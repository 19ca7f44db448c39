#include "cli/tree/query_prompt.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <editline/readline.h>
#include <iostream>
#include <optional>
#include <string>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "gtql/lang/query_plan.h"

namespace assay::cli {

namespace {

constexpr const char* kHelp =
    "A query, such as   node: type = PVNode; child: count([]type = type) >= 5\n"
    "  names            what queries may name in this tree\n"
    "  show ID          a node with its path, position and children\n"
    "  quit             or the end of the input\n";

/// The words that completion offers. libedit calls a function that gets no argument of ours, so
/// they are global while the prompt runs.
std::vector<std::string>& words() {
    static std::vector<std::string> all;  // NOLINT(concurrency-mt-unsafe): one prompt, one thread
    return all;
}

char* next_match(const char* begun, int state) {
    static std::size_t at = 0;
    if (state == 0) at = 0;
    const std::string_view start(begun);
    while (at < words().size()) {
        const std::string& word = words()[at++];
        if (std::string_view(word).starts_with(start)) return strdup(word.c_str());
    }
    return nullptr;
}

char** complete(const char* begun, int, int) {
    rl_attempted_completion_over = 1;
    return rl_completion_matches(begun, next_match);
}

class LineEditor {
public:
    explicit LineEditor(const gtql::TreeSource& tree) : is_terminal_(isatty(STDIN_FILENO) == 1) {
        if (!is_terminal_) return;
        words().clear();
        for (const std::string_view name : names_in(tree.schema())) words().emplace_back(name);
        for (const std::string_view part : gtql::kPartNames) {
            words().push_back(std::string(part) + ":");
        }
        for (const char* const each : {"count(", "min(", "max(", "sum(", "avg(", "and", "or", "not",
                                       "where", "by", "in", "names", "show", "help", "quit"}) {
            words().emplace_back(each);
        }
        rl_readline_name = const_cast<char*>("assay");  // NOLINT: libedit's type, never written
        rl_attempted_completion_function = complete;
        using_history();
        if (const char* const home = std::getenv("HOME")) {  // NOLINT(concurrency-mt-unsafe)
            history_ = std::string(home) + "/.assay_query_history";
            read_history(history_.c_str());
        }
    }

    LineEditor(const LineEditor&) = delete;
    LineEditor& operator=(const LineEditor&) = delete;

    ~LineEditor() {
        if (is_terminal_ && !history_.empty()) write_history(history_.c_str());
    }

    std::optional<std::string> next() {
        std::string line;
        if (!is_terminal_) {
            if (!std::getline(std::cin, line)) return std::nullopt;
            return line;
        }
        char* const read = readline("gtql> ");
        if (read == nullptr) return std::nullopt;
        line = read;
        std::free(read);  // NOLINT(cppcoreguidelines-no-malloc): readline's contract
        if (!trim(line).empty()) add_history(line.c_str());
        return line;
    }

private:
    bool is_terminal_;
    std::string history_;
};

void print_names(const gtql::TreeSource& tree) {
    fmt::print("attributes:");
    for (const auto& each : tree.schema().attributes) fmt::print(" {}", each.name);
    fmt::print("\nconstants:");
    for (const auto& each : tree.schema().constants) fmt::print(" {}={}", each.name, each.value);
    fmt::print(
        "\nof every tree: node_id parent_id level child_index children size thread unfinished\n");
}

void answer_line(const gtql::TreeSource& tree, const std::string& text,
                 const gtql::ParseOptions& parse, const gtql::ExecuteOptions& execute,
                 const QueryShow& show) {
    gtql::NamedQuery query;
    query.query = gtql::parse_query("<query>", text, parse);
    QueryAnswer answer;
    answer.tree = &tree;
    answer.query = &query;
    answer.answer = gtql::execute(tree, {&query.query, 1}, execute).at(0);
    look_at_nodes(answer, show);
    print_answer(answer, show, true);
}

}  // namespace

void run_query_prompt(const gtql::TreeSource& tree, const gtql::ParseOptions& parse,
                      const gtql::ExecuteOptions& execute, QueryShow show) {
    LineEditor editor(tree);
    while (const auto line = editor.next()) {
        std::string_view rest = *line;
        const std::string_view word = take_word(rest);
        try {
            if (word.empty()) continue;
            if (word == "quit" || word == "exit") break;
            if (word == "help") {
                fmt::print("{}", kHelp);
            } else if (word == "names") {
                print_names(tree);
            } else if (word == "show") {
                QueryShow all = show;
                all.path = all.fen = all.board = all.children = true;
                answer_line(tree, "node: node_id = " + std::string(trim(rest)), parse, execute,
                            all);
            } else {
                answer_line(tree, *line, parse, execute, show);
            }
        } catch (const Error& error) {
            std::fflush(stdout);
            fmt::print(stderr, "{}\n", error.what());
        }
        std::fflush(stdout);
    }
}

}  // namespace assay::cli

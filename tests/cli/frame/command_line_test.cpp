#include "cli/frame/command_line.h"

#include <vector>

#include <doctest/doctest.h>

using assay::cli::shown_command_line;

TEST_CASE("shown_command_line: a shell reads the words again, and secrets are not among them") {
    const struct {
        std::vector<const char*> words;
        const char* shown;
    } rows[] = {
        {{"run", "my file.yaml", "--resume"}, "assay run 'my file.yaml' --resume"},
        {{"run", "--set", "programs.a.env.TOKEN=secret"},
         "assay run --set 'programs.a.env.TOKEN=***'"},
        {{"run", "--set", "at_end=[curl, 'https://h/x?token=secret']"},
         "assay run --set 'at_end=[curl, '\\''https://h/x?token=***'\\'']'"},
        {{"run", "--set=each.env.TOKEN=a=b"}, "assay run '--set=each.env.TOKEN=***'"},
        {{"run", "--set", "each={env: {T: x}}"}, "assay run --set 'each=***'"},
        {{"run", "--set", "match.pairs=20"}, "assay run --set match.pairs=20"},
        {{"run", "--set", "programs.envoy.options.Hash=1"},
         "assay run --set programs.envoy.options.Hash=1"},
        {{"run", "--set", "programs.a.git.repo=https://t@h/x.git"},
         "assay run --set 'programs.a.git.repo=https://***@h/x.git'"},
        {{"run", "https://user:pass@h/x"}, "assay run 'https://***@h/x'"},
        {{"run", "--set"}, "assay run --set"},
    };

    for (const auto& row : rows) CHECK(shown_command_line(row.words) == row.shown);
}

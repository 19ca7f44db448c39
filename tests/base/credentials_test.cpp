#include "base/credentials.h"

#include <doctest/doctest.h>

using assay::without_credentials;

TEST_CASE("without_credentials: passwords and tokens of URLs are not shown") {
    const struct {
        const char* text;
        const char* shown;
    } rows[] = {
        {"https://ghp_secret@github.com/a/b.git", "https://***@github.com/a/b.git"},
        {"https://user:pass@host:8443/a", "https://***@host:8443/a"},
        {"HTTP://a:b@c@host", "HTTP://***@host"},
        {"ssh://git@github.com/a/b", "ssh://git@github.com/a/b"},
        {"ssh://me:word@host/a", "ssh://***@host/a"},
        {"git@github.com:a/b.git", "git@github.com:a/b.git"},
        {"https://github.com/a@b/c", "https://github.com/a@b/c"},
        {"fatal: unable to access 'https://t@h/': no; see https://x@y?",
         "fatal: unable to access 'https://***@h/': no; see https://***@y?"},
        {"://@", "://@"},
        {"plain", "plain"},
        {"https://", "https://"},
    };

    for (const auto& row : rows) CHECK(without_credentials(row.text) == row.shown);
}

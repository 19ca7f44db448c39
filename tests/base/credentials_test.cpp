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
        {"https://host/x?token=SECRET", "https://host/x?token=***"},
        {"https://a:b@host/x?run=1&token=SECRET;k=&raw#SECRET",
         "https://***@host/x?run=***&token=***;k=&***#***"},
        {"https://host#access_token=SECRET&type=x/y", "https://host#access_token=***&type=***"},
        {"https://host?SECRET", "https://host?***"},
        {"[\"curl\",\"https://host/x?a=b@c/d?e\"]", "[\"curl\",\"https://host/x?a=***\"]"},
        {"https://host/?to=https://t@h/, https://t@h", "https://host/?to=*** https://***@h"},
        {"https://p/https://t@h/x?k=S", "https://p/https://***@h/x?k=***"},
        {"a ? b = c # d", "a ? b = c # d"},
        {"://@", "://@"},
        {"plain", "plain"},
        {"https://", "https://"},
    };

    for (const auto& row : rows) CHECK(without_credentials(row.text) == row.shown);
}

TEST_CASE("with_hidden_credentials: all that is no secret stays in its column") {
    CHECK(assay::with_hidden_credentials("{repo: https://me:word@h/x?t=SECRET, ref: main}") ==
          "{repo: https://*******@h/x?t=******* ref: main}");
    CHECK(assay::with_hidden_credentials("plain") == "plain");
}

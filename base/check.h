#pragma once
#include <cstdio>
#include <cstdlib>

/// Stays in release builds: prints the broken condition and aborts. For our own bugs only, where
/// going on would write wrong results; never reachable from a user's input.
#define ASSAY_CHECK(condition)                                                                   \
    do {                                                                                         \
        if (!(condition)) {                                                                      \
            std::fprintf(stderr, "%s:%d: internal error: %s\n", __FILE__, __LINE__, #condition); \
            std::abort();                                                                        \
        }                                                                                        \
    } while (false)

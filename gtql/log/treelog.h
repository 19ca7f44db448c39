/* treelog.h: logs the search tree of a game-playing program, from inside the search.
 *
 * SPDX-License-Identifier: MIT-0
 * Permission is granted, free of charge, to any person to use, copy, modify, publish and sell this
 * file without restriction and without the duty to name its origin. It comes as it is, without
 * warranty of any kind; its authors are not liable for any claim or damage.
 *
 * One header, C99 or C++, no dependency. Copy it into your program; in exactly one file write
 *     #define TREELOG_IMPLEMENTATION
 * before the #include. -DTREELOG_DISABLE makes every call nothing. The file it writes is described
 * byte for byte in docs/tree-log.md of assay, which reads it (assay query, assay tree).
 *
 * A node is one call of your search function: re-searches, null-move searches, internal deepening
 * and quiescence calls are nodes of their own, children of the call that made them.
 *
 *     treelog *log = treelog_from_environment();          NULL: not asked for, all below is nothing
 *     treelog_attribute(log, "depth", TREELOG_ENTRY);
 *     treelog_attribute(log, "value", TREELOG_EXIT);
 *     treelog_stream *s = treelog_stream_new(log);        one a thread
 *     each iteration:   treelog_open(s, search, iteration, fen, NULL); ... treelog_close(s);
 *     each search call: TREELOG_ENTER(s, move, depth); ... TREELOG_LEAVE(s, value);
 *     at the end:       treelog_stream_free(s); treelog_free(log);
 *
 * Nothing here ever stops, prints or fails loudly: what goes wrong (a full disk, a wrong call)
 * turns the log off, and treelog_error() says why. Every call takes NULL for log and stream.
 */
/* NOLINTBEGIN: C99, with the names and habits of C, in a header that holds its own code. */
#ifndef TREELOG_H
#define TREELOG_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct treelog treelog;               /* one file; shared by the threads of a program */
typedef struct treelog_stream treelog_stream; /* one thread's part of it, never shared */

/* When the values of an attribute are known: given to enter, to leave, or to both (leave wins). */
enum { TREELOG_ENTRY = 1, TREELOG_EXIT = 2, TREELOG_BOTH = 3 };

enum { TREELOG_MOST_ATTRIBUTES = 64, TREELOG_MOVE_TEXT = 32 };

#define TREELOG_NO_MOVE (-1) /* the root, internal deepening: a call without a move before it */

/* Writes the move's text, at most TREELOG_MOVE_TEXT bytes with its 0, as the protocol spells it.
 * Called once for each move and tree, on the thread that enters it. */
typedef void treelog_move_name(int64_t move, char* text, void* context);

/* What is not logged. A node that is left out leaves its logged descendants to its nearest logged
 * ancestor; a tree's first node is always logged. */
typedef struct treelog_filter {
    int64_t from_ply;    /* the attribute "ply" if there is one, else the number of calls above */
    int64_t to_ply;      /* the last ply that is logged; -1: no limit */
    int64_t min_depth;   /* needs an entry attribute "depth"; INT64_MIN: no limit */
    uint64_t most_nodes; /* in the whole log; 0: no limit. A tree that meets it is no whole tree */
    const int64_t* line; /* moves from the root: only that path and what is below its end. Not
                            copied: must live as long as the log */
    size_t line_length;
} treelog_filter;

/* A node of any thread's stream, as the parent of what other threads search. */
typedef struct treelog_ref {
    uint32_t tree, stream; /* tree 0: no node */
    uint64_t node, after;
    uint32_t level;
    int32_t matched;
} treelog_ref;

#ifndef TREELOG_DISABLE

/* Begins the file, in place of an old one. NULL only without memory; ask treelog_error(). */
treelog* treelog_new(const char* path);
/* The same with the path in ASSAY_TREE_LOG and the limit of nodes in ASSAY_TREE_LOG_LIMIT, or NULL
 * where the first is not set. */
treelog* treelog_from_environment(void);

/* The declarations, all before the first treelog_open(). Names: a letter, then letters, digits, _.
 * Attribute values are given in the order of their declaration. */
void treelog_attribute(treelog* log, const char* name, int when);
void treelog_constant(treelog* log, const char* name, int64_t value);
/* Your program's name, and its game's as assay spells it (NULL: chess). */
void treelog_program(treelog* log, const char* name, const char* game);
void treelog_move_names(treelog* log, treelog_move_name* name, void* context);
treelog_filter treelog_no_filter(void);
void treelog_set_filter(treelog* log, const treelog_filter* filter);

/* One for each thread that searches; any thread may call it. NULL where the log is off. */
treelog_stream* treelog_stream_new(treelog* log);

/* Begins a tree: one an iteration, and one open at a time in a log. The first node entered is its
 * root; where a later one is entered with none open (a wider window at the root), it counts as the
 * root's child. `position` is its root (FEN in chess); `parameters` free text
 * such as "depth 8 hash 16", or NULL. Ends the tree before it. */
void treelog_open(treelog_stream* s, uint32_t search, uint32_t iteration, const char* position,
                  const char* parameters);
void treelog_enter(treelog_stream* s, int64_t move, const int64_t* values, size_t count);
void treelog_leave(treelog_stream* s, const int64_t* values, size_t count);
/* Leaves the innermost node without a value: it is marked unfinished. */
void treelog_cut(treelog_stream* s);
/* Leaves every open node of this stream so (after a longjmp or an exception out of the search). */
void treelog_abort(treelog_stream* s);
/* The iteration is over. Open nodes are unfinished then. */
void treelog_close(treelog_stream* s);

/* Threads: treelog_here() names the innermost open node (call it on the stream's own thread);
 * after treelog_join() on another stream, what that one enters at its top hangs there. Where every
 * thread searches from the root, let the others join the first one's root. */
treelog_ref treelog_here(const treelog_stream* s);
void treelog_join(treelog_stream* s, treelog_ref parent);
/* A joined stream has ended its share of the tree (call it before the first stream's close). */
void treelog_part(treelog_stream* s);

void treelog_stream_free(treelog_stream* s);
void treelog_free(treelog* log);

/* Why the log is off, or NULL. The text lives as long as the log. */
const char* treelog_error(const treelog* log);

/* enter and leave with the values in place. Nothing is evaluated when the stream is NULL. */
#define TREELOG_ENTER(s, move, ...)                                              \
    do {                                                                         \
        if (s) {                                                                 \
            const int64_t treelog_values_[] = {__VA_ARGS__};                     \
            treelog_enter(s, move, treelog_values_, sizeof treelog_values_ / 8); \
        }                                                                        \
    } while (0)
#define TREELOG_LEAVE(s, ...)                                              \
    do {                                                                   \
        if (s) {                                                           \
            const int64_t treelog_values_[] = {__VA_ARGS__};               \
            treelog_leave(s, treelog_values_, sizeof treelog_values_ / 8); \
        }                                                                  \
    } while (0)

#else /* TREELOG_DISABLE: no code, no data */

/* Names what it is given without evaluating it, so that nothing of yours counts as unused. */
static inline int treelog_nothing(const void* first, ...) {
    (void)first;
    return 0;
}

#define treelog_new(path) ((void)(path), (treelog*)0)
#define treelog_from_environment() ((treelog*)0)
#define treelog_attribute(log, name, when) ((void)(log), (void)(name), (void)(when))
#define treelog_constant(log, name, value) ((void)(log), (void)(name), (void)(value))
#define treelog_program(log, name, game) ((void)(log), (void)(name), (void)(game))
#define treelog_move_names(log, name, context) ((void)(log), (void)(name), (void)(context))
#define treelog_set_filter(log, filter) ((void)(log), (void)(filter))
#define treelog_stream_new(log) ((void)(log), (treelog_stream*)0)
#define treelog_open(s, search, iteration, position, parameters) \
    ((void)sizeof(treelog_nothing(s, search, iteration, position, parameters)))
#define treelog_enter(s, move, values, count) \
    ((void)sizeof(treelog_nothing(s, move, values, count)))
#define treelog_leave(s, values, count) ((void)sizeof(treelog_nothing(s, values, count)))
#define treelog_cut(s) ((void)(s))
#define treelog_abort(s) ((void)(s))
#define treelog_close(s) ((void)(s))
#define treelog_join(s, parent) ((void)(s), (void)(parent))
#define treelog_part(s) ((void)(s))
#define treelog_stream_free(s) ((void)(s))
#define treelog_free(log) ((void)(log))
#define treelog_error(log) ((void)(log), (const char*)0)
#define TREELOG_ENTER(...) ((void)sizeof(treelog_nothing(__VA_ARGS__)))
#define TREELOG_LEAVE(...) ((void)sizeof(treelog_nothing(__VA_ARGS__)))

static inline treelog_filter treelog_no_filter(void) {
    treelog_filter none = {0, -1, INT64_MIN, 0, 0, 0};
    return none;
}

static inline treelog_ref treelog_here(const treelog_stream* s) {
    treelog_ref none = {0, 0, 0, 0, 0, 0};
    (void)s;
    return none;
}

#endif

#ifdef __cplusplus
}
#endif
#endif /* TREELOG_H */

#if defined(TREELOG_IMPLEMENTATION) && !defined(TREELOG_DISABLE) && !defined(TREELOG_IMPLEMENTED)
#define TREELOG_IMPLEMENTED

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#define TREELOG_AS(type, value) static_cast<type>(value)
#else
#define TREELOG_AS(type, value) ((type)(value))
#endif

/* C99 has no atomics. What threads share is a flag, a reservation of nodes and three counters. */
#if defined(__GNUC__)
#define TREELOG_ADD(counter, amount) __atomic_fetch_add(&(counter), amount, __ATOMIC_RELAXED)
#define TREELOG_READ(counter) __atomic_load_n(&(counter), __ATOMIC_ACQUIRE)
#define TREELOG_WRITE(counter, value) __atomic_store_n(&(counter), value, __ATOMIC_RELEASE)
#define TREELOG_RARE(condition) __builtin_expect(!!(condition), 0)
#elif defined(_MSC_VER)
#include <intrin.h>
#define TREELOG_ADD(counter, amount)                                              \
    TREELOG_AS(uint64_t, _InterlockedExchangeAdd64((volatile __int64*)&(counter), \
                                                   TREELOG_AS(__int64, amount)))
#define TREELOG_READ(counter) TREELOG_ADD(counter, 0)
#define TREELOG_WRITE(counter, value) \
    ((void)_InterlockedExchange64((volatile __int64*)&(counter), TREELOG_AS(__int64, value)))
#define TREELOG_RARE(condition) (condition)
#else /* one thread only */
#define TREELOG_ADD(counter, amount) (((counter) += (amount)) - (amount))
#define TREELOG_READ(counter) (counter)
#define TREELOG_WRITE(counter, value) ((counter) = (value))
#define TREELOG_RARE(condition) (condition)
#endif

enum {
    TREELOG_HEAD_ = 40,          /* bytes before a block's content */
    TREELOG_BLOCK_ = 65536,      /* content that is written at once */
    TREELOG_SLACK_ = 2048,       /* the longest event, and the bytes an 8-byte store spills */
    TREELOG_RESERVE_ = 4096,     /* nodes that a stream takes from the limit at once */
    TREELOG_SMALL_MOVES_ = 65536 /* moves known by a bit each; larger codes are hashed */
};

struct treelog {
    FILE* file;
    char* schema; /* the declarations, as the schema block holds them after its counts */
    size_t schema_size;
    uint32_t attributes, constants, entries, exits;
    int32_t ply_at, depth_at; /* places among the entry values; -1: none */
    char names[TREELOG_MOST_ATTRIBUTES][32];
    char program[128], game[128];
    treelog_move_name* move_name;
    void* move_context;
    treelog_filter filter;
    int is_filtered, is_begun;
    char error[160];
    /* shared by threads */
    uint64_t failures, is_off, reserved, tree, joined, streams, is_limited;
};

typedef struct {
    uint64_t node;   /* its number in this stream and tree; UINT64_MAX: left out */
    int64_t matched; /* moves of the filter's line met so far; -1: beside it */
} treelog_open_node;

struct treelog_stream {
    treelog* log;
    unsigned char *buffer, *at, *full;
    treelog_open_node* path;
    size_t depth, room;
    uint64_t skipped; /* calls nested above the limit of nodes */
    uint64_t nodes, nodes_before, quota;
    uint32_t id, tree, block;
    int is_owner; /* opened the tree, not joined it */
    treelog_ref parent;
    unsigned char* known; /* a bit for each small move */
    int64_t* large;       /* a hash set of the others; TREELOG_NO_MOVE: free */
    size_t large_count, large_room;
};

static void treelog_fail_(treelog* log, const char* what, const char* which) {
    if (TREELOG_ADD(log->failures, 1) != 0) return;
    snprintf(log->error, sizeof log->error, "%s%s", what, which);
    TREELOG_WRITE(log->is_off, 1);
}

static unsigned char* treelog_put_(unsigned char* to, uint64_t value, int bytes) {
    int i;
    for (i = 0; i < bytes; ++i) to[i] = TREELOG_AS(unsigned char, value >> (8 * i));
    return to + bytes;
}

static uint64_t treelog_checksum_(const unsigned char* data, size_t size) {
    uint64_t hash = 0x9E3779B97F4A7C15u ^ size;
    while (size > 0) {
        unsigned char word[8] = {0, 0, 0, 0, 0, 0, 0, 0};
        const size_t length = size < 8 ? size : 8;
        uint64_t value = 0;
        int i;
        memcpy(word, data, length);
        for (i = 7; i >= 0; --i) value = value << 8 | word[i];
        hash = (hash ^ value) * 0x9FB21C651E98DF25u;
        hash ^= hash >> 32;
        data += length;
        size -= length;
    }
    return hash;
}

/* Fills in the head before `content` bytes at block + TREELOG_HEAD_ and writes both at once; stdio
 * locks, so that blocks of several threads never mix. */
static void treelog_block_(treelog* log, unsigned char* block, size_t content, int kind, int flags,
                           uint32_t stream, uint32_t tree, uint32_t number, uint64_t first) {
    const size_t size = TREELOG_HEAD_ + content;
    memcpy(block, "TLb1", 4);
    treelog_put_(block + 4, content, 4);
    block[16] = TREELOG_AS(unsigned char, kind);
    block[17] = TREELOG_AS(unsigned char, flags);
    treelog_put_(block + 18, 0, 2);
    treelog_put_(block + 20, stream, 4);
    treelog_put_(block + 24, tree, 4);
    treelog_put_(block + 28, number, 4);
    treelog_put_(block + 32, first, 8);
    treelog_put_(block + 8, treelog_checksum_(block + 16, size - 16), 8);
    if (TREELOG_READ(log->is_off)) return;
    if (fwrite(block, 1, size, log->file) != size) treelog_fail_(log, "cannot write", "");
}

treelog* treelog_new(const char* path) {
    unsigned char head[16] = {'t', 'r', 'e', 'e', 'l', 'o', 'g', '\n', 1};
    treelog* log = TREELOG_AS(treelog*, calloc(1, sizeof(treelog)));
    if (!log) return NULL;
    log->filter = treelog_no_filter();
    log->ply_at = log->depth_at = -1;
#ifdef __linux__
    log->file = fopen(path, "wbe");
#else
    log->file = fopen(path, "wb");
#endif
    if (!log->file) {
        treelog_fail_(log, "cannot open ", path);
        return log;
    }
    setvbuf(log->file, NULL, _IONBF, 0);
    if (fwrite(head, 1, sizeof head, log->file) != sizeof head)
        treelog_fail_(log, "cannot write ", path);
    return log;
}

treelog* treelog_from_environment(void) {
    const char* path = getenv("ASSAY_TREE_LOG");
    const char* limit = getenv("ASSAY_TREE_LOG_LIMIT");
    treelog* log = path && *path ? treelog_new(path) : NULL;
    if (log && limit && *limit) {
        char* end = NULL;
        log->filter.most_nodes = strtoull(limit, &end, 10);
        if (*end || *limit == '-') treelog_fail_(log, "ASSAY_TREE_LOG_LIMIT is no number: ", limit);
    }
    return log;
}

static int treelog_is_name_(const char* name) {
    const char* at = name;
    for (; *at; ++at) {
        const int is_letter = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z');
        const int is_other = (*at >= '0' && *at <= '9') || *at == '_';
        if (!is_letter && (at == name || !is_other)) return 0;
    }
    return at != name && at - name < 32;
}

/* Appends one declaration: `prefix` bytes of `value`, the name's length, the name. */
static int treelog_declare_(treelog* log, const char* name, uint64_t value, int prefix) {
    const size_t length = strlen(name);
    const size_t size = TREELOG_AS(size_t, prefix) + 1 + length;
    char* grown;
    if (log->is_begun || !treelog_is_name_(name)) {
        treelog_fail_(log, log->is_begun ? "declared after the first tree: " : "bad name: ", name);
        return 0;
    }
    grown = TREELOG_AS(char*, realloc(log->schema, log->schema_size + size));
    if (!grown) {
        treelog_fail_(log, "no memory", "");
        return 0;
    }
    log->schema = grown;
    {
        unsigned char bytes[9];
        treelog_put_(bytes, value, prefix);
        bytes[prefix] = TREELOG_AS(unsigned char, length);
        memcpy(grown + log->schema_size, bytes, TREELOG_AS(size_t, prefix) + 1);
        memcpy(grown + log->schema_size + prefix + 1, name, length);
    }
    log->schema_size += size;
    return 1;
}

void treelog_attribute(treelog* log, const char* name, int when) {
    uint32_t i;
    if (!log || TREELOG_READ(log->is_off)) return;
    for (i = 0; i < log->attributes; ++i)
        if (strcmp(log->names[i], name) == 0) treelog_fail_(log, "declared twice: ", name);
    if (log->attributes == TREELOG_MOST_ATTRIBUTES || when < 1 || when > 3)
        treelog_fail_(log, "one attribute too many, or never known: ", name);
    if (log->constants && !log->is_begun)
        treelog_fail_(log, "attributes come before constants: ", name);
    if (TREELOG_READ(log->is_off)) return;
    if (!treelog_declare_(log, name, TREELOG_AS(uint64_t, when), 1)) return;
    strcpy(log->names[log->attributes++], name);
    if (when & TREELOG_ENTRY) {
        if (strcmp(name, "ply") == 0) log->ply_at = TREELOG_AS(int32_t, log->entries);
        if (strcmp(name, "depth") == 0) log->depth_at = TREELOG_AS(int32_t, log->entries);
        ++log->entries;
    }
    if (when & TREELOG_EXIT) ++log->exits;
}

void treelog_constant(treelog* log, const char* name, int64_t value) {
    if (!log || TREELOG_READ(log->is_off)) return;
    if (log->constants == 65535)
        treelog_fail_(log, "too many constants: ", name);
    else if (treelog_declare_(log, name, TREELOG_AS(uint64_t, value), 8))
        ++log->constants;
}

void treelog_program(treelog* log, const char* name, const char* game) {
    if (!log || log->is_begun) return;
    snprintf(log->program, sizeof log->program, "%s", name ? name : "");
    snprintf(log->game, sizeof log->game, "%s", game ? game : "");
}

void treelog_move_names(treelog* log, treelog_move_name* name, void* context) {
    if (!log) return;
    log->move_name = name;
    log->move_context = context;
}

treelog_filter treelog_no_filter(void) {
    treelog_filter none = {0, -1, INT64_MIN, 0, NULL, 0};
    return none;
}

void treelog_set_filter(treelog* log, const treelog_filter* filter) {
    uint64_t limit;
    if (!log) return;
    if (filter->min_depth != INT64_MIN && log->depth_at < 0)
        treelog_fail_(log, "min_depth needs an entry attribute 'depth'", "");
    limit = log->filter.most_nodes; /* of the environment: the smaller one holds */
    log->filter = *filter;
    if (limit && (!filter->most_nodes || limit < filter->most_nodes))
        log->filter.most_nodes = limit;
    log->is_filtered = filter->from_ply > 0 || filter->to_ply >= 0 ||
                       filter->min_depth != INT64_MIN || filter->line_length > 0;
}

treelog_stream* treelog_stream_new(treelog* log) {
    treelog_stream* s;
    if (!log || TREELOG_READ(log->is_off)) return NULL;
    s = TREELOG_AS(treelog_stream*, calloc(1, sizeof(treelog_stream)));
    if (!s) return NULL;
    s->log = log;
    s->room = 1024;
    s->buffer = TREELOG_AS(unsigned char*, malloc(TREELOG_HEAD_ + TREELOG_BLOCK_ + TREELOG_SLACK_));
    s->path = TREELOG_AS(treelog_open_node*, malloc(s->room * sizeof(treelog_open_node)));
    s->known = TREELOG_AS(unsigned char*, calloc(1, TREELOG_SMALL_MOVES_ / 8));
    if (!s->buffer || !s->path || !s->known) {
        treelog_fail_(log, "no memory", "");
        treelog_stream_free(s);
        return NULL;
    }
    s->at = s->buffer + TREELOG_HEAD_;
    s->full = s->at + TREELOG_BLOCK_;
    s->id = TREELOG_AS(uint32_t, TREELOG_ADD(log->streams, 1));
    return s;
}

/* Writes what is buffered. Flag 1: the stream has no more of this tree. */
static void treelog_flush_(treelog_stream* s, int is_last) {
    const size_t content = TREELOG_AS(size_t, s->at - s->buffer) - TREELOG_HEAD_;
    treelog_block_(s->log, s->buffer, content, 'N', is_last, s->id, s->tree, s->block++,
                   s->nodes_before);
    s->nodes_before = s->nodes;
    s->at = s->buffer + TREELOG_HEAD_;
}

static int treelog_has_room_(treelog_stream* s) {
    treelog_open_node* grown;
    if (s->depth < s->room) return 1;
    grown =
        TREELOG_AS(treelog_open_node*, realloc(s->path, 2 * s->room * sizeof(treelog_open_node)));
    if (!grown) {
        treelog_fail_(s->log, "no memory", "");
        return 0;
    }
    s->path = grown;
    s->room *= 2;
    return 1;
}

static int treelog_reserve_(treelog_stream* s) {
    const uint64_t limit = s->log->filter.most_nodes;
    uint64_t had;
    if (!limit) {
        s->quota = UINT64_MAX;
        return 1;
    }
    if (TREELOG_READ(s->log->reserved) < limit) {
        had = TREELOG_ADD(s->log->reserved, TREELOG_RESERVE_);
        if (had < limit) {
            s->quota = limit - had;
            if (s->quota > TREELOG_RESERVE_) s->quota = TREELOG_RESERVE_;
            return 1;
        }
    }
    TREELOG_WRITE(s->log->is_limited, 1);
    return 0;
}

/* How many moves of the line a node has met, or -1. */
static int64_t treelog_match_(const treelog_stream* s, int64_t move) {
    const treelog_filter* filter = &s->log->filter;
    const int64_t above = s->depth      ? s->path[s->depth - 1].matched
                          : s->is_owner ? 0
                                        : s->parent.matched;
    const int is_top = s->depth == 0 && (s->is_owner || !s->parent.level);
    if (is_top || above < 0) return is_top ? 0 : -1;
    if (TREELOG_AS(size_t, above) == filter->line_length || move == TREELOG_NO_MOVE) return above;
    return filter->line[above] == move ? above + 1 : -1;
}

static int treelog_is_wanted_(const treelog_stream* s, const int64_t* values, int64_t matched) {
    const treelog* log = s->log;
    const treelog_filter* filter = &log->filter;
    const int64_t calls =
        TREELOG_AS(int64_t, s->depth) + (s->is_owner ? 0 : TREELOG_AS(int64_t, s->parent.level));
    const int64_t ply = log->ply_at >= 0 ? values[log->ply_at] : calls;
    if (s->nodes == 0 && s->is_owner) return 1;
    if (ply < filter->from_ply || (filter->to_ply >= 0 && ply > filter->to_ply)) return 0;
    if (log->depth_at >= 0 && values[log->depth_at] < filter->min_depth) return 0;
    return matched >= 0;
}

/* True if the move was not known; it is now. */
static int treelog_is_new_large_(treelog_stream* s, int64_t move) {
    size_t at;
    if (move == TREELOG_NO_MOVE) return 0;
    if (2 * s->large_count >= s->large_room) {
        const size_t room = s->large_room ? 2 * s->large_room : 1024;
        int64_t* old = s->large;
        const size_t old_room = s->large_room;
        size_t i;
        s->large = TREELOG_AS(int64_t*, malloc(room * sizeof(int64_t)));
        if (!s->large) {
            s->large = old;
            treelog_fail_(s->log, "no memory", "");
            return 0;
        }
        for (i = 0; i < room; ++i) s->large[i] = TREELOG_NO_MOVE;
        s->large_room = room;
        s->large_count = 0;
        for (i = 0; i < old_room; ++i)
            if (old[i] != TREELOG_NO_MOVE) treelog_is_new_large_(s, old[i]);
        free(old);
    }
    at = TREELOG_AS(size_t, (TREELOG_AS(uint64_t, move) * 0x9E3779B97F4A7C15u) >> 20);
    for (at &= s->large_room - 1; s->large[at] != TREELOG_NO_MOVE;
         at = (at + 1) & (s->large_room - 1))
        if (s->large[at] == move) return 0;
    s->large[at] = move;
    ++s->large_count;
    return 1;
}

static void treelog_name_move_(treelog_stream* s, int64_t move) {
    char text[TREELOG_MOVE_TEXT] = {0};
    size_t length;
    s->log->move_name(move, text, s->log->move_context);
    text[TREELOG_MOVE_TEXT - 1] = 0;
    length = strlen(text);
    *s->at++ = 3 | 1 << 2;
    s->at = treelog_put_(s->at, TREELOG_AS(uint64_t, move), 8);
    *s->at++ = TREELOG_AS(unsigned char, length);
    memcpy(s->at, text, length);
    s->at += length;
}

static void treelog_know_move_(treelog_stream* s, int64_t move) {
    if (move >= 0 && move < TREELOG_SMALL_MOVES_) {
        const unsigned bit = 1u << (move & 7);
        if (s->known[move >> 3] & bit) return;
        s->known[move >> 3] = TREELOG_AS(unsigned char, s->known[move >> 3] | bit);
        treelog_name_move_(s, move);
    } else if (treelog_is_new_large_(s, move)) {
        treelog_name_move_(s, move);
    }
}

/* Appends the length code (0 to 3: 1, 2, 4, 8 bytes) and the bytes of a value without a branch,
 * since lengths follow no pattern that a processor could guess. */
static unsigned char* treelog_value_(unsigned char* to, int64_t value, unsigned* code) {
    const uint64_t z = (TREELOG_AS(uint64_t, value) << 1) ^ (value < 0 ? UINT64_MAX : 0);
    const unsigned length = TREELOG_AS(unsigned, z > 0xFF) + TREELOG_AS(unsigned, z > 0xFFFF) +
                            TREELOG_AS(unsigned, z > 0xFFFFFFFFu);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(to, &z, 8);
#else
    treelog_put_(to, z, 8);
#endif
    *code = length;
    return to + (TREELOG_AS(size_t, 1) << length);
}

/* An event: a byte with its kind (2 bits) and the codes of its first three values, a byte with four
 * codes for every four values more, then the values. */
static void treelog_event_(treelog_stream* s, unsigned kind, const int64_t* first,
                           const int64_t* values, size_t count) {
    unsigned char* head = s->at;
    const size_t all = count + (first ? 1 : 0);
    unsigned char* to = head + 1 + all / 4;
    unsigned packed = kind, shift = 2, code;
    size_t i;
    if (first) {
        to = treelog_value_(to, *first, &code);
        packed |= code << shift;
        shift += 2;
    }
    for (i = 0; i < count; ++i) {
        if (shift == 8) {
            *head++ = TREELOG_AS(unsigned char, packed);
            packed = shift = 0;
        }
        to = treelog_value_(to, values[i], &code);
        packed |= code << shift;
        shift += 2;
    }
    *head = TREELOG_AS(unsigned char, packed);
    s->at = to;
    if (TREELOG_RARE(to >= s->full)) treelog_flush_(s, 0);
}

void treelog_enter(treelog_stream* s, int64_t move, const int64_t* values, size_t count) {
    int64_t matched = 0;
    uint64_t node;
    if (!s || TREELOG_READ(s->log->is_off)) return;
    if (TREELOG_RARE(count != s->log->entries || !s->tree)) {
        treelog_fail_(s->log, s->tree ? "enter: wrong number of values" : "enter: no tree is open",
                      "");
        return;
    }
    if (TREELOG_RARE(s->skipped || (s->quota == 0 && !treelog_reserve_(s)))) {
        ++s->skipped;
        return;
    }
    if (TREELOG_RARE(s->depth == s->room) && !treelog_has_room_(s)) return;
    node = s->nodes;
    if (s->log->is_filtered) {
        matched = treelog_match_(s, move);
        if (!treelog_is_wanted_(s, values, matched)) node = UINT64_MAX;
    }
    s->path[s->depth].node = node;
    s->path[s->depth++].matched = matched;
    if (node == UINT64_MAX) return;
    if (s->log->move_name) treelog_know_move_(s, move);
    --s->quota;
    ++s->nodes;
    treelog_event_(s, 0, &move, values, count);
}

static void treelog_leave_(treelog_stream* s, unsigned kind, const int64_t* values, size_t count) {
    if (s->skipped) {
        --s->skipped;
        return;
    }
    if (TREELOG_RARE(s->depth == 0)) {
        treelog_fail_(s->log, "leave without enter", "");
        return;
    }
    if (s->path[--s->depth].node != UINT64_MAX) treelog_event_(s, kind, NULL, values, count);
}

void treelog_leave(treelog_stream* s, const int64_t* values, size_t count) {
    if (!s || TREELOG_READ(s->log->is_off)) return;
    if (TREELOG_RARE(count != s->log->exits))
        treelog_fail_(s->log, "leave: wrong number of values", "");
    else
        treelog_leave_(s, 1, values, count);
}

void treelog_cut(treelog_stream* s) {
    if (s && !TREELOG_READ(s->log->is_off)) treelog_leave_(s, 2, NULL, 0);
}

void treelog_abort(treelog_stream* s) {
    if (!s) return;
    s->skipped = s->depth = 0;
    if (TREELOG_READ(s->log->is_off) || !s->tree) return;
    *s->at++ = 3 | 3 << 2;
    if (s->at >= s->full) treelog_flush_(s, 0);
}

static void treelog_take_tree_(treelog_stream* s, uint32_t tree, int is_owner) {
    s->tree = tree;
    s->is_owner = is_owner;
    s->block = 0;
    s->depth = 0;
    s->skipped = s->nodes = s->nodes_before = 0;
    s->at = s->buffer + TREELOG_HEAD_;
    memset(s->known, 0, TREELOG_SMALL_MOVES_ / 8);
    free(s->large);
    s->large = NULL;
    s->large_count = s->large_room = 0;
    TREELOG_ADD(s->log->joined, 1);
}

void treelog_part(treelog_stream* s) {
    if (!s || !s->tree) return;
    if (s->depth || s->skipped) treelog_abort(s);
    treelog_flush_(s, 1);
    s->tree = 0;
}

/* A text with its length of two bytes before it. */
static unsigned char* treelog_text_(unsigned char* to, const char* text) {
    size_t length = text ? strlen(text) : 0;
    if (length > 16000) length = 16000;
    to = treelog_put_(to, length, 2);
    if (length) memcpy(to, text, length);
    return to + length;
}

static void treelog_begin_(treelog* log) {
    unsigned char* block = TREELOG_AS(
        unsigned char*, malloc(TREELOG_HEAD_ + 2 * sizeof log->program + 16 + log->schema_size));
    unsigned char* to = block ? block + TREELOG_HEAD_ : NULL;
    log->is_begun = 1;
    if (!block) {
        treelog_fail_(log, "no memory", "");
        return;
    }
    to = treelog_text_(to, log->program);
    to = treelog_text_(to, log->game);
    to = treelog_put_(to, log->attributes, 2);
    to = treelog_put_(to, log->constants, 2);
    if (log->schema_size) memcpy(to, log->schema, log->schema_size);
    to += log->schema_size;
    treelog_block_(log, block, TREELOG_AS(size_t, to - block) - TREELOG_HEAD_, 'S', 0, 0, 0, 0, 0);
    free(block);
}

/* The filter in words, for who reads the log. */
static void treelog_filter_text_(const treelog_filter* filter, char* text, size_t room) {
    size_t used = 0, i;
    *text = 0;
    if (filter->from_ply > 0)
        used += TREELOG_AS(size_t, snprintf(text + used, room - used, "from_ply=%lld ",
                                            TREELOG_AS(long long, filter->from_ply)));
    if (filter->to_ply >= 0)
        used += TREELOG_AS(size_t, snprintf(text + used, room - used, "to_ply=%lld ",
                                            TREELOG_AS(long long, filter->to_ply)));
    if (filter->min_depth != INT64_MIN)
        used += TREELOG_AS(size_t, snprintf(text + used, room - used, "min_depth=%lld ",
                                            TREELOG_AS(long long, filter->min_depth)));
    if (filter->most_nodes)
        used += TREELOG_AS(size_t, snprintf(text + used, room - used, "most_nodes=%llu ",
                                            TREELOG_AS(unsigned long long, filter->most_nodes)));
    for (i = 0; i < filter->line_length && used + 32 < room; ++i)
        used +=
            TREELOG_AS(size_t, snprintf(text + used, room - used, "%s%lld",
                                        i ? "," : "line=", TREELOG_AS(long long, filter->line[i])));
}

void treelog_open(treelog_stream* s, uint32_t search, uint32_t iteration, const char* position,
                  const char* parameters) {
    unsigned char* to;
    char filter[512];
    uint32_t tree;
    if (!s || TREELOG_READ(s->log->is_off)) return;
    if (s->tree) treelog_close(s);
    if (!s->log->is_begun) treelog_begin_(s->log);
    tree = TREELOG_AS(uint32_t, TREELOG_ADD(s->log->tree, 1) + 1);
    TREELOG_WRITE(s->log->joined, 0);
    TREELOG_WRITE(s->log->is_limited, 0);
    treelog_take_tree_(s, tree, 1);
    treelog_filter_text_(&s->log->filter, filter, sizeof filter);
    to = treelog_put_(s->at, search, 4);
    to = treelog_put_(to, iteration, 4);
    to = treelog_text_(to, position);
    to = treelog_text_(to, parameters);
    to = treelog_text_(to, filter);
    treelog_block_(s->log, s->buffer, TREELOG_AS(size_t, to - s->at), 'T', 0, s->id, tree, 0, 0);
}

void treelog_close(treelog_stream* s) {
    uint32_t tree;
    if (!s || !s->tree || !s->is_owner) return;
    tree = s->tree;
    treelog_part(s);
    treelog_put_(s->at, TREELOG_READ(s->log->joined), 4);
    treelog_block_(s->log, s->buffer, 4, 'E', TREELOG_READ(s->log->is_limited) ? 1 : 0, s->id, tree,
                   0, 0);
}

treelog_ref treelog_here(const treelog_stream* s) {
    treelog_ref none = {0, 0, 0, 0, 0, 0};
    size_t i;
    if (!s || !s->tree) return none;
    for (i = s->depth; i > 0; --i) {
        treelog_ref here = {0, 0, 0, 0, 0, 0};
        if (s->path[i - 1].node == UINT64_MAX) continue;
        here.tree = s->tree;
        here.stream = s->id;
        here.node = s->path[i - 1].node;
        here.after = s->nodes - 1;
        here.level = TREELOG_AS(uint32_t, s->depth) + (s->is_owner ? 0 : s->parent.level);
        here.matched = TREELOG_AS(int32_t, s->path[s->depth - 1].matched);
        return here;
    }
    if (!s->is_owner) return s->parent;
    none.tree = s->tree;
    none.node = UINT64_MAX;
    return none;
}

void treelog_join(treelog_stream* s, treelog_ref parent) {
    if (!s || TREELOG_READ(s->log->is_off) || !parent.tree) return;
    if (s->tree && (s->is_owner || s->tree != parent.tree)) treelog_part(s);
    if (!s->tree) treelog_take_tree_(s, parent.tree, 0);
    if (s->depth || s->skipped) treelog_abort(s);
    s->parent = parent;
    *s->at++ = 3 | 2 << 2;
    s->at = treelog_put_(s->at, parent.stream, 4);
    s->at = treelog_put_(s->at, parent.node, 8);
    s->at = treelog_put_(s->at, parent.after, 8);
    if (s->at >= s->full) treelog_flush_(s, 0);
}

void treelog_stream_free(treelog_stream* s) {
    if (!s) return;
    if (s->tree && s->is_owner)
        treelog_close(s);
    else
        treelog_part(s);
    free(s->buffer);
    free(s->path);
    free(s->known);
    free(s->large);
    free(s);
}

void treelog_free(treelog* log) {
    if (!log) return;
    if (log->file) fclose(log->file);
    free(log->schema);
    free(log);
}

const char* treelog_error(const treelog* log) {
    if (!log) return NULL;
    return TREELOG_READ(log->is_off) ? log->error : NULL;
}

#ifdef __cplusplus
}
#endif
#endif /* TREELOG_IMPLEMENTATION */
/* NOLINTEND */

/* A whole UCI engine in one file, for tests that build versions from git. What it is like (how deep
   it searches, how slowly, whether it crashes) stands in traits.h, which the commits of a test's
   repository change. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "traits.h"

enum { kEmpty, kPawn, kKnight, kBishop, kRook, kQueen, kKing };

typedef struct {
    signed char square[128]; /* 0x88; white above 0, black below */
    int side;                /* 1 white, -1 black */
    int castling;            /* bits: K 1, Q 2, k 4, q 8 */
    int passant;             /* square behind a pawn that went two, or -1 */
} Board;

typedef struct {
    int from, to, promotion;
} Move;

static unsigned long nodes;
static const int kValue[] = {0, 100, 300, 310, 500, 900, 0};
static const int kSteps[][8] = {{0},
                                {0},
                                {31, 33, 14, 18, -31, -33, -14, -18},
                                {15, 17, -15, -17},
                                {1, 16, -1, -16},
                                {1, 16, -1, -16, 15, 17, -15, -17},
                                {1, 16, -1, -16, 15, 17, -15, -17}};
static const int kStepCount[] = {0, 0, 8, 4, 4, 8, 8};

static int attacked(const Board* b, int at, int by) {
    int piece, i;
    for (piece = kKnight; piece <= kKing; ++piece) {
        for (i = 0; i < kStepCount[piece]; ++i) {
            int to = at;
            do {
                to += kSteps[piece][i];
                if (to & 0x88) break;
                if (b->square[to] == by * piece) return 1;
            } while (!b->square[to] && piece != kKnight && piece != kKing);
        }
    }
    for (i = -1; i <= 1; i += 2) {
        int from = at - 16 * by + i;
        if (!(from & 0x88) && b->square[from] == by * kPawn) return 1;
    }
    return 0;
}

static int king_of(const Board* b, int side) {
    int at;
    for (at = 0; at < 128; ++at)
        if (!(at & 0x88) && b->square[at] == side * kKing) return at;
    return 0;
}

static void make(Board* b, Move m) {
    const int piece = b->square[m.from] * b->side;
    const int passant = b->passant;
    b->square[m.to] = (signed char)(m.promotion ? m.promotion * b->side : b->square[m.from]);
    b->square[m.from] = kEmpty;
    b->passant = -1;
    if (piece == kPawn) {
        if (m.to == passant) b->square[m.to - 16 * b->side] = kEmpty;
        if (abs(m.to - m.from) == 32) b->passant = (m.from + m.to) / 2;
    }
    if (piece == kKing) {
        if (m.to - m.from == 2) {
            b->square[m.to - 1] = b->square[m.to + 1];
            b->square[m.to + 1] = kEmpty;
        } else if (m.from - m.to == 2) {
            b->square[m.to + 1] = b->square[m.to - 2];
            b->square[m.to - 2] = kEmpty;
        }
        b->castling &= b->side > 0 ? ~3 : ~12;
    }
    {
        static const int kCorner[] = {7, 0, 119, 112};
        int i;
        for (i = 0; i < 4; ++i)
            if (m.from == kCorner[i] || m.to == kCorner[i]) b->castling &= ~(1 << i);
    }
    b->side = -b->side;
}

static int add(const Board* b, Move* list, int count, int from, int to) {
    const int rank = to >> 4;
    Move m = {from, to, 0};
    int piece;
    Board after;
    if (b->square[from] * b->side == kPawn && (rank == 0 || rank == 7)) m.promotion = kQueen;
    for (piece = m.promotion ? kQueen : 0; piece >= (m.promotion ? kKnight : 0); --piece) {
        m.promotion = piece;
        after = *b;
        make(&after, m);
        if (attacked(&after, king_of(&after, b->side), -b->side)) return count;
        list[count++] = m;
        if (!piece) break;
    }
    return count;
}

static int moves_of(const Board* b, Move* list) {
    int count = 0, from, i;
    for (from = 0; from < 128; ++from) {
        int piece;
        if (from & 0x88 || (piece = b->square[from] * b->side) <= 0) continue;
        if (piece == kPawn) {
            const int step = 16 * b->side, start = b->side > 0 ? 1 : 6;
            int to = from + step;
            if (!(to & 0x88) && !b->square[to]) {
                count = add(b, list, count, from, to);
                if (from >> 4 == start && !b->square[to + step])
                    count = add(b, list, count, from, to + step);
            }
            for (i = -1; i <= 1; i += 2) {
                to = from + step + i;
                if (to & 0x88) continue;
                if (b->square[to] * b->side < 0 || to == b->passant)
                    count = add(b, list, count, from, to);
            }
            continue;
        }
        for (i = 0; i < kStepCount[piece]; ++i) {
            int to = from;
            do {
                to += kSteps[piece][i];
                if (to & 0x88 || b->square[to] * b->side > 0) break;
                count = add(b, list, count, from, to);
            } while (!b->square[to] && piece != kKnight && piece != kKing);
        }
        if (piece == kKing && !attacked(b, from, -b->side)) {
            const int shift = b->side > 0 ? 0 : 2;
            if (b->castling >> shift & 1 && !b->square[from + 1] && !b->square[from + 2] &&
                !attacked(b, from + 1, -b->side))
                count = add(b, list, count, from, from + 2);
            if (b->castling >> shift & 2 && !b->square[from - 1] && !b->square[from - 2] &&
                !b->square[from - 3] && !attacked(b, from - 1, -b->side))
                count = add(b, list, count, from, from - 2);
        }
    }
    return count;
}

static int evaluate(const Board* b) {
    int score = 0, at;
    volatile int waste = 0;
    int i;
    for (i = 0; i < WASTE; ++i) waste += i;
    for (at = 0; at < 128; ++at) {
        const int piece = b->square[at];
        if (at & 0x88 || !piece) continue;
        score += (piece > 0 ? 1 : -1) *
                 (kValue[abs(piece)] + (abs(piece) < kKing ? 8 - abs((at & 7) * 2 - 7) : 0));
    }
    return score * b->side;
}

static int search(const Board* b, int depth, int alpha, int beta, Move* best) {
    Move list[256];
    int count, i;
    ++nodes;
    if (depth == 0) return evaluate(b);
    count = moves_of(b, list);
    if (count == 0)
        return attacked(b, king_of(b, b->side), -b->side) ? -30000 - depth : 0;
    for (i = 0; i < count; ++i) {
        Board after = *b;
        int score;
        make(&after, list[i]);
        score = -search(&after, depth - 1, -beta, -alpha, NULL);
        if (score > alpha) {
            alpha = score;
            if (best) *best = list[i];
            if (alpha >= beta) break;
        }
    }
    return alpha;
}

static void set_fen(Board* b, const char* fen) {
    int rank = 7, file = 0;
    memset(b, 0, sizeof *b);
    b->passant = -1;
    for (; *fen && *fen != ' '; ++fen) {
        static const char kLetters[] = ".pnbrqk";
        if (*fen == '/') {
            --rank;
            file = 0;
        } else if (isdigit((unsigned char)*fen)) {
            file += *fen - '0';
        } else {
            const int piece = (int)(strchr(kLetters, tolower((unsigned char)*fen)) - kLetters);
            b->square[rank * 16 + file++] =
                (signed char)(isupper((unsigned char)*fen) ? piece : -piece);
        }
    }
    b->side = *fen && fen[1] == 'b' ? -1 : 1;
    for (fen += *fen ? 3 : 0; *fen && *fen != ' '; ++fen) {
        const char* const at = strchr("KQkq", *fen);
        if (at) b->castling |= 1 << (at - "KQkq");
    }
    if (*fen && islower((unsigned char)fen[1])) b->passant = (fen[2] - '1') * 16 + fen[1] - 'a';
}

static void name_of(Move m, char* text) {
    sprintf(text, "%c%c%c%c", 'a' + (m.from & 7), '1' + (m.from >> 4), 'a' + (m.to & 7),
            '1' + (m.to >> 4));
    if (m.promotion) sprintf(text + 4, "%c", ".pnbrq"[m.promotion]);
}

static const char kStart[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

static void set_position(Board* b, char* line) {
    char* const fen = strstr(line, "fen ");
    char* word = strstr(line, " moves ");
    set_fen(b, fen ? fen + 4 : kStart);
    if (!word) return;
    for (word = strtok(word + 7, " \r\n"); word; word = strtok(NULL, " \r\n")) {
        Move list[256];
        int i = moves_of(b, list);
        while (i-- > 0) {
            char text[8];
            name_of(list[i], text);
            if (strcmp(text, word) == 0) {
                make(b, list[i]);
                break;
            }
        }
    }
}

static void bench(void) {
    struct timespec start, end;
    double seconds;
    int i;
    Board b;
    set_fen(&b, kStart);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
    for (i = 0; i < BENCH_ROUNDS; ++i) search(&b, DEPTH + 2, -32000, 32000, NULL);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    seconds = (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9;
    printf("Nodes searched  : %lu\nNodes/second    : %.0f\n", nodes,
           (double)nodes / (seconds > 0 ? seconds : 1e-9));
}

static void go(const Board* b, int ply_of_game) {
    char text[8] = "0000";
    Move list[256], best;
    const int count = moves_of(b, list);
    int score;
    if (CRASH_AT_PLY && ply_of_game >= CRASH_AT_PLY) abort();
    if (count > 0) {
        best = list[0];
        nodes = 0;
        score = search(b, DEPTH, -32000, 32000, &best);
        if (RANDOM) best = list[rand() % count];
        name_of(best, text);
        printf("info depth %d score cp %d nodes %lu nps 1000000 pv %s\n", DEPTH, score, nodes, text);
    }
    printf("bestmove %s\n", text);
}

int main(int argc, char** argv) {
    static char line[1 << 16];
    Board b;
    int plies = 0;
    if (argc > 1 && strcmp(argv[1], "bench") == 0) {
        bench();
        return 0;
    }
    set_fen(&b, kStart);
    srand((unsigned)time(NULL) * 31 + (unsigned)getpid());
    setvbuf(stdout, NULL, _IOLBF, 1 << 16);
    while (fgets(line, sizeof line, stdin)) {
        if (strncmp(line, "uci\n", 4) == 0) {
            printf("id name tiny\nid author the assay authors\n"
                   "option name Hash type spin default 16 min 1 max 1024\n"
                   "option name Threads type spin default 1 min 1 max 1\nuciok\n");
        } else if (strncmp(line, "isready", 7) == 0) {
            printf("readyok\n");
        } else if (strncmp(line, "position", 8) == 0) {
            const char* at = strstr(line, " moves ");
            for (plies = 0; at && *at; ++at) plies += *at == ' ';
            set_position(&b, line);
        } else if (strncmp(line, "go", 2) == 0) {
            go(&b, plies);
        } else if (strncmp(line, "quit", 4) == 0) {
            break;
        }
    }
    return 0;
}

/* An alpha-beta search of Nim (three heaps, who takes the last stick wins) that logs its tree, in
 * plain C99: the smallest whole example of treelog.h. Prints the value and the nodes of each
 * iteration; `nim_c99 DEPTH A B C`. */
#include <stdio.h>
#include <stdlib.h>

#define TREELOG_IMPLEMENTATION
#include "treelog.h"

enum { PV = 1, CUT = 2, ALL = 3, WIN = 1000 };

static treelog_stream *tree;
static long nodes;

static void move_text(int64_t move, char *text, void *context) {
    (void)context;
    snprintf(text, TREELOG_MOVE_TEXT, "%c%d", (char)('a' + move / 16), (int)(move % 16));
}

static int search(int *heaps, int alpha, int beta, int depth, int ply, int last);

static int search_moves(int *heaps, int alpha, int beta, int depth, int ply) {
    int heap, sticks, best = -WIN;
    if (heaps[0] + heaps[1] + heaps[2] == 0) return ply - WIN;
    if (depth == 0) return 0;
    for (heap = 0; heap < 3; ++heap) {
        for (sticks = 1; sticks <= heaps[heap]; ++sticks) {
            int value;
            heaps[heap] -= sticks;
            value = -search(heaps, -beta, -alpha, depth - 1, ply + 1, 16 * heap + sticks);
            heaps[heap] += sticks;
            if (value > best) best = value;
            if (best > alpha) alpha = best;
            if (alpha >= beta) return best;
        }
    }
    return best;
}

static int search(int *heaps, int alpha, int beta, int depth, int ply, int last) {
    int value;
    TREELOG_ENTER(tree, last, ply, depth, alpha, beta);
    ++nodes;
    value = search_moves(heaps, alpha, beta, depth, ply);
    TREELOG_LEAVE(tree, value, value >= beta ? CUT : value <= alpha ? ALL : PV);
    return value;
}

int main(int argc, char **argv) {
    int heaps[3] = {3, 4, 5}, limit = argc > 1 ? atoi(argv[1]) : 5, depth, i;
    char position[64];
    treelog *log = treelog_from_environment();
    for (i = 0; i < 3 && i + 2 < argc; ++i) heaps[i] = atoi(argv[i + 2]) & 15;
    snprintf(position, sizeof position, "%d %d %d", heaps[0], heaps[1], heaps[2]);
    treelog_program(log, "nim_c99", "nim");
    treelog_move_names(log, move_text, NULL);
    treelog_attribute(log, "ply", TREELOG_ENTRY);
    treelog_attribute(log, "depth", TREELOG_ENTRY);
    treelog_attribute(log, "alpha", TREELOG_ENTRY);
    treelog_attribute(log, "beta", TREELOG_ENTRY);
    treelog_attribute(log, "value", TREELOG_EXIT);
    treelog_attribute(log, "type", TREELOG_EXIT);
    treelog_constant(log, "PVNode", PV);
    treelog_constant(log, "CUTNode", CUT);
    treelog_constant(log, "ALLNode", ALL);
    tree = treelog_stream_new(log);
    for (depth = 1; depth <= limit; ++depth) {
        int value;
        nodes = 0;
        treelog_open(tree, 0, (uint32_t)depth, position, NULL);
        value = search(heaps, -WIN, WIN, depth, 0, TREELOG_NO_MOVE);
        treelog_close(tree);
        printf("depth %d value %d nodes %ld\n", depth, value, nodes);
    }
    treelog_stream_free(tree);
    if (treelog_error(log)) fprintf(stderr, "nim_c99: no tree log: %s\n", treelog_error(log));
    treelog_free(log);
    return 0;
}

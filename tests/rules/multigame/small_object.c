/* A shared object that says it is compiled rules; what is wrong with it, macros say. */
#include "rules/multigame/multigame.h"

#ifndef STATE
#define STATE 8
#endif

#ifndef INTERFACE
#define INTERFACE MG_INTERFACE
#endif

static void start(void *state) { (void)state; }

static void load(void *state, const uint8_t *contents, const int32_t *values, int side, int turn) {
    (void)state, (void)contents, (void)values, (void)side, (void)turn;
}

#ifndef WITHOUT_MOVES
static int moves(void *state, mg_list *list, unsigned what) {
    (void)state, (void)list, (void)what;
    return MG_FAULT;
}
#endif

static void apply(void *state, const mg_list *list, uint32_t move) {
    (void)state, (void)list, (void)move;
}

static uint64_t key(const void *state) { return (void)state, 0; }

static int side(const void *state) { return (void)state, 0; }

static const uint8_t *contents(const void *state) { return state; }

static const int32_t *values(const void *state) { return state; }

static int write(const void *state, char *text, size_t room) {
    return (void)state, (void)text, (void)room, -1;
}

static int read(void *state, const char *text) { return (void)state, (void)text, MG_FAULT; }

static int perpetual(void *state, int of) { return (void)state, of; }

static int can_move(void *state) { return (void)state, 0; }

static const mg_game game = {.interface = INTERFACE,
                             .state_size = STATE,
                             .hash = "0123",
                             .columns = 1,
                             .rows = 1,
                             .fields = 1,
                             .players = 2,
                             .start = start,
                             .load = load,
#ifndef WITHOUT_MOVES
                             .moves = moves,
#endif
                             .apply = apply,
                             .take_back = apply,
                             .key = key,
                             .side = side,
                             .turn = side,
                             .contents = contents,
                             .values = values,
                             .perpetual = perpetual,
                             .write = write,
                             .read = read,
                             .can_move = can_move};

#ifdef WITHOUT_ENTRY
const mg_game *mg_game_v0(void);
const mg_game *mg_game_v0(void) { return &game; }
#else
const mg_game *mg_game_v1(void) { return &game; }
#endif

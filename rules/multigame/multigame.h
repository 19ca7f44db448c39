/* The interface of a compiled Multigame program: what the writer in compile/ makes of one.
 *
 * A compiled program is one C99 file, or a shared object built from it, that defines
 *     const mg_game *mg_game_v1(void);
 * It allocates nothing and calls nothing but string.h. A state is plain bytes of `state_size`:
 * memcpy copies one. Functions are reentrant; a state is used by one thread at a time.
 *
 *     const mg_game *game = mg_game_v1();
 *     void *state = malloc(game->state_size);
 *     game->start(state);
 *     if (game->moves(state, &list, 0) == MG_OK) game->apply(state, &list, 0);
 *
 * Multigame is a reconstruction of the language of a paper of 1995: docs/multigame-reference.md.
 */
/* NOLINTBEGIN: C99, with the names and habits of C. */
#ifndef MULTIGAME_H
#define MULTIGAME_H

#include <stddef.h>
#include <stdint.h>

#define MG_INTERFACE 1u

/* Results of moves(). */
#define MG_OK 0
#define MG_FULL 1  /* the list has too little room: give it more and call again */
#define MG_FAULT 2 /* a rule error or a limit: the interpreter tells which */

/* Bits of `what` in moves(). */
#define MG_NAMES 1u /* fill `names`, and list other names of a move as moves with MG_ALIAS */
#define MG_SETUP 2u /* the outcomes of `setup` at the first position, where it draws; no names */

/* mg_move.flags. */
#define MG_CLAIM 1u /* says a verdict on the position itself and changes nothing */
#define MG_AGAIN 2u /* the same side moves on */
#define MG_ALIAS 4u /* another name of an earlier move, which has the same code */
#define MG_STAYS 8u /* an outcome of `setup`: nobody has moved */

/* Verdicts, seen from the side that moves. */
enum { MG_NONE, MG_WIN, MG_LOSE, MG_DRAW };

/* One field or variable that a move changes. Below `fields` of the game `place` is a field, and the
 * values are contents: 0 empty, else 1 + 2 * piece + side. From there on it is the number of a
 * slot of variables. */
typedef struct mg_change {
    int32_t place, before, after;
} mg_change;

typedef struct mg_move {
    uint64_t key;          /* the key before the move, xor that after it */
    double probability;    /* of an outcome of its decision, else 1 */
    uint32_t code;         /* never 0, and one of its own in this list; key, folded */
    uint32_t first_change; /* in mg_list.changes */
    uint32_t decision; /* 0: chance has no part in it; else outcomes with one number are those of
                          one decision of the player, among which chance draws */
    uint16_t changes;
    uint16_t reason; /* of the verdict: 0, or 1 + its number in mg_game.texts */
    uint8_t verdict;
    uint8_t flags;
} mg_move;

/* Moves in derivation order. The caller owns all arrays. */
typedef struct mg_list {
    mg_move* moves;
    mg_change* changes;
    char (*names)[32];     /* as many as moves; NULL without MG_NAMES */
    char (*decisions)[32]; /* the names of decisions, as many; NULL without MG_NAMES or chance */
    uint32_t* table;       /* a power of two, at least twice the room for moves; first all 0 */
    uint32_t move_room, change_room, table_room;
    uint32_t move_count, change_count, decision_count; /* set by moves() */
    uint32_t stamp;                                    /* moves() counts here; first 0 */
} mg_list;

typedef struct mg_game {
    uint32_t interface; /* MG_INTERFACE */
    uint32_t state_size;
    const char* hash; /* of the program's text, as assay computes it */
    uint32_t columns, rows, fields, slots, players;
    uint32_t has_chance;  /* moves may be outcomes of decisions */
    uint32_t draws_setup; /* chance chooses among the outcomes of MG_SETUP before the first move */
    uint32_t texts_count;
    const char* const* texts;

    /* The first position; where `setup` draws, the one before that. */
    void (*start)(void* state);
    /* Sets a position: contents by field, values of variables by slot, the side that moves, and the
     * number of the turn, from 1. */
    void (*load)(void* state, const uint8_t* contents, const int32_t* values, int side, int turn);
    /* All moves of the side to move, or what `what` asks for; the state is unchanged. */
    int (*moves)(void* state, mg_list* list, unsigned what);
    void (*apply)(void* state, const mg_list* list, uint32_t move);
    /* Undoes the last apply(), of the same list and move. */
    void (*take_back)(void* state, const mg_list* list, uint32_t move);
    /* Equal for equal positions: board, side and all variables that are not silent. */
    uint64_t (*key)(const void* state);
    int (*side)(const void* state);
    int (*turn)(const void* state);
    const uint8_t* (*contents)(const void* state);
    const int32_t* (*values)(const void* state);
    /* Whether the rule of `repetition .. unless perpetual` holds for a side, at any position. */
    int (*perpetual)(void* state, int side);

    /* The position as one line, as the program's `text` says, and a zero. The number of bytes
     * before the zero, or -1 where `room` is too little (4096 is enough). */
    int (*write)(const void* state, char* text, size_t room);
    /* Sets the position that write() wrote. MG_FAULT where the text is no position of this game;
     * the state is then unchanged. */
    int (*read)(void* state, const char* text);

    /* 1 where the side to move has a move that is no claim. Stops at the first, and so costs less
     * than moves(). 0: it has none, or only moves() can tell. */
    int (*can_move)(void* state);
} mg_game;

const mg_game* mg_game_v1(void);

#endif
/* NOLINTEND */

/* Plays random games by compiled rules, and looks at every promise of multigame.h on the way: a test
 * builds it with the C of a program, under sanitizers. random_games GAMES prints the positions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "multigame.h"

enum { LONGEST = 200, TEXT = 4096 };

static uint64_t seed = 1;

static uint32_t drawn(uint32_t below) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((seed >> 33) % below);
}

static void require(int is_true, const char *what) {
    if (is_true) return;
    fprintf(stderr, "broken: %s\n", what);
    exit(1);
}

/* Arrays of exactly the size that the list says, so that a write behind one is found. */
static void give_room(const mg_game *game, mg_list *list, uint32_t moves) {
    free(list->moves);
    free(list->changes);
    free(list->names);
    free(list->decisions);
    free(list->table);
    list->move_room = moves;
    list->change_room = moves * 4 + game->fields + game->slots;
    list->table_room = moves * 4;
    list->moves = malloc(moves * sizeof *list->moves);
    list->changes = malloc(list->change_room * sizeof *list->changes);
    list->names = malloc(moves * sizeof *list->names);
    list->decisions = malloc(moves * sizeof *list->decisions);
    list->table = calloc(list->table_room, sizeof *list->table);
    list->stamp = list->move_count = 0;
    require(list->moves && list->changes && list->names && list->decisions && list->table,
            "memory");
}

static int moves_of(const mg_game *game, void *state, mg_list *list, unsigned what) {
    int result;
    while ((result = game->moves(state, list, what)) == MG_FULL) {
        give_room(game, list, list->move_room * 2);
    }
    return result;
}

static void look_at(const mg_game *game, void *state, const mg_list *list, uint32_t number) {
    const uint64_t before = game->key(state);
    game->apply(state, list, number);
    require(game->key(state) == (before ^ list->moves[number].key), "a key");
    game->take_back(state, list, number);
    require(game->key(state) == before, "a move that is taken back");
}

static void read_back(const mg_game *game, void *state) {
    char text[TEXT], again[TEXT];
    const uint64_t key = game->key(state);
    const int size = game->write(state, text, sizeof text);
    require(size > 0 && size == (int)strlen(text), "the length of a text");
    require(game->write(state, again, (size_t)size) == -1, "a text without room");
    require(game->read(state, "no position") == MG_FAULT, "a wrong text");
    require(game->read(state, text) == MG_OK && game->key(state) == key, "a text read back");
    game->write(state, again, sizeof again);
    require(!strcmp(text, again), "a text written again");
}

static unsigned play(const mg_game *game, void *state, mg_list *list) {
    unsigned positions = 0;
    int ply;
    game->start(state);
    if (game->draws_setup) {
        require(moves_of(game, state, list, MG_SETUP) == MG_OK, "setup");
        game->apply(state, list, drawn(list->move_count));
    }
    for (ply = 0; ply < LONGEST; ply++, positions++) {
        uint32_t n, real = 0, chosen;
        require(moves_of(game, state, list, MG_NAMES) == MG_OK, "a list");
        for (n = 0; n < list->move_count; n++) {
            if (list->moves[n].flags & (MG_CLAIM | MG_ALIAS)) continue;
            look_at(game, state, list, n);
            real++;
        }
        read_back(game, state);
        game->perpetual(state, 0);
        game->can_move(state);
        if (!real) break;
        do chosen = drawn(list->move_count);
        while (list->moves[chosen].flags & (MG_CLAIM | MG_ALIAS));
        game->apply(state, list, chosen);
        if (list->moves[chosen].verdict != MG_NONE) break;
    }
    return positions;
}

int main(int count, char **words) {
    const mg_game *const game = mg_game_v1();
    void *const state = malloc(game->state_size);
    mg_list list;
    unsigned positions = 0;
    int games = count > 1 ? atoi(words[1]) : 1;
    memset(&list, 0, sizeof list);
    give_room(game, &list, 4);
    require(state != NULL, "memory");
    while (games-- > 0) positions += play(game, state, &list);
    printf("%u positions\n", positions);
    give_room(game, &list, 1);
    free(list.moves);
    free(list.changes);
    free(list.names);
    free(list.decisions);
    free(list.table);
    free(state);
    return 0;
}

// The C that is the same for all programs. S is a state: what is read (contents, values) and what
// saves work (masks and numbers of fields by content, the key). M is one listing of moves. E is a
// frame, Q the fields of a spread. Limits are counted in rounds and calls, more coarsely than the
// interpreter counts statements; a rule error is reported as MG_FAULT, and the interpreter finds
// the same one with its place.
#include "rules/multigame/compile/runtime.h"

#include <array>

namespace assay::rules::multigame {

const std::string_view kRuntimeTypes = R"C(
typedef struct S {
  uint64_t mask[CONTENTS][WORDS];
  uint64_t key;
  int32_t v[SLOTS + 1];
  int32_t turn;
  int32_t number[CONTENTS];
  int32_t pieces[3]; /* of nobody, of the first side, of the second */
  uint8_t side;
  uint8_t b[FIELDS];
} S;

typedef struct M {
  S *s;
  mg_list *list;
  int32_t v0[SLOTS + 1];
  unsigned what;
  int verdict, reason, again, fault, full, outputs, n, nest, asked;
  uintptr_t stack; /* where the list began */
  int real; /* changes and passes of the derivation, where it is asked for a move */
  uint32_t total, decision;
  double probability, drawn;
  uint32_t events[EVENTS]; /* changes and writes of the derivation, in order */
} M;

typedef struct E {
  struct E *up;
  int (*k)(M *, int, int, int, struct E *);
  int64_t x, y;
  void *p;
} E;

typedef int K(M *, int, int, int, E *);

typedef struct Q {
  int n;
  short f[FIELDS];
  unsigned char in[FIELDS];
} Q;

enum { MOVED, REMOVED, REPLACED, PASSED, FIELD, PIECE, WORD };
#define EVENT(kind, f, before, after) \
  ((uint32_t)(kind) << 24 | (uint32_t)(before) << 17 | (uint32_t)(after) << 10 | (uint32_t)(f))
#define TEXT(number) ((uint32_t)WORD << 24 | (uint32_t)(number))
)C";

namespace {

constexpr std::array kFunctions{
    RuntimeFunction{"mix", R"C(
static uint64_t mix(uint64_t x) {
  x += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}
)C"},
    RuntimeFunction{"lowest", R"C(
static int lowest(uint64_t word) {
#if defined(__GNUC__) && !defined(__TINYC__)
  return __builtin_ctzll(word);
#else
  static const unsigned char at[64] = {
      0,  1,  2,  53, 3,  7,  54, 27, 4,  38, 41, 8,  34, 55, 48, 28, 62, 5,  39, 46, 44, 42,
      22, 9,  24, 35, 59, 56, 49, 18, 29, 11, 63, 52, 6,  26, 37, 40, 33, 47, 61, 45, 43, 21,
      23, 58, 17, 10, 51, 25, 36, 32, 60, 20, 57, 16, 50, 31, 19, 15, 30, 14, 13, 12};
  return at[((word & (~word + 1)) * UINT64_C(0x022fdd63cc95386d)) >> 58];
#endif
}
)C"},
    RuntimeFunction{"bits", R"C(
static int bits(uint64_t x) {
  x -= x >> 1 & UINT64_C(0x5555555555555555);
  x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
  x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
  return (int)((x * UINT64_C(0x0101010101010101)) >> 56);
}
)C"},
    RuntimeFunction{"count_in", R"C(
/* The field f gets `content`; more: 1, or -1 where it loses it. */
static void count_in(S *s, int f, int content, int more) {
#if HAS_MASKS
  s->mask[content][f >> 6] ^= UINT64_C(1) << (f & 63);
#endif
#if HAS_NUMBERS
  s->number[content] += more;
#endif
#if HAS_CLASSES
  s->pieces[class_of[content]] += more;
#endif
  (void)s; (void)f; (void)content; (void)more;
}
)C"},
    RuntimeFunction{"put", R"C(
/* The field f, where `before` stands, gets `after`. */
static void put(S *s, int f, int before, int after) {
  count_in(s, f, before, -1);
  count_in(s, f, after, 1);
  s->b[f] = (uint8_t)after;
}
)C"},
    RuntimeFunction{"lift", R"C(
/* The field f, where `before` stands, gets empty. Nobody counts empty fields where HAS_EMPTY is 0. */
static void lift(S *s, int f, int before) {
  count_in(s, f, before, -1);
  if (HAS_EMPTY) count_in(s, f, 0, 1);
  s->b[f] = 0;
}
)C"},
    RuntimeFunction{"drop", R"C(
/* The field f, which is empty, gets `after`. */
static void drop(S *s, int f, int after) {
  if (HAS_EMPTY) count_in(s, f, 0, -1);
  count_in(s, f, after, 1);
  s->b[f] = (uint8_t)after;
}
)C"},
    RuntimeFunction{"record", R"C(
static void record(M *m, uint32_t event) {
  if (m->n < EVENTS) m->events[m->n] = event;
  else m->fault = 1;
  m->n++;
}
)C"},
    RuntimeFunction{"tick", R"C(
/* Counts a round or call. 0 ends what runs away. */
static int tick(M *m) {
  if (++m->total > MOST_TOTAL) m->fault = 1;
  return !m->fault;
}
)C"},
    RuntimeFunction{"stack_place", R"C(
/* Of the frame itself: sanitizers keep variables elsewhere. */
static uintptr_t stack_place(void) {
#if defined(__GNUC__) || defined(__clang__) || defined(__TINYC__)
  return (uintptr_t)__builtin_frame_address(0);
#else
  const char here = 0;
  return (uintptr_t)&here;
#endif
}
)C"},
    RuntimeFunction{"is_deep", R"C(
/* The stack that is in use since the list began. */
static int is_deep(const M *m) {
  const uintptr_t to = stack_place(), from = m->stack;
  return (from > to ? from - to : to - from) > MOST_STACK;
}
)C"},
    RuntimeFunction{"nested", R"C(
static int nested(M *m, K *k, int f, int d, int h, E *e) {
  int r;
  if (m->nest >= MOST_NESTED || is_deep(m)) m->fault = 1;
  if (!tick(m)) return 0;
  m->nest++;
  r = k(m, f, d, h, e);
  m->nest--;
  return r;
}
)C"},
    RuntimeFunction{"called", R"C(
static int called(M *m, K *k, int f, int d, int h, E *e) {
  if (e->x > MOST_CALLS) m->fault = 1;
  return nested(m, k, f, d, h, e);
}
)C"},
    RuntimeFunction{"asked", R"C(
/* A test of a rule that may call itself. */
static int asked(M *m, K *k, int f, int d, int h) {
  int r;
  if (m->asked >= MOST_CALLS) m->fault = 1;
  m->asked++;
  r = nested(m, k, f, d, h, NULL);
  m->asked--;
  return r;
}
)C"},
    RuntimeFunction{"decide", R"C(
/* What follows draws: the player's decision ends here. 0: it is an outcome of an earlier one. */
static int name_decision(const M *m, char *to);
static int decide(M *m) {
  mg_list *const list = m->list;
  if (m->decision) return 0;
  if (list->decision_count == list->move_room) {
    m->full = 1;
    return 0;
  }
  if ((m->what & MG_NAMES) && !name_decision(m, list->decisions[list->decision_count])) m->fault = 1;
  m->decision = ++list->decision_count;
  m->drawn = 0;
  return 1;
}
)C"},
    RuntimeFunction{"drew", R"C(
/* The alternative has had one outcome. */
static void drew(M *m, double before) {
  const double more = m->drawn - before - m->probability;
  if (more > 1e-9 || more < -1e-9) m->fault = 1;
}
)C"},
    RuntimeFunction{"weight", R"C(
static int64_t weight(int64_t value) { return value > 0 ? value : 0; }
)C"},
    RuntimeFunction{"spread", R"C(
static void spread(Q *q, int f) {
  memset(q->in, 0, sizeof q->in);
  q->n = 1;
  q->f[0] = (short)f;
  q->in[f] = 1;
}
)C"},
    RuntimeFunction{"reach", R"C(
static void reach(Q *q, int f) {
  if (q->in[f]) return;
  q->in[f] = 1;
  q->f[q->n++] = (short)f;
}
)C"},
    RuntimeFunction{"greatest", R"C(
static void greatest(E *e, int64_t value) {
  if (!e->y || value > e->x) e->x = value;
  e->y = 1;
}
)C"},
    RuntimeFunction{"is_pictured", R"C(
static int is_pictured(const S *s, const short *picture) {
  int f;
  for (f = 0; f < FIELDS; f++) {
    if (picture[f] >= 0 && picture[f] != s->b[f]) return 0;
  }
  return 1;
}
)C"},
    RuntimeFunction{"key_of_value", R"C(
static uint64_t key_of_value(int slot, int32_t value) {
  return mix((uint64_t)(slot + 1) << 32 ^ (uint32_t)value);
}
)C"},
    RuntimeFunction{"key_of_field", R"C(
static uint64_t key_of_field(int f, int content) {
#if HAS_KEYS
  return keys[f][content];
#else
  return mix((uint64_t)f * KEYS_A_FIELD + (uint64_t)content + 1);
#endif
}
)C"},
    RuntimeFunction{"add_change", R"C(
static void add_change(mg_list *list, int place, int32_t before, int32_t after) {
  mg_change *const change = list->changes + list->change_count++;
  change->place = place;
  change->before = before;
  change->after = after;
}
)C"},
    RuntimeFunction{"changed", R"C(
/* Notes the value that a variable has behind the move; its part of the move's key. */
static uint64_t changed(M *m, int slot, int32_t after) {
  const int32_t before = m->v0[slot];
  if (before == after) return 0;
  add_change(m->list, FIELDS + slot, before, after);
  return key_of_value(slot, before) ^ key_of_value(slot, after);
}
)C"},
};

}  // namespace

std::span<const RuntimeFunction> runtime_functions() {
    return kFunctions;
}

const std::string_view kRuntimeGame = R"C(
static char *append(char *at, const char *end, const char *text) {
  while (*text && at < end) *at++ = *text++;
  return *text ? NULL : at;
}

static int was_printed(const M *m, int before, int f) {
  int i;
  for (i = 0; i < before; i++) {
    const uint32_t event = m->events[i];
    if (event >> 24 <= REPLACED && (int)(event & 1023) == f) return 1;
  }
  return 0;
}

static char *append_traced(const M *m, int i, char *at, const char *end) {
  const uint32_t event = m->events[i];
  const int f = (int)(event & 1023);
  const int before = (int)(event >> 17 & 127), after = (int)(event >> 10 & 127);
  char symbol[2] = {0, 0};
  if (event >> 24 == PASSED) return append(at, end, "pass");
  if (event >> 24 == REMOVED) at = append(at, end, "x");
  if (at && (event >> 24 != REPLACED || !before || !was_printed(m, i, f)))
    at = append(at, end, field_names[f]);
  if (at && event >> 24 == REPLACED && before && after) {
    symbol[0] = small_symbols[after];
    at = append(at, end, symbol);
  }
  return at;
}

static char *append_written(uint32_t event, char *at, const char *end) {
  char symbol[2] = {0, 0};
  switch (event >> 24) {
    case FIELD: return append(at, end, field_names[event & 1023]);
    case WORD: return append(at, end, texts[event & 0xffffff]);
    case PIECE: symbol[0] = symbols[event >> 17 & 127]; return append(at, end, symbol);
    default: return at;
  }
}

/* The name that the derivation has so far, or else this word; 0 where that is not 1 to 31 bytes. */
static int name_events(const M *m, char *to, const char *word) {
  char *at = to;
  const char *const end = to + 31;
  int i, writes = 0;
  for (i = 0; i < m->n; i++) writes |= m->events[i] >> 24 > PASSED;
  for (i = 0; i < m->n && at; i++) {
    at = writes ? append_written(m->events[i], at, end) : append_traced(m, i, at, end);
  }
  if (at == to && !writes) at = append(at, end, word);
  if (!at || at == to) return 0;
  *at = 0;
  return 1;
}

static int name_move(const M *m, char *to) {
  static const char *const verdicts[] = {"", "win", "lose", "draw"};
  return name_events(m, to, verdicts[m->verdict]);
}

#if HAS_DECISIONS
static int name_decision(const M *m, char *to) { return name_events(m, to, ""); }
#endif

/* The entry of the table for a move of this key, or that of an equal move; sets the code, whose low
   bits are mixed as the key's are. */
static uint32_t place_of(const mg_list *list, mg_move *move, int *is_known) {
  const uint32_t most = list->table_room - 1;
  uint32_t at;
  move->code = (uint32_t)(move->key ^ move->key >> 32);
  *is_known = 0;
  for (;;) {
    if (!move->code) move->code = 1;
    for (at = move->code & most;; at = (at + 1) & most) {
      const mg_move *other;
      if (list->table[at] <= list->stamp) return at;
      other = list->moves + (list->table[at] - list->stamp - 1);
      if (other->code != move->code) continue;
      *is_known = other->key == move->key && other->verdict == move->verdict &&
                  other->flags == move->flags && other->decision == move->decision;
      if (*is_known) return at;
      break;
    }
    move->code++;
  }
}

/* Notes what has become of a field where `before` stood; its part of the move's key. */
static uint64_t note_field(mg_list *list, const S *s, int f, int before) {
  if (before == s->b[f]) return 0;
  add_change(list, f, before, s->b[f]);
  return key_of_field(f, before) ^ key_of_field(f, s->b[f]);
}

/* Adds the derivation that is complete to the list. */
static void out(M *m, int h) {
  mg_list *const list = m->list;
  const S *const s = m->s;
  uint64_t key = 0;
  mg_move *const move = list->moves + list->move_count;
  const uint32_t first = list->change_count;
  uint32_t at;
  const int is_setup = m->what & MG_SETUP ? 1 : 0;
  int is_real = is_setup, is_known;
  if (h || ++m->outputs > MOST_OUTPUTS) m->fault = 1;
  if (list->move_count == list->move_room || list->change_room - first < FIELDS + SLOTS) m->full = 1;
  if (m->fault || m->full) return;
  /* Most moves of games of stones change one field, once. */
  if (m->n == 1 && m->events[0] >> 24 < PASSED) {
    is_real = 1;
    key = note_field(list, s, (int)(m->events[0] & 1023), (int)(m->events[0] >> 17 & 127));
  } else if (m->n) {
    uint64_t seen[WORDS];
    int i;
    memset(seen, 0, sizeof seen);
    for (i = 0; i < m->n; i++) {
      const uint32_t event = m->events[i];
      const int f = (int)(event & 1023);
      if (event >> 24 > PASSED) continue;
      is_real = 1;
      if (event >> 24 == PASSED || (seen[f >> 6] >> (f & 63) & 1)) continue;
      seen[f >> 6] |= UINT64_C(1) << (f & 63);
      key ^= note_field(list, s, f, (int)(event >> 17 & 127));
    }
  }
  if (!is_real && !m->verdict) m->fault = 1;
  key ^= changed_values(m);
  if (PLAYERS == 2 && !m->again && !is_setup) key ^= KEY_OF_SIDE;
  move->key = key;
  move->verdict = (uint8_t)m->verdict;
  move->flags = (uint8_t)((is_real ? 0 : MG_CLAIM) | (m->again ? MG_AGAIN : 0) |
                          (is_setup ? MG_STAYS : 0));
#if HAS_DECISIONS
  move->decision = m->decision;
  move->probability = m->probability;
  m->drawn += m->probability;
#else
  move->decision = 0;
  move->probability = 1;
#endif
  move->first_change = first;
  move->changes = (uint16_t)(list->change_count - first);
  move->reason = (uint16_t)m->reason;
  at = place_of(list, move, &is_known);
  if (is_known) {
    if (m->decision) {
      list->moves[list->table[at] - list->stamp - 1].probability += m->probability;
    }
    list->change_count = first;
    move->flags |= MG_ALIAS;
    if (!(m->what & MG_NAMES)) return;
  } else {
    list->table[at] = list->stamp + list->move_count + 1;
  }
  if ((m->what & MG_NAMES) && !name_move(m, list->names[list->move_count])) m->fault = 1;
  list->move_count++;
}

static void begin(M *m, S *s, mg_list *list, unsigned what) {
  m->s = s;
  m->list = list;
  m->what = what;
  m->verdict = m->reason = m->again = m->fault = m->full = m->outputs = m->n = 0;
  m->nest = m->asked = 0;
  m->stack = stack_place();
  m->real = 0;
  m->total = m->decision = 0;
  m->probability = 1;
  m->drawn = 0;
  memcpy(m->v0, s->v, sizeof m->v0);
}

static int moves_of(void *state, mg_list *list, unsigned what) {
  S *const s = state;
  M m;
  begin(&m, s, list, what);
  if (list->stamp > 0xff000000u) {
    memset(list->table, 0, list->table_room * sizeof *list->table);
    list->stamp = 0;
  } else {
    list->stamp += list->move_count + 1;
  }
  list->move_count = list->change_count = list->decision_count = 0;
  if (what & MG_SETUP) SETUP(&m);
  else if (s->side) LIST_1(&m, -1, 0, 0, NULL);
  else LIST_0(&m, -1, 0, 0, NULL);
  if (m.full) return MG_FULL;
  return m.fault || !list->move_count ? MG_FAULT : MG_OK;
}

static int can_move(void *state) {
#if defined CAN_MOVE_0 && defined CAN_MOVE_1
  S *const s = state;
  M m;
  int found;
  begin(&m, s, NULL, 0);
  found = s->side ? CAN_MOVE_1(&m, -1, 0, 0, NULL) : CAN_MOVE_0(&m, -1, 0, 0, NULL);
  return found && !m.fault;
#else
  (void)state;
  return 0;
#endif
}

static void change(S *s, const mg_change *at, int32_t before, int32_t after) {
  if (at->place < FIELDS) put(s, at->place, before, after);
  else s->v[at->place - FIELDS] = after;
}

static void apply(void *state, const mg_list *list, uint32_t number) {
  S *const s = state;
  const mg_move *const move = list->moves + number;
  const mg_change *at = list->changes + move->first_change;
  const mg_change *const end = at + move->changes;
  for (; at < end; at++) change(s, at, at->before, at->after);
  s->key ^= move->key;
  if (move->flags & MG_STAYS) return;
  s->turn += PLAYERS == 1 || (!(move->flags & MG_AGAIN) && s->side != FIRST_SIDE);
  s->side ^= PLAYERS == 2 && !(move->flags & MG_AGAIN);
}

static void take_back(void *state, const mg_list *list, uint32_t number) {
  S *const s = state;
  const mg_move *const move = list->moves + number;
  const mg_change *at = list->changes + move->first_change;
  const mg_change *const end = at + move->changes;
  for (; at < end; at++) change(s, at, at->after, at->before);
  s->key ^= move->key;
  if (move->flags & MG_STAYS) return;
  s->side ^= PLAYERS == 2 && !(move->flags & MG_AGAIN);
  s->turn -= PLAYERS == 1 || (!(move->flags & MG_AGAIN) && s->side != FIRST_SIDE);
}

static void load(void *state, const uint8_t *contents, const int32_t *values, int side, int turn) {
  S *const s = state;
  int i;
  memset(s, 0, sizeof *s);
  for (i = 0; i < FIELDS; i++) {
    const int content = contents[i];
    s->b[i] = (uint8_t)content;
    if (!is_field[i]) continue;
    s->mask[content][i >> 6] |= UINT64_C(1) << (i & 63);
    ++s->number[content];
    ++s->pieces[class_of[content]];
    s->key ^= key_of_field(i, content);
  }
  for (i = 0; i < SLOTS; i++) s->v[i] = values[i];
  for (i = 0; i < (int)(sizeof key_slots / sizeof *key_slots) - 1; i++) {
    s->key ^= key_of_value(key_slots[i], values[key_slots[i]]);
  }
  if (side) s->key ^= KEY_OF_SIDE;
  s->side = (uint8_t)side;
  s->turn = turn;
}

static void start(void *state) { load(state, first_contents, first_values, FIRST_SIDE, 1); }
static uint64_t key_of(const void *state) { return ((const S *)state)->key; }
static int side_of(const void *state) { return ((const S *)state)->side; }
static int turn_of(const void *state) { return ((const S *)state)->turn; }
static const uint8_t *contents_of(const void *state) { return ((const S *)state)->b; }
static const int32_t *values_of(const void *state) { return ((const S *)state)->v; }

static int perpetual(void *state, int side) {
#ifdef PERPETUAL_0
  M m;
  begin(&m, state, NULL, 0);
  return side ? PERPETUAL_1(&m, -1, 0, 0, NULL) : PERPETUAL_0(&m, -1, 0, 0, NULL);
#else
  (void)state;
  (void)side;
  return 0;
#endif
}
)C";

const std::string_view kRuntimeTable = R"C(
static const mg_game game = {
    MG_INTERFACE, sizeof(S), HASH, COLUMNS, ROWS, FIELDS, SLOTS, PLAYERS,
    HAS_CHANCE, DRAWS_SETUP, TEXTS, texts, start, load, moves_of, apply, take_back, key_of, side_of, turn_of, contents_of, values_of,
    perpetual, write_text, read_text, can_move};

const mg_game *mg_game_v1(void) { return &game; }
)C";

}  // namespace assay::rules::multigame

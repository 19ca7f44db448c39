// The C that writes and reads texts of positions. It is the same for all programs: the items of
// `text` are a table. X is a variable, L a symbol of a flag or of a piece in squares, I an item, O
// what is written, W a word that is read, T the position that is being read.
#include "rules/multigame/compile/text_runtime.h"

#include <array>
#include <vector>

#include "rules/multigame/compile/c_text.h"
#include "rules/multigame/form/state.h"

namespace assay::rules::multigame {

const std::string_view kRuntimeText = R"C(
typedef struct O {
  char *to;
  size_t n, room;
} O;

static void put_char(O *o, int c) {
  if (o->n < o->room) o->to[o->n] = (char)c;
  o->n++;
}

static void put_text(O *o, const char *text) {
  while (*text) put_char(o, *text++);
}

static void put_number(O *o, int32_t value) {
  char digits[12];
  int n = 0;
  uint32_t rest = value < 0 ? 0u - (uint32_t)value : (uint32_t)value;
  if (value < 0) put_char(o, '-');
  do {
    digits[n++] = (char)('0' + rest % 10);
    rest /= 10;
  } while (rest);
  while (n) put_char(o, digits[--n]);
}

static void put_value(O *o, const X *x, int32_t value) {
  if (!x->is_field) put_number(o, value);
  else put_text(o, value < 0 ? "-" : algebraic[value]);
}

static void put_values(O *o, const X *x, const int32_t *v, int between) {
  put_value(o, x, v[x->slot]);
  if (!x->is_each) return;
  put_char(o, between);
  put_value(o, x, v[x->slot + 1]);
}

static void put_board(O *o, const uint8_t *b) {
  int row, column;
  for (row = ROWS; row-- > 0;) {
    int run = 0;
    for (column = 0; column < COLUMNS; column++) {
      const int content = b[row * COLUMNS + column];
      if (content && run) put_number(o, run);
      run = content ? 0 : run + 1;
      if (content) put_char(o, symbols[content]);
    }
    if (run) put_number(o, run);
    if (row) put_char(o, '/');
  }
}

static const L *mark_of(const I *item, int of) {
  int i;
  for (i = 0; i < item->count; i++) {
    if (marks[item->first + i].of == of) return marks + item->first + i;
  }
  return NULL;
}

static void put_squares(O *o, const I *item, const S *s) {
  int side, row, column;
  put_char(o, item->mark[s->side]);
  for (side = 0; side < 2; side++) {
    int is_first = 1;
    put_char(o, ':');
    put_char(o, item->mark[side]);
    for (row = ROWS; row-- > 0;) {
      for (column = 0; column < COLUMNS; column++) {
        const int f = row * COLUMNS + column;
        const L *mark;
        if (class_of[s->b[f]] != 1 + side) continue;
        if (!is_first) put_char(o, ',');
        is_first = 0;
        mark = mark_of(item, (s->b[f] - 1) >> 1);
        if (mark) put_char(o, mark->mark[0]);
        put_text(o, field_names[f]);
      }
    }
  }
}

static void put_flags(O *o, const I *item, const int32_t *v) {
  const size_t before = o->n;
  int side, i;
  for (side = 0; side < 2; side++) {
    for (i = 0; i < item->count; i++) {
      const L *const mark = marks + item->first + i;
      const X *const x = variables + mark->of;
      if (mark->mark[side] && v[x->slot + (x->is_each ? side : 0)]) put_char(o, mark->mark[side]);
    }
  }
  if (o->n == before) put_char(o, '-');
}

static void put_item(O *o, const I *item, const S *s) {
  switch (item->kind) {
    case I_BOARD: put_board(o, s->b); break;
    case I_SQUARES: put_squares(o, item, s); break;
    case I_SIDE: put_char(o, item->mark[s->side]); break;
    case I_FLAGS: put_flags(o, item, s->v); break;
    case I_MOVES: put_number(o, s->turn); break;
    case I_WORD: put_text(o, item->word); break;
    default: put_values(o, variables + item->first, s->v, '+');
  }
}

static int write_text(const void *state, char *to, size_t room) {
  const S *const s = state;
  O o;
  int i;
  o.to = to;
  o.n = 0;
  o.room = room;
  for (i = 0; i < ITEMS; i++) {
    if (i) put_char(&o, ' ');
    put_item(&o, items + i, s);
  }
  for (i = 0; i < VARIABLES; i++) {
    const X *const x = variables + i;
    if (x->is_hidden) continue;
    if (s->v[x->slot] == x->initial && s->v[x->slot + (x->is_each ? 1 : 0)] == x->initial) continue;
    put_char(&o, ' ');
    put_text(&o, x->name);
    put_char(&o, '=');
    put_values(&o, x, s->v, ',');
  }
  put_char(&o, 0);
  return o.n > room ? -1 : (int)o.n - 1;
}

typedef struct W {
  const char *p;
  int n;
} W;

typedef struct T {
  uint8_t b[FIELDS];
  int32_t v[SLOTS + 1];
  int32_t side, turn;
} T;

static int is_word(W w, const char *text) {
  return strlen(text) == (size_t)w.n && !memcmp(w.p, text, (size_t)w.n);
}

/* The part of a word before the character; the rest, behind it, stays in *w. */
static W cut_at(W *w, int c) {
  W part = *w;
  part.n = 0;
  while (part.n < w->n && part.p[part.n] != c) part.n++;
  w->p += part.n < w->n ? part.n + 1 : part.n;
  w->n -= part.n < w->n ? part.n + 1 : part.n;
  return part;
}

static int read_number(W w, int32_t *to) {
  const int is_negative = w.n > 0 && w.p[0] == '-';
  int64_t value = 0;
  int i = is_negative;
  if (i == w.n) return 0;
  for (; i < w.n; i++) {
    if (w.p[i] < '0' || w.p[i] > '9') return 0;
    value = value * 10 + (w.p[i] - '0');
    if (value > MOST_NUMBER) return 0;
  }
  *to = (int32_t)(is_negative ? -value : value);
  return 1;
}

static int read_value(const X *x, W w, int32_t *to) {
  int f;
  if (!x->is_field) return read_number(w, to);
  *to = -1;
  if (is_word(w, "-")) return 1;
  for (f = 0; f < FIELDS; f++) {
    if (!is_field[f] || !is_word(w, algebraic[f])) continue;
    *to = f;
    return 1;
  }
  return 0;
}

/* `between` is looked for behind the first character, which may be a sign. */
static int read_values(const X *x, W w, int between, T *t) {
  W first = w;
  int n = 1;
  while (n < w.n && w.p[n] != between) n++;
  if (n >= w.n) return !x->is_each && read_value(x, w, t->v + x->slot);
  first.n = n;
  w.p += n + 1;
  w.n -= n + 1;
  return x->is_each && read_value(x, first, t->v + x->slot) &&
         read_value(x, w, t->v + x->slot + 1);
}

static int content_of_symbol(int symbol) {
  int content;
  for (content = 1; content < CONTENTS; content++) {
    if (symbol && symbols[content] == symbol) return content;
  }
  return 0;
}

static int read_run(W *w) {
  int run = 0;
  while (w->n && *w->p >= '0' && *w->p <= '9') {
    run = run > COLUMNS ? run : run * 10 + (*w->p - '0');
    w->p++;
    w->n--;
  }
  return run;
}

static int read_row(W row, int number, T *t) {
  int column = 0;
  while (row.n) {
    if (*row.p >= '0' && *row.p <= '9') {
      const int run = read_run(&row);
      if (!run || run > COLUMNS - column) return 0;
      column += run;
    } else {
      const int content = content_of_symbol(*row.p);
      const int f = number * COLUMNS + column;
      if (!content || column == COLUMNS || !is_field[f]) return 0;
      t->b[f] = (uint8_t)content;
      column++;
      row.p++;
      row.n--;
    }
  }
  return column == COLUMNS;
}

static int read_board(W w, T *t) {
  int row = ROWS, slashes = 0, i;
  for (i = 0; i < w.n; i++) slashes += w.p[i] == '/';
  memset(t->b, 0, sizeof t->b);
  if (slashes != ROWS - 1) return 0;
  while (row-- > 0) {
    if (!read_row(cut_at(&w, '/'), row, t)) return 0;
  }
  return 1;
}

static int read_side(const I *item, W w) {
  if (w.n != 1) return -1;
  return *w.p == item->mark[0] ? 0 : *w.p == item->mark[1] ? 1 : -1;
}

static int read_square(const I *item, W w, int side, T *t) {
  int piece = -1, i, f;
  for (i = 0; w.n && i < item->count; i++) {
    if (marks[item->first + i].mark[0] != *w.p) continue;
    piece = marks[item->first + i].of;
    w.p++;
    w.n--;
    break;
  }
  for (i = 1; piece < 0 && i < CONTENTS; i += 2) {
    if (class_of[i] && !mark_of(item, (i - 1) >> 1)) piece = (i - 1) >> 1;
  }
  for (f = 0; piece >= 0 && f < FIELDS; f++) {
    if (!is_field[f] || t->b[f] || !is_word(w, field_names[f])) continue;
    t->b[f] = (uint8_t)(1 + 2 * piece + side);
    return 1;
  }
  return 0;
}

static int read_squares(const I *item, W w, T *t) {
  int had[2] = {0, 0};
  memset(t->b, 0, sizeof t->b);
  if (!w.n || w.p[w.n - 1] == ':') return 0;
  t->side = read_side(item, cut_at(&w, ':'));
  if (t->side < 0) return 0;
  while (w.n) {
    W list = cut_at(&w, ':'), letter = list;
    int side;
    letter.n = list.n ? 1 : 0;
    side = read_side(item, letter);
    if (side < 0 || had[side]) return 0;
    had[side] = 1;
    list.p++;
    list.n--;
    while (list.n) {
      const int ends = list.p[list.n - 1] == ',';
      if (ends || !read_square(item, cut_at(&list, ','), side, t)) return 0;
    }
  }
  return had[0] && had[1];
}

static int read_flag(const I *item, int symbol, T *t) {
  int side, i, is_known = 0;
  for (i = 0; i < item->count; i++) {
    const L *const mark = marks + item->first + i;
    const X *const x = variables + mark->of;
    for (side = 0; side < 2; side++) {
      int32_t *const value = t->v + x->slot + (x->is_each ? side : 0);
      if (!symbol || mark->mark[side] != symbol) continue;
      if (*value) return 0;
      *value = 1;
      is_known = 1;
    }
  }
  return is_known;
}

static int read_flags(const I *item, W w, T *t) {
  int i;
  for (i = 0; i < item->count; i++) {
    const X *const x = variables + marks[item->first + i].of;
    t->v[x->slot] = 0;
    if (x->is_each) t->v[x->slot + 1] = 0;
  }
  if (is_word(w, "-")) return 1;
  for (i = 0; i < w.n; i++) {
    if (!read_flag(item, w.p[i], t)) return 0;
  }
  return 1;
}

static int read_item(const I *item, W w, T *t) {
  switch (item->kind) {
    case I_BOARD: return read_board(w, t);
    case I_SQUARES: return read_squares(item, w, t);
    case I_SIDE: t->side = read_side(item, w); return t->side >= 0;
    case I_FLAGS: return read_flags(item, w, t);
    case I_MOVES: return read_number(w, &t->turn) && t->turn >= 1;
    case I_WORD: return is_word(w, item->word);
    default: return read_values(variables + item->first, w, '+', t);
  }
}

static int read_named(W w, T *t) {
  const W name = cut_at(&w, '=');
  int i;
  for (i = 0; w.n && i < VARIABLES; i++) {
    if (variables[i].is_hidden || !is_word(name, variables[i].name)) continue;
    return read_values(variables + i, w, ',', t);
  }
  return 0;
}

static int read_text(void *state, const char *text) {
  T t;
  W rest;
  int i = 0, is_first = 1;
  const size_t size = strlen(text);
  if (size > MOST_TEXT || !size || text[size - 1] == ' ') return MG_FAULT;
  rest.p = text;
  rest.n = (int)size;
  memcpy(t.b, text_contents, sizeof t.b);
  memcpy(t.v, text_values, sizeof t.v);
  t.side = FIRST_SIDE;
  t.turn = 1;
  while (rest.n) {
    const W w = cut_at(&rest, ' ');
    const int is_named = !is_first && memchr(w.p, '=', (size_t)w.n) != NULL;
    is_first = 0;
    if (is_named) i = ITEMS;
    if (!w.n || !(i < ITEMS ? read_item(items + i++, w, &t) : read_named(w, &t))) return MG_FAULT;
  }
  load(state, t.b, t.v, t.side, t.turn);
  return MG_OK;
}
)C";

namespace {

constexpr std::array<const char*, 7> kKinds{"I_BOARD", "I_SQUARES", "I_SIDE", "I_FLAGS",
                                            "I_VALUE", "I_MOVES",   "I_WORD"};

const char* kind_of(TextItem::Kind kind) {
    switch (kind) {
        case TextItem::Kind::Board:
            return kKinds[0];
        case TextItem::Kind::Squares:
            return kKinds[1];
        case TextItem::Kind::Side:
            return kKinds[2];
        case TextItem::Kind::Flags:
            return kKinds[3];
        case TextItem::Kind::Moves:
            return kKinds[5];
        case TextItem::Kind::Word:
            return kKinds[6];
        default:
            return kKinds[4];
    }
}

std::string braced_pair(const std::array<char, 2>& symbols) {
    return "{" + c_character(symbols[0]) + ", " + c_character(symbols[1]) + "}";
}

bool is_named_by_item(const Form& form, int variable) {
    for (const TextItem& each : form.text) {
        if (each.kind == TextItem::Kind::Squares) continue;
        for (const int index : each.indices) {
            if (index == variable) return true;
        }
    }
    return false;
}

std::string variables_table(const Form& form) {
    std::string text = "static const X variables[] = {\n";
    for (int n = 0; n < static_cast<int>(form.variables.size()); ++n) {
        const Variable& each = item(form.variables, n);
        const bool is_hidden = each.is_local || is_named_by_item(form, n);
        text += "    {" + c_string(each.name) + ", " + std::to_string(each.slot) + ", " +
                std::to_string(each.initial) + ", " + (each.is_each ? "1" : "0") + ", " +
                (each.is_field ? "1" : "0") + ", " + (is_hidden ? "1" : "0") + "},\n";
    }
    return text + "    {\"\", 0, 0, 0, 0, 1}};\n";
}

/// The items and the symbols in them.
std::string items_table(const Form& form) {
    std::string items = "static const I items[] = {\n";
    std::string marks = "static const L marks[] = {\n";
    int count = 0;
    for (const TextItem& each : form.text) {
        const bool has_marks =
            each.kind == TextItem::Kind::Squares || each.kind == TextItem::Kind::Flags;
        const bool is_value =
            each.kind == TextItem::Kind::Field || each.kind == TextItem::Kind::Number;
        const int first = is_value ? each.indices.front() : count;
        items += std::string("    {") + kind_of(each.kind) + ", " + braced_pair(each.symbols) +
                 ", " + std::to_string(first) + ", " +
                 std::to_string(has_marks ? each.indices.size() : 0) + ", " + c_string(each.word) +
                 "},\n";
        for (std::size_t n = 0; has_marks && n < each.indices.size(); ++n, ++count) {
            marks += "    {" + std::to_string(each.indices[n]) + ", " +
                     braced_pair(each.index_symbols[n]) + "},\n";
        }
    }
    return marks + "    {-1, {0, 0}}};\n" + items + "};\n";
}

}  // namespace

std::string text_tables(const Form& form) {
    const State first = first_state(form);
    std::vector<std::string> names;
    for (int field = 0; field < static_cast<int>(form.board.size()); ++field) {
        names.push_back(c_string(form.board.algebraic(field)));
    }
    std::vector<std::string> values = as_text(first.values);
    values.emplace_back("0");
    std::string kinds;
    for (const char* const kind : kKinds) kinds += (kinds.empty() ? "" : ", ") + std::string(kind);
    return "\n#define ITEMS " + std::to_string(form.text.size()) + "\n#define VARIABLES " +
           std::to_string(form.variables.size()) + "\n#define MOST_TEXT 4096\nenum { " + kinds +
           " };\n\n"
           "typedef struct X {\n  const char *name;\n  int slot, initial, is_each, is_field, "
           "is_hidden;\n} X;\n\n"
           "typedef struct L {\n  int of;\n  char mark[2];\n} L;\n\n"
           "typedef struct I {\n  int kind;\n  char mark[2];\n  int first, count;\n"
           "  const char *word;\n} I;\n\n" +
           variables_table(form) + items_table(form) + c_table("char *const", "algebraic", names) +
           c_table("uint8_t", "text_contents", as_text(first.board)) +
           c_table("int32_t", "text_values", values);
}

}  // namespace assay::rules::multigame

// Names become numbers, once all files are read.
#include "tests/support/reference/reference.h"

int Game::pidx(const string& s) {
    for (size_t k = 0; k < pc.size(); k++)
        if (pc[k].n == s) return k;
    return -1;
}

int Game::vidx(const string& n, const string& f, int l) {
    if (!vi.count(n)) die(f, l, "unknown variable " + n);
    return vi[n];
}

int Game::zidx(const string& n, const string& f, int l) {
    if (!zi.count(n)) die(f, l, "unknown zone " + n);
    Zone& z = zn[zi[n]];
    if (!z.done) {
        z.done = 1;
        for (int q = 0; q < 2; q++) {
            z.in[q].assign(W * H, 0);
            for (auto& r : z.r[q]) {
                int a = fidx(r[0], z.file, z.ln), b = fidx(r[1], z.file, z.ln);
                for (int y = min(a / W, b / W); y <= max(a / W, b / W); y++)
                    for (int x = min(a % W, b % W); x <= max(a % W, b % W); x++)
                        z.in[q][y * W + x] = 1;
            }
        }
    }
    return zi[n];
}

void Game::lpat(Pat& p) {
    if (p.nm.size()) {
        p.piece = pidx(p.nm);
        if (p.piece < 0) die(p.file, p.ln, "unknown piece " + p.nm);
        if (p.owner < 0 && pc[p.piece].c[1]) die(p.file, p.ln, "own, enemy or any before " + p.nm);
    }
    if (p.owner < 0) p.owner = 2;
}

void Game::lex2(Expr* e) {
    if (e->l) lex2(e->l);
    if (e->r) lex2(e->r);
    if (e->k == 1) {
        e->a = vidx(e->nm, e->file, e->ln);
        own1(e->b, e->a, e->file, e->ln);
    }
    if (e->k == 2) {
        lpat(e->p);
        if (e->zone.size()) e->z = zidx(e->zone, e->file, e->ln);
    }
}

void Game::own1(int& b, int a, const string& f, int l) {
    if (b == 2) die(f, l, "own or enemy, not any, before a variable");
    if (b >= 0 && !var[a].each) die(f, l, var[a].n + " is one for both sides: no own or enemy");
    if (b < 0) b = 0;
}

void Game::picsize(const vector<string>& p, const string& f, int l, const char* what,
                   const char* ok) {
    if ((int)p.size() != H)
        die(f, l,
            string(what) + " has " + to_string(p.size()) + " rows, the board has " + to_string(H));
    for (auto& r : p) {
        if ((int)r.size() != W)
            die(f, l,
                string(what) + ": row \"" + r + "\" has " + to_string(r.size()) +
                    " fields, the board has " + to_string(W) + " columns");
        for (char c : r)
            if (!strchr(ok, c)) {
                bool k = 0;
                if (strchr(ok, '.') && !strchr(ok, '#'))
                    for (auto& q : pc) k |= q.c[0] == c || q.c[1] == c;
                if (!k) die(f, l, string(what) + ": unknown symbol '" + c + "'");
            }
    }
}

void Game::link(int r, int via) {
    (void)via;
    if (seen.insert(r).second) link(rule[r]);
}

void Game::link(Node* n) {
    switch (n->op) {
        case CALL:
            if (!ri.count(n->s)) die(n->file, n->ln, "unknown rule " + n->s);
            n->a = ri[n->s];
            link(n->a);
            break;
        case BASE:
            link(n->a);
            break;
        case FIND:
        case POINTS:
        case REPLACE:
            lpat(n->p);
            if (n->op == REPLACE && n->p.piece >= 0 && n->p.owner == 2 && pc[n->p.piece].c[1])
                die(n->file, n->ln, "replace by own or enemy, not any");
            break;
        case INZ:
            n->a = zidx(n->s, n->file, n->ln);
            break;
        case AT:
        case GOTO:
        case MARK:
        case FORGET:
        case SET:
        case ADD: {
            n->a = vidx(n->s, n->file, n->ln);
            own1(n->b, n->a, n->file, n->ln);
            bool f = n->op != SET && n->op != ADD;
            if (var[n->a].field != f)
                die(n->file, n->ln, n->s + (f ? " is no field variable" : " is a field variable"));
            break;
        }
        case MATCHES:
            picsize(n->pic, n->file, n->ln, "picture", ".?");
            break;
        default:;
    }
    if (n->e) lex2(n->e);
    if (n->e2) lex2(n->e2);
    for (auto w : n->w) lex2(w);
    for (auto k : n->k) link(k);
}

void Game::pure(Node* n, Node* sp, set<int>& done) {
    switch (n->op) {
        case TEST:
        case NOT:
            return;
        case PICKUP:
        case PUTDOWN:
        case REMOVE:
        case REPLACE:
        case MARK:
        case FORGET:
        case SET:
        case ADD:
        case WIN:
        case LOSE:
        case DRAWV:
        case PASS:
        case AGAIN:
        case WRITES:
        case WRITEF:
        case WRITEP:
        case RANDOM:
            die(sp->file, sp->ln,
                "spread may only move the finger: line " + to_string(n->ln) + " does more");
        case CALL:
        case BASE:
            if (done.insert(n->a).second) pure(rule[n->a], sp, done);
            break;
        default:;
    }
    for (auto k : n->k) pure(k, sp, done);
}

void Game::spreads(Node* n) {
    if (n->op == SPREAD) {
        set<int> d;
        pure(n->k[0], n, d);
    }
    for (auto k : n->k) spreads(k);
}

void Game::finish() {
    if (!W) throw Error{file + ":1: no dimensions"};
    if (!ri.count("main")) throw Error{file + ":1: no rule main"};
    if (fld.empty())
        fld.assign(H, string(W, '#'));
    else
        picsize(fld, fldf, fldln, "fields", "#-.");
    map<char, string> sy;
    for (auto& p : pc)
        for (int q = 0; q < 2; q++)
            if (p.c[q]) {
                if (sy.count(p.c[q]))
                    throw Error{file + ":1: the symbol " + p.c[q] + " is that of " + sy[p.c[q]] +
                                " and of " + p.n};
                sy[p.c[q]] = p.n;
            }
    if (start.size()) picsize(start, startf, startln, "start", ".");
    for (int r = 0; r < (int)start.size(); r++)
        for (int x = 0; x < W; x++)
            if (start[r][x] != '.' && fld[r][x] != '#')
                die(startf, startln, "start: a piece beside the board");
    if (side.size() && (int)side.size() != players)
        throw Error{file + ":1: sides: one name for each player"};
    link(ri["main"]);
    if (ri.count("setup")) link(ri["setup"]);
    if (perp.size()) {
        if (!ri.count(perp)) throw Error{file + ":1: unknown rule " + perp + " in repetition"};
        link(ri[perp]);
    }
    for (size_t r = 0; r < rule.size(); r++)
        if (level[r] == lev) link(r);
    for (auto& z : zi)
        if (zn[z.second].file == file) zidx(z.first, file, 0);
    for (int r : seen) spreads(rule[r]);
    nslots = 0;
    for (auto& v : var) {
        v.slot = nslots;
        nslots += (v.each ? 2 : 1) * (v.vol ? 2 : 1);
    }
    if (!hastext) {
        text.clear();
        Item x;
        x.kind = "board";
        text.push_back(x);
        if (players == 2) {
            x.kind = "side";
            x.c = {'w', 'b'};
            text.push_back(x);
        }
    }
    set<string> tv;
    for (size_t q = 0; q < text.size(); q++) {
        Item& x = text[q];
        bool bd = x.kind == "board" || x.kind == "squares";
        if (bd != (q == 0))
            die(x.file, x.ln, "a text begins with board or squares and has one of them");
        if (x.kind == "side" && players == 1) die(x.file, x.ln, "side in a game for one");
        if (x.kind == "squares") {
            for (auto& n : x.nm)
                if (pidx(n) < 0) die(x.file, x.ln, "unknown piece " + n);
            if (names == 1) die(x.file, x.ln, "squares needs names that differ");
            int plain = 0;
            for (auto& p : pc)
                if (p.c[1] && !std::count(x.nm.begin(), x.nm.end(), p.n)) plain++;
            if (plain > 1)
                die(x.file, x.ln, "squares: one kind of piece only goes without a letter");
        } else
            for (size_t z = 0; z < x.nm.size(); z++) {
                int v = vidx(x.nm[z], x.file, x.ln);
                if (!tv.insert(x.nm[z]).second)
                    die(x.file, x.ln, x.nm[z] + " stands twice in text");
                if (var[v].local) die(x.file, x.ln, "local variable in text");
                if (var[v].field != (x.kind == "field"))
                    die(x.file, x.ln,
                        x.nm[z] + (var[v].field ? " is a field variable" : " is a number"));
                if (x.kind == "field" && var[v].each)
                    die(x.file, x.ln, "field in text: not one for each side");
                if (x.kind == "flags" && (x.c[2 * z + 1] != 0) != var[v].each)
                    die(x.file, x.ln,
                        "flags: " + x.nm[z] +
                            (var[v].each ? " needs two symbols" : " has one symbol"));
            }
    }
    isf.assign(W * H, 0);
    fname.resize(W * H);
    int c = 0;
    for (int r = 0; r < H; r++)
        for (int x = 0; x < W; x++) {
            int f = (H - 1 - r) * W + x;
            isf[f] = fld[r][x] == '#';
            if (isf[f]) c++;
            fname[f] = names == 1 ? to_string(x + 1) : names == 2 ? to_string(c) : alg(f);
        }
    static const int dx[] = {0, 1, 1, 1, 0, -1, -1, -1}, dy[] = {1, 1, 0, -1, -1, -1, 0, 1};
    nb.resize(W * H);
    for (int f = 0; f < W * H; f++)
        for (int d = 0; d < 8; d++) {
            int x = f % W, y = f / W, g = -1;
            for (;;) {
                x += dx[d];
                y += dy[d];
                if (x < 0 || y < 0 || x >= W || y >= H) break;
                char q = fld[H - 1 - y][x];
                if (q == '#') {
                    g = y * W + x;
                    break;
                }
                if (q != '-') break;
            }
            nb[f][d] = g;
        }
    for (auto& k : counts)
        if (k.first.size()) read(k.first);
}

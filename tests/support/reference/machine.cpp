// Plays a program: derives the moves of a position by calling the rest of a rule from each
// statement (FR), so that every way through the rules is tried in the order of the text.
#include "tests/support/reference/reference.h"

string M::rulename(Node* n) {
    string s = "?";
    int best = 0;
    for (size_t r = 0; r < g.rule.size(); r++)
        if (g.rule[r]->file == n->file && g.rule[r]->ln <= n->ln && g.rule[r]->ln >= best) {
            best = g.rule[r]->ln;
            s = g.rname[r];
        }
    return s;
}

void M::fail(const string& m, Node* n) {
    string s;
    if (!n) n = path.empty() ? g.rule[g.ri["main"]] : path.back();
    s = n->file + ":" + to_string(n->ln) + ": rule error in " + rulename(n) + ": " + m +
        "\n  after lines";
    size_t a = path.size() > 12 ? path.size() - 12 : 0;
    for (; a < path.size(); a++) s += " " + to_string(path[a]->ln);
    throw Error{s + "\n  position " + (at ? g.write(*at) : "")};
}

int M::code(int p, int c) {
    return 1 + 2 * p + c;
}

bool M::match(const Pat& p, int f) {
    int x = b[f];
    if (p.piece == -2) return x == 0;
    if (!x) return 0;
    int q = (x - 1) >> 1, c = (x - 1) & 1;
    if (p.piece >= 0 && q != p.piece) return 0;
    if (p.owner == 2) return 1;
    return g.pc[q].c[1] && c == (own ^ p.owner);
}

int M::slotR(int a, int o) {
    Var& x = g.var[a];
    return x.slot + (x.each ? (own ^ o) : 0);
}

int M::slotW(int a, int o) {
    Var& x = g.var[a];
    return slotR(a, o) + (x.vol ? (x.each ? 2 : 1) : 0);
}

long long M::ev(Expr* e) {
    switch (e->k) {
        case 0:
            return e->a;
        case 1:
            return v[slotR(e->a, e->b)];
        case 2: {
            int n = 0;
            for (int f = 0; f < g.W * g.H; f++)
                if (g.isf[f] && (e->z < 0 || g.zn[e->z].in[own ^ e->zo][f]) && match(e->p, f)) n++;
            return n;
        }
        case 3:
            return ev(e->l) + ev(e->r);
        default:
            return ev(e->l) - ev(e->r);
    }
}

bool M::ex(Node* n, FR k) {
    if (++steps > 100000) {
        Node* at = n;
        for (size_t k = path.size(); k-- > 0;)
            if (path[k]->op == REPEAT || path[k]->op == CALL || path[k]->op == BASE) {
                at = path[k];
                break;
            }
        fail("100,000 statements in one derivation", at);
    }
    if (++total > 100000000) fail("100,000,000 statements for one list of moves", n);
    path.push_back(n);
    bool r = ex2(n, k);
    path.pop_back();
    steps--;
    return r;
}

void M::print(int f) {
    tr += g.fname[f];
    printed.push_back(f);
}

bool M::change(int f, int h, const string& pre, bool showf, const string& post, FR k) {
    int o = b[f], fi = finger;
    b[f] = h;
    touched++;
    size_t z = tr.size(), y = printed.size();
    tr += pre;
    if (showf) print(f);
    tr += post;
    bool r = k();
    tr.resize(z);
    printed.resize(y);
    touched--;
    b[f] = o;
    finger = fi;
    return r;
}

bool M::ex2(Node* n, FR k) {
    switch (n->op) {
        case SEQ:
            return sq(n, 0, k);
        case TRY: {
            bool any = false;
            auto c = [&] {
                any = true;
                return k();
            };
            if (ex(n->k[0], c)) return true;
            if (any) return false;
            return n->k.size() > 1 ? ex(n->k[1], k) : k();
        }
        case EITHER:
            for (auto c : n->k)
                if (ex(c, k)) return true;
            return false;
        case REPEAT:
            return rp(n, 0, k);
        case RANDOM: {
            long sum = 0;
            for (auto w : n->w) sum += max(0LL, ev(w));
            if (!sum) return false;
            if (!rdepth) {
                rnd = n;
                dec++;
                decname = wrote ? nm : tr;
                if (!decnames.insert(decname).second)
                    fail("two decisions are called " + decname, n);
            }
            for (size_t q = 0; q < n->k.size(); q++) {
                long w = ev(n->w[q]);
                if (w <= 0) continue;
                long a = pn, c = pd;
                pn *= w;
                pd *= sum;
                long h = __gcd(pn, pd);
                pn /= h;
                pd /= h;
                rdepth++;
                bool r = ex(n->k[q], k);
                rdepth--;
                pn = a;
                pd = c;
                if (r) return true;
            }
            return false;
        }
        case TEST:
        case NOT: {
            bool any = false;
            int f = finger, d = dir;
            auto c = [&] {
                any = true;
                return true;
            };
            ex(n->k[0], c);
            finger = f;
            dir = d;
            if (any != (n->op == TEST)) return false;
            return k();
        }
        case FIND: {
            int s = finger;
            for (int f = 0; f < g.W * g.H; f++)
                if (g.isf[f] && match(n->p, f)) {
                    finger = f;
                    if (k()) {
                        finger = s;
                        return true;
                    }
                }
            finger = s;
            return false;
        }
        case POINTS:
            return finger >= 0 && match(n->p, finger) ? k() : false;
        case PICKUP: {
            if (finger < 0 || !b[finger] || hand) return false;
            Node* h = held;
            hand = b[finger];
            held = n;
            bool r = change(finger, 0, "", true, "", k);
            hand = 0;
            held = h;
            return r;
        }
        case PUTDOWN: {
            if (finger < 0 || !hand) return false;
            int h = hand;
            hand = 0;
            bool r = change(finger, h, "", true, "", k);
            hand = h;
            return r;
        }
        case REMOVE:
            return finger < 0 || !b[finger] ? false : change(finger, 0, "x", true, "", k);
        case REPLACE: {
            if (finger < 0) return false;
            int o = b[finger];
            int x = n->p.piece == -2
                        ? 0
                        : code(n->p.piece, g.pc[n->p.piece].c[1] ? own ^ (n->p.owner & 1) : 0);
            return change(finger, x, "", !o || !count(printed.begin(), printed.end(), finger),
                          o && x ? string(1, tolower(g.pc[n->p.piece].c[0])) : "", k);
        }
        case STEP: {
            if (finger < 0) return false;
            int f = finger, q = g.nb[f][dir];
            if (q < 0) return false;
            finger = q;
            bool r = k();
            finger = f;
            return r;
        }
        case ROTATE: {
            int d = dir;
            dir = (dir + n->a) & 7;
            bool r = k();
            dir = d;
            return r;
        }
        case SETDIR: {
            int d = dir;
            dir = n->a < 8 ? n->a : (n->a - 8 + (own ? 4 : 0)) & 7;
            bool r = k();
            dir = d;
            return r;
        }
        case ALLDIR: {
            int d = dir;
            for (int q = n->b; q < 8; q += n->a) {
                dir = q;
                if (k()) {
                    dir = d;
                    return true;
                }
            }
            dir = d;
            return false;
        }
        case INZ:
            return finger >= 0 && g.zn[n->a].in[own ^ n->b][finger] ? k() : false;
        case AT:
            return finger >= 0 && v[slotR(n->a, n->b)] == finger ? k() : false;
        case GOTO: {
            int q = v[slotR(n->a, n->b)];
            if (q < 0) return false;
            int f = finger;
            finger = q;
            bool r = k();
            finger = f;
            return r;
        }
        case MARK:
        case FORGET:
        case SET:
        case ADD: {
            if (n->op == MARK && finger < 0) return false;
            int s = slotW(n->a, n->b);
            long long nv = n->op == MARK     ? finger
                           : n->op == FORGET ? -1
                           : n->op == SET    ? ev(n->e)
                                             : v[slotR(n->a, n->b)] + ev(n->e);
            if (llabs(nv) > 1000000000) fail("a number beyond 1,000,000,000", n);
            int o = v[s];
            v[s] = nv;
            bool r = k();
            v[s] = o;
            return r;
        }
        case CHECK: {
            long long a = ev(n->e), c = ev(n->e2);
            bool ok = n->a == 0   ? a == c
                      : n->a == 1 ? a != c
                      : n->a == 2 ? a < c
                      : n->a == 3 ? a <= c
                      : n->a == 4 ? a > c
                                  : a >= c;
            return ok ? k() : false;
        }
        case ASENEMY: {
            own ^= 1;
            auto c = [&] {
                own ^= 1;
                bool r = k();
                own ^= 1;
                return r;
            };
            bool r = ex(n->k[0], c);
            own ^= 1;
            return r;
        }
        case WIN:
        case LOSE:
        case DRAWV: {
            int o = verdict;
            string q = reason;
            int x = n->op == WIN ? 1 : n->op == LOSE ? 2 : 3;
            if (own != mover && x < 3) x = 3 - x;
            verdict = x;
            reason = n->s;
            bool r = k();
            verdict = o;
            reason = q;
            return r;
        }
        case PASS: {
            touched++;
            size_t z = tr.size();
            tr += "pass";
            bool r = k();
            tr.resize(z);
            touched--;
            return r;
        }
        case AGAIN: {
            bool o = again;
            again = true;
            bool r = k();
            again = o;
            return r;
        }
        case WRITES:
        case WRITEF:
        case WRITEP: {
            if (n->op != WRITES && finger < 0) return false;
            size_t z = nm.size();
            bool w = wrote;
            wrote = true;
            if (n->op == WRITES)
                nm += n->s;
            else if (n->op == WRITEF)
                nm += g.fname[finger];
            else {
                int x = b[finger];
                if (!x) {
                    nm.resize(z);
                    wrote = w;
                    return false;
                }
                nm += g.pc[(x - 1) / 2].c[(x - 1) & 1];
            }
            bool r = k();
            nm.resize(z);
            wrote = w;
            return r;
        }
        case MATCHES: {
            for (int r = 0; r < g.H; r++)
                for (int x = 0; x < g.W; x++) {
                    char c = n->pic[r][x];
                    if (c == '?') continue;
                    int f = (g.H - 1 - r) * g.W + x;
                    if (!g.isf[f]) continue;
                    int q = b[f];
                    char z = q ? g.pc[(q - 1) / 2].c[(q - 1) & 1] : '.';
                    if (z != c) return false;
                }
            return k();
        }
        case CALL:
        case BASE: {
            if (++depth > 1000) fail("recursion 1,000 deep", n);
            auto c = [&] {
                depth--;
                bool r = k();
                depth++;
                return r;
            };
            bool r = ex(g.rule[n->a], c);
            depth--;
            return r;
        }
        case SPREAD: {
            if (finger < 0) return false;
            int f0 = finger, d0 = dir;
            vector<int> q{f0};
            vector<char> in(g.W * g.H);
            in[f0] = 1;
            for (size_t j = 0; j < q.size(); j++) {
                finger = q[j];
                dir = d0;
                auto c = [&] {
                    if (!in[finger]) {
                        in[finger] = 1;
                        q.push_back(finger);
                    }
                    return false;
                };
                ex(n->k[0], c);
            }
            dir = d0;
            bool r = false;
            for (int f : q) {
                finger = f;
                if ((r = k())) break;
            }
            finger = f0;
            return r;
        }
        case MOST: {
            bool any = false;
            long long best = 0;
            auto c = [&] {
                long long e = ev(n->e);
                if (!any || e > best) best = e;
                any = true;
                return false;
            };
            ex(n->k[0], c);
            if (!any) return false;
            auto d = [&] { return ev(n->e) == best ? k() : false; };
            return ex(n->k[0], d);
        }
        default:
            return false;
    }
}

bool M::sq(Node* n, size_t j, FR k) {
    if (j == n->k.size()) return k();
    if (j + 1 == n->k.size()) return ex(n->k[j], k);
    auto c = [&] { return sq(n, j + 1, k); };
    return ex(n->k[j], c);
}

bool M::rp(Node* n, int c, FR k) {
    if (c >= n->a)
        if (k()) return true;
    if (c < n->b) {
        auto q = [&] { return rp(n, c + 1, k); };
        return ex(n->k[0], q);
    }
    return false;
}

void M::load(const Pos& p) {
    b = p.b;
    v = p.v;
    own = mover = p.pl;
    finger = -1;
    dir = 0;
    hand = 0;
    verdict = 0;
    touched = 0;
    nm.clear();
    tr.clear();
    reason.clear();
    printed.clear();
    wrote = again = false;
    held = 0;
    path.clear();
    steps = depth = rdepth = dec = 0;
    total = 0;
    pn = pd = 1;
    at = &p;
    decnames.clear();
}

void M::moves(const Pos& p, vector<Pos>& out, const char* what) {
    load(p);
    out.clear();
    unordered_map<string, int> seen;
    map<int, double> sum;
    derivs = 0;
    bool st = !strcmp(what, "setup");
    Node* m = g.rule[g.ri[what]];
    auto c = [&] {
        if (hand) fail("the hand is full at the end", held);
        if (++derivs > 65536) fail("65,536 outputs", m);
        Pos q;
        q.b = b;
        q.v = v;
        q.pl = g.players == 2 && !again && !st ? p.pl ^ 1 : p.pl;
        q.turn = p.turn + (!st && (g.players == 1 || (!again && p.pl != g.first)));
        q.verdict = verdict;
        q.reason = reason;
        q.only = touched == 0;
        q.pn = pn;
        q.pd = pd;
        q.dec = rdepth ? dec : 0;
        if (rdepth) sum[dec] += (double)pn / pd;
        if (st && verdict) fail("a verdict in setup");
        if (!st && q.only && !verdict) fail("nothing is changed and no verdict said (pass?)", m);
        for (auto& x : g.var) {
            int w = x.each ? 2 : 1;
            for (int j = 0; j < w; j++) {
                if (x.vol) {
                    q.v[x.slot + j] = v[x.slot + w + j];
                    q.v[x.slot + w + j] = x.init;
                }
                if (x.local) q.v[x.slot + j] = x.init;
            }
        }
        q.name = wrote ? nm : tr;
        if (q.name.empty() && !wrote)
            q.name = verdict == 3 ? "draw" : verdict == 1 ? "win" : verdict == 2 ? "lose" : "";
        if (!st) {
            if (rdepth && decname.empty()) fail("a decision without a name before random", rnd);
            if (q.name.empty() || q.name.size() > 31)
                fail("the name '" + q.name + "' has not 1 to 31 characters", m);
        }
        string key;
        if (byname)
            key = q.name;
        else {
            key.assign((char*)q.b.data(), q.b.size());
            for (auto& x : g.var)
                if (!x.silent && !x.local) {
                    int w = x.each ? 2 : 1;
                    for (int j = 0; j < w; j++) key += "," + to_string(q.v[x.slot + j]);
                }
            key += char('0' + q.verdict);
            key += char('0' + q.pl);
            key += q.only ? 'o' : 'm';
        }
        if (rdepth) key += "d" + to_string(dec);
        auto w = seen.emplace(key, out.size());
        if (w.second)
            out.push_back(q);
        else if (rdepth) {
            Pos& o = out[w.first->second];
            o.pn = o.pn * pd + pn * o.pd;
            o.pd *= pd;
            long h = __gcd(o.pn, o.pd);
            o.pn /= h;
            o.pd /= h;
        }
        return false;
    };
    ex(m, c);
    if (out.empty()) fail(string(what) + " gives no output", m);
    for (auto& s : sum)
        if (fabs(s.second - 1) > 1e-9)
            fail("an alternative of random has not exactly one outcome", rnd);
    if (st && sum.empty() && derivs > 1)
        fail("setup gives more than one position without random", m);
    set<string> names;
    if (!st)
        for (auto& q : out)
            if (!names.insert(q.name).second) fail("two moves are called " + q.name, m);
}

vector<Pos> M::starts() {
    Pos p = g.startpos();
    if (!g.ri.count("setup")) return {p};
    vector<Pos> o;
    moves(p, o, "setup");
    return o;
}

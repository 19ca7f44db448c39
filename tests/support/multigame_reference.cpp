// reference-interpreter.cpp - slow truth machine for the reconstructed Multigame language: a direct
// transcription of SEMANTICS.md. No repetition rule, no inference (a missing finger just fails);
// limits are rule errors.   c++ -std=c++17 -O2 -pthread usage: mg FILE
// parse|starts|text|moves|divide N|perft N|bfs N|playouts N|walk N SEED PLIES|counts|lists  [TEXT]
// [byname] [higher]
#include <bits/stdc++.h>
#include <pthread.h>
using namespace std;
typedef unsigned long long u64;

struct Error {
    string m;
};  // what is wrong with the file, or a rule error

struct FR {
    void* o;
    bool (*f)(void*);

    bool operator()() const { return f(o); }

    template <class L>
    FR(L& l) : o(&l), f([](void* p) { return (bool)(*(L*)p)(); }) {}
};

enum Op {
    SEQ,
    TRY,
    EITHER,
    REPEAT,
    TEST,
    NOT,
    FIND,
    POINTS,
    PICKUP,
    PUTDOWN,
    REMOVE,
    REPLACE,
    STEP,
    ROTATE,
    SETDIR,
    ALLDIR,
    INZ,
    AT,
    GOTO,
    MARK,
    FORGET,
    SET,
    ADD,
    CHECK,
    ASENEMY,
    WIN,
    LOSE,
    DRAWV,
    PASS,
    AGAIN,
    WRITES,
    WRITEF,
    WRITEP,
    MATCHES,
    CALL,
    BASE,
    RANDOM,
    SPREAD,
    MOST
};

struct Pat {
    int owner = 0;  /*0 own 1 enemy 2 any -1 none*/
    int piece = -1; /*-1 any piece,-2 empty*/
    string nm;
    int ln = 0;
    string file;
};

struct Expr {
    int k = 0, a = 0, b = 0;
    Expr *l = 0, *r = 0;
    Pat p;
    string nm, zone;
    int z = -1, zo = 0, ln = 0;
    string file;
};  // 0 const a, 1 variable a of owner b, 2 count p [in z], 3 plus, 4 minus

struct Node {
    Op op;
    vector<Node*> k;
    int a = 0, b = 0, ln = 0;
    string file;
    Pat p;
    Expr *e = 0, *e2 = 0;
    string s;
    vector<string> pic;
    vector<Expr*> w;
};

struct Var {
    string n;
    bool silent = 0, vol = 0, local = 0, field = 0, each = 0;
    int init = 0, slot = 0;
};

struct Piece {
    string n;
    char c[2];
};

struct Zone {
    vector<array<string, 2>> r[2];
    int ln = 0;
    string file;
    vector<char> in[2];
    bool done = 0, top = 0;
};

struct Item {
    string kind;
    vector<string> nm;
    vector<char> c;
    string s;
    int ln = 0;
    string file;
};

struct Pos {
    vector<signed char> b;
    vector<int> v;
    int pl = 0, verdict = 0; /*0 none 1 win 2 lose 3 draw for the mover*/
    string name, reason;
    bool only = false;
    int turn = 1;
    long pn = 1, pd = 1;
    int dec = 0;
};

static const char* D[] = {"north", "northeast", "east", "southeast",
                          "south", "southwest", "west", "northwest"};
static const set<string> reserved = {
    "dimensions", "players",    "pieces", "fields",    "start",     "names",    "zones",
    "variables",  "repetition", "white",  "black",     "algebraic", "columns",  "numbered",
    "silent",     "volatile",   "local",  "number",    "field",     "each",     "draw",
    "win",        "lose",       "unless", "perpetual", "try",       "else",     "either",
    "or",         "repeat",     "times",  "infinity",  "test",      "not",      "as",
    "enemy",      "own",        "any",    "find",      "points",    "at",       "pickup",
    "putdown",    "replace",    "by",     "remove",    "step",      "rotate",   "orthogonal",
    "diagonal",   "alldir",     "in",     "goto",      "mark",      "forget",   "set",
    "to",         "add",        "check",  "matches",   "pass",      "write",    "piece",
    "random",     "empty",      "count",  "north",     "northeast", "east",     "southeast",
    "south",      "southwest",  "west",   "northwest", "forward",   "backward", "based",
    "on",         "base",       "text",   "board",     "squares",   "side",     "flags",
    "moves",      "word",       "sides",  "counts",    "again",     "spread",   "most"};

struct Game {
    int W = 0, H = 0, players = 2, first = 0, names = 0;
    vector<Piece> pc;
    vector<string> fld, start;
    int startln = 0, fldln = 0;
    string startf, fldf;
    vector<int> isf;
    vector<array<int, 8>> nb;
    map<string, int> zi;
    vector<Zone> zn;
    vector<Var> var;
    map<string, int> vi, ri, baseri;
    vector<Node*> rule;
    vector<string> rname;
    vector<int> level;
    int rep = 0;
    string repv, perp;
    int nslots = 0;
    vector<string> fname, side;
    vector<Item> text;
    bool hastext = false;
    vector<pair<string, vector<u64>>> counts;
    int lev = 0, firstln = 1;

    struct Tok {
        string s;
        int ln;
    };

    vector<Tok> t;
    size_t i = 0;
    string file;
    set<string> defined;

    [[noreturn]] void die(const string& f, int ln, const string& m) {
        throw Error{f + ":" + to_string(ln) + ": " + m};
    }

    [[noreturn]] void err(const string& m) {
        int ln = i < t.size() ? t[i].ln : t.empty() ? 1 : t.back().ln;
        die(file, ln, m + (i < t.size() ? " near '" + t[i].s + "'" : " at the end"));
    }

    void lex(const string& s) {
        int l = 1;
        for (size_t p = 0; p < s.size();) {
            char c = s[p];
            if (c == '\n') {
                l++;
                p++;
                continue;
            }
            if (isspace((unsigned char)c)) {
                p++;
                continue;
            }
            if (c == '#') {
                while (p < s.size() && s[p] != '\n') p++;
                continue;
            }
            string w;
            if (c == '"') {
                size_t q = p + 1;
                while (q < s.size() && s[q] != '"' && s[q] != '\n') q++;
                if (q >= s.size() || s[q] != '"') die(file, l, "a string that does not end");
                w = s.substr(p, q - p);
                p = q + 1;
            } else if (c == '\'') {
                if (p + 2 >= s.size() || s[p + 2] != '\'')
                    die(file, l, "a symbol is one character between quotes");
                w = "'" + s.substr(p + 1, 1);
                p += 3;
            } else if (isalpha((unsigned char)c)) {
                while (p < s.size() && (isalnum((unsigned char)s[p]) || s[p] == '_')) w += s[p++];
            } else if (isdigit((unsigned char)c)) {
                while (p < s.size() && isdigit((unsigned char)s[p])) w += s[p++];
            } else if (s.compare(p, 2, "..") == 0 || s.compare(p, 2, "<=") == 0 ||
                       s.compare(p, 2, ">=") == 0 || s.compare(p, 2, "<>") == 0) {
                w = s.substr(p, 2);
                p += 2;
            } else if (strchr("(){}[],.:=<>+-", c)) {
                w = string(1, c);
                p++;
            } else
                die(file, l, string("unknown character '") + c + "'");
            t.push_back({w, l});
        }
    }

    bool is(const char* s) { return i < t.size() && t[i].s == s; }

    bool acc(const char* s) {
        if (is(s)) {
            i++;
            return 1;
        }
        return 0;
    }

    void exp(const char* s) {
        if (!acc(s)) err(string("expected '") + s + "'");
    }

    char head() { return i < t.size() ? t[i].s[0] : 0; }

    int ln() { return i < t.size() ? t[i].ln : 0; }

    int num() {
        bool n = acc("-");
        if (!isdigit(head()) || t[i].s.size() > 9) err("expected a number");
        int v = stoi(t[i++].s);
        return n ? -v : v;
    }

    string id(bool piece = false) {
        if (!isalpha(head())) err("expected a name");
        if (reserved.count(t[i].s) && !(piece && is("mark"))) err("a reserved word is no name");
        return t[i++].s;
    }

    string str() {
        if (head() != '"') err("expected a string");
        return t[i++].s.substr(1);
    }

    char chr() {
        if (head() != '\'') err("expected a symbol");
        return t[i++].s[1];
    }

    int fidx(const string& s, const string& f, int l) {
        int x = s[0] - 'a', y = s.size() > 1 ? atoi(s.c_str() + 1) - 1 : -1;
        if (x < 0 || x >= W || y < 0 || y >= H) die(f, l, "no field " + s + " on this board");
        return y * W + x;
    }

    vector<string> pic() {
        exp("{");
        vector<string> v;
        while (!is("}")) v.push_back(str());
        i++;
        return v;
    }

    vector<array<string, 2>> fset() {
        exp("(");
        vector<array<string, 2>> m;
        do {
            string a = id(), b = a;
            if (acc("..")) b = id();
            m.push_back({a, b});
        } while (acc(","));
        exp(")");
        return m;
    }

    int owner() {
        if (acc("own")) return 0;
        if (acc("enemy")) return 1;
        if (acc("any")) return 2;
        return -1;
    }

    Pat pattern() {
        Pat p;
        p.ln = ln();
        p.file = file;
        if (acc("empty")) {
            exp("field");
            p.piece = -2;
        } else {
            p.owner = owner();
            if (acc("piece")) {
                if (p.owner < 0) err("own, enemy or any before piece");
            } else
                p.nm = id(true);
        }
        return p;
    }

    Expr* prim() {
        Expr* e = new Expr;
        e->ln = ln();
        e->file = file;
        if (is("-") || isdigit(head())) {
            e->a = num();
            return e;
        }
        if (acc("count")) {
            e->k = 2;
            e->p = pattern();
            if (acc("in")) {
                e->zo = owner();
                if (e->zo == 2) err("a zone is own or enemy");
                if (e->zo < 0) e->zo = 0;
                e->zone = id();
            }
            return e;
        }
        e->k = 1;
        e->b = owner();
        e->nm = id();
        return e;
    }

    Expr* expr() {
        Expr* l = prim();
        while (is("+") || is("-")) {
            bool pl = is("+");
            i++;
            Expr* e = new Expr;
            e->k = pl ? 3 : 4;
            e->l = l;
            e->r = prim();
            l = e;
        }
        return l;
    }

    Node* N(Op o) {
        Node* n = new Node;
        n->op = o;
        n->ln = i > 0 ? t[i - 1].ln : 1;
        n->file = file;
        return n;
    }

    Node* seq() {
        Node* n = N(SEQ);
        do n->k.push_back(stmt());
        while (acc(","));
        return n;
    }

    void vref(Node* n) {
        n->b = owner();
        n->ln = ln();
        n->s = id();
    }

    int nest = 0;

    Node* stmt() {
        if (++nest > 500) err("nested too deep");
        Node* n = stmt2();
        nest--;
        return n;
    }

    Node* stmt2() {
        Node* n;
        int l0 = ln();
        if (acc("[")) {
            n = seq();
            exp("]");
            return n;
        }
        if (acc("try")) {
            n = N(TRY);
            n->k.push_back(stmt());
            if (acc("else")) n->k.push_back(stmt());
            return n;
        }
        if (acc("either")) {
            n = N(EITHER);
            do n->k.push_back(stmt());
            while (acc("or"));
            return n;
        }
        if (acc("random")) {
            n = N(RANDOM);
            exp("either");
            do {
                n->w.push_back(expr());
                exp(":");
                n->k.push_back(stmt());
            } while (acc("or"));
            return n;
        }
        if (acc("repeat")) {
            n = N(REPEAT);
            n->a = num();
            n->b = n->a;
            if (acc("..")) {
                if (acc("infinity"))
                    n->b = INT_MAX;
                else
                    n->b = num();
            }
            exp("times");
            if (n->b < n->a) err("repeat from more to less");
            n->k.push_back(stmt());
            return n;
        }
        if (acc("test")) {
            n = N(TEST);
            n->k.push_back(stmt());
            return n;
        }
        if (acc("not")) {
            n = N(NOT);
            n->k.push_back(stmt());
            return n;
        }
        if (acc("find")) {
            n = N(FIND);
            n->p = pattern();
            return n;
        }
        if (acc("points")) {
            n = N(POINTS);
            exp("at");
            n->p = pattern();
            return n;
        }
        if (acc("pickup")) return N(PICKUP);
        if (acc("putdown")) return N(PUTDOWN);
        if (acc("remove")) return N(REMOVE);
        if (acc("step")) return N(STEP);
        if (acc("pass")) return N(PASS);
        if (acc("again")) return N(AGAIN);
        if (acc("replace")) {
            n = N(REPLACE);
            exp("by");
            n->p = pattern();
            if (n->p.piece == -1 && n->p.nm.empty()) err("replace by needs one piece");
            return n;
        }
        if (acc("rotate")) {
            n = N(ROTATE);
            int d = num();
            if (d % 45) err("rotate by multiples of 45");
            n->a = ((d / 45) % 8 + 8) % 8;
            return n;
        }
        for (int d = 0; d < 8; d++)
            if (acc(D[d])) {
                n = N(SETDIR);
                n->a = d;
                return n;
            }
        if (acc("forward")) {
            n = N(SETDIR);
            n->a = 8;
            return n;
        }
        if (acc("backward")) {
            n = N(SETDIR);
            n->a = 12;
            return n;
        }
        if (acc("alldir")) {
            n = N(ALLDIR);
            n->a = 1;
            n->b = 0;
            return n;
        }
        if (acc("orthogonal")) {
            n = N(ALLDIR);
            n->a = 2;
            n->b = 0;
            return n;
        }
        if (acc("diagonal")) {
            n = N(ALLDIR);
            n->a = 2;
            n->b = 1;
            return n;
        }
        if (acc("in")) {
            n = N(INZ);
            int o = owner();
            if (o == 2) err("a zone is own or enemy");
            n->b = o < 0 ? 0 : o;
            n->ln = ln();
            n->s = id();
            return n;
        }
        if (is("at") || is("goto") || is("mark") || is("forget")) {
            Op o = is("at") ? AT : is("goto") ? GOTO : is("mark") ? MARK : FORGET;
            i++;
            n = N(o);
            vref(n);
            return n;
        }
        if (acc("set")) {
            n = N(SET);
            vref(n);
            exp("to");
            n->e = expr();
            return n;
        }
        if (acc("add")) {
            n = N(ADD);
            n->e = expr();
            exp("to");
            vref(n);
            return n;
        }
        if (acc("check")) {
            n = N(CHECK);
            n->e = expr();
            static const char* R[] = {"=", "<>", "<", "<=", ">", ">="};
            int r = -1;
            for (int q = 0; q < 6; q++)
                if (acc(R[q])) {
                    r = q;
                    break;
                }
            if (r < 0) err("expected a relation");
            n->a = r;
            n->e2 = expr();
            return n;
        }
        if (acc("as")) {
            n = N(ASENEMY);
            exp("enemy");
            n->k.push_back(stmt());
            return n;
        }
        if (is("win") || is("lose") || is("draw")) {
            Op o = is("win") ? WIN : is("lose") ? LOSE : DRAWV;
            i++;
            n = N(o);
            if (head() == '"') {
                n->s = str();
                if (n->s.empty() || n->s.size() > 63) err("a reason has 1 to 63 characters");
            }
            return n;
        }
        if (acc("write")) {
            n = N(WRITES);
            if (acc("field"))
                n->op = WRITEF;
            else if (acc("piece"))
                n->op = WRITEP;
            else {
                n->s = str();
                for (char c : n->s)
                    if (c <= 32 || c > 126) err("a name has no blanks");
            }
            return n;
        }
        if (acc("matches")) {
            n = N(MATCHES);
            n->pic = pic();
            return n;
        }
        if (acc("spread")) {
            n = N(SPREAD);
            n->k.push_back(stmt());
            return n;
        }
        if (acc("most")) {
            n = N(MOST);
            n->e = expr();
            exp(":");
            n->k.push_back(stmt());
            return n;
        }
        if (acc("base")) {
            n = N(BASE);
            n->ln = ln();
            n->s = id();
            if (!lev) die(file, n->ln, "base " + n->s + " in a file that is based on nothing");
            if (!baseri.count(n->s))
                die(file, n->ln, "the file this is based on has no rule " + n->s);
            n->a = baseri[n->s];
            return n;
        }
        if (!isalpha(head()) || reserved.count(t[i].s)) err("expected a statement");
        n = new Node;
        n->op = CALL;
        n->ln = l0;
        n->file = file;
        n->s = id();
        return n;
    }

    void once(const string& k, const string& n, int l) {
        if (!defined.insert(k + " " + n).second) die(file, l, k + " " + n + " is declared twice");
        if (k != "declaration")
            for (auto o : {"piece", "zone", "variable", "rule"})
                if (k != o && defined.count(string(o) + " " + n))
                    die(file, l, n + " is a " + o + " already");
    }

    void load(const string& path, vector<string> chain) {
        string show;
        for (auto& c : chain) show += c + " -> ";
        show += path;
        auto real = [](const string& p) {
            error_code e;
            auto q = filesystem::weakly_canonical(p, e);
            return e ? p : q.string();
        };
        for (auto& c : chain)
            if (real(c) == real(path)) die(chain.back(), firstln, "based on itself: " + show);
        if (chain.size() >= 16) die(chain.back(), firstln, "more than 16 files: " + show);
        ifstream f(path);
        if (!f || filesystem::is_directory(path))
            throw Error{
                (chain.empty() ? string("") : chain.back() + ":" + to_string(firstln) + ": ") +
                "cannot read " + path + (chain.empty() ? "" : " (" + show + ")")};
        stringstream ss;
        ss << f.rdbuf();
        file = path;
        t.clear();
        i = 0;
        lex(ss.str());
        if (is("based")) {
            firstln = t[0].ln;
            i++;
            exp("on");
            string s = str();
            auto kt = t;
            size_t ki = i;
            auto kf = file;
            chain.push_back(path);
            load((filesystem::path(path).parent_path() / s).string(), chain);
            t = kt;
            i = ki;
            file = kf;
            lev++;
            counts.clear();
        }
        defined.clear();
        baseri = ri;
        while (i < t.size()) {
            int l = ln();
            string w = t[i].s;
            auto single = [&] { once("declaration", w, l); };
            if (acc("based")) die(file, l, "based on stands first in a file");
            if (acc("dimensions")) {
                single();
                exp("(");
                W = num();
                exp(",");
                H = num();
                exp(")");
                if (W < 1 || H < 1 || W > 26 || H > 26)
                    die(file, l, "a board has 1 to 26 columns and rows");
            } else if (acc("players")) {
                single();
                players = num();
                if (players < 1 || players > 2) die(file, l, "1 or 2 players");
            } else if (acc("pieces")) {
                single();
                exp("{");
                while (!acc("}")) {
                    int q = ln();
                    Piece p;
                    p.n = id(true);
                    once("piece", p.n, q);
                    p.c[0] = chr();
                    p.c[1] = 0;
                    if (head() == '\'') p.c[1] = chr();
                    for (int z = 0; z < 2; z++) {
                        char c = p.c[z];
                        if (z && !c) break;
                        if (c <= 32 || c > 126 || isdigit(c) || c == '/' || c == '.' || c == '"')
                            die(file, q, string("'") + c + "' cannot be the symbol of a piece");
                    }
                    int k = pidx(p.n);
                    if (k >= 0)
                        pc[k] = p;
                    else
                        pc.push_back(p);
                    if (pc.size() > 60) die(file, q, "more than 60 kinds of piece");
                }
            } else if (acc("fields")) {
                single();
                fldln = l;
                fldf = file;
                fld = pic();
            } else if (acc("start")) {
                single();
                startln = l;
                startf = file;
                start.clear();
                first = 0;
                if (acc("black"))
                    first = 1;
                else
                    acc("white");
                if (is("{")) start = pic();
            } else if (acc("names")) {
                single();
                if (acc("algebraic"))
                    names = 0;
                else if (acc("columns"))
                    names = 1;
                else {
                    exp("numbered");
                    names = 2;
                }
            } else if (acc("zones")) {
                single();
                exp("{");
                while (!acc("}")) {
                    Zone z;
                    z.ln = ln();
                    z.file = file;
                    string n = id();
                    once("zone", n, z.ln);
                    if (acc("white")) {
                        z.r[0] = fset();
                        exp("black");
                        z.r[1] = fset();
                    } else
                        z.r[0] = z.r[1] = fset();
                    if (zi.count(n))
                        zn[zi[n]] = z;
                    else {
                        zi[n] = zn.size();
                        zn.push_back(z);
                    }
                }
            } else if (acc("variables")) {
                single();
                exp("{");
                while (!acc("}")) {
                    Var v;
                    int q = ln();
                    for (;;) {
                        if (acc("silent"))
                            v.silent = 1;
                        else if (acc("volatile"))
                            v.vol = 1;
                        else if (acc("local"))
                            v.local = 1;
                        else
                            break;
                    }
                    if (acc("field"))
                        v.field = 1, v.init = -1;
                    else
                        exp("number");
                    if (acc("each")) v.each = 1;
                    v.n = id();
                    once("variable", v.n, q);
                    if (acc("=")) {
                        if (v.field) die(file, q, "a field variable has no first value");
                        v.init = num();
                    }
                    if (vi.count(v.n))
                        var[vi[v.n]] = v;
                    else {
                        vi[v.n] = var.size();
                        var.push_back(v);
                    }
                }
            } else if (acc("repetition")) {
                single();
                rep = num();
                if (acc("win"))
                    repv = "win";
                else if (acc("lose"))
                    repv = "lose";
                else {
                    exp("draw");
                    repv = "draw";
                }
                perp = "";
                if (acc("unless")) {
                    exp("perpetual");
                    perp = id();
                }
            } else if (acc("sides")) {
                single();
                side.clear();
                side.push_back(str());
                if (head() == '"') side.push_back(str());
            } else if (acc("counts")) {
                single();
                exp("{");
                while (!acc("}")) {
                    string p;
                    if (!acc("start")) p = str();
                    vector<u64> c;
                    while (isdigit(head())) c.push_back(stoull(t[i++].s));
                    if (c.empty()) err("expected a count");
                    counts.push_back({p, c});
                }
            } else if (acc("text")) {
                single();
                hastext = true;
                text.clear();
                exp("{");
                while (!acc("}")) {
                    Item x;
                    x.ln = ln();
                    x.file = file;
                    x.kind = i < t.size() ? t[i].s : "";
                    i++;
                    if (x.kind == "board" || x.kind == "moves") {
                    } else if (x.kind == "side") {
                        x.c = {chr(), chr()};
                        if (x.c[0] == x.c[1]) die(file, x.ln, "both sides have one symbol");
                    } else if (x.kind == "squares") {
                        x.c = {chr(), chr()};
                        while (isalpha(head()) && !reserved.count(t[i].s)) {
                            x.nm.push_back(id(true));
                            x.c.push_back(chr());
                        }
                    } else if (x.kind == "flags")
                        do {
                            x.nm.push_back(id());
                            x.c.push_back(chr());
                            x.c.push_back(head() == '\'' ? chr() : 0);
                        } while (acc(","));
                    else if (x.kind == "field" || x.kind == "number")
                        x.nm.push_back(id());
                    else if (x.kind == "word") {
                        x.s = str();
                        if (x.s.empty() || x.s.find(' ') != string::npos ||
                            x.s.find('=') != string::npos)
                            die(file, x.ln, "a word has no blank and no =");
                    } else {
                        i--;
                        err("no item of text");
                    }
                    text.push_back(x);
                }
            } else {
                if (!isalpha(head()) || reserved.count(w)) err("expected a declaration or a rule");
                string n = id();
                once("rule", n, l);
                exp("=");
                Node* b = seq();
                b->ln = l;
                exp(".");
                ri[n] = rule.size();
                rule.push_back(b);
                rname.push_back(n);
                level.push_back(lev);
            }
        }
    }

    int pidx(const string& s) {
        for (size_t k = 0; k < pc.size(); k++)
            if (pc[k].n == s) return k;
        return -1;
    }

    int vidx(const string& n, const string& f, int l) {
        if (!vi.count(n)) die(f, l, "unknown variable " + n);
        return vi[n];
    }

    int zidx(const string& n, const string& f, int l) {
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

    void lpat(Pat& p) {
        if (p.nm.size()) {
            p.piece = pidx(p.nm);
            if (p.piece < 0) die(p.file, p.ln, "unknown piece " + p.nm);
            if (p.owner < 0 && pc[p.piece].c[1])
                die(p.file, p.ln, "own, enemy or any before " + p.nm);
        }
        if (p.owner < 0) p.owner = 2;
    }

    void lex2(Expr* e) {
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

    void own1(int& b, int a, const string& f, int l) {
        if (b == 2) die(f, l, "own or enemy, not any, before a variable");
        if (b >= 0 && !var[a].each) die(f, l, var[a].n + " is one for both sides: no own or enemy");
        if (b < 0) b = 0;
    }

    void picsize(const vector<string>& p, const string& f, int l, const char* what,
                 const char* ok) {
        if ((int)p.size() != H)
            die(f, l,
                string(what) + " has " + to_string(p.size()) + " rows, the board has " +
                    to_string(H));
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

    set<int> seen, clean, dirty;

    void link(int r, int via = 0) {
        (void)via;
        if (seen.insert(r).second) link(rule[r]);
    }

    void link(Node* n) {
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
                    die(n->file, n->ln,
                        n->s + (f ? " is no field variable" : " is a field variable"));
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

    void pure(Node* n, Node* sp, set<int>& done) {
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

    void spreads(Node* n) {
        if (n->op == SPREAD) {
            set<int> d;
            pure(n->k[0], n, d);
        }
        for (auto k : n->k) spreads(k);
    }

    void finish() {
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
                        throw Error{file + ":1: the symbol " + p.c[q] + " is that of " +
                                    sy[p.c[q]] + " and of " + p.n};
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

    string alg(int f) { return string(1, 'a' + f % W) + to_string(f / W + 1); }

    int sym(char c) {
        for (size_t k = 0; k < pc.size(); k++)
            for (int q = 0; q < 2; q++)
                if (pc[k].c[q] && pc[k].c[q] == c) return 1 + 2 * k + q;
        return 0;
    }

    Pos startpos() {
        Pos p;
        p.b.assign(W * H, 0);
        p.v.assign(nslots, 0);
        p.pl = first;
        for (auto& x : var) {
            int w = (x.each ? 2 : 1) * (x.vol ? 2 : 1);
            for (int j = 0; j < w; j++) p.v[x.slot + j] = x.init;
        }
        for (size_t r = 0; r < start.size(); r++)
            for (int x = 0; x < W; x++) p.b[(H - 1 - r) * W + x] = sym(start[r][x]);
        return p;
    }

    // texts
    string val(const Var& v, int x) { return v.field ? (x < 0 ? "-" : alg(x)) : to_string(x); }

    string write(const Pos& p) {
        string s;
        set<string> done;
        for (auto& x : text) {
            if (&x != &text[0]) s += ' ';
            string o;
            for (auto& n : x.nm) done.insert(n);
            if (x.kind == "board")
                for (int r = 0; r < H; r++) {
                    int run = 0;
                    if (r) o += '/';
                    for (int c = 0; c < W; c++) {
                        int q = p.b[(H - 1 - r) * W + c];
                        if (!q) {
                            run++;
                            continue;
                        }
                        if (run) o += to_string(run);
                        run = 0;
                        o += pc[(q - 1) / 2].c[(q - 1) & 1];
                    }
                    if (run) o += to_string(run);
                }
            else if (x.kind == "squares") {
                o = x.c[p.pl];
                for (int q = 0; q < 2; q++) {
                    o += string(":") + x.c[q];
                    bool any = 0;
                    for (int r = 0; r < H; r++)
                        for (int c = 0; c < W; c++) {
                            int f = (H - 1 - r) * W + c, y = p.b[f];
                            if (!y || ((y - 1) & 1) != q || !pc[(y - 1) / 2].c[1]) continue;
                            if (any) o += ',';
                            any = 1;
                            for (size_t z = 0; z < x.nm.size(); z++)
                                if (pidx(x.nm[z]) == (y - 1) / 2) o += x.c[2 + z];
                            o += fname[f];
                        }
                }
            } else if (x.kind == "side")
                o = x.c[p.pl];
            else if (x.kind == "moves")
                o = to_string(p.turn);
            else if (x.kind == "word")
                o = x.s;
            else if (x.kind == "flags") {
                for (int q = 0; q < 2; q++)
                    for (size_t z = 0; z < x.nm.size(); z++) {
                        Var& v = var[vi[x.nm[z]]];
                        if (x.c[2 * z + q] && p.v[v.slot + q]) o += x.c[2 * z + q];
                    }
                if (o.empty()) o = "-";
            } else {
                Var& v = var[vi[x.nm[0]]];
                o = val(v, p.v[v.slot]);
                if (v.each) o += "+" + val(v, p.v[v.slot + 1]);
            }
            s += o;
        }
        for (auto& v : var)
            if (!v.local && !done.count(v.n)) {
                bool ch = 0;
                for (int q = 0; q <= v.each; q++) ch |= p.v[v.slot + q] != v.init;
                if (ch) {
                    s += " " + v.n + "=" + val(v, p.v[v.slot]);
                    if (v.each) s += "," + val(v, p.v[v.slot + 1]);
                }
            }
        return s;
    }

    Pos read(const string& s) {
        auto no = [&](const string& m) -> Error { return Error{"text '" + s + "': " + m}; };
        Pos p = startpos();
        vector<string> w;
        {
            string a;
            for (char c : s + " ")
                if (c == ' ') {
                    if (a.empty()) throw no("one blank between items");
                    w.push_back(a);
                    a.clear();
                } else
                    a += c;
        }
        auto integer = [&](const string& a) {
            size_t q = a.size() && a[0] == '-';
            if (q == a.size() || a.size() > q + 9) throw no("no number '" + a + "'");
            for (size_t z = q; z < a.size(); z++)
                if (!isdigit((unsigned char)a[z])) throw no("no number '" + a + "'");
            return stoi(a);
        };
        auto value = [&](const Var& v, const string& a) {
            if (!v.field) return integer(a);
            if (a == "-") return -1;
            for (int f = 0; f < W * H; f++)
                if (isf[f] && alg(f) == a) return f;
            throw no("no field '" + a + "'");
        };
        size_t k = 0;
        for (auto& x : text) {
            if (k == w.size() || (k && w[k].find('=') != string::npos)) break;
            const string& a = w[k++];
            if (x.kind == "board") {
                fill(p.b.begin(), p.b.end(), 0);
                int r = 0, c = 0;
                for (size_t q = 0; q < a.size(); q++) {
                    if (a[q] == '/') {
                        if (c != W)
                            throw no("row " + to_string(r + 1) + " has " + to_string(c) +
                                     " fields");
                        r++;
                        c = 0;
                        if (r >= H) throw no("too many rows");
                    } else if (isdigit((unsigned char)a[q])) {
                        int n = 0;
                        while (q < a.size() && isdigit((unsigned char)a[q]) && n < 1000)
                            n = n * 10 + a[q++] - '0';
                        q--;
                        if (!n || c + n > W) throw no("row " + to_string(r + 1) + " is too long");
                        c += n;
                    } else {
                        int y = sym(a[q]);
                        if (!y) throw no(string("no piece '") + a[q] + "'");
                        if (c >= W) throw no("row " + to_string(r + 1) + " is too long");
                        int f = (H - 1 - r) * W + c;
                        if (!isf[f]) throw no("a piece beside the board");
                        p.b[f] = y;
                        c++;
                    }
                }
                if (r != H - 1 || c != W) throw no("the board is cut off");
            } else if (x.kind == "squares") {
                fill(p.b.begin(), p.b.end(), 0);
                if (a.empty() || (a[0] != x.c[0] && a[0] != x.c[1])) throw no("who moves?");
                p.pl = a[0] == x.c[1];
                size_t q = 1;
                bool had[2] = {0, 0};
                while (q < a.size()) {
                    if (a[q] != ':' || q + 1 >= a.size()) throw no("expected ':'");
                    char c = a[q + 1];
                    int o = c == x.c[1];
                    if ((c != x.c[0] && c != x.c[1]) || had[o]) throw no("whose squares?");
                    had[o] = 1;
                    q += 2;
                    while (q < a.size() && a[q] != ':') {
                        int pk = -1;
                        for (size_t z = 0; z < x.nm.size(); z++)
                            if (a[q] == x.c[2 + z]) pk = pidx(x.nm[z]);
                        if (pk >= 0)
                            q++;
                        else
                            for (size_t z = 0; z < pc.size(); z++)
                                if (pc[z].c[1] && !std::count(x.nm.begin(), x.nm.end(), pc[z].n))
                                    pk = z;
                        string n;
                        while (q < a.size() && a[q] != ',' && a[q] != ':') n += a[q++];
                        int f = -1;
                        for (int z = 0; z < W * H; z++)
                            if (isf[z] && fname[z] == n) f = z;
                        if (f < 0 || pk < 0 || p.b[f]) throw no("no square '" + n + "'");
                        p.b[f] = 1 + 2 * pk + o;
                        if (q < a.size() && a[q] == ',') {
                            q++;
                            if (q >= a.size() || a[q] == ':') throw no("a square after ','");
                        }
                    }
                }
                if (!had[0] || !had[1]) throw no("both sides' squares");
            } else if (x.kind == "side") {
                if (a.size() != 1 || (a[0] != x.c[0] && a[0] != x.c[1]))
                    throw no("who moves? '" + a + "'");
                p.pl = a[0] == x.c[1];
            } else if (x.kind == "word") {
                if (a != x.s) throw no("expected '" + x.s + "', not '" + a + "'");
            } else if (x.kind == "moves") {
                p.turn = integer(a);
                if (p.turn < 1) throw no("moves count from 1");
            } else if (x.kind == "flags") {
                for (auto& n : x.nm) {
                    Var& v = var[vi[n]];
                    for (int q = 0; q <= v.each; q++) p.v[v.slot + q] = 0;
                }
                if (a != "-")
                    for (char c : a) {
                        bool ok = 0;
                        for (size_t z = 0; z < x.c.size(); z++)
                            if (x.c[z] == c && c) {
                                int& y = p.v[var[vi[x.nm[z / 2]]].slot + z % 2];
                                if (y) throw no(string("'") + c + "' twice");
                                y = 1;
                                ok = 1;
                            }
                        if (!ok) throw no(string("no flag '") + c + "'");
                    }
            } else {
                Var& v = var[vi[x.nm[0]]];
                if (!v.each)
                    p.v[v.slot] = value(v, a);
                else {
                    size_t q = a.find('+');
                    if (q == string::npos) throw no("expected a+b, not '" + a + "'");
                    p.v[v.slot] = value(v, a.substr(0, q));
                    p.v[v.slot + 1] = value(v, a.substr(q + 1));
                }
            }
        }
        for (; k < w.size(); k++) {
            size_t q = w[k].find('=');
            if (q == string::npos) throw no("'" + w[k] + "' is too much");
            string n = w[k].substr(0, q), a = w[k].substr(q + 1);
            bool tx = 0;
            for (auto& x : text)
                tx |= x.kind != "squares" && std::count(x.nm.begin(), x.nm.end(), n);
            if (!vi.count(n) || var[vi[n]].local || tx) throw no("no variable '" + n + "' here");
            Var& v = var[vi[n]];
            size_t z = a.find(',');
            if (v.each != (z != string::npos)) throw no("'" + w[k] + "': how many values?");
            p.v[v.slot] = value(v, a.substr(0, z));
            if (v.each) p.v[v.slot + 1] = value(v, a.substr(z + 1));
        }
        return p;
    }
};

struct M {
    Game& g;
    vector<signed char> b;
    vector<int> v;
    int finger = -1, dir = 0, hand = 0, own = 0, mover = 0, verdict = 0, touched = 0;
    string nm, tr, reason;
    vector<int> printed;
    bool wrote = false, again = false;
    Node *held = 0, *rnd = 0;
    u64 derivs = 0, total = 0;
    int steps = 0, depth = 0, rdepth = 0, dec = 0;
    long pn = 1, pd = 1;
    string decname;
    set<string> decnames;
    vector<Node*> path;
    const Pos* at = 0;

    M(Game& gg) : g(gg) {}

    string rulename(Node* n) {
        string s = "?";
        int best = 0;
        for (size_t r = 0; r < g.rule.size(); r++)
            if (g.rule[r]->file == n->file && g.rule[r]->ln <= n->ln && g.rule[r]->ln >= best) {
                best = g.rule[r]->ln;
                s = g.rname[r];
            }
        return s;
    }

    [[noreturn]] void fail(const string& m, Node* n = 0) {
        string s;
        if (!n) n = path.empty() ? g.rule[g.ri["main"]] : path.back();
        s = n->file + ":" + to_string(n->ln) + ": rule error in " + rulename(n) + ": " + m +
            "\n  after lines";
        size_t a = path.size() > 12 ? path.size() - 12 : 0;
        for (; a < path.size(); a++) s += " " + to_string(path[a]->ln);
        throw Error{s + "\n  position " + (at ? g.write(*at) : "")};
    }

    int code(int p, int c) { return 1 + 2 * p + c; }

    bool match(const Pat& p, int f) {
        int x = b[f];
        if (p.piece == -2) return x == 0;
        if (!x) return 0;
        int q = (x - 1) >> 1, c = (x - 1) & 1;
        if (p.piece >= 0 && q != p.piece) return 0;
        if (p.owner == 2) return 1;
        return g.pc[q].c[1] && c == (own ^ p.owner);
    }

    int slotR(int a, int o) {
        Var& x = g.var[a];
        return x.slot + (x.each ? (own ^ o) : 0);
    }

    int slotW(int a, int o) {
        Var& x = g.var[a];
        return slotR(a, o) + (x.vol ? (x.each ? 2 : 1) : 0);
    }

    long long ev(Expr* e) {
        switch (e->k) {
            case 0:
                return e->a;
            case 1:
                return v[slotR(e->a, e->b)];
            case 2: {
                int n = 0;
                for (int f = 0; f < g.W * g.H; f++)
                    if (g.isf[f] && (e->z < 0 || g.zn[e->z].in[own ^ e->zo][f]) && match(e->p, f))
                        n++;
                return n;
            }
            case 3:
                return ev(e->l) + ev(e->r);
            default:
                return ev(e->l) - ev(e->r);
        }
    }

    bool ex(Node* n, FR k) {
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

    void print(int f) {
        tr += g.fname[f];
        printed.push_back(f);
    }

    bool change(int f, int h, const string& pre, bool showf, const string& post, FR k) {
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

    bool ex2(Node* n, FR k) {
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

    bool sq(Node* n, size_t j, FR k) {
        if (j == n->k.size()) return k();
        if (j + 1 == n->k.size()) return ex(n->k[j], k);
        auto c = [&] { return sq(n, j + 1, k); };
        return ex(n->k[j], c);
    }

    bool rp(Node* n, int c, FR k) {
        if (c >= n->a)
            if (k()) return true;
        if (c < n->b) {
            auto q = [&] { return rp(n, c + 1, k); };
            return ex(n->k[0], q);
        }
        return false;
    }

    void load(const Pos& p) {
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

    bool byname = false;

    void moves(const Pos& p, vector<Pos>& out, const char* what = "main") {
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
            if (!st && q.only && !verdict)
                fail("nothing is changed and no verdict said (pass?)", m);
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

    vector<Pos> starts() {
        Pos p = g.startpos();
        if (!g.ri.count("setup")) return {p};
        vector<Pos> o;
        moves(p, o, "setup");
        return o;
    }
};

static u64 nodes;

static u64 perft(M& m, const Pos& p, int d, int full) {
    if (d == 0) return 1;
    if (p.verdict) return full ? 0 : 1;
    vector<Pos> o;
    m.moves(p, o);
    bool alln = true;
    for (auto& q : o)
        if (!q.only) alln = false;
    if (alln) return full ? 0 : 1;
    u64 n = 0;
    for (auto& q : o)
        if (!q.only) {
            nodes++;
            n += perft(m, q, d - 1, full);
        }
    return n;
}

static int run(int c, char** a) {
    Game g;
    g.load(a[1], {});
    g.finish();
    string cmd = a[2];
    M m(g);
    vector<Pos> P = m.starts();
    vector<int> arg;
    int full = 1;
    for (int k = 3; k < c; k++) {
        string s = a[k];
        if (s == "byname")
            m.byname = true;
        else if (s == "higher")
            full = 0;
        else if (s.size() < 9 && s.find_first_not_of("0123456789") == string::npos)
            arg.push_back(stoi(s));
        else if (s.size())
            P = {g.read(s)};
    }
    int N = arg.size() ? arg[0] : 1;
    Pos p = P[0];
    if (cmd == "parse")
        printf("%s: ok, %zu rules, %zu pieces, %d fields\n", a[1], m.g.seen.size(), g.pc.size(),
               (int)count(g.isf.begin(), g.isf.end(), 1));
    else if (cmd == "starts")
        for (auto& q : P) printf("%ld/%ld %s\n", q.pn, q.pd, g.write(q).c_str());
    else if (cmd == "text")
        printf("%s\n", g.write(p).c_str());
    else if (cmd == "moves" || cmd == "divide") {
        vector<Pos> o;
        m.moves(p, o);
        u64 d = m.derivs;
        for (auto& q : o) {
            printf("%s", q.name.c_str());
            if (q.verdict) printf("+%s", q.verdict == 1 ? "win" : q.verdict == 2 ? "lose" : "draw");
            if (q.reason.size()) printf("(%s)", q.reason.c_str());
            if (q.only) printf("(only)");
            if (q.pd != 1) printf("[%ld/%ld]", q.pn, q.pd);
            if (cmd == "divide")
                printf(" %llu\n", q.only ? 0 : perft(m, q, N - 1, full));
            else
                printf(" ");
        }
        printf("\n%zu moves, %llu derivations\n", o.size(), d);
    } else if (cmd == "bfs") {
        set<string> seen;
        vector<Pos> fr{p};
        auto key = [&](const Pos& q) {
            return string((char*)q.b.data(), q.b.size()) + char('0' + q.pl);
        };
        seen.insert(key(p));
        for (int d = 0; d <= N && fr.size(); d++) {
            printf("%d %zu\n", d, fr.size());
            vector<Pos> nx;
            for (auto& q : fr) {
                if (q.verdict) continue;
                vector<Pos> o;
                m.moves(q, o);
                for (auto& r : o)
                    if (!r.only && seen.insert(key(r)).second) nx.push_back(r);
            }
            fr = nx;
        }
        printf("total %zu\n", seen.size());
    } else if (cmd == "walk") {
        mt19937 r(arg.size() > 1 ? arg[1] : 1);
        for (int k = 0; k < N; k++) {
            Pos q = P[r() % P.size()];
            for (int d = arg.size() > 2 ? arg[2] : 20; d > 0; d--) {
                vector<Pos> o, z;
                m.moves(q, o);
                for (auto& x : o)
                    if (!x.only && !x.verdict) z.push_back(x);
                if (z.empty()) break;
                q = z[r() % z.size()];
            }
            string s = g.write(q);
            if (g.write(g.read(s)) != s) throw Error{"text does not come back: " + s};
            printf("%s\n", s.c_str());
        }
    } else if (cmd == "playouts") {
        mt19937 r(1);
        double dep = 0, sc = 0;
        int w[4] = {0, 0, 0, 0};
        map<string, int> why;
        for (int k = 0; k < N; k++) {
            Pos q = P[r() % P.size()];
            int d = 0;
            double res = 50;
            for (;;) {
                vector<Pos> o, z;
                m.moves(q, o);
                for (auto& x : o)
                    if (!x.only) z.push_back(x);
                int v = 0, mv = q.pl;
                string rs;
                if (z.empty()) {
                    v = o[0].verdict;
                    rs = o[0].reason;
                } else {
                    q = z[r() % z.size()];
                    d++;
                    v = q.verdict;
                    rs = q.reason;
                }
                if (v) {
                    bool w1 = (v == 1 && mv == g.first) || (v == 2 && mv != g.first);
                    res = v == 3 ? 50 : w1 ? 100 : 0;
                    w[v == 3 ? 1 : w1 ? 0 : 2]++;
                    why[rs]++;
                    break;
                }
                if (d > 3000) {
                    w[3]++;
                    break;
                }
            }
            dep += d;
            sc += res;
        }
        printf(
            "%d playouts: avg depth %.3f, first player score %.3f, first-win %d draw %d loss %d unfinished %d\n",
            N, dep / N, sc / N, w[0], w[1], w[2], w[3]);
        for (auto& y : why) printf("  %d %s\n", y.second, y.first.c_str());
    } else if (cmd == "perft")
        for (int d = 1; d <= N; d++) {
            auto t = chrono::steady_clock::now();
            nodes = 0;
            u64 n = 0;
            for (auto& q : P) n += perft(m, q, d, full);
            double s = chrono::duration<double>(chrono::steady_clock::now() - t).count();
            printf("%d %llu  %.2fs %.0f n/s\n", d, n, s, nodes / max(s, 1e-9));
            fflush(stdout);
        }
    else if (cmd == "counts") {
        for (auto& k : g.counts) {
            vector<Pos> S = k.first.empty() ? m.starts() : vector<Pos>{g.read(k.first)};
            for (size_t d = 0; d < k.second.size(); d++) {
                u64 n = 0;
                for (auto& q : S) n += perft(m, q, d + 1, 1);
                printf("%s %s depth %zu: %llu, the file says %llu\n",
                       n == k.second[d] ? "ok " : "BAD",
                       k.first.empty() ? "start" : k.first.c_str(), d + 1, n, k.second[d]);
            }
        }
    } else if (cmd == "lists") {
        for (string l; getline(cin, l);) try {
                Pos q = g.read(l);
                vector<Pos> o;
                m.moves(q, o);
                printf("= %s\n", l.c_str());
                for (auto& x : o)
                    printf("%s\t%s%s\t%s\t%s\n", x.name.c_str(), x.only ? "claim " : "",
                           x.verdict == 1   ? "win"
                           : x.verdict == 2 ? "lose"
                           : x.verdict == 3 ? "draw"
                                            : "-",
                           x.reason.c_str(), g.write(x).c_str());
            } catch (Error& e) {
                printf("! %s\n", e.m.substr(0, e.m.find('\n')).c_str());
            }
    }  // texts on standard input, every move in order
    else {
        puts("unknown command");
        return 1;
    }
    return 0;
}

struct Job {
    int c;
    char** a;
    int r;
};

int main(int c, char** a) {
    if (c < 3) {
        puts(
            "mg FILE parse|starts|text|moves|divide N|perft N|bfs N|playouts N|walk N SEED PLIES|counts|lists [TEXT] [byname] [higher]");
        return 1;
    }
    Job j{c, a, 0};
    pthread_attr_t at;
    pthread_attr_init(&at);
    pthread_attr_setstacksize(&at, (size_t)2 << 30);
    pthread_t t;  // 100,000 statements are as many nested calls
    auto f = [](void* x) -> void* {
        Job* q = (Job*)x;
        try {
            q->r = run(q->c, q->a);
        } catch (Error& e) {
            fprintf(stderr, "%s\n", e.m.c_str());
            q->r = 1;
        } catch (exception& e) {
            fprintf(stderr, "%s\n", e.what());
            q->r = 1;
        }
        return nullptr;
    };
    if (pthread_create(&t, &at, f, &j)) {
        fputs("no stack\n", stderr);
        return 1;
    }
    pthread_join(t, nullptr);
    return j.r;
}

#pragma once
// The types of the truth machine (multigame_reference.cpp): what a program is after it was read,
// and what plays it. The functions of Game are in reader.cpp (tokens and statements), program.cpp
// (declarations and files), links.cpp (names become numbers) and texts.cpp (positions as texts),
// those of M in machine.cpp.
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

inline const char* const D[] = {"north", "northeast", "east", "southeast",
                                "south", "southwest", "west", "northwest"};
inline const set<string> reserved = {
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

    [[noreturn]] void die(const string& f, int ln, const string& m);
    [[noreturn]] void err(const string& m);
    void lex(const string& s);
    bool is(const char* s);
    bool acc(const char* s);
    void exp(const char* s);
    char head();
    int ln();
    int num();
    string id(bool piece = false);
    string str();
    char chr();
    int fidx(const string& s, const string& f, int l);
    vector<string> pic();
    vector<array<string, 2>> fset();
    int owner();
    Pat pattern();
    Expr* prim();
    Expr* expr();
    Node* N(Op o);
    Node* seq();
    void vref(Node* n);
    int nest = 0;

    Node* stmt();
    Node* stmt2();
    void once(const string& k, const string& n, int l);
    void load(const string& path, vector<string> chain);
    int pidx(const string& s);
    int vidx(const string& n, const string& f, int l);
    int zidx(const string& n, const string& f, int l);
    void lpat(Pat& p);
    void lex2(Expr* e);
    void own1(int& b, int a, const string& f, int l);
    void picsize(const vector<string>& p, const string& f, int l, const char* what, const char* ok);
    set<int> seen, clean, dirty;

    void link(int r, int via = 0);
    void link(Node* n);
    void pure(Node* n, Node* sp, set<int>& done);
    void spreads(Node* n);
    void finish();
    string alg(int f);
    int sym(char c);
    Pos startpos();
    // texts
    string val(const Var& v, int x);
    string write(const Pos& p);
    Pos read(const string& s);
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

    string rulename(Node* n);
    [[noreturn]] void fail(const string& m, Node* n = 0);
    int code(int p, int c);
    bool match(const Pat& p, int f);
    int slotR(int a, int o);
    int slotW(int a, int o);
    long long ev(Expr* e);
    bool ex(Node* n, FR k);
    void print(int f);
    bool change(int f, int h, const string& pre, bool showf, const string& post, FR k);
    bool ex2(Node* n, FR k);
    bool sq(Node* n, size_t j, FR k);
    bool rp(Node* n, int c, FR k);
    void load(const Pos& p);
    bool byname = false;

    void moves(const Pos& p, vector<Pos>& out, const char* what = "main");
    vector<Pos> starts();
};

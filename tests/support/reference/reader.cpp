// Tokens, patterns, expressions and statements of a program's text.
#include "tests/support/reference/reference.h"

void Game::die(const string& f, int ln, const string& m) {
    throw Error{f + ":" + to_string(ln) + ": " + m};
}

void Game::err(const string& m) {
    int ln = i < t.size() ? t[i].ln : t.empty() ? 1 : t.back().ln;
    die(file, ln, m + (i < t.size() ? " near '" + t[i].s + "'" : " at the end"));
}

void Game::lex(const string& s) {
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

bool Game::is(const char* s) {
    return i < t.size() && t[i].s == s;
}

bool Game::acc(const char* s) {
    if (is(s)) {
        i++;
        return 1;
    }
    return 0;
}

void Game::exp(const char* s) {
    if (!acc(s)) err(string("expected '") + s + "'");
}

char Game::head() {
    return i < t.size() ? t[i].s[0] : 0;
}

int Game::ln() {
    return i < t.size() ? t[i].ln : 0;
}

int Game::num() {
    bool n = acc("-");
    if (!isdigit(head()) || t[i].s.size() > 9) err("expected a number");
    int v = stoi(t[i++].s);
    return n ? -v : v;
}

string Game::id(bool piece) {
    if (!isalpha(head())) err("expected a name");
    if (reserved.count(t[i].s) && !(piece && is("mark"))) err("a reserved word is no name");
    return t[i++].s;
}

string Game::str() {
    if (head() != '"') err("expected a string");
    return t[i++].s.substr(1);
}

char Game::chr() {
    if (head() != '\'') err("expected a symbol");
    return t[i++].s[1];
}

int Game::fidx(const string& s, const string& f, int l) {
    int x = s[0] - 'a', y = s.size() > 1 ? atoi(s.c_str() + 1) - 1 : -1;
    if (x < 0 || x >= W || y < 0 || y >= H) die(f, l, "no field " + s + " on this board");
    return y * W + x;
}

vector<string> Game::pic() {
    exp("{");
    vector<string> v;
    while (!is("}")) v.push_back(str());
    i++;
    return v;
}

vector<array<string, 2>> Game::fset() {
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

int Game::owner() {
    if (acc("own")) return 0;
    if (acc("enemy")) return 1;
    if (acc("any")) return 2;
    return -1;
}

Pat Game::pattern() {
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

Expr* Game::prim() {
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

Expr* Game::expr() {
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

Node* Game::N(Op o) {
    Node* n = new Node;
    n->op = o;
    n->ln = i > 0 ? t[i - 1].ln : 1;
    n->file = file;
    return n;
}

Node* Game::seq() {
    Node* n = N(SEQ);
    do n->k.push_back(stmt());
    while (acc(","));
    return n;
}

void Game::vref(Node* n) {
    n->b = owner();
    n->ln = ln();
    n->s = id();
}

Node* Game::stmt() {
    if (++nest > 500) err("nested too deep");
    Node* n = stmt2();
    nest--;
    return n;
}

Node* Game::stmt2() {
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
        if (!baseri.count(n->s)) die(file, n->ln, "the file this is based on has no rule " + n->s);
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

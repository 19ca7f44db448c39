// Declarations and rules of a file and of those that it is based on.
#include "tests/support/reference/reference.h"

void Game::once(const string& k, const string& n, int l) {
    if (!defined.insert(k + " " + n).second) die(file, l, k + " " + n + " is declared twice");
    if (k != "declaration")
        for (auto o : {"piece", "zone", "variable", "rule"})
            if (k != o && defined.count(string(o) + " " + n))
                die(file, l, n + " is a " + o + " already");
}

void Game::load(const string& path, vector<string> chain) {
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
        throw Error{(chain.empty() ? string("") : chain.back() + ":" + to_string(firstln) + ": ") +
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

// Positions as texts, both ways.
#include "tests/support/reference/reference.h"

string Game::alg(int f) {
    return string(1, 'a' + f % W) + to_string(f / W + 1);
}

int Game::sym(char c) {
    for (size_t k = 0; k < pc.size(); k++)
        for (int q = 0; q < 2; q++)
            if (pc[k].c[q] && pc[k].c[q] == c) return 1 + 2 * k + q;
    return 0;
}

Pos Game::startpos() {
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

string Game::val(const Var& v, int x) {
    return v.field ? (x < 0 ? "-" : alg(x)) : to_string(x);
}

string Game::write(const Pos& p) {
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

Pos Game::read(const string& s) {
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
                        throw no("row " + to_string(r + 1) + " has " + to_string(c) + " fields");
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
        for (auto& x : text) tx |= x.kind != "squares" && std::count(x.nm.begin(), x.nm.end(), n);
        if (!vi.count(n) || var[vi[n]].local || tx) throw no("no variable '" + n + "' here");
        Var& v = var[vi[n]];
        size_t z = a.find(',');
        if (v.each != (z != string::npos)) throw no("'" + w[k] + "': how many values?");
        p.v[v.slot] = value(v, a.substr(0, z));
        if (v.each) p.v[v.slot + 1] = value(v, a.substr(z + 1));
    }
    return p;
}

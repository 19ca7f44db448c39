// reference-interpreter.cpp - slow truth machine for the reconstructed Multigame language: a direct
// transcription of SEMANTICS.md. No repetition rule, no inference (a missing finger just fails);
// limits are rule errors.   c++ -std=c++17 -O2 -pthread usage: mg FILE
// parse|starts|text|moves|divide N|perft N|bfs N|playouts N|walk N SEED PLIES|counts|lists  [TEXT]
// [byname] [higher]
#include "tests/support/reference/reference.h"

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

# Fanorona, 5 x 5: who takes goes towards a line of the other's stones or away from it, and may go on another way, to fields
# where the stone has not been. A taken line is whole.
dimensions (5,5)
pieces { stone 'w' 'b' trace '*' }
start white { "bbbbb" "bbbbb" "bw.bw" "wwwww" "wwwww" }
zones { strong (a1, c1, e1, b2, d2, a3, c3, e3, b4, d4, a5, c5, e5) }
variables { local field last local field from local field here silent number clock = 0 }
text { board side 'w' 'b' number clock moves }
repetition 3 draw
main = try [ check count own stone = 0, lose "none left" ]
       else try [ check clock < 40, turn ]
       else draw "long".
turn = try [ find own stone, write field, takes, set clock to 0, clear ]
       else try [ find own stone, write field, pickup, ways, step, points at empty field, putdown, write field, add 1 to clock ]
       else lose "no move".
ways = either orthogonal or [ in strong, diagonal ].
takes = take, repeat 0 .. 2 times take.
take = mark from, ways, not [ rotate 180, step, at last ],
       replace by trace, step, points at empty field, replace by own stone, write field, mark here,
       either [ test theirs, write "+", all_theirs ]
       or [ rotate 180, step, test theirs, write "-", all_theirs ],
       goto from, mark last, goto here.
theirs = step, points at enemy stone.
all_theirs = try [ theirs, remove, all_theirs ].
clear = try [ find trace, remove, clear ].

counts { start 5 20 173 2356 22920 }

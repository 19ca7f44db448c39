# Small halma 6 x 6 with chains of jumps by spread; the far corner filled wins.
dimensions (6,6)
pieces { man 'X' 'O' }
start white { "...OOO" "....OO" ".....O" "X....." "XX...." "XXX..." }
zones { goal white (f6, e6, d6, f5, e5, f4) black (a1, b1, c1, a2, b2, a3) }
variables { local field from silent number clock = 0 }
repetition 3 draw
main = try [ check clock < 150, turn ] else try [ test turn, draw "long" ] else lose "no move".
turn = add 1 to clock, find own man, mark from, write field, pickup,
       either [ alldir, step, points at empty field ]
       or [ spread [ alldir, step, points at any piece, step, points at empty field ], not at from ],
       putdown, write field,
       try [ check count own man in goal = 6, win "home" ].

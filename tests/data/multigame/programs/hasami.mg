# Hasami shogi, 9 x 9: rook moves, capture by enclosing along a line; one man left loses.
dimensions (9,9)
pieces { man 'M' 'm' }
start white { "mmmmmmmmm" "........." "........." "........." "........." "........." "........." "........." "MMMMMMMMM" }
variables { local field home silent number clock = 0 }
text { board side 'w' 'b' number clock moves }
repetition 3 draw
main = try [ check clock < 100, turn ] else try [ test turn, draw "long" ] else lose "no move".
turn = add 1 to clock, find own man, pickup, orthogonal, repeat 1 .. infinity times [ step, points at empty field ], putdown,
       mark home, north, repeat 4 times [ try catch, rotate 90 ],
       try [ check count enemy man < 2, win "one man left" ].
catch = test [ repeat 1 .. infinity times [ step, points at enemy man ], step, points at own man ],
        repeat 1 .. infinity times [ step, points at enemy man, remove, set clock to 0 ],
        step, points at own man, goto home.

# Brandubh (tafl), 7 x 7: attackers X against king K and defenders O... sides differ by pieces.
dimensions (7,7)
pieces { man 'A' 'D' king 'Q' 'K' }
start white { "...A..." "...A..." "...D..." "AADKDAA" "...D..." "...A..." "...A..." }
zones { corner (a1, g1, a7, g7) throne (d4) }
variables { local field home silent number clock = 0 }
repetition 3 draw
main = try [ check clock < 100, turn ] else try [ test turn, draw "long" ] else lose "no move".
turn = add 1 to clock,
       either [ find own man, pickup, go, not in corner, putdown ]
       or [ find own king, pickup, go, putdown, try [ in corner, win "king in the corner" ] ],
       mark home, north, repeat 4 times [ try catch, goto home, rotate 90 ].
go = orthogonal, repeat 1 .. infinity times [ step, points at empty field ], not in throne.
catch = step, either points at enemy man or points at enemy king,
        test [ step, either points at own piece or in corner ],
        try [ points at enemy king, win "king taken" ], remove, set clock to 0.

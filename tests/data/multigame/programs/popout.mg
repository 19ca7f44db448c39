# Connect four with popping out one's own lowest disc; four of both wins for the mover.
dimensions (7,6)
pieces { disc 'X' 'O' }
names columns
zones { bottom (a1 .. g1) }
variables { silent number clock = 0 }
repetition 3 draw
main = try [ check clock < 120, turn ] else try [ test turn, draw "long" ] else draw "full".
turn = add 1 to clock, either drop or pop,
       try [ test [ find own disc, four ], win "four" ] else try [ test as enemy [ find own disc, four ], lose "four" ].
drop = find empty field, either in bottom or [ not in bottom, south, test [ step, not points at empty field ] ],
       write field, replace by own disc.
pop = find own disc, in bottom, write "p", write field, remove, north, fall.
fall = try [ test [ step, points at any piece ], step, pickup, south, step, putdown, north, step, fall ].
four = either north or northeast or east or southeast, repeat 3 times [ step, points at own disc ].

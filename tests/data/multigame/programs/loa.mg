# Lines of action: a man moves as many fields as there are men in its line, over own men; all connected wins.
dimensions (8,8)
pieces { man 'X' 'O' }
start white { ".XXXXXX." "O......O" "O......O" "O......O" "O......O" "O......O" "O......O" ".XXXXXX." }
variables { local number n local field from silent number clock = 0 }
repetition 3 draw
main = try [ check clock < 200, turn ] else try [ test turn, draw "long" ] else lose "no move".
turn = add 1 to clock, find own man, mark from, alldir, set n to 1, measure, rotate 180, measure, goto from, rotate 180,
       pickup, travel, not points at own man, putdown,
       try [ test joined, win "joined" ] else try [ test as enemy joined, lose "joined" ].
measure = goto from, whole.
whole = try [ step, try [ points at any piece, add 1 to n ], whole ].
travel = try [ check n = 1, step ] else [ step, not points at enemy piece, add -1 to n, travel ].
joined = try [ check count own man = 1 ] else [ find own man, mark from, set n to 0, reach ].
reach = not [ find own man, not linked ].
linked = spread [ alldir, step, points at own man ], at from.

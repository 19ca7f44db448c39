# Two men a side run up eight fields by a die of three; who comes to the other's man sends it back. Two at home win.
dimensions (1,8)
pieces { man 'w' 'b' }
variables { number each outside = 2 number each home = 0 number die = 0 local number left silent number clock = 0 }
zones { first (a1) last (a8) }
sides "Water" "Fire"
text { board side 'w' 'f' number die number outside number home number clock }
setup = throw.
throw = random either 2 : [ write "=1", set die to 1 ] or 2 : [ write "=2", set die to 2 ] or 1 : [ write "=3", set die to 3 ].
main = try [ check clock < 60, turn ] else draw "long".
turn = add 1 to clock, try run else [ write "stay", pass ],
       try [ check own home = 2, win "home" ],
       throw.
run = set left to die, north, either enter or walk.
enter = check own outside > 0, write "in", add -1 to own outside, add -1 to left,
        either find any man or find empty field, in first, go.
walk = find own man, write field, remove, go.
go = try [ check left = 0, arrive ]
     else try [ check left > 0, add -1 to left, step, go ]
     else [ in last, check left = 1, add 1 to own home, pass ].
arrive = not points at own man, try [ points at enemy man, add 1 to enemy outside ], replace by own man.

counts { start 9 27 117 513 2553 12729 }

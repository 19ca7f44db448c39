# After the game 'Einstein wuerfelt nicht', small: three stones a side, 4 x 4, die thrown at the end of each move.
dimensions (4,4)
pieces { first 'A' 'a' second 'B' 'b' third 'C' 'c' }
start white { "..ab" "...c" "C..." "BA.." }
zones { goal white (d4) black (a1) }
variables { number die = 1 }
text { board side 'w' 'b' number die }
setup = random either 1 : set die to 1 or 1 : set die to 2 or 1 : set die to 3.
main = try [ check count own piece = 0, lose "no stones" ] else try go else lose "stuck".
go = either [ either check die = 1 or [ check die = 2, check count own second = 0 ] or [ check die = 3, check count own third = 0, check count own second = 0 ], find own first ]
     or [ either check die = 2 or [ check die = 1, check count own first = 0 ] or [ check die = 3, check count own third = 0 ], find own second ]
     or [ either check die = 3 or [ check die = 2, check count own second = 0 ] or [ check die = 1, check count own first = 0, check count own second = 0 ], find own third ],
     write field, pickup, either [ forward ] or [ forward, rotate 45 ] or [ forward, rotate 90 ], step, putdown, write field,
     try [ in goal, win "home" ] else try [ check count enemy piece = 0, win "all taken" ], throw.
throw = random either 1 : [ set die to 1, write ".1" ] or 1 : [ set die to 2, write ".2" ] or 1 : [ set die to 3, write ".3" ].

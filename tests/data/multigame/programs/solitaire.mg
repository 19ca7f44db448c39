# Peg solitaire, the English board.
dimensions (7,7)
players 1
fields { "..###.." "..###.." "#######" "#######" "#######" "..###.." "..###.." }
pieces { peg 'o' }
start { "..ooo.." "..ooo.." "ooooooo" "ooo.ooo" "ooooooo" "..ooo.." "..ooo.." }
zones { middle (d4) }
main = try jump else try [ check count peg = 1, test [ find peg, in middle ], win "one in the middle" ] else try [ check count peg = 1, draw "one left" ] else lose "stuck".
jump = find peg, pickup, orthogonal, step, points at peg, remove, step, points at empty field, putdown.

counts { start 4 12 60 }

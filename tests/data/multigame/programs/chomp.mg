# Chomp, 5 x 4: who moves takes a piece and all that are above it, right of it, or both; the last piece is poison.
dimensions (5,4)
pieces { chunk '#' poison 'P' }
start { "#####" "#####" "#####" "P####" }
variables { field home }
text { board side 'a' 'b' }
main = either [ find chunk, bite ]
       or [ find poison, not find chunk, bite, lose "poison" ].
bite = write field, mark home, rows, forget home.
rows = row, goto home, north, try [ step, mark home, rows ].
row = try remove, east, try [ step, row ].

counts { start 19 231 2071 14570 }

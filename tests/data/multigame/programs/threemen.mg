# Three men's morris on 3 x 3: three stones each, then slides along the lines.
dimensions (3,3)
pieces { man 'X' 'O' }
variables { number each hand = 3 local field from silent number clock = 0 }
text { board side 'x' 'o' number hand number clock }
repetition 3 draw
main = try [ check clock < 60, turn ] else try [ test turn, draw "long" ] else lose "stuck".
turn = add 1 to clock, either place or shift, try [ test row, win "row" ].
place = check own hand > 0, find empty field, add -1 to own hand, replace by own man.
shift = check own hand = 0, find own man, mark from, pickup, orthogonal, step, points at empty field, not at from, putdown.
row = find own man, either east or north or northeast or southeast, repeat 2 times [ step, points at own man ].

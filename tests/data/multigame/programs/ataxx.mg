# Ataxx, 7 x 7: grow beside, or jump two fields; neighbours turn.
dimensions (7,7)
pieces { blob 'X' 'O' }
start white { "O.....X" "......." "......." "......." "......." "......." "X.....O" }
variables { local field home silent number clock = 0 }
text { board side 'x' 'o' number clock moves }
main = try [ check count own blob = 0, lose "none left" ]
       else try [ check clock < 100, turn ]
       else try [ check clock < 100, check count empty field > 0, pass, add 1 to clock, write "0000" ]
       else try [ check count own blob > count enemy blob, win ]
       else try [ check count own blob < count enemy blob, lose ] else draw.
turn = either grow or jump, mark home, north, repeat 8 times [ try [ step, points at enemy blob, replace by own blob, set clock to 0 ], goto home, rotate 45 ].
grow = find empty field, test [ alldir, step, points at own blob ], write field, replace by own blob, set clock to 0.
jump = add 1 to clock, find own blob, write field, remove,
       either [ orthogonal, step, step ] or [ diagonal, step, step ] or [ orthogonal, step, either rotate 45 or rotate -45, step ],
       points at empty field, write field, replace by own blob.

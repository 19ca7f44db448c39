# Janggi on 5 x 7: palaces with diagonals, cannons that jump but never over a cannon, a written pass, facing generals as a claim.
dimensions (5,7)
pieces { general 'G' 'g' guard 'A' 'a' cannon 'C' 'c' chariot 'R' 'r' foot 'P' 'p' }
start white { "r.g.c" ".a.a." "p.p.p" "....." "P.P.P" ".A.A." "R.G.C" }
zones { palace white (b1 .. d3) black (b5 .. d7) cross white (b1, d1, c2, b3, d3) black (b7, d7, c6, b5, d5) }
variables { silent number clock local number before }
text { board side 'w' 'b' word "-" word "-" number clock moves }
repetition 3 draw unless perpetual checked
main = try [ check clock < 40, either ply or [ faced, draw "bikjang" ] ] else try [ check clock < 40, test checked, lose "mate" ]
       else try [ check clock < 40, test faced, draw "bikjang" ] else [ draw "clock" ].
ply = set before to count enemy piece, add 1 to clock,
   either palace_move or cannon_move or chariot_move or foot_move or pass_move, not checked,
   try [ check count enemy piece <> before, set clock to 0 ].
pass_move = write "0000", pass.
palace_move = either find own general or find own guard, pickup, either orthogonal or [ in cross, diagonal ], step, in palace, not points at own piece, putdown.
chariot_move = find own chariot, pickup, orthogonal, slide, not points at own piece, putdown.
slide = repeat 0 .. infinity times [ step, points at empty field ], step.
cannon_move = find own cannon, pickup, orthogonal, repeat 0 .. infinity times [ step, points at empty field ], step,
   not [ either points at own cannon or points at enemy cannon or points at empty field ],
   slide, not points at own piece, not points at enemy cannon, putdown.
foot_move = find own foot, pickup, either forward or east or west, step, not points at own piece, putdown.
checked = find own general, either [ orthogonal, slide, points at enemy chariot ] or [ either forward or east or west, step, points at enemy foot ]
  or [ orthogonal, repeat 0 .. infinity times [ step, points at empty field ], step, not [ either points at any cannon or points at empty field ], slide, points at enemy cannon ]
  or [ as enemy [ in enemy palace ], either orthogonal or [ in cross, diagonal ], step, points at enemy guard ].
faced = find own general, forward, slide, points at enemy general.

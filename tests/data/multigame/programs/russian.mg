# Russian draughts: 8 x 8, men take backwards, a man that reaches the last row goes on as a king, captures are free to choose.
dimensions (8,8)
fields { "-#-#-#-#" "#-#-#-#-" "-#-#-#-#" "#-#-#-#-" "-#-#-#-#" "#-#-#-#-" "-#-#-#-#" "#-#-#-#-" }
pieces { man 'w' 'b' king 'W' 'B' dead '*' }
start white { ".b.b.b.b" "b.b.b.b." ".b.b.b.b" "........" "........" "w.w.w.w." ".w.w.w.w" "w.w.w.w." }
names algebraic
text { squares 'W' 'B' king 'K' }
zones { king_row white (a8 .. h8) black (a1 .. h1) }
variables { silent number clock = 0 }
repetition 3 draw
main = try capture
       else try [ check clock < 30, move ]
       else try [ test move, draw "fifteen moves" ]
       else lose "no move".
capture = either [ find own man, write field, pickup, man_jump, man_goes ]
          or [ find own king, write field, pickup, king_jump, king_goes ],
          set clock to 0, clear.
man_goes = try [ in king_row, putdown, replace by own king, pickup, king_goes ]
           else try [ man_jump, man_goes ] else putdown.
king_goes = try [ king_jump, king_goes ] else putdown.
man_jump = diagonal, kill, step, points at empty field, write "x", write field.
king_jump = diagonal, repeat 0 .. infinity times [ step, points at empty field ], kill,
            repeat 1 .. infinity times [ step, points at empty field ], write "x", write field.
kill = step, points at enemy piece, replace by dead.
clear = repeat 0 .. 20 times [ find dead, remove ], not find dead.
move = either [ find own man, write field, pickup, forward, either rotate 45 or rotate -45, step,
                points at empty field, putdown, write field, try [ in king_row, replace by own king ], set clock to 0 ]
       or [ find own king, write field, pickup, diagonal, repeat 1 .. infinity times [ step, points at empty field ],
            putdown, write field, add 1 to clock ].

counts { start 7 49 302 1469 7482 37986 190146 }

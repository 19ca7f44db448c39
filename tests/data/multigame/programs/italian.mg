# Italian draughts: kings are short, men take no kings; of all captures the longest, then one by a king, then most kings.
dimensions (8,8)
fields { "#-#-#-#-" "-#-#-#-#" "#-#-#-#-" "-#-#-#-#" "#-#-#-#-" "-#-#-#-#" "#-#-#-#-" "-#-#-#-#" }
pieces { man 'w' 'b' king 'W' 'B' }
start white { "b.b.b.b." ".b.b.b.b" "b.b.b.b." "........" "........" ".w.w.w.w" "w.w.w.w." ".w.w.w.w" }
zones { king_row white (a8 .. h8) black (a1 .. h1) }
variables { silent number clock = 0 local number worth }
text { squares 'W' 'B' king 'K' }
repetition 3 draw
main = try [ most worth : capture, set clock to 0 ]
       else try [ check clock < 40, walk ]
       else try [ test walk, draw "forty moves" ]
       else lose "no move".
capture = either [ find own man, write field, pickup, man_jump, man_jumps, putdown, crown ]
          or [ find own king, write field, pickup, add 100 to worth, king_jump, king_jumps, putdown ].
man_jumps = try [ man_jump, man_jumps ].
king_jumps = try [ king_jump, king_jumps ].
man_jump = forward, either rotate 45 or rotate -45, step, points at enemy man, remove, add 1000 to worth, land.
king_jump = diagonal, step, either [ points at enemy king, add 1001 to worth ] or [ points at enemy man, add 1000 to worth ],
            remove, land.
land = step, points at empty field, write field.
crown = try [ in king_row, replace by own king ].
walk = either [ find own man, write field, pickup, forward, either rotate 45 or rotate -45, land, putdown, crown, set clock to 0 ]
       or [ find own king, write field, pickup, diagonal, land, putdown, add 1 to clock ].

counts { start 7 49 302 1469 7361 36473 "W:WKe4,g2,b1:Bd5,Kf5,f7,d7,h5,b3" 1 3 16 32 119 }

# Brazilian draughts: international rules on 8 x 8.
based on "../../../../rules/multigame/programs/draughts10.mg"
dimensions (8,8)
fields { "-#-#-#-#" "#-#-#-#-" "-#-#-#-#" "#-#-#-#-" "-#-#-#-#" "#-#-#-#-" "-#-#-#-#" "#-#-#-#-" }
start white { ".b.b.b.b" "b.b.b.b." ".b.b.b.b" "........" "........" "w.w.w.w." ".w.w.w.w" "w.w.w.w." }
zones { king_row white (a8 .. h8) black (a1 .. h1) corner (a1) }
clear = either find empty field or find any piece, in corner,
        repeat 4 times [ pass_by, east, repeat 3 times [ step, pass_by ], northeast, step,
                         pass_by, west, repeat 3 times [ step, pass_by ], try [ northwest, step ] ].

counts { start 7 49 302 1469 7473 37628 187302 }

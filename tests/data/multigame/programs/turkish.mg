# Turkish draughts: orthogonal moves, flying kings, majority capture; taken pieces leave at once.
dimensions (8,8)
pieces { man 'w' 'b' king 'W' 'B' }
start white { "........" "bbbbbbbb" "bbbbbbbb" "........" "........" "wwwwwwww" "wwwwwwww" "........" }
zones { last white (a8 .. h8) black (a1 .. h1) }
variables { local number taken silent number clock = 0 }
repetition 3 draw
main = try [ check count own piece = 0, lose "no pieces" ]
       else try capture
       else try [ check clock < 40, move ]
       else try [ test move, draw ] else lose "no move".
capture = most taken : [ either [ find own man, write field, pickup, man_jump, man_more, putdown, crown ]
                         or [ find own king, write field, pickup, king_jump, king_more, putdown ] ], set clock to 0.
man_more = try [ man_jump, man_more ].
king_more = try [ king_jump, king_more ].
man_jump = either forward or east or west, kill, step, points at empty field, label.
king_jump = orthogonal, repeat 0 .. infinity times [ step, points at empty field ], kill,
            repeat 1 .. infinity times [ step, points at empty field ], label.
label = try [ check taken < 10, write "x", write field ].
kill = step, points at enemy piece, remove, add 1 to taken.
crown = try [ in last, replace by own king ].
move = either [ find own man, write field, pickup, either forward or east or west, step, points at empty field,
                putdown, write field, crown, set clock to 0 ]
       or [ find own king, write field, pickup, orthogonal, repeat 1 .. infinity times [ step, points at empty field ],
            putdown, write field, add 1 to clock ].

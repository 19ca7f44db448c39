# Shogi on 4 x 5 with drops, promotion and no two pawns on a file; mate and stalemate lose.
dimensions (4,5)
pieces { king 'K' 'k' gold 'G' 'g' silver 'S' 's' pawn 'P' 'p' tokin 'T' 't' rook 'R' 'r' dragon 'D' 'd' }
start white { "rgsk" "...p" "...." "P..." "KSGR" }
zones { far white (a5 .. d5, a4 .. d4) black (a1 .. d2) last white (a5 .. d5) black (a1 .. d1)
        fa (a1 .. a5) fb (b1 .. b5) fc (c1 .. c5) fd (d1 .. d5) }
variables { number each pawns number each golds number each silvers number each rooks silent number clock }
text { board side 'b' 'w' number pawns number golds number silvers number rooks moves }
repetition 4 draw unless perpetual checked
main = try [ check clock < 60, legal ] else try [ test legal, draw "long" ] else try [ test checked, lose "mate" ] else lose "stalemate".
legal = add 1 to clock, either board_move or drop, not checked.
board_move = either [ find own king, lift, alldir, step, land ]
             or [ find own gold, lift, gold_step, land ] or [ find own tokin, lift, gold_step, land ]
             or [ find own silver, lift, either diagonal or forward, step, land, upgrade ]
             or [ find own pawn, lift, forward, step, land, upgrade ]
             or [ find own rook, lift, orthogonal, slide, land, upgrade ]
             or [ find own dragon, lift, either [ orthogonal, slide ] or [ diagonal, step ], land ].
lift = write field, test find any piece, pickup.
gold_step = either orthogonal or [ forward, either rotate 45 or rotate -45 ], step.
slide = repeat 0 .. infinity times [ step, points at empty field ], step.
land = not points at own piece, write field,
       either points at empty field
       or [ points at enemy pawn, add 1 to own pawns ] or [ points at enemy tokin, add 1 to own pawns ]
       or [ points at enemy gold, add 1 to own golds ] or [ points at enemy silver, add 1 to own silvers ]
       or [ either points at enemy rook or points at enemy dragon, add 1 to own rooks ],
       putdown.
upgrade = either [ points at own silver, either pass or [ in far, replace by own gold, write "+" ] ]
          or [ points at own rook, either pass or [ in far, replace by own dragon, write "+" ] ]
          or [ points at own pawn, try [ in far, replace by own tokin, write "+" ] ].
drop = either [ check own pawns > 0, write "P@", find empty field, not in last, one_pawn, replace by own pawn, add -1 to own pawns, write field, not pawn_mate ]
       or [ check own golds > 0, write "G@", find empty field, replace by own gold, add -1 to own golds, write field ]
       or [ check own silvers > 0, write "S@", find empty field, replace by own silver, add -1 to own silvers, write field ]
       or [ check own rooks > 0, write "R@", find empty field, replace by own rook, add -1 to own rooks, write field ].
one_pawn = either [ in fa, check count own pawn in fa = 0 ] or [ in fb, check count own pawn in fb = 0 ]
           or [ in fc, check count own pawn in fc = 0 ] or [ in fd, check count own pawn in fd = 0 ].
# dropping a pawn may give check but not mate by the king's steps alone
pawn_mate = test [ forward, step, points at enemy king ], as enemy not [ either [ find own king, pickup, alldir, step, not points at own piece, putdown ] or [ forward, take_it ], not checked ].
take_it = find own piece, not points at own king, pickup, forward, step, points at enemy pawn, putdown.
checked = find own king, hit.
hit = either [ alldir, step, points at enemy king ]
      or [ either orthogonal or [ forward, either rotate 45 or rotate -45 ], step, either points at enemy gold or points at enemy tokin ]
      or [ either diagonal or forward, step, points at enemy silver ]
      or [ forward, step, points at enemy pawn ]
      or [ orthogonal, slide, either points at enemy rook or points at enemy dragon ]
      or [ diagonal, step, points at enemy dragon ].

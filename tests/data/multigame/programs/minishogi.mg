# Minishogi, 5 x 5: taken pieces are dropped again.  Promoted pieces: dragon, horse, tokin, silvergold.
dimensions (5,5)
pieces
{
  king 'K' 'k'  gold 'G' 'g'  silver 'S' 's'  bishop 'B' 'b'  rook 'R' 'r'  pawn 'P' 'p'
  dragon 'D' 'd'  horse 'H' 'h'  tokin 'T' 't'  newsilver 'Z' 'z'
}
start white
{
  "rbsgk"
  "....p"
  "....."
  "P...."
  "KGSBR"
}
sides "Sente" "Gote"
zones { far white (a5 .. e5) black (a1 .. e1) }
variables
{
  number each golds = 0  number each silvers = 0  number each bishops = 0
  number each rooks = 0  number each pawns = 0
}
repetition 4 lose
main = try turn else lose "mate".
turn = either shift or drop, not in_check.
shift = either king_move or gold_move or silver_move or pawn_move or bishop_move or rook_move
        or dragon_move or horse_move.
take = not points at own piece,
       try [ either points at enemy pawn or points at enemy tokin, add 1 to own pawns ]
       else try [ either points at enemy silver or points at enemy newsilver, add 1 to own silvers ]
       else try [ points at enemy gold, add 1 to own golds ]
       else try [ either points at enemy bishop or points at enemy horse, add 1 to own bishops ]
       else try [ either points at enemy rook or points at enemy dragon, add 1 to own rooks ].
goldstep = either orthogonal or [ forward, either rotate 45 or rotate -45 ], step.
king_move = find own king, write field, pickup, alldir, step, take, putdown, write field.
gold_move = either find own gold or find own tokin or find own newsilver,
            write field, pickup, goldstep, take, putdown, write field.
silver_move = find own silver, write field,
              either [ in far, pickup, silverstep, take, putdown, write field, maybe_s ]
              or [ not in far, pickup, silverstep, take, putdown, write field, try [ in far, maybe_s ] ].
silverstep = either diagonal or forward, step.
maybe_s = either [ replace by own newsilver, write "+" ] or pass.
pawn_move = find own pawn, write field, pickup, forward, step, take, putdown, write field,
            try [ in far, replace by own tokin, write "+" ].
bishop_move = find own bishop, write field,
              either [ in far, glide_b, maybe_b ] or [ not in far, glide_b, try [ in far, maybe_b ] ].
glide_b = pickup, diagonal, slide, take, putdown, write field.
maybe_b = either [ replace by own horse, write "+" ] or pass.
rook_move = find own rook, write field,
              either [ in far, glide_r, maybe_r ] or [ not in far, glide_r, try [ in far, maybe_r ] ].
glide_r = pickup, orthogonal, slide, take, putdown, write field.
maybe_r = either [ replace by own dragon, write "+" ] or pass.
horse_move = find own horse, write field, pickup, either [ diagonal, slide ] or [ orthogonal, step ],
             take, putdown, write field.
dragon_move = find own dragon, write field, pickup, either [ orthogonal, slide ] or [ diagonal, step ],
              take, putdown, write field.
slide = repeat 0 .. infinity times [ step, points at empty field ], step.
drop = find empty field,
       either [ check own golds > 0, add -1 to own golds, write "G@", replace by own gold ]
       or [ check own silvers > 0, add -1 to own silvers, write "S@", replace by own silver ]
       or [ check own bishops > 0, add -1 to own bishops, write "B@", replace by own bishop ]
       or [ check own rooks > 0, add -1 to own rooks, write "R@", replace by own rook ]
       or [ check own pawns > 0, not in far, not doubled, add -1 to own pawns, write "P@",
            replace by own pawn, not mates ],
       write field.
doubled = either north or south, repeat 1 .. infinity times step, points at own pawn.
mates = as enemy [ test in_check, not escape ].
escape = shift, not in_check.
in_check = find own king, attacked.
attacked = either [ alldir, step, points at enemy king ]
  or [ goldstep, either points at enemy gold or points at enemy tokin or points at enemy newsilver ]
  or [ silverstep, points at enemy silver ]
  or [ forward, step, points at enemy pawn ]
  or [ orthogonal, either [ slide, either points at enemy rook or points at enemy dragon ] or [ step, points at enemy horse ] ]
  or [ diagonal, either [ slide, either points at enemy bishop or points at enemy horse ] or [ step, points at enemy dragon ] ].

counts { start 14 181 2512 }

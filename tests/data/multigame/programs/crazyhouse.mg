# Crazyhouse: taken pieces change sides and are dropped; a promoted piece falls back to a pawn.
based on "../../../../rules/multigame/programs/chess.mg"
pieces { newqueen 'S' 's' newrook 'T' 't' newbishop 'L' 'l' newknight 'M' 'm' }
variables { number each pawns = 0 number each knights = 0 number each bishops = 0 number each rooks = 0 number each queens = 0 }
main = try legal_move
       else try [ test king_attacked, lose "mate" ]
       else draw "stalemate".
legal_move = either [ either king_move or queen_move or rook_move or bishop_move or knight_move or pawn_move or castling,
             not king_attacked, spoil_corner ] or [ drop, not king_attacked ].
gain = not points at own piece,
       try [ either points at enemy pawn or points at enemy newqueen or points at enemy newrook or points at enemy newbishop or points at enemy newknight, add 1 to own pawns ]
       else try [ points at enemy knight, add 1 to own knights ]
       else try [ points at enemy bishop, add 1 to own bishops ]
       else try [ points at enemy rook, add 1 to own rooks ]
       else try [ points at enemy queen, add 1 to own queens ].
knight_move = either find own knight or find own newknight, pickup, orthogonal, step, either rotate 45 or rotate -45, step, gain, putdown.
bishop_move = either find own bishop or find own newbishop, pickup, diagonal, slide, gain, putdown.
rook_move = either [ find own rook, try [ in short_corner, set own short to 0 ], try [ in long_corner, set own long to 0 ] ] or find own newrook,
            pickup, orthogonal, slide, gain, putdown.
queen_move = either find own queen or find own newqueen, pickup, alldir, slide, gain, putdown.
king_move = find own king, set own short to 0, set own long to 0, pickup, alldir, step, gain, putdown.
pawn_move = find own pawn, either push or double_push or pawn_capture or en_passant.
pawn_capture = pickup, forward, either rotate 45 or rotate -45, step, points at enemy piece, gain, putdown, promote.
en_passant = base en_passant, add 1 to own pawns.
promote = try [ in last_row,
                either replace by own newqueen or replace by own newrook
                or replace by own newbishop or replace by own newknight ].
drop = find empty field,
       either [ check own pawns > 0, not in last_row, not in enemy last_row, add -1 to own pawns, write "P@", write field, replace by own pawn ]
       or [ check own knights > 0, add -1 to own knights, write "N@", write field, replace by own knight ]
       or [ check own bishops > 0, add -1 to own bishops, write "B@", write field, replace by own bishop ]
       or [ check own rooks > 0, add -1 to own rooks, write "R@", write field, replace by own rook ]
       or [ check own queens > 0, add -1 to own queens, write "Q@", write field, replace by own queen ].
attacked = either [ orthogonal, slide, either points at enemy rook or points at enemy queen or points at enemy newrook or points at enemy newqueen ]
           or [ diagonal, slide, either points at enemy bishop or points at enemy queen or points at enemy newbishop or points at enemy newqueen ]
           or [ orthogonal, step, either rotate 45 or rotate -45, step, either points at enemy knight or points at enemy newknight ]
           or [ forward, either rotate 45 or rotate -45, step, points at enemy pawn ]
           or [ alldir, step, points at enemy king ].

counts { start 20 400 8902 }

# Makruk, Thai chess, without its counting rules.
based on "../../../../rules/multigame/programs/chess.mg"
pieces { king 'K' 'k' queen 'M' 'm' rook 'R' 'r' bishop 'S' 's' knight 'N' 'n' pawn 'P' 'p' }
start white
{
  "rnsmksnr"
  "........"
  "pppppppp"
  "........"
  "........"
  "PPPPPPPP"
  "........"
  "RNSKMSNR"
}
zones { last_row white (a6 .. h6) black (a3 .. h3) }
text { board side 'w' 'b' word "-" word "-" number clock moves }
legal_move = set enemies to count enemy piece,
             add 1 to clock,
             either king_move or queen_move or rook_move or bishop_move or knight_move or pawn_move,
             not king_attacked,
             try [ check count enemy piece < enemies, set clock to 0 ].
king_move = find own king, pickup, alldir, step, not points at own piece, putdown.
queen_move = find own queen, pickup, diagonal, step, not points at own piece, putdown.
bishop_move = find own bishop, pickup, either diagonal or forward, step, not points at own piece, putdown.
rook_move = find own rook, pickup, orthogonal, slide, not points at own piece, putdown.
pawn_move = find own pawn, set clock to 0, either push or pawn_capture.
promote = try [ in last_row, replace by own queen ].
attacked = either [ orthogonal, slide, points at enemy rook ]
           or [ diagonal, step, points at enemy queen ]
           or [ either diagonal or forward, step, points at enemy bishop ]
           or [ orthogonal, step, either rotate 45 or rotate -45, step, points at enemy knight ]
           or [ forward, either rotate 45 or rotate -45, step, points at enemy pawn ]
           or [ alldir, step, points at enemy king ].

counts { start 23 529 12012 }

# Shatranj: ferz, alfil; a bare king loses, stalemate loses.
based on "../../../../rules/multigame/programs/chess.mg"
pieces { bishop 'B' 'b' queen 'Q' 'q' }
start white
{
  "rnbkqbnr"
  "pppppppp"
  "........"
  "........"
  "........"
  "........"
  "PPPPPPPP"
  "RNBKQBNR"
}
text { board side 'w' 'b' word "-" word "-" number clock moves }
main = try [ check clock < 140, legal_move ]
       else try [ test legal_move, draw "seventy moves" ]
       else try [ test king_attacked, lose "mate" ]
       else lose "stalemate".
legal_move = set enemies to count enemy piece,
             add 1 to clock,
             either king_move or queen_move or rook_move or bishop_move or knight_move or pawn_move,
             not king_attacked,
             try [ check count enemy piece < enemies, set clock to 0 ],
             try [ check count enemy piece = 1, not as enemy baring, win "bare king" ].
baring = check count enemy piece = 2, find own king, alldir, step, points at enemy piece, not points at enemy king.
king_move = find own king, pickup, alldir, step, not points at own piece, putdown.
queen_move = find own queen, pickup, diagonal, step, not points at own piece, putdown.
bishop_move = find own bishop, pickup, diagonal, step, step, not points at own piece, putdown.
rook_move = find own rook, pickup, orthogonal, slide, not points at own piece, putdown.
pawn_move = find own pawn, set clock to 0, either push or pawn_capture.
promote = try [ in last_row, replace by own queen ].
attacked = either [ orthogonal, slide, points at enemy rook ]
           or [ diagonal, step, either points at enemy queen or [ step, points at enemy bishop ] ]
           or [ orthogonal, step, either rotate 45 or rotate -45, step, points at enemy knight ]
           or [ forward, either rotate 45 or rotate -45, step, points at enemy pawn ]
           or [ alldir, step, points at enemy king ].

counts { start 16 256 4176 }

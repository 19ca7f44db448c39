# Gardner's minichess, 5 x 5: no double step, no castling.
based on "../../../../rules/multigame/programs/chess.mg"
dimensions (5,5)
start white
{
  "rnbqk"
  "ppppp"
  "....."
  "PPPPP"
  "RNBQK"
}
zones { last_row white (a5 .. e5) black (a1 .. e1) }
text { board side 'w' 'b' word "-" word "-" number clock moves }
legal_move = set enemies to count enemy piece,
             add 1 to clock,
             either king_move or queen_move or rook_move or bishop_move or knight_move or pawn_move,
             not king_attacked,
             try [ check count enemy piece < enemies, set clock to 0 ].
king_move = find own king, pickup, alldir, step, not points at own piece, putdown.
rook_move = find own rook, pickup, orthogonal, slide, not points at own piece, putdown.
pawn_move = find own pawn, set clock to 0, either push or pawn_capture.

counts { start 7 53 506 }

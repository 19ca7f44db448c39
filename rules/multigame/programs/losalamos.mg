# Los Alamos chess (1956): 6 x 6, no bishops, no castling, no double step of pawns.
based on "chess.mg"

dimensions (6,6)

start white
{
  "rnqknr"
  "pppppp"
  "......"
  "......"
  "PPPPPP"
  "RNQKNR"
}

zones { last_row white (a6 .. f6) black (a1 .. f1) }

variables
{
  number each short = 0
  number each long = 0
}

legal_move = set enemies to count enemy piece,
             add 1 to clock,
             either king_move or queen_move or rook_move or knight_move or pawn_move,
             not king_attacked,
             try [ check count enemy piece < enemies, set clock to 0 ].

rook_move = find own rook, pickup, orthogonal, slide, not points at own piece, putdown.

pawn_move = find own pawn, set clock to 0, either push or pawn_capture.

promote = try [ in last_row,
                either replace by own queen or replace by own rook or replace by own knight ].

counts { start 10 100 1212 14332 }

# Antichess (giveaway): captures are compulsory, the king is a piece like others,
# and who has nothing left to move has won.
based on "chess.mg"

variables
{
  number each short = 0
  number each long = 0
}

main = try [ check clock < 100, turn ]
       else try [ test turn, draw "fifty moves" ]
       else win "nothing left to move".

turn = try [ any_move, check count enemy piece < enemies, set clock to 0 ]
       else any_move.

any_move = set enemies to count enemy piece,
           add 1 to clock,
           either king_move or queen_move or rook_move or bishop_move or knight_move or pawn_move.

promote = try [ in last_row,
                either replace by own queen or replace by own rook or replace by own bishop
                or replace by own knight or replace by own king ].

counts
{
  start 20 400 8067 153299
}

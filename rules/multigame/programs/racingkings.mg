# Racing kings: no check may be given, and the first king on the last row wins.  Where White is there first and
# Black's king follows with the next move, the game is drawn.
based on "chess.mg"

start white
{
  "........"
  "........"
  "........"
  "........"
  "........"
  "........"
  "krbnNBRK"
  "qrbnNBRQ"
}

zones
{
  goal       (a8 .. h8)
  all_first  white (a1 .. h8)  black (a1)
}

variables
{
  number each short = 0
  number each long = 0
}

legal_move = base legal_move, not as enemy king_attacked, judge.

judge = try [ test arrived,
              try [ test is_second,
                    try [ test as enemy arrived, draw "both reached the last row" ]
                    else win "reached the last row" ]
              else try [ not as enemy arrival, win "reached the last row" ] ]
        else try [ test is_second, test as enemy arrived, lose "reached the last row" ].

arrived = find own king, in goal.

arrival = king_move, in goal, not king_attacked, not as enemy king_attacked.

# the first side has no piece outside its zone, the second side has one
is_second = find any piece, not in all_first.

counts { start 21 421 11264 296242 }

# Horde: White has 36 pawns and no king, and loses with the last piece; pawns of the first row may go two fields.
based on "chess.mg"

start white
{
  "rnbqkbnr"
  "pppppppp"
  "........"
  ".PP..PP."
  "PPPPPPPP"
  "PPPPPPPP"
  "PPPPPPPP"
  "PPPPPPPP"
}

zones { first_row white (a1 .. h1) black (a8 .. h8) }

setup = set own short to 0, set own long to 0.

legal_move = base legal_move,
             try [ check count enemy piece = 0, win "all pieces taken" ].

double_push = either base double_push or first_push.

# no pawn may be taken in passing behind it
first_push = in first_row, pickup, forward, repeat 2 times [ step, points at empty field ], putdown.

counts { start 8 128 1274 23310 }

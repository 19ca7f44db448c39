# Knightmate: the king moves as a knight, and in the knights' places stand men that move as a king does.
based on "chess.mg"

pieces { knight 'M' 'm' }

start white
{
  "rmbqkbmr"
  "pppppppp"
  "........"
  "........"
  "........"
  "........"
  "PPPPPPPP"
  "RMBQKBMR"
}

knight_move = find own knight, pickup, alldir, step, not points at own piece, putdown.

king_move = find own king,
            set own short to 0,
            set own long to 0,
            pickup,
            orthogonal,
            step,
            either rotate 45 or rotate -45,
            step,
            not points at own piece,
            putdown.

attacked = either [ orthogonal, slide, either points at enemy rook or points at enemy queen ]
           or     [ diagonal, slide, either points at enemy bishop or points at enemy queen ]
           or     [ orthogonal, step, either rotate 45 or rotate -45, step, points at enemy king ]
           or     [ forward, either rotate 45 or rotate -45, step, points at enemy pawn ]
           or     [ alldir, step, points at enemy knight ].

counts { start 18 324 6765 139774 }

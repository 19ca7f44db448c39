# Hexapawn (Gardner): pawns on 3 x 3; who reaches the other side, or whose opponent cannot move, wins.
dimensions (3, 3)

pieces { pawn 'P' 'p' }

start white
{
  "ppp"
  "..."
  "PPP"
}

zones { goal white (a3 .. c3) black (a1 .. c1) }

text { board side 'w' 'b' }

counts { start 3 10 28 56 70 64 20 }

main = try move else lose "no move".

move = find own pawn,
       pickup,
       either [ forward, step, points at empty field ]
       or [ forward, either rotate -45 or rotate 45, step, points at enemy pawn ],
       putdown,
       try [ in goal, win "arrived" ].

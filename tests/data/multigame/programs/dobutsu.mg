# Dobutsu shogi, 3 x 4: lion, giraffe, elephant, chick; a lion on the last row wins if it is safe there.
dimensions (3,4)
pieces { lion 'L' 'l' giraffe 'G' 'g' elephant 'E' 'e' chick 'C' 'c' hen 'H' 'h' }
start white { "gle" ".c." ".C." "ELG" }
zones { far white (a4 .. c4) black (a1 .. c1) }
variables { number each giraffes = 0 number each elephants = 0 number each chicks = 0 }
text { board side 'w' 'b' number giraffes number elephants number chicks moves }
repetition 3 draw
main = try [ test as enemy [ find own lion, in far ], lose "try" ]
       else try turn else lose "no move".
turn = either shift or drop.
shift = either [ find own lion, pickup, alldir, arrive ]
        or [ find own giraffe, pickup, orthogonal, arrive ]
        or [ find own elephant, pickup, diagonal, arrive ]
        or [ find own chick, pickup, forward, arrive, try [ in far, replace by own hen ] ]
        or [ find own hen, pickup, either orthogonal or [ forward, either rotate 45 or rotate -45 ], arrive ].
arrive = step, not points at own piece,
         try [ points at enemy lion, win "lion taken" ]
         else try [ points at enemy giraffe, add 1 to own giraffes ]
         else try [ points at enemy elephant, add 1 to own elephants ]
         else try [ either points at enemy chick or points at enemy hen, add 1 to own chicks ],
         putdown.
drop = find empty field,
       either [ check own giraffes > 0, add -1 to own giraffes, write "G@", write field, replace by own giraffe ]
       or [ check own elephants > 0, add -1 to own elephants, write "E@", write field, replace by own elephant ]
       or [ check own chicks > 0, add -1 to own chicks, write "C@", write field, replace by own chick ].

# Three-check: chess, and the third check wins.
based on "chess.mg"

variables { number each checks = 3 }      # still to be given

text { board side 'w' 'b' flags short 'K' 'k', long 'Q' 'q' field ep number checks number clock moves }

legal_move = base legal_move,
             try [ test as enemy king_attacked,
                   add -1 to own checks,
                   try [ check own checks = 0, win "third check" ] ].

counts { start 20 400 8902 197281 }

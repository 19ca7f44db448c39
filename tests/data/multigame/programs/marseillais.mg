# Marseillais: two moves a turn, but one on the first turn or after a check.
based on "../../../../rules/multigame/programs/chess.mg"
variables { number left = 1 }
text { board side 'w' 'b' flags short 'K' 'k', long 'Q' 'q' field ep number left number clock moves }
legal_move = base legal_move,
             try [ check left = 2, not as enemy king_attacked, set left to 1, again ] else set left to 2.

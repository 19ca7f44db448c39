# Reversi on 6 x 6: the rules of othello on fewer fields.
based on "../../../../rules/multigame/programs/othello.mg"
dimensions (6,6)
start black { "......" "......" "..OX.." "..XO.." "......" "......" }
sides "White" "Black"
counts { start 4 12 56 244 1364 }

# King of the hill: chess, and a king that reaches one of the four middle fields has won.
based on "chess.mg"

zones { hill (d4 .. e5) }

legal_move = base legal_move,
             try [ check count own king in hill > 0, win "king of the hill" ].

counts
{
  start 20 400 8902 197281
}

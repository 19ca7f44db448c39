# A backgammon of six points and three men, two dice: each man moves by one die; the sides move against each other.
# Dice are thrown behind the move; the roll is part of the position.
dimensions (6,1)
pieces { one 'a' 'A' two 'b' 'B' three 'c' 'C' }
start white { "b....B" }
variables
{
  number each bar = 1
  number each off = 0
  number die1 = 0  number die2 = 0
  local number pips
  silent number clock = 0
}
zones { enter white (a1) black (f1) }
sides "Ivory" "Ebony"
text { board side 'i' 'e' number die1 number die2 number bar number off number clock moves }
setup = roll.
roll = random either 1 : [ write "/1", set die1 to 1 ] or 1 : [ write "/2", set die1 to 2 ] or 1 : [ write "/3", set die1 to 3 ],
       random either die1 : [ write "1", set die2 to 1 ] or 2 : [ write "2", set die2 to 2 ].
main = try [ check clock < 60, turn ] else draw "long".
turn = add 1 to clock,
       try play else [ write "no", set die1 to 0, set die2 to 0, pass ],
       either [ check die1 + die2 > 0, write ",", again ]
       or [ check die1 + die2 = 0, not_won, roll ]
       or [ check die1 + die2 = 0, check own off = 3, write "!", win "all off" ].
not_won = check own off < 3.
play = either [ check die1 > 0, set pips to die1, set die1 to 0, write "d1", move ]
       or [ check die2 > 0, not [ check die1 = die2 ], set pips to die2, set die2 to 0, write "d2", move ].
move = try [ check own bar > 0, add -1 to own bar, write "b", as_side, from_bar ]
       else [ find own piece, write field, less, as_side, run ].
as_side = forward, rotate 90.
less = either [ points at own one, replace by empty field ] or [ points at own two, replace by own one ] or [ points at own three, replace by own two ].
more = either [ points at empty field, replace by own one ] or [ points at own one, replace by own two ] or [ points at own two, replace by own three ]
       or [ points at enemy one, replace by own one, add 1 to enemy bar, write "*" ].
from_bar = either find any piece or find empty field, in enter, add -1 to pips, run.
run = either [ check pips = 0, more ] or [ check pips > 0, step, add -1 to pips, run ]
      or [ check pips > 0, not step, check own bar = 0, add 1 to own off, write "off" ].

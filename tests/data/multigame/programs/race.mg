# A race up and down a column of 12 with a coin of two sides: one man each; a hit sends nobody back, it wins.
dimensions (1,12)
pieces { man 'A' 'B' }
start white { "B" "." "." "." "." "." "." "." "." "." "." "A" }
zones { goal white (a12) black (a1) }
variables { silent number clock = 0 }
main = try [ check clock < 60, either walk or rest ] else draw "long".
rest = write "rest", add 1 to clock, pass.
walk = add 1 to clock, write "go",
       random either 2 : [ write "1", take_man, try step, arrive ] or 1 : [ write "2", take_man, try step, try step, arrive ] or 0 : pass.
take_man = find own man, pickup, forward.
arrive = either [ points at enemy man, putdown, win "hit" ] or [ not points at enemy man, putdown, try [ in goal, win "home" ] ].

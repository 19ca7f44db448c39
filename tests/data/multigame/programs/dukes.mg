# PDN squares of three kinds, then a word, flags, a field and numbers of every form; volatile and silent variables, names numbered with gaps.
dimensions (5,4)
fields { "#-#-#" "-#-#-" "#-#.#" "##-##" }
names numbered
pieces { man 'o' 'x' king 'O' 'X' duke '$' '%' }
start black { "x.%.x" ".x..." "....o" "o$.o." }
variables { number each left = 2 number flag = 1 number each short volatile field hot silent number clock = 0 number debt = -3 }
text { squares 'L' 'D' king 'K' duke 'Z' word "::" flags short 'a' 'b', flag 'f' field hot number left number clock moves number debt }
main = try [ check clock < 30, move ] else try [ test move, draw "thirty" ] else lose "no move".
move = add 1 to clock, either walk or drop or [ check own short = 0, set own short to 1, set flag to 0, pass ], add 1 to debt.
walk = find own piece, alldir, try [ points at own man, not [ test back ] ], mark hot,
   pickup, repeat 1 .. 2 times [ step, points at empty field ], putdown,
   try [ at hot, draw ] ,
   try [ as enemy [ in home ], replace by own king, set clock to 0 ].
back = rotate 180, in home.
zones { home white (a1 .. e1) black (a4 .. e4) }
drop = check own left > 0, find empty field, not in enemy home, replace by own duke, add -1 to own left, set clock to 0,
   write "D*", write field.

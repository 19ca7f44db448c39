# Every construct once more in odd places: as enemy in as enemy, tests in repeats, base-free recursion, random in a called rule.
dimensions (4,4)
pieces { mark 'X' 'O' rock '%' lord 'L' 'l' }
fields { "####" "#--#" "#-.#" "####" }
start black { "L..l" "X..O" "%..O" "X..." }
zones { gate white (a4, d4) black (a1, d1) ring (a1 .. d1, d2 .. d4, a4 .. c4, a2, a3) }
variables { field each home volatile field last local field each tmp number each gold = -2 silent number each t = 5 number flagged }
main = try either walk or bet else try [ as enemy [ as enemy test walk, pass ] ] else lose "stalemate".
walk = find own piece, write field, mark own tmp, write piece, pickup,
       repeat 1 .. 2 times [ either orthogonal or [ diagonal, rotate 45 ], step, not points at own piece ],
       not at own tmp, as enemy [ not at own tmp, try [ in gate, add 1 to own gold ] ],
       putdown, write field, write piece, mark own home, mark last,
       try [ goto enemy home, points at own piece, forget enemy home, add -1 to enemy gold, set own t to own t - enemy t ],
       try [ check own gold - enemy gold > 1, win "gold" ] else try [ check count enemy piece = 0, as enemy lose "bare" ].
bet = check count own mark in ring > 1, check own t > 0, write "bet", add -1 to own t, set flagged to 1,
      random either own t : [ write "a", pass ] or count rock : [ write "b", find rock, replace by enemy mark ] or count own lord in gate : [ write "c", pass, again ].

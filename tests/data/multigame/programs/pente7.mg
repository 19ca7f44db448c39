# Pente, 7 x 7: five in a line, or three pairs taken between two stones. A stone that goes between two is safe.
dimensions (7,7)
pieces { stone 'X' 'O' }
variables { number each pairs = 0 local field home }
sides "Cross" "Nought"
text { board side 'x' 'o' number pairs }
main = try place else draw "full".
place = find empty field, write field, replace by own stone, mark home,
        north, repeat 8 times [ try take, goto home, rotate 45 ],
        try [ either check own pairs >= 3 or [ check own pairs < 3, test five ], win ].
take = repeat 2 times [ step, points at enemy stone ], step, points at own stone,
       rotate 180, repeat 2 times [ step, remove ], rotate 180, add 1 to own pairs.
five = alldir, repeat 0 .. 4 times theirs, rotate 180, repeat 4 times theirs.
theirs = step, points at own stone.

counts { start 49 2352 "3O3/2X4/1XO1XX1/2XO3/1OX1OO1/2X1O2/7 x 2+1" 35 1190 39319 }

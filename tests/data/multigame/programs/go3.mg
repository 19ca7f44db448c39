# Go on 3 x 4 with captures by marking, no suicide, positional superko as "the third occurrence loses"; two passes count the board's stones.
dimensions (3,4)
pieces { stone 'B' 'W' dead '*' }
sides "Black" "White"
variables { number passed = 0 local field at_hand local number caught }
text { board side 'b' 'w' number passed moves }
repetition 2 lose
main = either try [ check passed = 2, count_up ] else play or [ check passed < 2, write "pass", add 1 to passed, pass ].
count_up = either [ check count own stone > count enemy stone, win "more stones" ]
           or [ check count own stone < count enemy stone, lose "fewer stones" ] or [ check count own stone = count enemy stone, draw "equal" ].
play = find empty field, write field, replace by own stone, mark at_hand, set passed to 0, set caught to 0,
       north, repeat 4 times [ try [ take, goto at_hand ], goto at_hand, rotate 90 ],
       test breathes.
take = step, points at enemy stone, not as enemy breathes, clear_group.
breathes = spread [ orthogonal, step, points at own stone ], orthogonal, step, points at empty field.
clear_group = points at enemy stone, remove, add 1 to caught, try_dir.
try_dir = north, repeat 4 times [ try [ test [ step, points at enemy stone ], deeper ], rotate 90 ].
deeper = step, clear_one, rotate 180, step, rotate 180.
clear_one = points at enemy stone, remove, add 1 to caught, around.
around = repeat 4 times [ try [ step, points at enemy stone, clear_one, rotate 180, step, rotate 180 ], rotate 90 ].

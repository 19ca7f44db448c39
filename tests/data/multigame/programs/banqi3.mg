# Covered pieces on 3 x 3, small dark chess: a tiger takes a wolf, a wolf a mouse, a mouse a tiger; turned up by chance.
dimensions (3,3)
pieces { tiger 'T' 't' wolf 'W' 'w' mouse 'M' 'm' covered '?' stone '%' }
start white { "???" "?%?" "???" }
variables { number each tigers = 1 number each wolves = 1 number each mice = 2 silent number clock = 0 local number before }
repetition 3 draw
main = try [ check clock < 20, turn ] else try [ test turn, draw "long" ] else lose "no move".
turn = either flip or [ set before to count enemy piece, add 1 to clock, shift,
                        try [ check count enemy piece < before, set clock to 0, try [ check count enemy piece = 0, check count covered = 0, win "all taken" ] ] ].
flip = find covered, write field, set clock to 0,
       random either own tigers : [ replace by own tiger, write piece, add -1 to own tigers ]
       or own wolves : [ replace by own wolf, write piece, add -1 to own wolves ]
       or own mice : [ replace by own mouse, write piece, add -1 to own mice ]
       or enemy tigers : [ replace by enemy tiger, write piece, add -1 to enemy tigers ]
       or enemy wolves : [ replace by enemy wolf, write piece, add -1 to enemy wolves ]
       or enemy mice : [ replace by enemy mouse, write piece, add -1 to enemy mice ].
shift = either [ find own tiger, move_to, either points at empty field or points at enemy wolf ]
        or [ find own wolf, move_to, either points at empty field or points at enemy mouse ]
        or [ find own mouse, move_to, either points at empty field or points at enemy tiger ], putdown.
move_to = pickup, orthogonal, step.

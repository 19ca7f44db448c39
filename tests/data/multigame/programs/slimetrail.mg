# Slimetrail, 5 x 5: both move the snail to a field beside it, and what it leaves is slime. Each side has a corner.
dimensions (5,5)
pieces { snail '@' slime '~' }
start { "....." "...@." "....." "....." "....." }
zones { home white (e1) black (a5) }
main = try crawl else lose "stuck".
crawl = find snail, replace by slime, alldir, step, points at empty field, write field, replace by snail,
        either [ in home, win "home" ] or [ in enemy home, lose "the other's home" ]
        or [ not in home, not in enemy home ].

counts { start 8 39 191 826 3368 12772 }

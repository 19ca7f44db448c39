dimensions (3,3)
pieces { man 'W' 'B' }
main = try take else pass.
take = find own man,
       pickup, alldir, try [ step, points at empty field, putdown ].

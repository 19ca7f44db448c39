# Chance gives nothing where a weight says that it may.
dimensions (2,2)
pieces { man 'W' 'B' }
start white { "BB" "W." }
main = find own man, write "go",
       random either 1 : [ east, step, points at enemy man, pass ]
       or 2 : pass.

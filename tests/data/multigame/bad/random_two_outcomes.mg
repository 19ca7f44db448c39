# Of equal weight, one alternative has two outcomes and the other none: the sum would not show it.
dimensions (2,2)
pieces { man 'W' 'B' king 'K' 'k' }
start white { "B." "WW" }
main = write "go",
       random either 1 : [ find own man, remove ]
       or 1 : [ find own king, remove ].

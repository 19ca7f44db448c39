# Two decisions of one name: nobody could say which is meant.
dimensions (2,2)
pieces { man 'W' 'B' }
start white { "BB" "WW" }
main = find own man, write "go",
       random either 1 : [ write field, remove ] or 1 : [ write field, write "b", pass ].

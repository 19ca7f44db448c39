# Amazons on 6 x 6: move a queen, then shoot an arrow.
dimensions (6,6)
pieces { queen 'Q' 'q' arrow '#' }
start white { "..q..." "......" "q....Q" "......" "......" "...Q.." }
text { board side 'w' 'b' moves }
main = try turn else lose "no move".
turn = find own queen, write field, pickup, ray, putdown, write field,
       ray, write "/", write field, replace by arrow.
ray = alldir, repeat 1 .. infinity times [ step, points at empty field ].

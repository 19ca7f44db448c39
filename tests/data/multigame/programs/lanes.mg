# A race of two men a side in lanes: dice in setup and behind each move, in layers, with outcomes that are equal or without a name; a three moves again.
dimensions (8,2)
pieces { tok 'A' 'B' safe '+' }
fields { "########" "########" }
start white { "B.B....." "A.A....." }
variables { number die local number k silent number age }
zones { end white (h1) black (h2) }
text { board side 'a' 'b' number die }
setup = throw.
throw = random either 1 : set die to 1 or 1 : set die to 1 or age : [ set die to 3, write "/3" ] or 1 : [ random either 1 : [ set die to 2, write "/2" ] or count own tok : [ set die to 1 ] ].
main = try [ check age < 30, turn ] else draw "age".
turn = add 1 to age, try run else [ write "pass", pass ], try [ test [ check count own tok in end > 0 ], win "end" ] else [ try [ check die = 3, again ], throw ].
run = set k to die, find own tok, write field, pickup, east, ahead, putdown, write "-", write field.
ahead = repeat 1 .. 3 times [ step, add -1 to k ], check k = 0, not points at own tok.

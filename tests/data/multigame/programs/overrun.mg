# Overrun: breakthrough on 6 x 6 in which a capture is compulsory and gives another turn.
based on "../../../../rules/multigame/programs/breakthrough.mg"
dimensions (6,6)
start white { "pppppp" "pppppp" "......" "......" "PPPPPP" "PPPPPP" }
zones { goal white (a6 .. f6) black (a1 .. f1) }
text { board side 'w' 'b' moves }
variables { local number theirs }
main = set theirs to count enemy man,
       either [ test capture, capture ] or [ not capture, base main ].
capture = base advance, check count enemy man < theirs, try [ check count enemy man = 0, win "all taken" ], again.

counts { start 16 256 3060 31808 }

# Six men's morris.
based on "../../../../rules/multigame/programs/morris.mg"
dimensions (5,5)
fields { "#-#-#" "-###-" "##.##" "-###-" "#-#-#" }
variables { number each in_hand = 6 }
turn = add 1 to clock,
       either place or [ check own in_hand = 0, find own man, mark origin, pickup, orthogonal, step, points at empty field, putdown ],
       try [ test in_mill, set clock to 0, take ].

counts { start 16 240 3360 }

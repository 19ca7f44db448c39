# Pig: throw a die as often as you like; a one loses the turn's score. 30 wins.
dimensions (1,1)
pieces { mark 'X' 'O' }
variables { number each score = 0 number turn = 0 }
text { board side 'a' 'b' number score number turn }
main = either roll or hold.
roll = write "roll",
       random either 1 : [ write "1", set turn to 0, pass ]
       or 1 : [ write "2", add 2 to turn, pass, again ]
       or 1 : [ write "3", add 3 to turn, pass, again ]
       or 1 : [ write "4", add 4 to turn, pass, again ]
       or 1 : [ write "5", add 5 to turn, pass, again ]
       or 1 : [ write "6", add 6 to turn, pass, again ].
hold = check turn > 0, write "hold", add turn to own score, set turn to 0, pass,
       try [ check own score >= 30, win "thirty" ].

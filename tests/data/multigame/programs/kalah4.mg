# Kalah with four pits and two stones each, all in variables: pits a to d, store s.  Own last stone in the store: again.
dimensions (1,1)
pieces { dummy 'x' 'y' }
sides "South" "North"
variables
{
  number each a = 2 number each b = 2 number each c = 2 number each d = 2 number each s = 0
  local number n
}
text { board side 's' 'n' number a number b number c number d number s }
main = try [ check own a + own b + own c + own d > 0, check enemy a + enemy b + enemy c + enemy d > 0, turn ]
       else try [ check own s + own a + own b + own c + own d > enemy s + enemy a + enemy b + enemy c + enemy d, win "more stones" ]
       else try [ check own s + own a + own b + own c + own d < enemy s + enemy a + enemy b + enemy c + enemy d, lose "fewer stones" ]
       else draw "as many".
turn = either [ check own a > 0, write "a", set n to own a, set own a to 0, from_b ]
       or [ check own b > 0, write "b", set n to own b, set own b to 0, from_c ]
       or [ check own c > 0, write "c", set n to own c, set own c to 0, from_d ]
       or [ check own d > 0, write "d", set n to own d, set own d to 0, from_s ],
       pass.
from_a = try [ check n > 0, add 1 to own a, add -1 to n, try [ check n = 0, check own a = 1, check enemy d > 0, add enemy d + 1 to own s, set own a to 0, set enemy d to 0, write "x" ], from_b ].
from_b = try [ check n > 0, add 1 to own b, add -1 to n, try [ check n = 0, check own b = 1, check enemy c > 0, add enemy c + 1 to own s, set own b to 0, set enemy c to 0, write "x" ], from_c ].
from_c = try [ check n > 0, add 1 to own c, add -1 to n, try [ check n = 0, check own c = 1, check enemy b > 0, add enemy b + 1 to own s, set own c to 0, set enemy b to 0, write "x" ], from_d ].
from_d = try [ check n > 0, add 1 to own d, add -1 to n, try [ check n = 0, check own d = 1, check enemy a > 0, add enemy a + 1 to own s, set own d to 0, set enemy a to 0, write "x" ], from_s ].
from_s = try [ check n > 0, add 1 to own s, add -1 to n, try [ check n = 0, again, write "+" ] else as enemy far_a ].
far_a = try [ check n > 0, add 1 to own a, add -1 to n, far_b ].
far_b = try [ check n > 0, add 1 to own b, add -1 to n, far_c ].
far_c = try [ check n > 0, add 1 to own c, add -1 to n, far_d ].
far_d = try [ check n > 0, add 1 to own d, add -1 to n, as enemy from_a ].

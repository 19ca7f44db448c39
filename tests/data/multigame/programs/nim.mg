# Nim with heaps of 3, 4 and 5: the last to take wins.
dimensions (1,1)
pieces { mark 'X' 'O' }
variables { number a = 3 number b = 4 number c = 5 }
main = try turn else lose "nothing left".
turn = either [ write "a", repeat 1 .. 3 times [ check a > 0, add -1 to a, write "-" ] ]
       or [ write "b", repeat 1 .. 4 times [ check b > 0, add -1 to b, write "-" ] ]
       or [ write "c", repeat 1 .. 5 times [ check c > 0, add -1 to c, write "-" ] ], pass.

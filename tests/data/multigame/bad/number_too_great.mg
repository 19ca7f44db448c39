dimensions (3,3)
pieces { man 'W' 'B' }
variables { number n = 999999999 }
main = add 2 to n, pass.

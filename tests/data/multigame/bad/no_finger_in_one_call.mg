dimensions (3,3)
pieces { man 'W' 'B' }
main = either walk or [ find own man, walk ].
walk = north, step, remove.

dimensions (4,4)
pieces { man 'W' 'B' }
start white { ".BB." "...." "...." ".WW." }
main = find own man, test wander, remove.
wander = forward, step, backward, step,
         test wander.

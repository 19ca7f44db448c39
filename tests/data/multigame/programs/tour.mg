# Knight's tour on 5 x 5.
dimensions (5,5)
players 1
pieces { knight 'N' seen '*' }
start { "....." "....." "....." "....." "N...." }
main = try hop else try [ check count empty field = 0, win "all seen" ] else lose "stuck".
hop = find knight, replace by seen, orthogonal, step, either rotate 45 or rotate -45, step, points at empty field, replace by knight, write field.

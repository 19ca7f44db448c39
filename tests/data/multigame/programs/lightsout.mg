# Lights out on 4 x 4 for one.
dimensions (4,4)
players 1
pieces { lamp '*' }
start { "*..*" ".**." ".**." "*..*" }
main = try [ check count lamp = 0, win "dark" ] else press.
press = either find lamp or find empty field, write field, north,
        flip, repeat 4 times [ try [ step, flip, rotate 180, step, rotate 180 ], rotate 90 ].
flip = try [ points at lamp, remove ] else replace by lamp.

# Konane on 4 x 4: each side takes one stone away, then all moves are jumps along one line.
dimensions (4, 4)

pieces { stone 'X' 'O' }

start
{
  "XOXO"
  "OXOX"
  "XOXO"
  "OXOX"
}

zones { middle (b2 .. c3) }

variables { number each opened }

sides "Black" "White"

text { board side 'b' 'w' number opened }

counts { start 2 8 12 40 92 296 820 2340 }

main = try [ check own opened = 0, open ]
       else try [ check own opened = 1, jumps ]
       else lose "no move".

open = find own stone,
       either [ check enemy opened = 0, in middle ]
       or [ check enemy opened = 1, test [ orthogonal, step, points at empty field ] ],
       remove,
       set own opened to 1.

jumps = find own stone,
        pickup,
        orthogonal,
        repeat 1 .. infinity times hop,
        putdown.

hop = step,
      points at enemy stone,
      remove,
      step,
      points at empty field.

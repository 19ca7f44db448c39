# Atari go on 5 x 5: who takes a stone first wins; no suicide, and no pass.
dimensions (5, 5)

pieces { stone 'B' 'W' }

sides "Black" "White"

text { board side 'b' 'w' }

main = try place else draw "no move".

place = find empty field,
        replace by own stone,
        try take else test alive.

take = test [ orthogonal, step, points at enemy stone, as enemy dead ],
       win "a capture".

alive = spread [ orthogonal, step, points at own stone ],
        orthogonal,
        step,
        points at empty field.

dead = not alive.

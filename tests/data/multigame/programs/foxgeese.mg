# Fox and geese on the cross: the fox (first) jumps, thirteen geese never move back.
dimensions (7, 7)

fields
{
  "..###.."
  "..###.."
  "#######"
  "#######"
  "#######"
  "..###.."
  "..###.."
}

pieces { fox 'F' 'f' goose 'G' 'g' }

start black
{
  "..ggg.."
  "..ggg.."
  "ggggggg"
  "......."
  "...F..."
  "......."
  "......."
}

sides "Fox" "Geese"

repetition 3 draw

main = try move
       else try [ test find own fox, lose "shut in" ]
       else lose "no move".

move = either [ find own fox, write field, either [ orthogonal, slide ] or [ jump, end ] ]
       or [ find own goose, write field, either south or east or west, slide ].

slide = pickup, step, points at empty field, putdown, write field.

jump = orthogonal,
       pickup,
       step,
       points at enemy goose,
       remove,
       step,
       points at empty field,
       putdown,
       write field,
       try jump.

end = try [ check count enemy goose < 6, win "too few geese" ].

# Clobber on 5 x 6: a stone takes a neighbouring stone of the other side; who cannot take loses.
dimensions (5,6)

pieces { stone 'P' 'p' }

start white
{
  "PpPpP"
  "pPpPp"
  "PpPpP"
  "pPpPp"
  "PpPpP"
  "pPpPp"
}

text { board side 'w' 'b' word "-" word "-" word "0" moves }

main = try clobber else lose "no move".

clobber = find own stone, pickup, orthogonal, step, points at enemy stone, putdown.

counts { start 49 2116 80063 2630382 }

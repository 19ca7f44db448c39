# Minixiangqi (S. Kobayashi, 1973): 7 x 7, no advisors and elephants, no river: soldiers go sideways from the start.
based on "xiangqi.mg"

dimensions (7,7)

pieces { general 'K' 'k' }

start white
{
  "rcnkncr"
  "p.ppp.p"
  "......."
  "......."
  "......."
  "P.PPP.P"
  "RCNKNCR"
}

zones { palace white (c1 .. e3) black (c5 .. e7) }

legal_move = set enemies to count enemy piece,
             add 1 to clock,
             either general_move or horse_move or chariot_move or cannon_move or soldier_move,
             not general_attacked,
             try [ check count enemy piece < enemies, set clock to 0 ].

soldier_move = find own soldier, pickup, either forward or east or west, step, arrive.

counts { start 19 331 6664 127164 }

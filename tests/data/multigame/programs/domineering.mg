# Domineering 6 x 6: White lays dominoes upright, Black across; who cannot lay loses.
dimensions (6,6)
pieces { half 'V' 'H' }
variables { number each upright = 0 }
setup = set own upright to 1.
main = try lay else lose "no room".
lay = find empty field, replace by own half,
      either [ check own upright = 1, north ] or [ check own upright = 0, east ],
      step, points at empty field, replace by own half.

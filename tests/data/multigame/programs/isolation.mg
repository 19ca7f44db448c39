# Isolation on 4 x 5: a king's step, then a field is taken away; who cannot step loses.
dimensions (4, 5)

pieces { king 'K' 'k' hole '*' }

start
{
  ".k.."
  "...."
  "...."
  "...."
  "..K."
}

variables { local field from }

text { board side 'w' 'b' moves }

counts { start 90 7225 593920 }

main = try move else lose "isolated".

move = find own king,
       write field,
       mark from,
       pickup,
       alldir,
       step,
       points at empty field,
       putdown,
       write field,
       find empty field,
       replace by hole,
       write "*",
       write field.

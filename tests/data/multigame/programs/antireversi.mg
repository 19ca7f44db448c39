# Misere reversi on 6 x 6: who has fewer discs at the end wins. A chain of three files.
based on "reversi6.mg"
main = try place
       else try [ as enemy test place, write "-", pass ]
       else try [ check count own disc < count enemy disc, win "fewer discs" ]
       else try [ check count own disc > count enemy disc, lose "more discs" ]
       else draw "as many".
place = base place, try [ check count empty field = 0,
          either [ check count own disc < count enemy disc, win "full, fewer" ]
          or [ check count own disc > count enemy disc, lose "full, more" ]
          or [ check count own disc = count enemy disc, draw "full" ] ].

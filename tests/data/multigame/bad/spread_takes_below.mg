dimensions (3,3)
pieces { man 'W' 'B' }
main = find own man, spread way, remove.
way = east,
      either step or [ find own man, remove ].

dimensions (3,3)
setup = find empty field, replace by own man, win.
pieces { man 'W' 'B' }
main = find own man, remove.

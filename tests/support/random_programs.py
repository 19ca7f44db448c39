#!/usr/bin/env python3
"""Programs of the rules language drawn at random: random_programs.py FOLDER SEED COUNT.

Each is a small board, a few declarations and rules whose statements follow the grammar. Many are
wrong, or have rule errors in play; the others say what nobody would think of saying.
"""
import random
import sys

DIRECTIONS = ("north south east west northeast southwest northwest southeast forward "
              "backward").split()


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.numbers = []  # (name, has one for each side, is local)
        self.places = []   # the same of field variables
        self.zones = []    # (name, has one for each side)
        self.declare()
        self.write_rules()

    def choice(self, options):
        return self.random.choice(options)

    def chance(self, probability):
        return self.random.random() < probability

    def declare(self):
        draw = self.random
        columns, rows = draw.randint(1, 4), draw.randint(1, 4)
        if columns * rows < 3:
            columns = 3
        self.is_lone = self.chance(.08)
        self.lines.append(f"dimensions ({columns}, {rows})")
        if self.is_lone:
            self.lines.append("players 1")
        self.owned = ["man", "king"] if self.chance(.7) else ["man"]
        self.has_wall = self.chance(.4)
        kinds = ["man 'M' 'm'"] + (["king 'K' 'k'"] if "king" in self.owned else [])
        kinds += ["wall '*'"] if self.has_wall else []
        self.lines.append("pieces { " + " ".join(kinds) + " }")
        self.grid = [["#"] * columns for _ in range(rows)]
        if self.chance(.4):
            self.grid = [draw.choices("#-.", [8, 1, 1], k=columns) for _ in range(rows)]
            self.grid[0][0] = "#"
            self.lines.append("fields { " + self.picture(lambda cell: cell) + " }")
        letters = ".....MmMm" + ("Kk" if "king" in self.owned else "")
        letters += "*" if self.has_wall else ""
        first = "" if self.is_lone else self.choice(["", "white ", "black "])
        start = self.picture(lambda cell: self.choice(letters) if cell == "#" else ".")
        self.lines.append("start " + first + "{ " + start + " }")
        self.fields = [chr(97 + x) + str(rows - y) for y in range(rows) for x in range(columns)
                       if self.grid[y][x] == "#"]
        self.declare_zones()
        self.declare_variables()
        self.names = draw.choices(["", "numbered", "columns"], [8, 1.5, 0.7])[0]
        if self.names:
            self.lines.append("names " + self.names)
        if self.chance(.35):
            self.declare_text()

    def picture(self, symbol):
        return " ".join('"' + "".join(symbol(cell) for cell in row) + '"' for row in self.grid)

    def declare_zones(self):
        def some():
            count = self.random.randint(1, 3)
            return "(" + ", ".join(self.choice(self.fields) for _ in range(count)) + ")"
        said = []
        if self.chance(.6):
            self.zones.append(("sided", True))
            said.append(f"sided white {some()} black {some()}")
        if self.chance(.4):
            self.zones.append(("shared", False))
            said.append("shared " + some())
        if said:
            self.lines.append("zones { " + " ".join(said) + " }")

    def declare_variables(self):
        said = []
        for name in ["na", "nb", "nc"][:self.random.randint(0, 3)]:
            kind = self.choice(["", "", "silent ", "volatile ", "local ", "silent volatile "])
            each = self.chance(.35)
            value = self.choice(["", " = 1", " = -2", " = 3"])
            said.append(f"{kind}number {'each ' if each else ''}{name}{value}")
            self.numbers.append((name, each, "local" in kind))
        for name in ["fa", "fb"][:self.random.randint(0, 2)]:
            kind = self.choice(["", "volatile ", "local ", "silent "])
            each = self.chance(.3)
            said.append(f"{kind}field {'each ' if each else ''}{name}")
            self.places.append((name, each, "local" in kind))
        if said:
            self.lines.append("variables { " + " ".join(said) + " }")

    def declare_text(self):
        """Always with the side to move: a text that leaves it out is another position."""
        squares = self.names != "columns" and not self.has_wall and self.chance(.25)
        items = ["board"]
        if squares:
            items = ["squares 'W' 'B'" + (" king 'K'" if "king" in self.owned else "")]
        elif not self.is_lone:
            items.append("side 'w' 'b'")
        for name, each, is_local in self.numbers:
            if not is_local and self.chance(.5):
                flag = f"flags {name} 'X'" + (" 'Y'" if each else "")
                items.append(self.choice([f"number {name}", flag]))
        for name, _, is_local in self.places:
            if not is_local and self.chance(.3):
                items.append("field " + name)
        items += ['word "-"'] if self.chance(.3) else []
        items += ["moves"] if self.chance(.4) else []
        self.lines.append("text { " + " ".join(items) + " }")

    def variable(self, of):
        name, each, _ = self.choice(of)
        return (self.choice(["own ", "enemy "]) if each else "") + name

    def zone(self):
        name, is_sided = self.choice(self.zones)
        return (self.choice(["", "own ", "enemy "]) if is_sided else "") + name

    def pattern(self, empty=.25):
        if self.chance(empty):
            return "empty field"
        if self.has_wall and self.chance(.2):
            return self.choice(["any wall", "wall"])
        return self.choice(["own ", "enemy ", "any "]) + self.choice(["piece"] + self.owned)

    def replacement(self):
        if self.chance(.25):
            return "empty field"
        if self.has_wall and self.chance(.2):
            return "wall"
        return self.choice(["own ", "enemy "]) + self.choice(self.owned)

    def expression(self):
        kind = self.random.randint(0, 2)
        if kind == 0 or (kind == 1 and not self.numbers):
            text = str(self.random.randint(-1, 3))
        elif kind == 1:
            text = self.variable(self.numbers)
        else:
            text = "count " + self.pattern(.2)
            if self.zones and self.chance(.3):
                text += " in " + self.zone()
        return text + (self.choice([" + ", " - "]) + self.expression() if self.chance(.2) else "")

    def looks(self):
        """A statement that looks at things or moves the finger."""
        options = ["points at " + self.pattern(), "step", "step", "find " + self.pattern(),
                   self.choice(["orthogonal", "diagonal", "alldir"]), self.choice(DIRECTIONS),
                   "rotate " + str(self.choice([45, 90, -45, 180, -135, 360])),
                   f"check {self.expression()} {self.choice('= <> < <= > >='.split())} "
                   f"{self.expression()}"]
        options += ["in " + self.zone()] if self.zones else []
        options += [self.choice(["at ", "goto "]) + self.variable(self.places)] \
            if self.places else []
        if self.chance(.03):
            return "matches { " + self.picture(
                lambda cell: self.choice("??.Mm") if cell == "#" else ".") + " }"
        return self.choice(options)

    def acts(self):
        options = ["remove", "replace by " + self.replacement(), "pass", "again",
                   self.choice(["win", "draw", "lose", 'win "x y"', 'draw "mate"']),
                   self.choice(['write "q"', "write field", "write piece"])]
        if self.places:
            options.append(self.choice(["mark ", "forget "]) + self.variable(self.places))
        if self.numbers:
            name = self.variable(self.numbers)
            options += [f"set {name} to {self.expression()}", f"add {self.expression()} to {name}"]
        return self.choice(options)

    def statement(self, depth, rule, is_static=False):
        def inner(static=is_static):
            return self.statement(depth - 1, rule, static)

        def several(least, most):
            return "[ " + ", ".join(inner() for _ in range(self.random.randint(least, most))) + " ]"
        if depth == 0 or self.chance(.35):
            return self.looks() if is_static or self.chance(.6) else self.acts()
        kind = self.random.randint(0, 13)
        if kind == 0:
            return "try " + inner()
        if kind == 1:
            return f"try {inner()} else {inner()}"
        if kind in (2, 3):
            return ("test ", "not ")[kind - 2] + inner()
        if kind == 4:
            return "[ either " + " or ".join(inner() for _ in range(2 + self.chance(.5))) + " ]"
        if kind == 5:
            return f"repeat {self.random.randint(0, 3)} times [ {inner()}, step ]"
        if kind == 6:
            least = self.random.randint(0, 1)
            return f"repeat {least} .. {self.random.randint(1, 3)} times [ step, {inner()} ]"
        if kind == 7:
            return (f"repeat {self.random.randint(0, 2)} .. infinity times "
                    f"[ step, points at {self.pattern(.6)} ]")
        if kind == 8:
            return "as enemy " + inner()
        if kind == 9:
            return f"most {self.expression()} : {inner()}"
        if kind == 10:
            return "spread " + self.statement(depth - 1, 99, True)
        if kind == 11 and rule + 1 < self.rules:
            return f"r{self.random.randint(rule + 1, self.rules - 1)}"
        return several(2, 4)

    def write_rules(self):
        self.rules = self.random.randint(1, 4)
        move = self.choice(["r0", f"[ either r0 or r{self.rules - 1} ]"])
        if self.chance(.15):
            # No alternative fails: the reference has no error for a decision without an outcome.
            move = (f"[ {move}, random either {self.random.randint(0, 3)} : "
                    + self.choice(["pass", '[ write "h", pass ]', "again"])
                    + f" or {self.expression()} : "
                    + self.choice(['[ write "t", pass ]', "draw", "[ pass, again ]"]) + " ]")
        if self.chance(.3):
            main = self.choice([f"[ either {move} or draw ]", move])
        else:
            main = f"try {move} else " + self.choice(
                ["draw", 'lose "mate"', "pass", "try pass else lose", "win"])
        self.lines.append(f"main = {main}.")
        for rule in range(self.rules):
            parts = []
            if self.chance(.45):
                parts = ["find own " + self.choice(["piece"] + self.owned), "pickup"]
                parts += [self.looks() for _ in range(self.random.randint(1, 3))] + ["putdown"]
            elif self.chance(.93):
                parts = ["find " + self.choice([self.pattern(), "own man"])]
            parts += [self.statement(3, rule) for _ in range(self.random.randint(1, 4))]
            self.lines.append(f"r{rule} = " + ", ".join(parts) + ".")
        if self.chance(.12):
            self.lines.append("setup = " + self.choice(
                ["find own man, remove", "try [ find empty field, replace by own man ]",
                 "random either 1 : [ find own man, remove ] or 2 : pass"]) + ".")


def main():
    folder, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    for number in range(count):
        with open(f"{folder}/random{seed + number}.mg", "w", encoding="ascii") as file:
            file.write("\n".join(Program(seed + number).lines) + "\n")


main()

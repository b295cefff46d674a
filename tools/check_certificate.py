#!/usr/bin/env python3
"""A second checker of certificates (docs/certificate-format.md), in plain Python.

    python3 tools/check_certificate.py FILE...

It says ACCEPTED or REJECTED of each FILE, with the reason, and keeps all positions in memory.
Exit codes, as of papamu-check: 0 accepted, 1 rejected, 2 bad arguments, 3 a file cannot be read or
the verdict not be written; of several files the largest.
"""

import hashlib
import os
import sys


class Rejected(Exception):
    """Why a certificate is not accepted."""


def require(condition, reason):
    if not condition:
        raise Rejected(reason)


class File:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        require(self.at + count <= len(self.data), "the file is cut off")
        self.at += count
        return self.data[self.at - count : self.at]

    def line(self):
        end = self.data.find(b"\n", self.at)
        require(end >= 0, "the header is cut off")
        line = self.take(end + 1 - self.at)[:-1]
        require(len(line) <= 4096 and all(32 <= byte < 127 for byte in line), "the header is not plain text")
        return line.decode("ascii")

    def item(self, name):
        line = self.line()
        require(line.startswith(name + " "), f"the header says `{line}` where `{name}` should be")
        return line[len(name) + 1 :]


def leb128(data, at):
    number = shift = 0
    while True:
        require(at < len(data) and shift < 64, "a block does not hold its records")
        byte, at = data[at], at + 1
        require(byte != 0 or shift == 0, "a number is not written in the shortest way")
        number, shift = number | (byte & 127) << shift, shift + 7
        if byte < 128:
            require(number < 1 << 64, "a number is beyond 64 bits")
            return number, at


def decimal(text):
    require(text.isdigit() and len(text) < 21 and str(int(text)) == text, f"`{text}` is not a number")
    return int(text)


def read(data):
    """Header items and {position number: move number}."""
    file = File(data)
    require(file.line() == "papamu certificate 1", "it does not begin with `papamu certificate 1`")
    game, root, claim = file.item("game"), file.item("root"), file.item("claim")
    require(claim.endswith(" wins"), "the claim is not that somebody wins")
    budget, count = decimal(file.item("budget")), decimal(file.item("records"))
    require(budget <= 1_000_000, "the budget is too large")
    require(file.line() == "end", "the header does not end with `end`")
    records, last = {}, -1
    while True:
        start = file.at
        size = int.from_bytes(file.take(4), "little")
        if size == 0:
            break
        require(size <= 65536, "a block is too large")
        body = file.take(int.from_bytes(file.take(4), "little"))
        hashed = hashlib.sha256(file.data[start : file.at]).digest()
        require(hashed == file.take(32), "a block does not have its hash")
        position = at = 0
        for _ in range(size):
            step, at = leb128(body, at)
            move, at = leb128(body, at)
            position += step
            require(last < position < 1 << 64, "the records are not in ascending order")
            records[position], last = move, position
        require(at == len(body), "a block holds more than its records")
    hashed = hashlib.sha256(file.data[: file.at]).digest()
    require(hashed == file.take(32), "the file does not have its hash")
    require(file.at == len(data), "the file goes on after its end")
    require(len(records) == count, f"the header claims {count} records, there are {len(records)}")
    return game, root, claim[: -len(" wins")], budget, records


class Konane:
    """Positions are (frozenset of occupied squares, side); squares are (row, column)."""

    def __init__(self, root, winner):
        require(winner in ("black", "white"), f"there is no player `{winner}`")
        self.winner = ("black", "white").index(winner)
        board, _, side = root.partition(" ")
        require(side in ("b", "w"), "the root does not say who is to move")
        lines = board.split("/")
        self.rows, self.cols = len(lines), len(lines[0])
        require(all(len(line) == self.cols for line in lines), "the rows differ in length")
        require(0 < self.rows * self.cols <= 64, "the board is empty or too large")
        self.squares = [(r, c) for r in range(self.rows) for c in range(self.cols)]
        for r, c in self.squares:
            require(lines[r][c] in "." + "xo"[(r + c) % 2], f"`{lines[r][c]}` in row {r + 1} is wrong")
        self.root = frozenset(s for s in self.squares if lines[s[0]][s[1]] != "."), "bw".index(side)
        self.symmetries = []  # for each, the bit of every square's image
        for kind in range(8 if self.rows == self.cols else 4):
            image = {}
            for r, c in self.squares:
                a, b = (c, r) if kind & 4 else (r, c)
                image[r, c] = (self.rows - 1 - a if kind & 2 else a, self.cols - 1 - b if kind & 1 else b)
            if all((sum(s) - sum(t)) % 2 == 0 for s, t in image.items()):
                self.symmetries.append({s: 1 << (t[0] * self.cols + t[1]) for s, t in image.items()})

    def number(self, position):
        return min(sum(map(bits.get, position[0])) for bits in self.symmetries)

    def position(self, number):
        require(number >> len(self.squares) == 0, f"{number} is not a position of this board")
        return frozenset(s for i, s in enumerate(self.squares) if number >> i & 1), self.winner

    def moves(self, position):
        """The positions after all moves, in the order of (from, to)."""
        stones, side = position
        gaps = len(self.squares) - len(stones)
        after = []
        if side == 0 and gaps == 0:
            ends, middle = lambda n: (0, n - 1), lambda n: ((n - 1) // 2, n // 2)
            openings = {(r, c) for rule in (ends, middle) for r in rule(self.rows) for c in rule(self.cols)}
            after = [(s, s, stones - {s}) for s in openings if sum(s) % 2 == 0]
        elif side == 1 and gaps == 1 and sum(gap := next(s for s in self.squares if s not in stones)) % 2 == 0:
            beside = [s for s in stones if abs(s[0] - gap[0]) + abs(s[1] - gap[1]) == 1]
            after = [(s, s, stones - {s}) for s in beside]
        else:
            for r, c in stones:
                if (r + c) % 2 != side:
                    continue
                for dr, dc in ((0, 1), (0, -1), (1, 0), (-1, 0)):
                    taken, step = {(r, c)}, 2
                    while (r + dr * step - dr, c + dc * step - dc) in stones:
                        to = r + dr * step, c + dc * step
                        if to in stones or not (0 <= to[0] < self.rows and 0 <= to[1] < self.cols):
                            break
                        taken.add((r + dr * step - dr, c + dc * step - dc))
                        after.append(((r, c), to, stones - taken | {to}))
                        step += 2
        return [(stones, 1 - side) for _, _, stones in sorted(after, key=lambda move: move[:2])]

    def wins(self, position, left):
        """Whether the winner wins; None if more than left[0] positions are entered."""
        left[0] -= 1
        if left[0] < 0:
            return None
        winners_turn = position[1] == self.winner
        for after in self.moves(position):
            result = self.wins(after, left)
            if result is None or result == winners_turn:
                return result
        return not winners_turn


def check(data):
    game, root, winner, budget, records = read(data)
    require(game == "konane", f"the game `{game}` is not known")
    konane = Konane(root, winner)
    first = [konane.root] if konane.root[1] == konane.winner else konane.moves(konane.root)
    needed = {konane.number(position) for position in first}
    for number, move in records.items():
        position = konane.position(number)
        require(konane.number(position) == number, f"{number} is not the least of its images")
        moves = konane.moves(position)
        require(move < len(moves), f"position {number} has {len(moves)} moves, {move} is not one of them")
        needed.update(konane.number(reply) for reply in konane.moves(moves[move]))
    require(records.keys() <= needed, f"positions {sorted(records.keys() - needed)[:3]} are not needed")
    for number in needed - records.keys():
        require(konane.wins(konane.position(number), [budget]), f"position {number} is needed, not there and not proved")
    return f"{winner} wins {game} {root}: {len(records)} positions checked, {len(needed - records.keys())} searched"


def verdict(path):
    """The exit code of a file and what to say of it."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as problem:
        return 3, f"cannot be read, {problem}"
    try:
        return 0, f"ACCEPTED, {check(data)}"
    except Rejected as problem:
        return 1, f"REJECTED, {problem}"


def main(arguments):
    if "-h" in arguments or "--help" in arguments:
        print(__doc__.strip(), flush=True)
        return 0
    if not arguments or any(argument.startswith("-") for argument in arguments):
        print("check_certificate.py: it takes one FILE or more; see --help", file=sys.stderr)
        return 2
    worst = 0
    for path in arguments:
        code, text = verdict(path)
        print(f"{path}: {text}", flush=True)
        worst = max(worst, code)
    return worst


if __name__ == "__main__":
    try:
        code = main(sys.argv[1:])
    except OSError as problem:
        # Files are read where that can fail, so this is the output.
        print(f"check_certificate.py: cannot write the verdict: {problem}", file=sys.stderr)
        # Otherwise Python tries once more to write it, and has an exit code of its own for that.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 3
    sys.exit(code)

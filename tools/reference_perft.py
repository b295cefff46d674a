#!/usr/bin/env python3
"""A second, naive implementation of the rules: counts move sequences and compares perft files.

Written from the rules alone and sharing nothing with the Rust code: positions are dictionaries
and tuples, moves are tried square by square. Slow, so counts above a limit are left out.

    python3 tools/reference_perft.py data/perft/*.perft [--limit 300000]
"""

import argparse
import pathlib
import re
import sys


def read_rows(text):
    """Board text to {(row, col): letter}, number of rows, number of columns, side letter."""
    board, side = text.split()
    rows = board.split("/")
    squares = {(r, c): x for r, row in enumerate(rows) for c, x in enumerate(row)}
    return squares, len(rows), len(rows[0]), side


class Konane:
    def start(self, text):
        size = re.fullmatch(r"(\d+)x(\d+)", text)
        if not size:
            board, self.rows, self.cols, side = read_rows(text)
            return tuple(sorted(board.items())), side
        self.rows, self.cols = int(size[1]), int(size[2])
        board = {(r, c): "xo"[(r + c) % 2] for r in range(self.rows) for c in range(self.cols)}
        return tuple(sorted(board.items())), "b"

    def children(self, position):
        board, side = dict(position[0]), position[1]
        other = "w" if side == "b" else "b"
        own, enemy = ("x", "o") if side == "b" else ("o", "x")
        empty = [square for square, letter in board.items() if letter == "."]
        if side == "b" and not empty:
            for r, c in self.openings(board):
                yield self.changed(board, {(r, c): "."}), other
        elif side == "w" and len(empty) == 1 and sum(empty[0]) % 2 == 0:
            (r, c) = empty[0]
            for beside in [(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)]:
                if board.get(beside) == "o":
                    yield self.changed(board, {beside: "."}), other
        else:
            for square in [s for s in board if board[s] == own]:
                for dr, dc in [(0, 1), (0, -1), (1, 0), (-1, 0)]:
                    changes, (r, c) = {square: "."}, square
                    while board.get((r + dr, c + dc)) == enemy and board.get((r + 2 * dr, c + 2 * dc)) == ".":
                        changes[(r + dr, c + dc)] = "."
                        r, c = r + 2 * dr, c + 2 * dc
                        yield self.changed(board, {**changes, (r, c): own}), other

    def openings(self, board):
        corners = {(r, c) for r in (0, self.rows - 1) for c in (0, self.cols - 1)}
        centre_rows = {(self.rows - 1) // 2, self.rows // 2}
        centre_cols = {(self.cols - 1) // 2, self.cols // 2}
        centre = {(r, c) for r in centre_rows for c in centre_cols}
        return [square for square in corners | centre if board[square] == "x"]

    def changed(self, board, changes):
        return tuple(sorted({**board, **changes}.items()))


class TicTacToe:
    LINES = ["012", "345", "678", "036", "147", "258", "048", "246"]

    def start(self, text):
        if text == "start":
            return "." * 9, "x"
        board, side = text.split()
        return board.replace("/", ""), side

    def children(self, position):
        board, side = position
        if any({board[int(i)] for i in line} in ({"x"}, {"o"}) for line in self.LINES):
            return
        for i in range(9):
            if board[i] == ".":
                yield board[:i] + side + board[i + 1 :], "o" if side == "x" else "x"


class Kayles:
    """Moves are the different multisets of rows that a throw can leave, per row length thrown at."""

    def start(self, text):
        return tuple(sorted(int(row) for row in text.split("+") if int(row)))

    def children(self, rows):
        for row in set(rows):
            rest = list(rows)
            rest.remove(row)
            left_standing = set()
            for pins in (1, 2):
                for at in range(row - pins + 1):
                    left_standing.add(tuple(sorted((at, row - pins - at))))
            for pair in left_standing:
                yield tuple(sorted(rest + [n for n in pair if n]))


class Dodgem:
    def start(self, text):
        size = re.fullmatch(r"(\d+)x\1", text)
        if not size:
            board, self.size, _, side = read_rows(text)
            return frozenset((s, x) for s, x in board.items() if x != "."), side
        self.size = n = int(size[1])
        cars = {((r, 0), "r") for r in range(n - 1)} | {((n - 1, c), "u") for c in range(1, n)}
        return frozenset(cars), "r"

    def children(self, position):
        cars, side = position
        other = "u" if side == "r" else "r"
        if not any(letter == other for _, letter in cars):
            return
        taken = {square for square, _ in cars}
        forward = (0, 1) if side == "r" else (-1, 0)
        sideways = [(-1, 0), (1, 0)] if side == "r" else [(0, -1), (0, 1)]
        for (r, c), letter in cars:
            if letter != side:
                continue
            for dr, dc in [forward] + sideways:
                to = (r + dr, c + dc)
                rest = cars - {((r, c), letter)}
                if 0 <= to[0] < self.size and 0 <= to[1] < self.size:
                    if to not in taken:
                        yield rest | {(to, letter)}, other
                elif (dr, dc) == forward:
                    yield rest, other


class Domineering:
    """A position is the set of free squares; a domino takes one of them and the one below or to the right."""

    def start(self, text):
        size = re.fullmatch(r"(\d+)x(\d+)", text)
        if size:
            return frozenset((r, c) for r in range(int(size[1])) for c in range(int(size[2]))), "v"
        board, _, _, side = read_rows(text)
        return frozenset(square for square, letter in board.items() if letter == "."), side

    def children(self, position):
        free, side = position
        for r, c in free:
            beside = (r + 1, c) if side == "v" else (r, c + 1)
            if beside in free:
                yield free - {(r, c), beside}, "h" if side == "v" else "v"


GAMES = {
    "konane": Konane,
    "tic-tac-toe": TicTacToe,
    "kayles": Kayles,
    "dodgem": Dodgem,
    "domineering": Domineering,
}


def perft(game, position, depth):
    """Sequences of that length; positions that were reached in several ways are counted once and weighed."""
    layer = {position: 1}
    for _ in range(depth):
        below = {}
        for parent, ways in layer.items():
            for child in game.children(parent):
                below[child] = below.get(child, 0) + ways
        layer = below
    return sum(layer.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=pathlib.Path, help="perft files named after their game")
    parser.add_argument("--limit", type=int, default=300_000, help="leave out counts above this")
    arguments = parser.parse_args()
    passed = failed = left_out = 0
    for path in arguments.files:
        game = GAMES[path.stem]()
        for line in path.read_text().splitlines():
            word, _, rest = line.partition(" ")
            if word == "position":
                position, text = game.start(rest.strip()), rest.strip()
            elif word == "perft":
                depth, expected = (int(n.replace(",", "")) for n in rest.split())
                if expected > arguments.limit:
                    left_out += 1
                    continue
                counted = perft(game, position, depth)
                if counted == expected:
                    passed += 1
                else:
                    failed += 1
                    print(f"{path}: {text} depth {depth}: expected {expected}, counted {counted}")
    print(f"{passed} passed, {failed} failed, {left_out} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

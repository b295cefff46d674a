#!/usr/bin/env python3
"""A second, naive implementation of the rules: counts move sequences and compares perft files.

Written from the rules alone and sharing nothing with the Rust code: positions are dictionaries
and tuples, moves are tried square by square. Slow, so counts above a limit are left out.

    python3 tools/reference_perft.py crates/games/data/perft/*.perft [--limit 300000]
"""

import argparse
import functools
import itertools
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


class Fanorona:
    """A position is a set of points with letters, and the side. Points are (row, col) from the top left."""

    WAYS = [(dr, dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if (dr, dc) != (0, 0)]

    def start(self, text):
        size = re.fullmatch(r"(\d+)x(\d+)", text)
        if not size:
            board, self.rows, self.cols, side = read_rows(text)
            return frozenset((s, x) for s, x in board.items() if x != "."), side
        self.rows, self.cols = int(size[1]), int(size[2])
        middle, centre = self.rows // 2, self.cols // 2
        stones = {((r, c), "x") for r in range(middle) for c in range(self.cols)}
        stones |= {((r, c), "o") for r in range(middle + 1, self.rows) for c in range(self.cols)}
        # From the centre outwards: white, black, ... to the left, black, white, ... to the right.
        stones |= {((middle, centre - k), "xo"[k % 2]) for k in range(1, centre + 1)}
        stones |= {((middle, centre + k), "ox"[k % 2]) for k in range(1, centre + 1)}
        return frozenset(stones), "w"

    def has_line(self, point, way):
        """Diagonals only where row and column are both even or both odd."""
        return 0 in way or sum(point) % 2 == 0

    def on_board(self, point):
        return 0 <= point[0] < self.rows and 0 <= point[1] < self.cols

    def children(self, position):
        stones, side = dict(position[0]), position[1]
        own, enemy, other = ("o", "x", "b") if side == "w" else ("x", "o", "w")
        captures, steps = [], []
        for point in [p for p, letter in stones.items() if letter == own]:
            captures += self.captures(stones, point, enemy, [point], None)
            for way in self.WAYS:
                to = (point[0] + way[0], point[1] + way[1])
                if self.has_line(point, way) and self.on_board(to) and to not in stones:
                    after = {**stones, to: own}
                    del after[point]
                    steps.append(after)
        for after in captures or steps:
            yield frozenset(after.items()), other

    def captures(self, stones, point, enemy, visited, last):
        """The boards after one or more capturing steps."""
        for way in self.WAYS:
            to = (point[0] + way[0], point[1] + way[1])
            if way == last or not self.has_line(point, way) or not self.on_board(to):
                continue
            if to in stones or to in visited:
                continue
            back = (-way[0], -way[1])
            for start, along in ((to, way), (point, back)):
                after = dict(stones)
                r, c = start[0] + along[0], start[1] + along[1]
                while after.get((r, c)) == enemy:
                    del after[r, c]
                    r, c = r + along[0], c + along[1]
                if len(after) < len(stones):
                    after[to] = after.pop(point)
                    yield after
                    yield from self.captures(after, to, enemy, visited + [to], way)


class MuTorere:
    """A position is the ring as a string, the letter of the centre, and the side."""

    def start(self, text):
        if text.isdigit():
            half = int(text) // 2
            return "x" * half + "o" * half, ".", "x"
        board, side = text.split()
        return (*board.split("/"), side)

    def children(self, position):
        ring, centre, side = position
        other = "o" if side == "x" else "x"
        n = len(ring)
        for i, letter in enumerate(ring):
            left, right = ring[i - 1], ring[(i + 1) % n]
            if letter == side and centre == "." and other in (left, right):
                yield ring[:i] + "." + ring[i + 1 :], side, other
            if letter == "." and centre == side:
                yield ring[:i] + side + ring[i + 1 :], ".", other
            for j in ((i + 1) % n, (i - 1) % n):
                if letter == side and ring[j] == ".":
                    changed = list(ring)
                    changed[i], changed[j] = ".", side
                    yield "".join(changed), centre, other


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


class Cram:
    """A position is the set of free squares; a domino takes one of them and the one below or to the right."""

    def start(self, text):
        size = re.fullmatch(r"(\d+)x(\d+)", text)
        rows = ["." * int(size[2])] * int(size[1]) if size else text.split("/")
        return frozenset((r, c) for r, row in enumerate(rows) for c, letter in enumerate(row) if letter == ".")

    def children(self, free):
        for r, c in free:
            for beside in [(r + 1, c), (r, c + 1)]:
                if beside in free:
                    yield free - {(r, c), beside}


class Sprouts:
    """A position is the sorted tuple of the canonical texts of its lands; moves are its different options.

    Inside, a land is a list of regions, a region a list of boundaries, a boundary a list of spots, and `lives` says
    how many curves may still end at a spot.
    """

    SPOT = re.compile(r"[0-3]|[A-Za-z]'*")

    def start(self, text):
        text = re.sub(r"\s", "", text.removeprefix("misere "))
        text = re.sub(r"([0-3])\*(\d+)", lambda run: ".".join(run[1] * int(run[2])), text)
        regions, lives = [], {}
        for land in re.split(r"[]+]", text.removesuffix("!")):
            more, lives_of_more = self.read_land(land)
            # Spots of different lands are different.
            rename = {spot: (len(regions), spot) for spot in lives_of_more}
            lives.update((rename[spot], count) for spot, count in lives_of_more.items())
            regions += [[[rename[spot] for spot in b] for b in region] for region in more]
        return self.reduced(regions, lives)

    def read_land(self, text):
        regions, lives = [], {}
        for r, region in enumerate(re.split(r"[}|]", text)):
            regions.append([])
            for b, boundary in enumerate(region.split(".")):
                spots = []
                for place, name in enumerate(self.SPOT.findall(boundary)):
                    if name.isdigit():
                        spot, count = (r, b, place), 3 - int(name)
                    else:
                        spot, count = (name if name[0].isupper() else (r, b, name)), 1
                    spots.append(spot)
                    lives[spot] = count
                regions[-1].append(spots)
        return regions, lives

    def children(self, lands):
        """Equal lands have the same options, and options of different lands may be equal."""
        found = set()
        for land in set(lands):
            rest = list(lands)
            rest.remove(land)
            found |= {tuple(sorted(rest + list(option))) for option in self.options(land)}
        return found

    @functools.lru_cache(maxsize=None)
    def options(self, land):
        regions, lives = self.read_land(land)
        found = set()
        for at, region in enumerate(regions):
            others = regions[:at] + regions[at + 1 :]
            for ends, new in self.curves(region, lives):
                left = {**lives, "new": 1}
                for end in ends:
                    left[end] -= 1
                found.add(self.reduced(others + new, left))
        return found

    def curves(self, region, lives):
        """The ends of every curve in a region, and the one or two regions that it leaves; the spot on it is `new`."""
        for b, boundary in enumerate(region):
            elsewhere = region[:b] + region[b + 1 :]
            for i, x in enumerate(boundary):
                for c in range(b + 1, len(region)):
                    for j, y in enumerate(region[c]):
                        if lives[x] and lives[y]:
                            joined = self.round(boundary, i, lives) + ["new"] + self.round(region[c], j, lives) + ["new"]
                            yield (x, y), [[joined] + elsewhere[: c - 1] + elsewhere[c:]]
                for j in range(i, len(boundary)):
                    y = boundary[j]
                    if not lives[x] or not lives[y] or x == y and lives[x] < 2:
                        continue
                    inside = boundary[i : j + 1] + ["new"]
                    if i == j:
                        outside = self.round(boundary, i, lives) + ["new"]
                    else:
                        outside = boundary[j:] + boundary[: i + 1] + ["new"]
                    for sides in itertools.product((0, 1), repeat=len(elsewhere)):
                        halves = [[inside], [outside]]
                        for side, other in zip(sides, elsewhere):
                            halves[side].append(other)
                        yield (x, y), halves

    def round(self, boundary, i, lives):
        """The boundary from a spot all round to that spot again; a spot without curves is met once."""
        if lives[boundary[i]] == 3:
            return [boundary[i]]
        return boundary[i:] + boundary[: i + 1]

    def reduced(self, regions, lives):
        """Leaves out what is of no further use and gives the canonical texts of the lands."""
        before = None
        while before != regions:
            before = regions
            regions = [[[spot for spot in b if lives[spot]] for b in region] for region in regions]
            regions = [[self.without_repeats(b) for b in region if b] for region in regions]
            regions = [region for region in regions if sum(lives[s] for s in self.spots(region)) >= 2]
            regions = [self.small_region(region, regions, lives) for region in regions]
        lands = []
        while regions:
            land = [regions.pop()]
            for region in land:
                linked = [other for other in regions if self.spots(other) & self.spots(region)]
                regions = [other for other in regions if other not in linked]
                land += linked
            lands.append(self.canonical(land, lives))
        return tuple(sorted(lands))

    def spots(self, region):
        return {spot for boundary in region for spot in boundary}

    def without_repeats(self, boundary):
        """A spot that comes twice in a row is met once."""
        kept = [spot for i, spot in enumerate(boundary) if i == 0 or spot != boundary[i - 1]]
        return kept[:-1] if len(kept) > 1 and kept[0] == kept[-1] else kept

    def small_region(self, region, regions, lives):
        """With two or three lives in a region it only matters how many of them can be used elsewhere too."""
        spots = self.spots(region)
        if sum(lives[spot] for spot in spots) > 3:
            return region
        shared = {s for s in spots if any(s in self.spots(other) for other in regions if other is not region)}
        own = sorted(spots - shared, key=str)
        count = sum(lives[spot] for spot in own)
        boundary = sorted(shared, key=str)
        if count:
            # One spot stands for all, under a name that tells its lives.
            spot = own[0] if lives[own[0]] == count else ("all of", own[0])
            lives[spot] = count
            boundary.insert(0, spot)
        return [boundary]

    def canonical(self, land, lives):
        """The least text of a land: the links, spots of two regions, are named in all ways worth trying."""
        spots = [spot for region in land for spot in self.spots(region)]
        return min(self.texts(land, lives, {spot: 0 for spot in spots if spots.count(spot) == 2}))

    def texts(self, land, lives, ranks):
        """The texts of a land for all orders of its links that agree with the ranks and with the regions they lie in."""
        while True:
            names = {spot: f"<{rank}>" for spot, rank in ranks.items()}
            kinds = {spot: [rank] for spot, rank in ranks.items()}
            for spot, kind in kinds.items():
                marked = {**names, spot: "<this>"}
                kind += sorted(self.shape(region, lives, marked) for region in land if spot in self.spots(region))
            order, before = sorted(kinds.values()), set(ranks.values())
            ranks = {spot: order.index(kind) for spot, kind in kinds.items()}
            if len(set(ranks.values())) == len(before):
                break
        taken = list(ranks.values())
        first_alike = min((rank for rank in taken if taken.count(rank) > 1), default=None)
        if first_alike is None:
            names = {spot: letter(rank, "A") for spot, rank in ranks.items()}
            yield "|".join(sorted(self.shape(region, lives, names) for region in land))
        for spot in [spot for spot, rank in ranks.items() if rank == first_alike]:
            # The others of its kind come after it.
            later = {other: rank + (rank == first_alike and other != spot) for other, rank in ranks.items()}
            yield from self.texts(land, lives, later)

    def shape(self, region, lives, names):
        """The least text of a region in both directions, the boundaries in any order and begun anywhere."""
        boundaries = []
        for boundary in region:
            twice = [spot for spot in boundary if boundary.count(spot) == 2]
            boundaries.append(tuple(names.get(s, twice.index(s) if s in twice else str(3 - lives[s])) for s in boundary))
        return min(".".join(sorted(least_turn(b[::step]) for b in boundaries)) for step in (1, -1))


@functools.cache
def least_turn(boundary):
    """The least text of a boundary begun anywhere; numbers are spots that it meets twice."""
    turns = []
    for i in range(len(boundary)):
        text, letters = "", {}
        for spot in boundary[i:] + boundary[:i]:
            text += spot if isinstance(spot, str) else letters.setdefault(spot, letter(len(letters), "a"))
        turns.append(text)
    return min(turns)


def letter(number, first):
    """a to z, a' to z', a'' and so on."""
    return chr(ord(first) + number % 26) + "'" * (number // 26)


GAMES = {
    "konane": Konane,
    "fanorona": Fanorona,
    "tic-tac-toe": TicTacToe,
    "kayles": Kayles,
    "dodgem": Dodgem,
    "mu-torere": MuTorere,
    "domineering": Domineering,
    "cram": Cram,
    "sprouts": Sprouts,
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

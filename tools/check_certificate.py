#!/usr/bin/env python3
"""A second checker of certificates (docs/certificate-format.md), in plain Python.

    python3 tools/check_certificate.py FILE...

It says ACCEPTED or REJECTED of each FILE, with the reason, and keeps all positions in memory, those
of databases too: millions of them take gigabytes.
Exit codes, as of papamu-check: 0 accepted, 1 rejected, 2 bad arguments, 3 a file cannot be read or
the verdict not be written; of several files the largest.
"""

import hashlib
import itertools
import math
import os
import sys
from types import SimpleNamespace

MOST_IN_DATABASE = 50_000_000
DEEPEST = 200


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

    def number(self, name):
        text = self.item(name)
        require(text.isdigit() and len(text) < 21 and str(int(text)) == text, f"`{text}` is not a number")
        require(int(text) < 1 << 64, f"`{text}` is too large")
        return int(text)


def leb128(data, at, bits):
    number = shift = 0
    while True:
        require(at < len(data) and shift < bits, "a block does not hold its records")
        byte, at = data[at], at + 1
        require(byte != 0 or shift == 0, "a number is not written in the shortest way")
        number, shift = number | (byte & 127) << shift, shift + 7
        if byte < 128:
            require(number < 1 << bits, f"a number is beyond {bits} bits")
            return number, at


def read_header(file):
    first = file.line()
    require(first in ("papamu certificate 1", "papamu certificate 2"), "it is no certificate of version 1 or 2")
    header = SimpleNamespace(version=int(first[-1]), rules="standard", database=0)
    header.game = file.item("game")
    if header.version == 2:
        header.rules = file.item("rules")
    header.root, claim = file.item("root"), file.item("claim")
    header.owner, _, header.verb = claim.rpartition(" ")
    verbs = ("wins",) if header.version == 1 else ("wins", "holds")
    require(header.verb in verbs and " " in claim, f"the claim is not that somebody {' or '.join(verbs)}")
    header.budget = file.number("budget")
    require(header.budget <= 1_000_000, "the budget is too large")
    if header.version == 2:
        header.database = file.number("database")
    header.records = file.number("records")
    require(file.line() == "end", "the header does not end with `end`")
    require(header.game in GAMES, f"the game `{header.game}` is not known")
    require(header.version == 2 or header.game == "konane", f"the game `{header.game}` is not known in version 1")
    require(header.rules == "standard", f"the rules `{header.rules}` are not known")
    header.ranks = GAMES[header.game].circles and header.verb == "wins"
    return header


def read(data):
    """The header and {position number: (move number, rank)}."""
    file = File(data)
    header = read_header(file)
    bits = 64 if header.version == 1 else 128
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
        position = at = rank = 0
        for _ in range(size):
            step, at = leb128(body, at, bits)
            move, at = leb128(body, at, 64)
            if header.ranks:
                rank, at = leb128(body, at, 32)
            position += step
            require(last < position < 1 << bits, "the records are not in ascending order")
            records[position], last = (move, rank), position
        require(at == len(body), "a block holds more than its records")
    hashed = hashlib.sha256(file.data[: file.at]).digest()
    require(hashed == file.take(32), "the file does not have its hash")
    require(file.at == len(data), "the file goes on after its end")
    require(len(records) == header.records, f"the header claims {header.records} records, there are {len(records)}")
    return header, records


def split(root, sides):
    board, _, side = root.partition(" ")
    require(side in tuple(sides), "the root does not say who is to move")
    return board, sides.index(side)


class Konane:
    """Positions are (frozenset of occupied squares, side); squares are (row, column)."""

    players, circles = ("black", "white"), False

    def __init__(self, root):
        board, side = split(root, "bw")
        lines = board.split("/")
        self.rows, self.cols = len(lines), len(lines[0])
        require(all(len(line) == self.cols for line in lines), "the rows differ in length")
        require(0 < self.rows * self.cols <= 64, "the board is empty or too large")
        self.squares = [(r, c) for r in range(self.rows) for c in range(self.cols)]
        for r, c in self.squares:
            require(lines[r][c] in "." + "xo"[(r + c) % 2], f"`{lines[r][c]}` in row {r + 1} is wrong")
        self.root = frozenset(s for s in self.squares if lines[s[0]][s[1]] != "."), side
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

    def position(self, number, side):
        require(number >> len(self.squares) == 0, f"{number} is not a position of this board")
        return frozenset(s for i, s in enumerate(self.squares) if number >> i & 1), side

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

    def winner(self, position):
        return 1 - position[1]

    def size(self, position):
        return len(position[0])

    def count(self, largest):
        return 2 * sum(math.comb(len(self.squares), stones) for stones in range(largest + 1))

    def positions(self, largest):
        for stones in range(min(largest, len(self.squares)) + 1):
            for chosen in itertools.combinations(self.squares, stones):
                yield from ((frozenset(chosen), side) for side in (0, 1))


class Points:
    """Positions are (tuple of points, side): 0 is an empty point, 1 and 2 are pieces of side 0 and 1."""

    letters = "xo"

    def read(self, text):
        require(all(letter in "." + self.letters for letter in text), "the root has other letters")
        return tuple(("." + self.letters).index(letter) for letter in text)

    def number(self, position):
        return min(sum(d * 3 ** image[i] for i, d in enumerate(position[0])) for image in self.images)

    def position(self, number, side):
        points, rest = [], number
        for _ in self.images[0]:
            rest, digit = divmod(rest, 3)
            points.append(digit)
        position = tuple(points), side
        require(rest == 0 and self.shape(position) in self.shapes(), f"{number} is not a position of this board")
        return position

    def shape(self, position):
        return position[0].count(1), position[0].count(2), position[1]

    def small_shapes(self, largest):
        return [shape for shape in self.shapes() if self.size_of(*shape[:2]) <= largest]

    def size(self, position):
        return self.size_of(*self.shape(position)[:2])

    def size_of(self, ones, twos):
        return ones + twos

    def count(self, largest):
        points = len(self.images[0])
        return sum(math.comb(points, a) * math.comb(points - a, b) for a, b, _ in self.small_shapes(largest))

    def positions(self, largest):
        everywhere = set(range(len(self.images[0])))
        for a, b, side in self.small_shapes(largest):
            for ones in itertools.combinations(sorted(everywhere), a):
                for twos in itertools.combinations(sorted(everywhere - set(ones)), b):
                    yield tuple(1 if i in ones else 2 if i in twos else 0 for i in sorted(everywhere)), side


def changed(points, changes):
    points = list(points)
    for at, piece in changes:
        points[at] = piece
    return tuple(points)


def images_of_board(rows, cols):
    """Where each point goes under the symmetries of a board: eight if it is a square, else four."""
    images = []
    for transposed, down, left in itertools.product((False, True), repeat=3):
        if transposed and rows != cols:
            continue
        image = []
        for r, c in itertools.product(range(rows), range(cols)):
            r, c = (c, r) if transposed else (r, c)
            image.append((rows - 1 - r if down else r) * cols + (cols - 1 - c if left else c))
        images.append(image)
    return images


class TicTacToe(Points):
    players, circles = ("x", "o"), False
    lines = ("012", "345", "678", "036", "147", "258", "048", "246")

    def __init__(self, root):
        board, side = split(root, "xo")
        require([len(row) for row in board.split("/")] == [3, 3, 3], "the root is not a board of 3x3 squares")
        self.root = self.read(board.replace("/", "")), side
        quarter = [6, 3, 0, 7, 4, 1, 8, 5, 2]
        self.images = [list(range(9)), [2, 1, 0, 5, 4, 3, 8, 7, 6]]
        for _ in range(3):
            self.images += [[quarter[i] for i in image] for image in self.images[-2:]]
        require(self.shape(self.root) in self.shapes(), "the other player is to move in the root")
        require(not self.has_line(self.root[0], side), "the root goes on after three in a row")

    def has_line(self, points, side):
        return any(all(points[int(i)] == side + 1 for i in line) for line in self.lines)

    def shapes(self):
        return [(marks - marks // 2, marks // 2, marks % 2) for marks in range(10)]

    def size_of(self, ones, twos):
        return 9 - ones - twos

    def moves(self, position):
        points, side = position
        if self.winner(position) is not None:
            return []
        return [(changed(points, [(i, side + 1)]), 1 - side) for i in range(9) if points[i] == 0]

    def winner(self, position):
        points, side = position
        return 1 - side if self.has_line(points, 1 - side) else side if self.has_line(points, side) else None


class Dodgem(Points):
    players, circles, letters = ("right", "up"), True, "ru"

    def __init__(self, root):
        board, side = split(root, "ru")
        self.rows = board.count("/") + 1
        require(3 <= self.rows <= 7, "the board does not have 3 to 7 rows")
        require(all(len(row) == self.rows for row in board.split("/")), "the board is not a square")
        self.root = self.read(board.replace("/", "")), side
        self.images = [list(range(self.rows**2))]
        require(self.shape(self.root) in self.shapes(), "a player has too many cars, or the one to move has none")

    def shapes(self):
        cars = itertools.product(range(self.rows), repeat=2)
        return [(*both, side) for both in cars for side in (0, 1) if both[side] > 0]

    def moves(self, position):
        points, side = position
        if 2 - side not in points:
            return []
        after = []
        for i, piece in enumerate(points):
            if piece != side + 1:
                continue
            r, c = divmod(i, self.rows)
            for to in ((r - 1, c), (r, c + 1), (r + 1, c)) if side == 0 else ((r - 1, c), (r, c - 1), (r, c + 1)):
                j = to[0] * self.rows + to[1]
                if to == ((r, self.rows) if side == 0 else (-1, c)):
                    after.append((i, len(points), changed(points, [(i, 0)])))
                elif min(to) >= 0 and max(to) < self.rows and points[j] == 0:
                    after.append((i, j, changed(points, [(i, 0), (j, piece)])))
        return [(points, 1 - side) for _, _, points in sorted(after)]

    def winner(self, position):
        points, side = position
        return side if 2 - side in points else 1 - side


class MuTorere(Points):
    players, circles = ("x", "o"), True

    def __init__(self, root):
        board, side = split(root, "xo")
        ring, _, centre = board.partition("/")
        self.ring = n = len(ring)
        require(n in (4, 8, 12, 16) and len(centre) == 1, "the root does not have 4, 8, 12 or 16 points and a centre")
        self.root = self.read(centre + ring), side
        kinds = itertools.product((1, -1), range(4))
        self.images = [[0] + [(sign * i + k * n // 4) % n + 1 for i in range(n)] for sign, k in kinds]
        require(self.shape(self.root) in self.shapes(), f"a player does not have {n // 2} stones")

    def shapes(self):
        return [(self.ring // 2, self.ring // 2, side) for side in (0, 1)]

    def moves(self, position):
        points, side = position
        to, after = points.index(0), []
        for i in range(len(points)):
            beside = {(i - 2) % self.ring + 1, i % self.ring + 1} if i > 0 else set(range(1, self.ring + 1))
            enemy_beside = any(points[j] == 2 - side for j in beside)
            if points[i] == side + 1 and (enemy_beside if to == 0 else to in beside):
                after.append((changed(points, [(i, 0), (to, side + 1)]), 1 - side))
        return after

    def winner(self, position):
        return 1 - position[1]


class Fanorona(Points):
    players, circles, letters = ("white", "black"), True, "ox"

    def __init__(self, root):
        board, side = split(root, "wb")
        lines = board.split("/")
        self.rows, self.cols = len(lines), len(lines[0])
        odd = all(n >= 3 and n % 2 == 1 for n in (self.rows, self.cols))
        require(odd and all(len(line) == self.cols for line in lines), "the board does not have odd sides, at least 3")
        require(self.rows * self.cols <= 45, "the board has more than 45 points")
        self.root = self.read(board.replace("/", "")), side
        self.images = images_of_board(self.rows, self.cols)
        require(self.shape(self.root) in self.shapes(), "a player has more stones than at the start, or nobody any")

    def shapes(self):
        stones = itertools.product(range(self.rows * self.cols // 2 + 1), repeat=2)
        return [(*both, side) for both in stones for side in (0, 1) if sum(both) > 0]

    def step(self, i, way):
        """The next point on a line, or None. Diagonals join points whose row and column are both even or both odd."""
        r, c = divmod(i, self.cols)
        if 0 not in way and (r + c) % 2 == 1:
            return None
        r, c = r + way[0], c + way[1]
        return r * self.cols + c if 0 <= r < self.rows and 0 <= c < self.cols else None

    def line(self, points, enemy, i, way):
        line = []
        while (i := self.step(i, way)) is not None and points[i] == enemy:
            line.append(i)
        return line

    def captures(self, points, visited, last):
        """(from, to, points after it) of all ways to go on capturing with the stone on the last visited point."""
        at = visited[-1]
        for way in itertools.product((-1, 0, 1), repeat=2):
            to = self.step(at, way)
            if way in ((0, 0), last) or to is None or to in visited or points[to] != 0:
                continue
            enemy = 3 - points[at]
            for line in self.line(points, enemy, to, way), self.line(points, enemy, at, (-way[0], -way[1])):
                if line:
                    after = changed(points, [(at, 0), (to, points[at])] + [(i, 0) for i in line])
                    yield visited[0], to, after
                    yield from self.captures(after, visited + [to], way)

    def moves(self, position):
        points, side = position
        stones = [i for i, piece in enumerate(points) if piece == side + 1]
        turns = [turn for i in stones for turn in self.captures(points, [i], None)]
        if not turns:
            steps = [(i, self.step(i, way)) for i in stones for way in itertools.product((-1, 0, 1), repeat=2)]
            free = [(i, to) for i, to in steps if to is not None and points[to] == 0]
            turns = [(i, to, changed(points, [(i, 0), (to, side + 1)])) for i, to in free]

        def order(turn):
            origin, to, after = turn
            enemies = (i for i, piece in enumerate(points) if piece == 2 - side)
            return origin, to, sum(1 << i for i in enemies if after[i] != 2 - side)

        return [(after, 1 - side) for _, _, after in sorted(turns, key=order)]

    def winner(self, position):
        return 1 - position[1]


GAMES = {"konane": Konane, "tic-tac-toe": TicTacToe, "dodgem": Dodgem, "mu-torere": MuTorere, "fanorona": Fanorona}


def database(game, largest):
    """{position: winner, or None if it is a draw} for all positions up to that size."""
    count = game.count(min(largest, 64))
    require(count <= MOST_IN_DATABASE, f"a database of size {largest} has {count} positions, too many")
    winner, open_moves, before = {}, {}, {}
    for position in game.positions(largest):
        after = game.moves(position)
        open_moves[position] = len(after)
        for other in after:
            before.setdefault(other, []).append(position)
        if not after:
            winner[position] = game.winner(position)
    waiting = [position for position, player in winner.items() if player is not None]
    while waiting:
        position = waiting.pop()
        for other in before.get(position, ()):
            open_moves[other] -= 1
            if other not in winner and (winner[position] == other[1] or open_moves[other] == 0):
                winner[other] = winner[position]
                waiting.append(other)
    # Whatever nobody can win is a draw.
    return {position: winner.get(position) for position in open_moves}


class Claim:
    def __init__(self, header):
        players = GAMES[header.game].players
        require(header.owner in players, f"there is no player `{header.owner}`")
        self.owner = players.index(header.owner)
        self.winners = (self.owner,) if header.verb == "wins" else (self.owner, None)
        self.game = GAMES[header.game](header.root)

    def needed_by(self, position):
        """The numbers of the positions after the opponent's moves."""
        after = self.game.moves(position)
        require(after or self.game.winner(position) in self.winners, "the game ends badly at the root or after a move")
        return [self.game.number(reply) for reply in after]

    def needed_by_root(self):
        root = self.game.root
        return [self.game.number(root)] if root[1] == self.owner else self.needed_by(root)

    def good(self, position, left, depth=0):
        """Whether a position is good; None if more than left[0] positions are entered, or too deep ones."""
        left[0] -= 1
        if left[0] < 0 or depth > DEEPEST:
            return None
        moves = self.game.moves(position)
        if not moves:
            return self.game.winner(position) in self.winners
        owners_turn = position[1] == self.owner
        for after in moves:
            result = self.good(after, left, depth + 1)
            if result is None or result == owners_turn:
                return result
        return not owners_turn


def check(data):
    header, records = read(data)
    claim = Claim(header)
    game = claim.game
    known = database(game, header.database) if header.database > 0 else {}
    needed = {number: 1 << 32 for number in claim.needed_by_root()}  # with the bound of the rank
    for number, (move, rank) in records.items():
        position = game.position(number, claim.owner)
        require(game.number(position) == number, f"{number} is not the least of its images")
        require(position not in known, f"position {number} is in the database")
        moves = game.moves(position)
        require(move < len(moves), f"position {number} has {len(moves)} moves, {move} is not one of them")
        for reply in claim.needed_by(moves[move]):
            needed[reply] = min(rank if header.ranks else 1, needed.get(reply, 1 << 32))
    unneeded = sorted(records.keys() - needed.keys())
    require(not unneeded, f"positions {unneeded[:3]} are not needed")
    looked_up = searched = 0
    for number, below in sorted(needed.items()):
        if number in records:
            require(records[number][1] < below, f"the rank of position {number} is not below {below}")
            continue
        position = game.position(number, claim.owner)
        if position in known:
            require(known[position] in claim.winners, f"position {number} is not good in the database")
            looked_up += 1
        elif header.version == 2 and not game.moves(position):
            require(game.winner(position) in claim.winners, f"position {number} is an end that is not good")
        else:
            proved = claim.good(position, [header.budget])
            require(proved, f"position {number} is needed, not there and not proved")
            searched += 1
    what = f"{header.owner} {header.verb} {header.game} {header.root}"
    looked_up = f", {looked_up} looked up in a database of {len(known)}" if known else ""
    return f"{what}: {len(records)} positions checked, {searched} searched{looked_up}"


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

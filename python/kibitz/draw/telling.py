"""What an alpha-beta search does at each visit, in words: windows, better values, cuts and second searches.

All values are those of MAX, the player to move at the root. MAX raises alpha, the least that is sure; MIN, the
opponent, lowers beta, the most that MIN must allow. Where they meet the rest of a node cannot matter.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from kibitz.draw.lesson import Kind, Lesson, Mark, Span, Step
from kibitz.draw.node_text import move_text, number_text, value_text
from kibitz.tree import Tree, TreeNode

__all__ = ["tell"]

_KNOWN = {
    "over": "The game is over here",
    "horizon": "The depth is used up here, so the position is only judged",
    "database": "The endgame database knows this position",
    "table": "This position was searched before, and the table remembers it",
    "repetition": "The position has occurred before on the way here",
    "null-move": "Even after passing the window is left, so the node is not searched",
    "prob-cut": "A shallow search is so far outside the window that a deep one is not made",
    "multi-cut": "Several shallow searches leave the window, so the node is not searched",
    "razoring": "The position is so bad that only captures are looked at",
    "futility": "The position is so far behind that no quiet move can matter",
    "etc": "A move leads to a position in the table whose value is enough",
}
"""Why a node needs no search of its own, by its `end`."""


def tell(tree: Tree) -> Lesson:
    """The lesson of a tree of visits.

    Of a tree with nodes missing, since the search still runs or it is too large, the first visits are told: all that
    happened before the last node. With more nodes the same steps come first.
    """
    return Lesson(tree, tuple(_Teller(tree).steps()))


@dataclass
class _Open:
    """A node on the way to the current one: its window by now, and what is best so far."""

    number: int
    alpha: float
    beta: float
    alpha_from: int | None = None
    beta_from: int | None = None
    best: TreeNode | None = None


class _Teller:
    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.nodes = tree.nodes
        self.first = tree.nodes[0].player
        self.children: list[list[int]] = [[] for _ in tree.nodes]
        for number, node in enumerate(tree.nodes):
            if node.parent is not None:
                self.children[node.parent].append(number)
        self.open: list[_Open] = []
        self.told: list[Step] = []
        self.seen = 0
        self.passes = 0
        self.depth: int | None = None
        self.deepens = False

    def steps(self) -> list[Step]:
        for number, node in enumerate(self.nodes):
            while self.open and self.open[-1].number != node.parent:
                self._leave()
            if self.tree.missing and number == len(self.nodes) - 1:
                # whether something follows it is not known yet
                return self.told
            self.seen += 1
            if self.children[number] or node.parent is None:
                self._enter(number)
            else:
                self._leaf(number)
        while self.open:
            self._leave()
        return self.told

    # what happens

    def _enter(self, number: int) -> None:
        node = self.nodes[number]
        above = self.open[-1] if self.open else None
        here = _Open(number, node.alpha, node.beta)
        if above is not None:
            # a bound that is the same as above comes from wherever that one came from
            here.alpha_from = above.alpha_from if node.alpha == above.alpha else None
            here.beta_from = above.beta_from if node.beta == above.beta else None
        self.open.append(here)
        if above is None:
            text = f"{self._began(node)}{self._to_move(node)} {self._question(number)}"
        elif node.again:
            text = f"{self._called(node)} is searched again, now with another window. {self._question(number)}"
        elif node.end == "probe":
            text = f"A probe of {self._called(node)}: one move of {self._who(node)} is searched, which gives a bound."
        else:
            text = f"{self._came(node)} {self._to_move(node)} {self._question(number)}"
        self._tell("again" if node.again else "enter", text, {number: self._mark(here)})

    def _began(self, root: TreeNode) -> str:
        """Which depth of a search that deepens begins, and which pass over it."""
        deeper = root.depth != self.depth
        self.deepens |= root.depth == 1 or (deeper and self.depth is not None)
        self.depth, self.passes = root.depth, 1 if deeper else self.passes + 1
        begun = f"Depth {root.depth}. " if deeper and self.deepens else ""
        return begun + (f"Pass {self.passes}. " if root.null_window or self.passes > 1 else "")

    def _leaf(self, number: int) -> None:
        node = self.nodes[number]
        known = _KNOWN.get(node.end, "Nothing follows")
        text = f"{self._came(node)} {known}: {self._worth(node)}. {self._back(number)}"
        self._returned(number, "again" if node.again else "leaf", text)

    def _leave(self) -> None:
        """A node whose moves are all known, or cut, gives its value to the one above."""
        here = self.open.pop()
        number, node = here.number, self.nodes[here.number]
        if node.parent is None:
            self.open.append(here)
            self._tell("end", self._end(node), {number: self._final(node)})
            self.open.pop()
            return
        if node.end in ("cut", "probe-cut"):
            reached = f"So {self._called(node)} is {self._worth(node)}."
        elif node.end == "probe":
            reached = f"The probe says that {self._called(node)} is {self._worth(node)}."
        elif node.chance:
            reached = f"All outcomes are known. Their average, weighted by the probabilities, is {_is(node)}."
        else:
            reached = f"All moves of {self._who(node)} are known: {self._called(node)} is {self._worth(node)}."
        self._returned(number, "back", f"{reached} {self._back(number)}")

    def _returned(self, number: int, kind: Kind, text: str) -> None:
        """A value comes back to the node above, which may be cut by it."""
        node, above = self.nodes[number], self.open[-1]
        parent = self.nodes[above.number]
        marks = {number: self._final(node)}
        if node.end != "probe" and not parent.chance:
            self._improve(above, node, number)
        marks[above.number] = self._mark(above)
        self._tell(kind, text.strip(), marks, value=node.value, at=number)
        last = self.children[above.number][-1] == number
        if last and parent.end in ("cut", "probe-cut") and parent.pruned:
            reason = above.alpha_from if parent.player != self.first else above.beta_from
            self._tell("cut", self._cut(above, parent), {above.number: self._mark(above)}, node.value, reason)

    def _improve(self, above: _Open, node: TreeNode, number: int) -> None:
        parent = self.nodes[above.number]
        greater = parent.player == self.first
        if above.best is None or (node.value > above.best.value) == greater:
            above.best = node
        if self._asks_again(number) or self._tests(above.number):
            return
        if greater and node.value > above.alpha:
            above.alpha, above.alpha_from = node.value, above.number
        if not greater and node.value < above.beta:
            above.beta, above.beta_from = node.value, above.number

    # sentences

    def _came(self, node: TreeNode) -> str:
        if node.probability is not None:
            return f"The outcome {node.move} has the probability {node.probability:.3g}."
        if node.parent is not None and self.nodes[node.parent].chance:
            return f"The outcome is {node.move}."
        mover = self.nodes[node.parent].player if node.parent is not None else None
        return f"{self._name(mover)} tries {self._called(node)}."

    def _to_move(self, node: TreeNode) -> str:
        return "Chance is to move." if node.chance else f"{self._who(node)} is to move."

    def _question(self, number: int) -> str:
        """The window of a node in words."""
        node = self.nodes[number]
        low, high = number_text(node.alpha), number_text(node.beta)
        if node.null_window:
            return f"The only question is whether the value is at least {high}: a null window, {low} to {high}."
        if self._tests(number):
            return "Best-node search asks only which move is best: it tests all of them against a guess."
        here = self.open[-1]
        if math.isinf(node.alpha) and math.isinf(node.beta):
            return "Every value can still matter: the window is open on both sides."
        if math.isinf(node.beta):
            has = f"MAX has {low} already, so only" if here.alpha_from is not None else "Only"
            return f"{has} more than {low} can matter."
        if math.isinf(node.alpha):
            has = f"MIN can hold MAX to {high} already, so only" if here.beta_from is not None else "Only"
            return f"{has} less than {high} can matter."
        return f"Only a value between {low} and {high} can matter."

    def _worth(self, node: TreeNode) -> str:
        return f"worth {_is(node)}" + (" for MAX" if node.end in _KNOWN else "")

    def _back(self, number: int) -> str:
        """What a value that comes back changes at the node above."""
        node, above = self.nodes[number], self.open[-1]
        parent = self.nodes[above.number]
        value = number_text(node.value)
        if parent.chance:
            return "" if node.end == "probe" else "It counts with its probability."
        if self._tests(above.number) and node.null_window:
            if node.value >= node.beta:
                return f"Yes, {self._called(node)} passes the test."
            return f"No, {self._called(node)} fails the test."
        if self._asks_again(number):
            return f"It is better than {number_text(node.alpha)}; how good, the null window cannot tell."
        if parent.player == self.first:
            if node.value > above.alpha:
                return f"MAX can have {value} here: alpha rises from {number_text(above.alpha)} to {value}."
            return f"That is not more than {number_text(above.alpha)}: nothing changes for MAX."
        if node.value < above.beta:
            return f"MIN can hold MAX to {value} here: beta falls from {number_text(above.beta)} to {value}."
        return f"That is not less than {number_text(above.beta)}: nothing changes for MIN."

    def _cut(self, here: _Open, node: TreeNode) -> str:
        moves = [str(move) for move in node.pruned]
        rest = _named(moves[0]) if len(moves) == 1 else f"{', '.join(moves[:-1])} and {moves[-1]}"
        if len(moves) > 1 and moves[0].isdecimal():
            rest = f"moves {rest}"
        if len(moves) > 4:
            rest = f"the {len(moves)} others"
        if node.chance:
            bound = "reach more than" if node.bound == "upper" else "come below"
            limit = number_text(node.alpha if node.bound == "upper" else node.beta)
            how = "The probes show it: whatever" if node.end == "probe-cut" else "Whatever"
            return f"Cut. {how} the other outcomes are, the average cannot {bound} {limit}. No need to look at {rest}."
        searched = f"No need to look at {rest}."
        greater = node.player == self.first
        if node.null_window and (here.beta_from if greater else here.alpha_from) is None:
            answer = "yes, it is" if greater else "no, it is not"
            return f"Cut. The question is answered: {answer} at least {number_text(node.beta)}. {searched}"
        if node.again and (here.beta_from if greater else here.alpha_from) is None:
            value = number_text(here.alpha if greater else here.beta)
            first, second = ("at most", "at least") if greater else ("at least", "at most")
            both = f"{first} {value}, this one {second} {value}"
            return f"Cut. The first search has shown {both}: it is {value}. {searched}"
        if greater:
            has, other = number_text(here.alpha), number_text(node.beta)
            source = self._source(here.beta_from)
            return (
                f"Cut. Here MAX gets {has} or more, but MIN can hold MAX to {other}{source}. "
                f"MIN will not let MAX come here. {searched}"
            )
        has, other = number_text(here.beta), number_text(node.alpha)
        source = self._source(here.alpha_from)
        return (
            f"Cut. Here MIN holds MAX to {has} or less, but MAX has {other} already{source}. "
            f"MAX will not come here. {searched}"
        )

    def _source(self, number: int | None) -> str:
        """Where a bound comes from: the best move so far at the node that set it."""
        found = next((each for each in self.open if each.number == number), None)
        if found is None or found.best is None:
            return ""
        place = "at the root" if self.nodes[found.number].parent is None else "further up"
        return f" by {self._called(found.best)} {place}"

    def _end(self, node: TreeNode) -> str:
        value = number_text(node.value)
        if node.null_window:
            answer = "Yes" if node.value >= node.beta else "No"
            return f"{answer}: the value of the root is {_is(node)}."
        here = self.open[-1]
        move = "" if here.best is None else f"MAX plays {self._called(here.best)}. "
        if self._tests(here.number):
            passed = [each for each in self.children[here.number] if self.nodes[each].value >= self.nodes[each].beta]
            best = f"{self._called(self.nodes[passed[-1]])} is the best move" if passed else "No move is better"
            return f"Only one move is left: {best}. How much it is worth, nobody had to find out."
        done = f"Depth {node.depth} is done." if self.deepens else "Done."
        return f"{done} {move}The value of the root is {value}."

    # who and what

    def _name(self, player: int | None) -> str:
        return "MAX" if player == self.first else "MIN"

    def _who(self, node: TreeNode) -> str:
        return "chance" if node.chance else self._name(node.player)

    def _called(self, node: TreeNode) -> str:
        """What led to a node, in a sentence."""
        if node.parent is not None and self.nodes[node.parent].chance:
            return f"outcome {node.move}"
        return _named(move_text(node))

    def _tests(self, number: int) -> bool:
        """Whether a root does nothing but test its moves with null windows, as best-node search does."""
        node, below = self.nodes[number], self.children[number]
        if node.parent is not None or node.null_window:
            return False
        return bool(below) and all(self.nodes[each].null_window for each in below)

    def _asks_again(self, number: int) -> bool:
        """Whether the next child of the same node is the same move again, with an open window."""
        node = self.nodes[number]
        assert node.parent is not None
        below = self.children[node.parent]
        place = below.index(number) + 1
        if place >= len(below) or not node.null_window:
            return False
        after = self.nodes[below[place]]
        return after.again and after.move == node.move

    # the picture

    def _mark(self, here: _Open) -> Mark:
        window = f"[{number_text(here.alpha)}, {number_text(here.beta)}]"
        return Mark(window, "?" if here.best is None else number_text(here.best.value))

    def _final(self, node: TreeNode) -> Mark:
        return Mark(f"[{number_text(node.alpha)}, {number_text(node.beta)}]", value_text(node), done=True)

    def _tell(
        self,
        kind: Kind,
        text: str,
        marks: dict[int, Mark],
        value: float | None = None,
        reason: int | None = None,
        at: int | None = None,
    ) -> None:
        here = self.open[-1]
        path = tuple(each.number for each in self.open)
        path = path if at is None else (*path, at)
        span = Span(here.alpha, here.beta, value)
        text = text[:1].upper() + text[1:]
        self.told.append(Step(kind, text, here.number if at is None else at, path, marks, reason, span, self.seen))


def _named(move: str) -> str:
    """A move in a sentence, where a bare number could be taken for a value."""
    return f"move {move}" if move.isdecimal() else move


def _is(node: TreeNode) -> str:
    """A value in words, with what is known of it."""
    word = {"lower": "at least ", "upper": "at most "}.get(node.bound, "")
    return word + number_text(node.value)

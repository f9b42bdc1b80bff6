"""Random play, and other things that many tests do with positions."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import kibitz as kb

#: Every native game, small and large boards, every parameter at least once away from its default.
GAMES = [
    "backgammon",
    "backgammon:evaluation=pips,cube=8",
    "breakthrough",
    "breakthrough:rows=5,cols=4,ranks=1",
    "breakthrough:rows=12,cols=10,ranks=3",
    "connect-four",
    "connect-four:rows=4,cols=5,k=3",
    "connect-four:rows=9,cols=10,k=5",
    "chance-breakthrough",
    "chance-breakthrough:rows=5,cols=4,ranks=1,noise=5,seed=2",
    "chinese-checkers:plies=60",
    "chinese-checkers:players=3,plies=80",
    "chinese-checkers:players=4,area=star,leave=true,plies=80",
    "chinese-checkers:players=6,plies=90",
    "chinese-checkers:board=full,win=own,plies=60",
    "chinese-checkers:players=3,board=full,area=star,plies=60",
    "crossings",
    "crossings:plies=90,mobility=0,material=200,crossing=500,centre=-3,defence=1,territory=7,edge=4",
    "dao",
    "dice",
    "dice:size=3,full=pass,noise=50",
    "dice:size=11,k=6",
    "dao:repetition=2,counted=mover,noise=50,seed=3",
    "do-guti",
    "do-guti:white=bottom,repetition=2",
    "epaminondas:plies=150",
    "epaminondas:puzzle2,plies=60,symmetry=false,phalanx=0,largest=20,distance=1,longest=-2,capture=0,captures=30,haul=9",
    "fanoron-dimy",
    "fanoron-telo",
    "fanorona",
    "fanorona:rows=3,cols=5,strong=centre,returns=true,stalemate=draw,repetition=3",
    "focus:plies=60",
    "focus:players=3,setup=reserve,plies=80",
    "focus:players=4,rule=long,plies=80",
    "gomoku",
    "fish",
    "gaps",
    "gaps:ranks=5,seed=3",
    "gaps:variant=common,ranks=6,seed=2,plies=80",
    "fish:placement=random,seed=5,result=win,ties=tiles",
    "fish:players=3,islands=award",
    "fish:players=4,placement=random,islands=end,result=win",
    "gomoku:exact=true",
    "hearts",
    "hearts:players=3,deck=reduced,hands=open,equivalent=false,moon=false",
    "hearts:passing=across,opening=club,breaking=queen,first=clean,types=1-2-1-2,totals=3-40-5-6",
    "hearts:players=3,deck=no-queen,cards=5,utility=lead",
    "kuhn-poker",
    "l-game",
    "l-game:repetition=2",
    "lines-of-action",
    "lines-of-action:simultaneous=mover",
    "mnk:rows=3,cols=5,k=4",
    "mnk:rows=10,cols=10,k=4,exact=true",
    "mnk:rows=19,cols=19,k=5",
    "morpion",
    "morpion:variant=5D",
    "morpion:variant=4T",
    "morpion:variant=4D",
    "nim",
    "nim:piles=1-3-5-7,misere=true",
    "nim:piles=30-0-200",
    "othello",
    "othello:size=4,result=discs",
    "othello:size=6",
    "pip-race",
    "pip-race:first=40,second=30,steady=8",
    "random-tree",
    "random-tree:width=3,depth=6,seed=7,players=3",
    "random-tree:width=4,depth=5,chance=random,events=3,players=1",
    "random-tree:width=3,depth=20,states=10,seed=2",
    "rolit",
    "rolit:players=2,size=4,result=discs",
    "rolit:players=4,size=6,evaluation=discs",
    "samegame",
    "samegame:rows=4,cols=5,colours=3,seed=8,penalty=singleton-free",
    "samegame:position=9,penalty=none",
    "samegame:rows=16,cols=20,colours=9",
    "spades",
    "spades:players=3,deck=short,utility=tricks,hands=open,breaking=true",
    "spades:bids=3-4-2-3,cards=12,equivalent=false,types=1-2-3-0",
    "spades:nil=true,bags=1-2-3-4,utility=overtricks",
    "stratego:quiet=30",
    "stratego:white=free,black=blitz,quiet=10,chance=exact,two_squares=5,more_squares=false",
    "surakarta",
    "tic-tac-toe",
]


def after(position: kb.Position, moves: str) -> kb.Position:
    """The position after moves separated by spaces."""
    for move in moves.split():
        position = position.play(move)
    return position


def playthrough(game: kb.Game, choose: Callable[[int], int], plies: int = 5000) -> Iterator[kb.Position]:
    """The positions of one game; `choose(n)` picks one of n moves."""
    position = game.start()
    yield position
    for _ in range(plies):
        if position.over:
            return
        position = position.play(position.moves[choose(len(position.moves))])
        yield position


def random_positions(game: kb.Game, count: int, seed: int, plies: int = 500) -> list[kb.Position]:
    """Positions that are not over, each from a random game of its own."""
    chance = random.Random(seed)
    out: list[kb.Position] = []
    while len(out) < count:
        line = [position for position in playthrough(game, chance.randrange, plies) if not position.over]
        out.append(chance.choice(line))
    return out


def reachable(position: kb.Position) -> dict[str, kb.Position]:
    """Every position that can be reached, by its text."""
    found = {str(position): position}
    stack = [position]
    while stack:
        position = stack.pop()
        for move in position.moves:
            child = position.play(move)
            if str(child) not in found:
                found[str(child)] = child
                stack.append(child)
    return found


def exact_values(position: kb.Position) -> tuple[float, ...]:
    """One value a player when everybody maximises their own result: max^n, and expectimax at chance nodes."""
    if position.result is not None:
        return position.result
    if position.turn == "chance":
        parts = [(p, exact_values(position.play(outcome))) for outcome, p in position.outcomes]
        return tuple(sum(p * values[i] for p, values in parts) for i in range(position.game.players))
    mover = position.turn
    assert isinstance(mover, int)
    return max((exact_values(position.play(move)) for move in position.moves), key=lambda values: values[mover])


def without_time(report: kb.Report) -> dict[str, Any]:
    """Everything in a report but the times, which differ from run to run."""
    data = report.as_dict()
    del data["seconds"]
    for step in data["history"]:
        del step["seconds"]
    return data

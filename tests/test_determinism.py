"""The same seed and limits in nodes give the same report: again, in a fresh process, and on any number of threads."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import kibitz as kb
import pytest
from nim import Nim
from playing import GAMES, without_time
from tic_tac_toe import TicTacToe

SEARCHES = [
    ("breakthrough", "alphabeta:nodes=30000"),
    ("breakthrough", "alphabeta:nodes=30000,seed=5"),
    ("breakthrough", "uct:nodes=30000,seed=3"),
    ("connect-four", "alphabeta:nodes=30000,tt_mb=1,replacement=two-big"),
    ("connect-four", "alphabeta:nodes=30000,tt_exact=true"),
    ("gomoku", "uct:simulations=300,seed=1,final_move=secure"),
    ("othello", "minimax:nodes=20000,seed=7"),
    ("othello", "uct:simulations=500,solver=false,seed=18446744073709551615"),
    ("random-tree:chance=random,depth=6", "uct:simulations=2000"),
    ("random-tree:players=3,depth=9", "uct:simulations=2000"),
    ("breakthrough", "huct:simulations=500,seed=2"),
    ("breakthrough", "uct:simulations=500,rave=100,proof_numbers=1.0,score_bounds=true,back_up=mix"),
    ("othello", "uct:simulations=300,widening=4,implicit_minimax=0.3,playout=gibbs,last_good_reply=2,horizon=20"),
    ("random-tree:players=3,depth=9", "uct:simulations=500,progressive_bias=1.0,playout=mast,score_bounds=true"),
    ("kuhn-poker", "flatmontecarlo:simulations=500,allocation=ucb1"),
    ("breakthrough", "uct:simulations=500,selection=ucb1-tuned,first_play_urgency=1.0,expansion_threshold=3"),
    ("gomoku", "uct:simulations=8000,memory_mb=1"),
    ("othello", "uct:simulations=600,threads=3,parallel=leaf"),
    ("othello", "uct:simulations=600,threads=3,parallel=root,trace=50,final_move=robust-max"),
    ("breakthrough", "ubfm:nodes=30000"),
    ("othello", "ubfm:simulations=2000,decision=best"),
    ("random-tree:width=8,depth=12,leaves=sum", "bstar:nodes=30000"),
    ("python nim", "ubfm:nodes=2000"),
    ("breakthrough", "simulation:nodes=30000,seed=3"),
    ("kuhn-poker", "simulation:simulations=2000"),
    ("othello", "simulation:simulations=2000,candidates=2,horizon=4,scheduler=ratio"),
    ("othello", "simulation:simulations=2000,threads=3,tolerance=none"),
    ("pip-race:steady=8", "simulation:simulations=2000,compensate=true"),
    ("random-tree:players=3,depth=9", "simulation:simulations=2000,scheduler=round-robin,bound=false"),
    ("samegame", "spmcts:simulations=500,restarts=3,seed=2"),
    ("samegame", "spmcts:nodes=30000,control=move,keep_tree=true"),
    ("samegame", "nestedmontecarlo:simulations=1000,seed=5"),
    ("morpion", "nestedrollout:simulations=1000,seed=5"),
    ("samegame", "nestedrollout:nodes=30000,playouts=2"),
    ("samegame", "beamsearch:width=30,noise=5,threads=2"),
    ("samegame", "beamsearch:nodes=50000,refine=true,width=10,noise=5"),
    ("samegame:rows=5,cols=5,colours=4", "astar"),
    ("samegame:rows=5,cols=5,colours=4", "idastar:tt_mb=1"),
    ("nim", "random:seed=4"),
    ("python nim", "simulation:simulations=300,seed=2"),
    ("python nim", "alphabeta:nodes=2000"),
    ("python nim", "uct:simulations=300,seed=2"),
    ("python tic-tac-toe", "uct:simulations=300,seed=2"),
    ("python tic-tac-toe", "alphabeta:nodes=1500,seed=1"),
    ("python tic-tac-toe", "random:seed=9"),
]


def start(name: str) -> kb.Position:
    written = {"python nim": Nim, "python tic-tac-toe": TicTacToe}
    return (written[name]() if name in written else kb.game(name)).start()


def reports() -> list[dict[str, object]]:
    return [without_time(kb.algorithm(algorithm).search(start(name))) for name, algorithm in SEARCHES]


@pytest.mark.parametrize(("name", "algorithm"), SEARCHES)
def test_a_repeated_search_gives_the_same_report(name: str, algorithm: str) -> None:
    found = [without_time(kb.algorithm(algorithm).search(start(name))) for _ in range(3)]
    assert found[0] == found[1] == found[2]


def test_fresh_processes_give_the_same_reports() -> None:
    here = Path(__file__).parent
    code = "import json, test_determinism; print(json.dumps(test_determinism.reports()))"
    found = []
    for hash_seed in ("0", "1", "12345"):
        path = os.pathsep.join([str(here), str(here.parent / "examples")])
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": path}
        run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        found.append(json.loads(run.stdout))
    assert found[0] == found[1] == found[2] == json.loads(json.dumps(reports()))


def test_keys_are_the_same_in_fresh_processes() -> None:
    code = f"import kibitz as kb; print([kb.game(name).start().key for name in {GAMES}])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == str([kb.game(name).start().key for name in GAMES])


@pytest.mark.parametrize("name", ["breakthrough", "othello:result=discs", "random-tree:players=3", "kuhn-poker"])
def test_playouts_depend_on_the_seed_and_not_on_the_threads(name: str) -> None:
    position = kb.game(name).start()

    def found(seed: int, threads: int) -> tuple[object, ...]:
        games = kb.playouts(position, 3_000, seed=seed, threads=threads)
        return games.count, games.mean, games.deviation, games.plies, games.cut

    assert found(1, 1) == found(1, 1) == found(1, 2) == found(1, 5)
    assert found(1, 1) != found(2, 1)
    assert found(1, 1)[0] == 3_000


@pytest.mark.parametrize("name", GAMES)
def test_perft_does_not_depend_on_the_threads(name: str) -> None:
    position = kb.game(name).start()
    depth = next(depth for depth in (4, 3, 2) if len(position.moves) ** depth < 300_000)
    assert kb.perft(position, depth) == kb.perft(position, depth, threads=2) == kb.perft(position, depth, 3)


def test_seeds_make_a_difference() -> None:
    position = kb.game("breakthrough").start()
    assert len({kb.Random(seed=seed).search(position).best for seed in range(100)}) > 15
    first, second = (kb.Uct(simulations=200, seed=seed).search(position) for seed in (1, 2))
    assert first.children != second.children

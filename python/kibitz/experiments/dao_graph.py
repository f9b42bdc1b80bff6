"""Dao as a benchmark game: its complete graph, random games on it, and its solution."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import kibitz as kb
from kibitz.arena.playing import derive
from kibitz.arena.statistics import Interval
from kibitz.experiments import data
from kibitz.experiments.experiment import Experiment, Row, Scale
from kibitz.experiments.judging import by_interval, exactly, moments, sample_mean, shown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["EXPERIMENTS", "PAPER", "solved", "tables"]

PAPER = (
    "H. H. L. M. Donkers, H. J. van den Herik and J. W. H. M. Uiterwijk, *Dao: A Benchmark Game*, Computers and Games "
    "2004, LNCS 3846"
)
SEED = 1


@functools.cache
def _graph() -> kb.GameGraph:
    return kb.graph(kb.game("dao"))


def _once(scale: Scale) -> list[Any]:  # noqa: ARG001
    return [{}]


def _pairs(**numbers: float) -> str:
    """Several numbers of a line of a table as one text."""
    return ", ".join(f"{name} {shown(number)}" for name, number in numbers.items())


# counts


def _counts_run(unit: Any) -> dict[str, Any]:  # noqa: ARG001
    import numpy as np

    graph = _graph()
    degree = np.diff(graph.first.astype(np.int64))
    reached, over = graph.reached, graph.over
    inside = _inside(graph)
    out = _rows(inside)[reached]
    cycles = graph.smallest_cycles()[reached & ~over]
    wins, losses = graph.ended == 3, graph.ended == 1
    return {
        "positions": len(graph),
        "configurations": int(_orbits(graph).sum()),
        "with swapped colours": int((graph.turned >= np.arange(len(graph))).sum()),
        "terminal": int(over.sum()),
        "won for the last to move": int(losses.sum()),
        "lost for the last to move": int(wins.sum()),
        "reached": int(reached.sum()),
        "reached terminal, won for the last to move": int((losses & reached).sum()),
        "reached terminal, lost for the last to move": int((wins & reached).sum()),
        "unreached terminal": int((over & ~reached).sum()),
        "unreached non-terminal": int((~over & ~reached).sum()),
        "average degree": float(out.mean()),
        "average in-degree of terminals": float(_columns(inside)[reached & over].mean()),
        "moves of non-terminal positions": float(degree[reached & ~over].mean()),
        "successors of non-terminal positions": float(_rows(graph.edges)[reached & ~over].mean()),
        "least number of moves": int(degree[~over].min()),
        "way back to the start": int((_back(graph) >= 0)[~over].sum()),
        "cycles": [int((cycles == length).sum()) for length in range(5)],
    }


def _orbits(graph: kb.GameGraph) -> Any:
    """How many configurations each position stands for, from the images of its text."""
    import numpy as np

    def images(text: str) -> set[str]:
        rows = text[:-2].split("/")
        found = set()
        for _ in range(4):
            found |= {"/".join(rows), "/".join(row[::-1] for row in rows)}
            rows = ["".join(column) for column in zip(*rows[::-1], strict=True)]
        return found

    return np.array([len(images(str(graph.position(node)))) for node in range(len(graph))])


def _rows(matrix: Any) -> Any:
    import numpy as np

    return np.asarray(matrix.sum(axis=1)).ravel()


def _columns(matrix: Any) -> Any:
    import numpy as np

    return np.asarray(matrix.sum(axis=0)).ravel()


def _inside(graph: kb.GameGraph) -> Any:
    """The edges between positions that a game can come to."""
    from scipy.sparse import diags

    return diags(graph.reached.astype(float)) @ graph.edges


def _back(graph: kb.GameGraph) -> Any:
    """Moves from each position to the start, −1 where there is no way."""
    return graph._steps(graph.edges.T.tocsr(), [graph.root])


COUNTS: tuple[tuple[str, str, float], ...] = (
    ("configurations", "configurations", 900_900),
    ("positions apart from symmetries", "positions", 113_028),
    ("positions with swapped colours as one", "with swapped colours", 56_757),
    ("terminal positions", "terminal", 4_277),
    ("terminal positions won by the last to move", "won for the last to move", 2_154),
    ("terminal positions lost by the last to move", "lost for the last to move", 2_123),
    ("reachable positions", "reached", 110_867),
    ("reachable terminal positions won by the last to move", "reached terminal, won for the last to move", 1_130),
    ("reachable terminal positions lost by the last to move", "reached terminal, lost for the last to move", 988),
    ("unreachable terminal positions", "unreached terminal", 2_159),
    ("unreachable non-terminal positions", "unreached non-terminal", 2),
    ("non-terminal positions with a way to the start", "way back to the start", 108_751),
)

BRANCHING = 10.83


def _counts_rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    found = results[0]
    rows = [exactly(label, published, found[name]) for label, name, published in COUNTS]
    rows.append(exactly("average degree of reachable positions", 10.99, found["average degree"], places=2))
    degree = found["average in-degree of terminals"]
    rows.append(exactly("average in-degree of reachable terminal positions", 8.58, degree, places=2))
    for length, published in ((1, 0), (2, 1_888), (3, 3_322), (4, 103_539)):
        label = f"positions whose smallest directed cycle has length {length}"
        rows.append(exactly(label, published, found["cycles"][length]))
    rows.append(
        exactly(
            "average branching factor",
            BRANCHING,
            found["moves of non-terminal positions"],
            places=2,
            why="the paper does not say what is averaged; here it is the number of moves over reachable positions that "
            "are not over. No other simple definition gives 10.83 either",
        )
    )
    rows.append(
        Row(
            label="average number of distinct successors",
            measured=found["successors of non-terminal positions"],
            verdict="measured",
        )
    )
    rows.append(exactly("least number of moves", 2, found["least number of moves"]))
    return rows


# table 1


def _degrees_run(unit: Any) -> dict[str, list[int]]:  # noqa: ARG001
    import numpy as np

    graph = _graph()
    inside = _inside(graph)
    kinds = {"in": _columns(inside), "out": _rows(inside)}
    return {
        name: [int(count) for count in np.bincount(degrees[graph.reached].astype(int))]
        for name, degrees in kinds.items()
    }


def _degrees_rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    found = results[0]

    def at(name: str, degree: int) -> int:
        return int(found[name][degree]) if degree < len(found[name]) else 0

    rows = []
    for line in data.read("dao-table-1"):
        degree = int(line["degree"])
        published = _pairs(**{"in": int(line["in"]), "out": int(line["out"])})
        measured = _pairs(**{"in": at("in", degree), "out": at("out", degree)})
        rows.append(exactly(f"positions of degree {degree}", published, measured))
    rows.append(exactly("greatest degrees, in and out", "26, 19", ", ".join(str(len(found[n]) - 1) for n in found)))
    return rows


# table 2


def _distances_run(unit: Any) -> dict[str, Any]:  # noqa: ARG001
    import numpy as np

    graph = _graph()
    plain, sides = graph.distances, graph.distances_by_side
    depth = int(max(plain.max(), sides.max()))
    within = [graph.visits(ply) for ply in range(1, depth + 1)]

    def mean(distances: Any) -> float:
        return float(distances[distances > 0].mean())

    return {
        "plain": [int((plain == ply).sum()) for ply in range(1, depth + 1)],
        "bipartite": [int((sides == ply).sum()) for ply in range(1, depth + 1)],
        "within": [int(np.count_nonzero(each.first + each.second)) for each in within],
        "means": [mean(plain), mean(sides)],
        "both sides": int(((sides[0] >= 0) & (sides[1] >= 0)).sum()),
    }


def _distances_rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    found = results[0]
    rows = []
    for line in data.read("dao-table-2"):
        ply = int(line["distance"])
        published = _pairs(**{name: int(line[name]) for name in ("plain", "bipartite", "within")})
        measured = _pairs(
            **{
                name: found[name][ply - 1] if ply <= len(found[name]) else 0
                for name in ("plain", "bipartite", "within")
            }
        )
        why = "after four plies the start can come again, and from five on the printed numbers have it, too"
        rows.append(exactly(f"positions at distance {ply}", published, measured, why=why if ply == 4 else ""))
    why = "the printed mean is one more than what the printed distances give"
    for name, printed, mean in zip(("plain", "bipartite"), (7.99, 8.49), found["means"], strict=True):
        rows.append(exactly(f"average distance, {name}", printed, mean, places=2, why=why))
    rows.append(exactly("positions that occur with either player to move", 110_867, found["both sides"]))
    return rows


# table 3


def solved(graph: kb.GameGraph) -> tuple[Any, Any]:
    """Values of all nodes (1 a loss of the player to move, 3 a win, 0 a draw) and distances, by retrograde analysis."""
    import numpy as np

    solution = kb.Retrograde(graph.game, threads=1).solve()
    numbers = {"loss": 1, "draw": 0, "win": 3}
    values, distances = graph.ended.copy(), np.zeros(len(graph), dtype=int)
    for node in np.flatnonzero(~graph.over):
        position = graph.position(int(node))
        values[node] = numbers[solution.value_of(position)]
        distances[node] = solution.distance(position) or 0
    return values, distances


def _steps_run(unit: Any) -> dict[str, Any]:  # noqa: ARG001
    graph = _graph()
    values, distances = solved(graph)
    last = int(distances.max())

    def counted(value: int, among: Any) -> list[int]:
        return [int(((values == value) & (distances == step) & among).sum()) for step in range(last + 1)]

    every = graph.reached | True
    longest = [
        str(graph.position(int(node))) for node in ((values == 3) & (distances == last) & graph.reached).nonzero()[0]
    ]
    return {
        "wins": counted(3, graph.reached),
        "losses": counted(1, graph.reached),
        "all wins": counted(3, every),
        "draws": int(((values == 0) & graph.reached).sum()),
        "root": int(values[graph.root]),
        "after a move": sorted({int(values[node]) for node in graph.moves[graph.root].indices}),
        "longest": longest,
    }


def _steps_rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    found = results[0]
    reasons = {
        0: "the printed line is for the player who has just moved, all others are for the player to move",
        3: "the printed line counts a position that no game comes to: ..B./.WBB/..B./.WWW with White to move",
    }
    rows = []
    lines = data.read("dao-table-3")
    for line in lines:
        step = int(line["step"])
        published = _pairs(wins=int(line["wins"]), losses=int(line["losses"]))
        measured = _pairs(wins=found["wins"][step], losses=found["losses"][step])
        rows.append(exactly(f"positions decided at step {step}", published, measured, why=reasons.get(step, "")))
    totals = {name: sum(int(line[name]) for line in lines) for name in ("wins", "losses")}
    measured = _pairs(**{name: sum(found[name]) for name in totals})
    rows.append(exactly("positions decided", _pairs(**totals), measured, why="the sum of both differences above"))
    rows.append(exactly("wins at step 3, positions that no game comes to included", 8_087, found["all wins"][3]))
    rows.append(Row(label="drawn positions", measured=found["draws"], verdict="measured"))
    value = {0: "draw", 1: "loss", 3: "win"}
    rows.append(exactly("value of the start", "draw", value[found["root"]]))
    after = ", ".join(value[each] for each in found["after a move"])
    rows.append(exactly("value of the start after any move", "draw", after))
    rows.append(exactly("plies of the longest win", 11, len(found["wins"]) - 1))
    return rows


# table 4

DEPTH = 8


def _minimax_run(unit: Any) -> list[dict[str, list[float]]]:  # noqa: ARG001
    import numpy as np

    def both(counts: Any) -> list[float]:
        nodes = int(np.count_nonzero(counts))
        return [nodes, float(counts.sum()) / nodes if nodes else 0.0]

    found = []
    for depth in range(1, DEPTH + 1):
        visits = _graph().visits(depth)
        found.append(
            {
                "all": both(visits.all),
                "white": both(visits.first),
                "black": both(visits.second),
                "evaluated": both(visits.evaluated),
                "leaves": [float(visits.evaluated.sum())],
            }
        )
    return found


def _minimax_rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    rows = []
    for line, found in zip(data.read("dao-table-4"), results[0], strict=True):
        kinds = ("all", "white", "black", "evaluated")
        published = [f"{name} {int(line[name]):,} × {float(line[name + '_visits']):,.1f}" for name in kinds]
        measured = [f"{name} {int(found[name][0]):,} × {found[name][1]:,.1f}" for name in kinds]
        published.append(f"leaves {int(line['leaves']):,}")
        measured.append(f"leaves {int(found['leaves'][0]):,}")
        rows.append(exactly(f"{line['depth']} plies", ", ".join(published), ", ".join(measured)))
    return rows


# random games

GAMES, BATCH = 100_000, 10_000
MEAN, SHORTEST, LONGEST, MODE, EXPONENT = 74.8, 5, 800, 17, -6.66e-3
TAIL = (25, 300)
"""Where the tail of the lengths begins in the paper, and where lengths begin to be missing among so many games."""

SAMPLES = 200


def _games_units(scale: Scale) -> list[dict[str, int]]:
    games = {"quick": 40_000, "standard": 1_000_000, "full": 10_000_000}[scale]
    return [{"batch": batch, "games": BATCH} for batch in range(games // BATCH)]


def _games_run(unit: dict[str, int]) -> dict[str, int]:
    import numpy as np

    lengths = _graph().random_walks(unit["games"], derive(SEED, unit["batch"]))
    found, counts = np.unique(lengths, return_counts=True)
    return {str(length): int(count) for length, count in zip(found, counts, strict=True)}


def _lengths(results: Sequence[Any]) -> dict[int, int]:
    total: dict[int, int] = {}
    for each in results:
        for length, count in each.items():
            total[int(length)] = total.get(int(length), 0) + count
    return total


@functools.cache
def _exact() -> Any:
    return _graph().random_lengths()


def _slopes(exact: Any) -> tuple[float, float, float]:
    """Where a line through the logarithms of the counts of the paper's number of games lies, for several samples."""
    import numpy as np

    generator = np.random.default_rng(SEED)
    plies = np.arange(len(exact))
    slopes = []
    for counts in generator.multinomial(GAMES, exact / exact.sum(), size=SAMPLES):
        some = (plies >= TAIL[0]) & (plies <= TAIL[1]) & (counts > 0)
        slopes.append(np.polyfit(plies[some], np.log10(counts[some]), 1)[0])
    low, middle, high = np.percentile(slopes, [2.5, 50, 97.5])
    return float(low), float(middle), float(high)


def _games_rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    import numpy as np

    total = _lengths(results)
    mean, deviation, games = moments(total)
    exact = _exact()
    plies = np.arange(len(exact))
    expected = float(exact @ plies)
    rows = [
        exactly("shortest game", SHORTEST, min(total)),
        by_interval(f"mean length of {games:,} games", MEAN, mean, sample_mean(mean, deviation, games, of=GAMES)),
        Row(label="expected length, exactly", measured=expected, verdict="measured"),
    ]
    # how the longest of so many games is distributed
    below = np.cumsum(exact) ** GAMES
    longest = Interval(float(np.searchsorted(below, 0.025)), float(np.searchsorted(below, 0.975)))
    middle = float(np.searchsorted(below, 0.5))
    rows.append(
        by_interval(f"longest of {GAMES:,} games, the median of its exact distribution", LONGEST, middle, longest)
    )
    # lengths whose counts may be the greatest: within two standard deviations of the most probable one
    most = float(exact.max()) * GAMES
    likely = np.flatnonzero(exact * GAMES > most - 2 * np.sqrt(2 * most))
    mode = int(exact.argmax())
    interval = Interval(float(likely.min()), float(likely.max()))
    rows.append(by_interval("most frequent length, by the exact distribution", MODE, mode, interval))
    low, middle, high = _slopes(exact)
    label = f"exponent of the tail to base 10, {TAIL[0]} to {TAIL[1]} plies, the median of {SAMPLES} samples"
    rows.append(by_interval(label, EXPONENT, middle, Interval(low, high)))
    rate = float(np.log10(exact[-2] / exact[-102]) / 100)
    rows.append(Row(label="exponent of the tail to base 10, exactly", measured=rate, verdict="measured"))
    return rows


def _games_plot(results: Sequence[Any]) -> Figure:
    from kibitz import plots

    figure, axes = plots.new(x="plies", y="share of games")
    total = _lengths(results)
    games = sum(total.values())
    axes.plot(sorted(total), [total[length] / games for length in sorted(total)], ".", label="played")
    exact = _exact()
    axes.plot(range(len(exact)), exact, label="exactly")
    axes.set_yscale("log")
    axes.set_xlim(0, 800)
    axes.set_ylim(1e-7, 1e-1)
    plots.legend(axes)
    return figure


# Do-Guti


def _do_guti_run(unit: dict[str, str]) -> dict[str, Any]:
    import numpy as np

    graph = kb.graph(kb.game("do-guti", white=unit["white"]))
    values, distances = solved(graph)
    lost = graph.distances[(values == 1) & (distances == 0) & graph.reached]
    # out along any way, and back to the start
    back = graph._steps(graph.edges.T.tocsr(), [graph.root])
    after = back[graph.moves[graph.root].indices]
    return {
        **unit,
        "positions": len(graph),
        "with swapped colours": int((graph.turned >= np.arange(len(graph))).sum()),
        "shortest decisive game": int(lost.min()),
        "smallest cycle through the start": int(after[after >= 0].min()) + 1,
        "draws": int((values == 0).sum()),
        "wins in 1": int(((values == 3) & (distances == 1)).sum()),
        "reached": int(graph.reached.sum()),
        "start": int(values[graph.root]),
    }


def _do_guti_rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    rows = []
    for found in results:
        begins = f"the {found['white']} begins"
        rows += [
            exactly(f"{begins}: positions apart from the mirror image", 16, found["positions"]),
            exactly(f"{begins}: with swapped colours as one", 9, found["with swapped colours"]),
            exactly(f"{begins}: plies of the shortest decisive game", 6, found["shortest decisive game"]),
            exactly(f"{begins}: smallest cycle through the start", 6, found["smallest cycle through the start"]),
            exactly(f"{begins}: value of the start", "draw", "draw" if found["start"] == 0 else "decided"),
            Row(
                label=f"{begins}: drawn positions, wins in one, positions reached",
                measured=f"{found['draws']}, {found['wins in 1']}, {found['reached']}",
                verdict="measured",
            ),
        ]
    return rows


def _experiment(
    name: str,
    title: str,
    table: str,
    run: Callable[[Any], Any],
    rows: Callable[[Scale, Sequence[Any]], Sequence[Row]],
    seconds: float,
    note: str = "",
) -> Experiment:
    return Experiment(
        id=name,
        title=title,
        paper=PAPER,
        table=table,
        units=_once,
        run=run,
        summarize=rows,
        seconds={"quick": seconds, "standard": seconds, "full": seconds},
        note=note,
    )


TABLES = (
    _experiment("dao-graph", "The graph of Dao", "Sections 3 and 4", _counts_run, _counts_rows, 5),
    _experiment(
        "dao-table-1",
        "Degrees of the positions of Dao",
        "Table 1",
        _degrees_run,
        _degrees_rows,
        1,
        note="Edges from the two positions that no game comes to do not count.",
    ),
    _experiment("dao-table-2", "Distances from the start of Dao", "Table 2", _distances_run, _distances_rows, 2),
    _experiment("dao-table-3", "The solution of Dao", "Table 3", _steps_run, _steps_rows, 2),
    _experiment(
        "dao-table-4",
        "What minimax visits in Dao",
        "Table 4",
        _minimax_run,
        _minimax_rows,
        2,
        note="Distinct positions and visits a position. A visit with Black to move counts at the pieces as they stand, "
        "but in the columns of one side at the position with swapped colours.",
    ),
)
"""What the solution of Dao is beside the paper; nothing here is random."""


def tables() -> list[tuple[Experiment, list[Row]]]:
    """The tables of the paper that a solution of Dao gives, measured now, with what was published."""
    return [
        (each, list(each.summarize("standard", [each.run(unit) for unit in each.units("standard")]))) for each in TABLES
    ]


EXPERIMENTS = (
    *TABLES,
    Experiment(
        id="dao-random-games",
        title="Random games of Dao",
        paper=PAPER,
        table="Section 5",
        units=_games_units,
        run=_games_run,
        summarize=_games_rows,
        plot=_games_plot,
        seconds={"quick": 6, "standard": 20, "full": 150},
        seed=SEED,
        note="Every legal move is equally likely. The exact distribution of the lengths is a sum over all positions.",
    ),
    Experiment(
        id="do-guti-graph",
        title="The graph of Do-Guti",
        paper=PAPER,
        table="Section 2",
        units=lambda scale: [{"white": "top"}, {"white": "bottom"}],  # noqa: ARG005
        run=_do_guti_run,
        summarize=_do_guti_rows,
        seconds={"quick": 0.1, "standard": 0.1, "full": 0.1},
        note="The figures of the paper are lost; the board is the one known by this name, and its counts agree.",
    ),
)

"""A run of tuning in a store goes on where it ended; its result is plain data with a picture."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import kibitz as kb
import pytest
from kibitz.tuning import Progress
from tuned import small


def test_a_run_in_a_store_is_not_done_twice_and_may_go_on(tmp_path: Path) -> None:
    steps: list[Progress] = []
    settings: dict[str, Any] = {"store": tmp_path / "runs.db", "progress": steps.append, "tolerance": 0}
    short = small(iterations=2, **settings)
    assert steps[-1].fresh == steps[-1].done == steps[-1].total
    steps.clear()
    assert small(iterations=2, **settings) == short
    assert steps[-1].fresh == 0
    steps.clear()
    long = small(iterations=4, **settings)
    assert long.history[:2] == short.history
    # The two new iterations, and the comparison of what they recommend; the given parameters are known.
    assert steps[-1].fresh == 2 * 20 + 4
    assert long == small(iterations=4, tolerance=0)
    other = small(iterations=2, seed=9, **settings)
    assert other.history != short.history


def test_a_function_without_a_name_has_no_place_in_a_store(tmp_path: Path) -> None:
    with pytest.raises(kb.BadParameter, match="give it one with def"):
        kb.tune(lambda parameters, seed: 0.0, vary={"x": (0, 1)}, store=tmp_path / "runs.db", workers=0)


RUN = """
import json, sys
import kibitz as kb
def tell(progress):
    print(progress.fresh, flush=True)
found = kb.tune(
    kb.game("connect-four", rows=4, cols=4, k=3), kb.Uct(simulations=30), vary={"c": (0, 3), "simulations": "5:40"},
    against=kb.Uct(simulations=15), samples=12, elite=4, positions=12, iterations=3, validate=10, seed=5,
    workers=2, store=sys.argv[1], progress=tell,
)
data = found.as_dict()
del data["seconds"]
print(json.dumps(data))
"""


def run_until(path: Path, pieces: int | None) -> Any:
    """Runs in another process to its end, or until it has done so many new pieces of work; then it is killed."""
    with subprocess.Popen([sys.executable, "-c", RUN, str(path)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        last = ""
        for line in process.stdout:
            last = line
            if pieces is not None and int(line) >= pieces:
                process.kill()
                return None
        assert process.wait() == 0
    return json.loads(last)


def test_a_run_that_is_killed_goes_on_to_the_same_result(tmp_path: Path) -> None:
    whole = run_until(tmp_path / "whole.db", None)
    for pieces in (1, 25, 40):
        assert run_until(tmp_path / "killed.db", pieces) is None
    assert run_until(tmp_path / "killed.db", None) == whole
    assert len(whole["history"]) == 3


# what is shown


def test_the_plot_has_a_panel_for_each_parameter_and_one_for_the_fitness() -> None:
    found = small()
    figure = found.plot()
    assert [axes.get_ylabel() for axes in figure.axes] == ["n", "rate", "x", "fitness"]
    (line,) = figure.axes[0].lines
    assert list(line.get_ydata()) == [each.mu["n"] for each in found.history]
    assert figure.axes[1].get_yscale() == "log"
    lines = figure.axes[3].lines
    assert [each.get_label() for each in lines] == ["all samples", "elite"]
    assert list(lines[0].get_ydata()) == list(found.fitness)


def test_a_result_is_plain_data() -> None:
    data = json.loads(json.dumps(small(iterations=2).as_dict()))
    assert data["vary"] == {"n": "1:40:int", "rate": "0.001:1000:log", "x": "-2:2"}
    assert len(data["history"]) == 2
    assert len(data["history"][0]["samples"]) == 20
    assert data["best"] is None


def test_a_tuning_is_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        small(iterations=1).seed = 3  # type: ignore[misc]

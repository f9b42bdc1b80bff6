"""The engine of experiments: results are used once and kept, verdicts mean what they say, reports show the rows."""

from __future__ import annotations

import dataclasses
import functools
import html.parser
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import kibitz as kb
import kibitz.experiments
import pytest
from kibitz.arena.statistics import Interval
from kibitz.cli import app
from kibitz.experiments import SCALES, Experiment, Outcome, Row, Scale, SelfCheck, experiment, experiments, reproduce
from kibitz.experiments.judging import by_interval, exactly
from kibitz.experiments.report import Reproduction, row_texts, tally, time_text, write
from kibitz.experiments.running import Progress
from kibitz.store import Store
from machine import slowness
from typer.testing import CliRunner, Result

DOCUMENTATION = Path(__file__).parent.parent / "docs" / "reproduction.md"
SECONDS: dict[Scale, float] = {"quick": 1.0, "standard": 2.0, "full": 3.0}

calls: Counter[int] = Counter()
"""How often each number was squared in this process."""
broken: set[int] = set()
"""Numbers that cannot be squared yet."""


def numbers(scale: Scale) -> list[dict[str, int]]:
    return [{"number": number} for number in range({"quick": 5, "standard": 8, "full": 20}[scale])]


def square(unit: dict[str, int]) -> list[int]:
    if unit["number"] in broken:
        raise ZeroDivisionError(f"{unit['number']} is broken")
    calls[unit["number"]] += 1
    return [unit["number"], unit["number"] ** 2]


def squares(scale: Scale, results: Sequence[Any]) -> list[Row]:
    return [exactly(f"square of {number}", number * number, found) for number, found in results]


def squares_plot(results: Sequence[Any]) -> Any:
    from kibitz import plots

    figure, axes = plots.new(x="number", y="square")
    axes.plot([number for number, _ in results], [found for _, found in results])
    return figure


SQUARES = Experiment(
    id="squares",
    title="Squares of <small> numbers",
    paper="Euclid, *Elements*, Alexandria",
    table="Table 1",
    units=numbers,
    run=square,
    summarize=squares,
    seconds=SECONDS,
    seed=7,
)


@pytest.fixture(autouse=True)
def _unused() -> None:
    calls.clear()
    broken.clear()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "results.sqlite") as opened:
        yield opened


def measure(store: Store, *chosen: Experiment, scale: Scale = "quick", **options: Any) -> list[Outcome]:
    return list(reproduce(chosen or (SQUARES,), scale, store=store, **{"workers": 0, **options}))


# running


def test_results_come_in_the_order_of_the_units_and_cost_processor_time(store: Store) -> None:
    (outcome,) = measure(store)
    assert outcome.results == ([0, 0], [1, 1], [2, 4], [3, 9], [4, 16])
    assert [row.verdict for row in outcome.rows] == ["agrees"] * 5
    assert (outcome.units, outcome.fresh) == (5, 5)
    assert outcome.core_seconds >= 0


def test_a_repeated_run_is_free(store: Store) -> None:
    first, second = measure(store), measure(store)
    assert set(calls.values()) == {1}
    assert second[0].fresh == 0
    assert dataclasses.replace(second[0], fresh=5) == first[0]


def test_a_run_that_ended_in_the_middle_goes_on_and_uses_every_result_once(store: Store) -> None:
    broken.add(3)
    with pytest.raises(ZeroDivisionError, match="3 is broken"):
        measure(store)
    assert calls == {0: 1, 1: 1, 2: 1}
    broken.clear()
    (outcome,) = measure(store)
    assert calls == {0: 1, 1: 1, 2: 1, 3: 1, 4: 1}
    assert (outcome.units, outcome.fresh) == (5, 2)
    assert len(outcome.rows) == 5


def test_units_that_two_scales_share_are_run_once(store: Store) -> None:
    measure(store)
    (outcome,) = measure(store, scale="standard")
    assert (outcome.units, outcome.fresh) == (8, 3)
    assert set(calls.values()) == {1}


def test_fresh_measures_again_and_an_interrupted_fresh_run_goes_on(store: Store) -> None:
    measure(store)
    broken.add(2)
    with pytest.raises(ZeroDivisionError):
        measure(store, fresh=True)
    broken.clear()
    (outcome,) = measure(store)
    assert outcome.fresh == 3
    assert calls == dict.fromkeys(range(5), 2)


def test_results_of_another_version_of_the_experiment_do_not_count(store: Store) -> None:
    measure(store)
    (outcome,) = measure(store, dataclasses.replace(SQUARES, version=2))
    assert outcome.fresh == 5


def test_results_of_another_version_of_kibitz_do_not_count(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    measure(store)
    monkeypatch.setattr(kb, "__version__", "99.0.0")
    assert measure(store)[0].fresh == 5


def test_several_experiments_share_one_pool_and_end_one_by_one(store: Store) -> None:
    other = dataclasses.replace(SQUARES, id="more-squares")
    first = measure(store)
    assert [outcome.experiment.id for outcome in first] == ["squares"]
    both = measure(store, other, SQUARES, workers=2)
    # What is in the store already ends first.
    assert [outcome.experiment.id for outcome in both] == ["squares", "more-squares"]
    assert both[1].results == first[0].results
    assert both[1].fresh == 5
    assert sum(calls.values()) == 5, "the others ran in processes of their own"


def test_progress_counts_units_and_knows_the_time_left(store: Store) -> None:
    steps: list[Progress] = []
    measure(store, progress=steps.append)
    assert [step.done for step in steps] == [0, 1, 2, 3, 4, 5]
    assert {step.units for step in steps} == {5}
    assert steps[0].seconds_left > 0
    assert steps[-1].seconds_left == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(
    ("units", "message"),
    [
        (lambda scale: [], "no units"),
        (lambda scale: [{"number": 1}, {"number": 1}], "the same unit twice"),
        (lambda scale: [{"number": {1, 2}}], "not plain JSON"),
    ],
)
def test_units_that_cannot_be_right_are_refused(
    store: Store, units: Callable[[Scale], list[Any]], message: str
) -> None:
    with pytest.raises(kb.BadParameter, match=message):
        measure(store, dataclasses.replace(SQUARES, units=units))


def test_an_unknown_scale_is_refused(store: Store) -> None:
    with pytest.raises(kb.BadParameter, match="no scale 'tiny'; there are quick, standard, full"):
        measure(store, scale="tiny")  # type: ignore[arg-type]


@pytest.mark.parametrize("change", [{"id": "Two words"}, {"seconds": {"quick": 1}}])
def test_an_experiment_that_is_not_complete_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(kb.BadParameter):
        dataclasses.replace(SQUARES, **change)


# self-checks


def cases(scale: Scale) -> list[int]:
    return list(range(10))


def below(case: int) -> str | None:
    return None if case < 10 else f"{case} is not below ten"


def odd(case: int) -> str | None:
    return None if case % 2 else f"{case} is even"


HOLDS = SelfCheck(id="below-ten", statement="All are below ten", cases=cases, check=below, seconds=SECONDS)
FAILS = SelfCheck(id="all-odd", statement="All are odd", cases=cases, check=odd, seconds=SECONDS)


def test_a_self_check_holds_or_fails_with_its_first_counterexample(store: Store) -> None:
    holds, fails = (outcome.rows[0] for outcome in measure(store, HOLDS.experiment(), FAILS.experiment()))
    assert (holds.verdict, holds.measured, holds.why) == ("holds", "10 of 10 cases", "")
    assert (fails.verdict, fails.measured) == ("fails", "5 of 10 cases")
    assert fails.why == "it fails in 5; the first: 0 is even"


def test_a_self_check_travels_to_other_processes(store: Store) -> None:
    (outcome,) = measure(store, FAILS.experiment(), workers=1)
    assert outcome.rows[0].verdict == "fails"


# reports


class _Page(html.parser.HTMLParser):
    """Checks that what is opened is closed, and collects texts, names and links."""

    VOID = ("meta", "br", "link", "img")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)
        self._collect(attrs)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._collect(attrs)

    def _collect(self, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name in ("href", "src", "xlink:href"):
                self.links.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_the_page_is_complete_in_itself_and_shows_every_row(store: Store, tmp_path: Path) -> None:
    drawn = dataclasses.replace(SQUARES, plot=squares_plot, note="A note with `code`.")
    wrong = dataclasses.replace(
        drawn,
        id="wrong-squares",
        summarize=lambda scale, results: [by_interval("x <b>", 0.25, 0.75, Interval(0.7, 0.8))],
    )
    outcomes = tuple(measure(store, drawn, wrong))
    page_file, text_file = write(Reproduction(outcomes=outcomes, scale="quick", seconds=1.5), tmp_path)
    source = page_file.read_text(encoding="utf-8")
    page = _Page(source)
    assert page.open == []
    assert len(page.ids) == len(set(page.ids)), "two plots have parts of the same name"
    assert all(link.startswith("#") and link[1:] in page.ids for link in page.links)
    assert source.count("<svg") == 2
    assert set(re.findall(r"url\(#([^)]+)\)", source)) <= set(page.ids)
    for need in ("prefers-color-scheme: dark", "width=device-width", "<em>Elements</em>", "<code>code</code>"):
        assert need in source
    text = " ".join(page.texts)
    for number in range(5):
        assert f"square of {number}" in text
    for need in ("x <b>", "0.25", "0.7 to 0.8", "differs", "the published 0.25 is below", "seeds from 7", "5 units"):
        assert need in text
    assert kb.__version__ in text
    markdown = text_file.read_text(encoding="utf-8")
    assert "| square of 4 | 16 | 16 |  | agrees |  |" in markdown
    assert "| x <b> | 0.25 | 0.75 | 0.7 to 0.8 | differs | the published 0.25 is below 0.7 to 0.8 |" in markdown
    assert "![Squares of <small> numbers](squares.svg)" in markdown
    assert (tmp_path / "squares.svg").read_text(encoding="utf-8").startswith("<svg")
    assert "5 agree, 1 differs" in markdown


@pytest.mark.parametrize(
    ("row", "texts"),
    [
        (by_interval("x", 137, 135.5, Interval(100, 174)), ("137", "135.5", "100 to 174")),
        (by_interval("x", 30.985, 30.99123, Interval(30.8114, 31.1706)), ("30.985", "30.991", "30.81 to 31.17")),
        (by_interval("x", 490.194999, 503.75, Interval(449.2, 558.1)), ("490.2", "503.8", "449 to 558")),
        (exactly("x", 0.00061721, 0.0006172119, places=8), ("0.00061721", "0.00061721", "")),
        (Row(label="x", measured=12345, verdict="measured"), ("–", "12,345", "")),
    ],
)
def test_numbers_have_as_many_decimals_as_they_deserve(row: Row, texts: tuple[str, str, str]) -> None:
    assert row_texts(row) == texts


def test_tallies_and_times_read_well() -> None:
    rows = [exactly("a", 1, 1), exactly("b", 1, 2), exactly("c", 2, 2), Row(label="d", verdict="holds")]
    assert tally(rows) == "2 agree, 1 differs, 1 holds"
    assert [time_text(each) for each in (0.2, 12, 850, 9000)] == ["< 1 s", "12 s", "14 min", "2.5 h"]


# the experiments there are


def test_every_id_finds_its_experiment_and_near_names_are_offered() -> None:
    for each in experiments():
        assert experiment(each.id) is each
    with pytest.raises(kb.BadParameter, match=r"no experiment 'rutko-tabel-3'; did you mean rutko-table-3"):
        experiment("rutko-tabel-3")
    with pytest.raises(kb.BadParameter, match=r"no experiment '§'; there are alphabeta-equals-minimax, "):
        experiment("§")


def test_all_quick_experiments_take_less_than_a_quarter_of_an_hour_on_two_cores() -> None:
    assert all(each.seconds["quick"] <= 10 for each in experiments())
    assert sum(each.seconds["quick"] for each in experiments()) / 2 < 15 * 60


@functools.cache
def quick(id: str) -> Outcome:
    """The outcome of an experiment at the quick scale, measured once."""
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "results.sqlite") as store:
        (outcome,) = measure(store, experiment(id))
        return outcome


@pytest.mark.parametrize("id", [each.id for each in experiments()])
def test_the_quick_scale_costs_at_most_ten_core_seconds_and_no_self_check_fails(id: str) -> None:
    outcome = quick(id)
    # What else the machine does makes processor time longer and never shorter, so a second look is fair.
    allowed = 10 * slowness()
    assert outcome.core_seconds <= allowed or quick.__wrapped__(id).core_seconds <= allowed
    assert outcome.rows
    assert not [row for row in outcome.rows if row.verdict == "fails"]
    for scale in SCALES:
        assert outcome.units <= len(outcome.experiment.units(scale))


def test_random_trees_agree_with_the_thesis() -> None:
    rows = {row.label: row for row in quick("rutko-table-3").rows}
    assert [row.label for row in rows.values() if row.verdict != "agrees"] == []
    assert rows["mean root value"].published == 30.985
    assert rows["ties, of 1,000 trees"].published == 137
    assert rows["Table 4, separated by 30, of 1,000 trees"].published == 509
    assert rows["both 30 or more, separated by 32, of 1,000 trees"].published == 151


def test_random_trees_agree_with_the_exact_distribution() -> None:
    rows = quick("rutko-expectation").rows
    assert len(rows) == 8 + 13 + 7
    assert [row.label for row in rows if row.verdict != "agrees"] == []


def test_table_5_differs_only_where_the_thesis_divides_by_80() -> None:
    (row,) = [row for row in quick("rutko-table-5").rows if row.verdict != "agrees"]
    assert (row.published, row.measured) == (31, 32)
    assert "81 values" in row.why


@pytest.mark.parametrize("id", [each.id for each in experiments()])
def test_every_experiment_has_a_line_in_the_documentation(id: str) -> None:
    assert f"\n| `{id}` |" in DOCUMENTATION.read_text(encoding="utf-8")


def test_the_experiment_of_the_documentation_works(store: Store) -> None:
    text = DOCUMENTATION.read_text(encoding="utf-8")
    module, check = re.findall(r"```python\n(.*?)```", text, re.DOTALL)[:2]
    found: dict[str, Any] = {}
    exec(compile(module + check, "reproduction.md", "exec", dont_inherit=True), found)
    for outcome in measure(store, *found["EXPERIMENTS"], found["CHECK"].experiment()):
        assert {row.verdict for row in outcome.rows} <= {"agrees", "holds"}
        assert outcome.core_seconds < 10


# the command line


def run(*args: str, code: int = 0) -> Result:
    result = CliRunner().invoke(app, ["reproduce", *args], catch_exceptions=False, env={"COLUMNS": "160"})
    assert result.exit_code == code, result.output
    return result


def error(*args: str) -> str:
    lines = run(*args, code=2).stderr.splitlines()
    assert len(lines) == 1
    return lines[0]


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command line knows only the experiments of this file."""
    some = (SQUARES, HOLDS.experiment(), FAILS.experiment())
    monkeypatch.setattr(kibitz.experiments, "experiments", lambda: some)


def test_without_experiments_they_are_listed() -> None:
    text = run().stdout
    for each in experiments():
        assert each.id in text
    listed = json.loads(run("--json").stdout)
    assert [each["id"] for each in listed] == [each.id for each in experiments()]
    assert all(set(each["core_seconds"]) == set(SCALES) for each in listed)
    assert all(each["paper"] and each["table"] for each in listed)


def test_one_experiment_is_run_and_reported(tmp_path: Path) -> None:
    text = run("rutko-table-5", "--out", str(tmp_path / "new" / "folder"), "--workers", "0").stdout
    assert "level 14" in text
    assert "21 agree, 1 differs" in text
    assert {path.name for path in (tmp_path / "new" / "folder").iterdir()} >= {
        "report.html",
        "report.md",
        "results.sqlite",
    }


def test_json_has_rows_costs_and_places(tmp_path: Path, known: None) -> None:
    args = ("squares", "below-ten", "--out", str(tmp_path), "--workers", "0", "--json")
    found = json.loads(run(*args).stdout)
    assert (found["kibitz"], found["scale"], found["verdicts"]) == (kb.__version__, "quick", {"agrees": 5, "holds": 1})
    assert [each["id"] for each in found["experiments"]] == ["squares", "below-ten"]
    assert found["experiments"][0]["rows"][4] == {
        "label": "square of 4",
        "published": 16,
        "measured": 16,
        "interval": None,
        "verdict": "agrees",
        "why": "",
    }
    assert (found["experiments"][0]["units"], found["experiments"][0]["fresh"]) == (5, 5)
    again = json.loads(run(*args).stdout)
    assert again["experiments"][0]["fresh"] == 0
    assert json.loads(run(*args, "--fresh").stdout)["experiments"][0]["fresh"] == 5
    other = str(tmp_path / "other.sqlite")
    assert json.loads(run(*args, "--store", other).stdout)["experiments"][0]["fresh"] == 5


def test_all_runs_everything_and_a_failing_self_check_is_a_failure(tmp_path: Path, known: None) -> None:
    result = run("--all", "--out", str(tmp_path), "--workers", "0", code=1)
    assert "fails All are odd: it fails in 5; the first: 0 is even" in result.stdout
    assert (tmp_path / "report.html").is_file()


def test_what_is_wrong_is_one_line_that_says_what_to_do(tmp_path: Path) -> None:
    assert "did you mean rutko-table-3" in error("rutko-table3")
    assert "no scale 'huge'; there are quick, standard, full" in error("rutko-table-5", "--scale", "huge")
    assert "name some or use --all" in error("rutko-table-5", "--all")
    file = tmp_path / "file"
    file.write_text("not a folder")
    assert f"cannot write a report into {file}: file exists" in error("rutko-table-5", "--out", str(file))
    assert "choose another folder" in error("rutko-table-5", "--out", str(file / "below"))
    assert "is not a kibitz store" in error("rutko-table-5", "--out", str(tmp_path / "out"), "--store", str(file))
    assert file.read_text() == "not a folder"
    assert "on='moon'" in error("rutko-table-5", "--out", str(tmp_path / "out"), "--on", "moon")
    assert "workers=-1" in error("rutko-table-5", "--out", str(tmp_path / "out"), "--workers", "-1")


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c_keeps_what_is_done_and_the_same_command_goes_on(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from kibitz.cli import main; main()", "reproduce", "rutko-expectation"]
    options = ["--out", str(tmp_path), "--workers", "1"]
    process = subprocess.Popen([*command, *options, "--scale", "full"], stderr=subprocess.PIPE, text=True)
    results = tmp_path / "results.sqlite"
    deadline = time.monotonic() + 60
    kept = 0
    while kept < 3 and time.monotonic() < deadline:
        time.sleep(0.1)
        if results.exists():
            with Store.open(results, write=False) as store:
                kept = sum(len(store.results(run.id)) for run in store.runs())
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "the same command goes on from there" in stderr
    quick = subprocess.run([*command, *options, "--json"], capture_output=True, text=True, check=True, timeout=120)
    (found,) = json.loads(quick.stdout)["experiments"]
    # The first two units of the full scale are units of the quick one too.
    assert (found["units"], found["fresh"]) == (16, 14)

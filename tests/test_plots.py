"""Plots look the same everywhere and fail with a reason."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import kibitz as kb
import pytest
from kibitz import plots

DRAW = """
from kibitz import plots
figure, (curve, lengths) = plots.panels([("ply", "moves"), ("plies", "games")], "Nim")
plots.band(curve, [1, 2, 3], [1, 2, 3], [2, 3, 4], [3, 4, 5], label="random")
plots.histogram(lengths, [5, 6, 6, 7, 9])
"""


def drawing(size: plots.Size = "paper"):
    figure, axes = plots.new("Nim", x="ply", y="moves", size=size)
    plots.band(axes, [1, 2, 3], low=[1, 2, 3], middle=[2, 3, 4], high=[3, 4, 5], label="random")
    return figure, axes


def test_the_same_plot_is_the_same_text_in_every_process():
    names: dict = {}
    exec(DRAW, names)
    there = subprocess.run(
        [sys.executable, "-c", DRAW + "import sys; sys.stdout.write(plots.svg(figure))"],
        capture_output=True,
        text=True,
        check=True,
        env={"SOURCE_DATE_EPOCH": "1", "MPLBACKEND": "agg"},
    )
    assert plots.svg(names["figure"]) == there.stdout


@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_a_file_depends_on_the_data_alone(tmp_path, kind):
    files = [tmp_path / f"{name}.{kind}" for name in "ab"]
    for file in files:
        plots.save(drawing()[0], file)
    assert files[0].read_bytes() == files[1].read_bytes()
    start = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF"}[kind]
    assert files[0].read_bytes().startswith(start)


def test_an_svg_needs_nothing_from_outside():
    text = plots.svg(drawing()[0])
    root = ElementTree.fromstring(text)
    links = [value for each in root.iter() for name, value in each.attrib.items() if name.endswith("href")]
    assert links
    assert all(link.startswith("#") for link in links)
    assert "<text" not in text
    assert not re.search(r"\d{4}-\d\d-\d\d|Matplotlib v", text)


def test_nothing_global_is_left_changed():
    import matplotlib

    before = dict(matplotlib.rcParams)
    plots.svg(drawing()[0])
    assert dict(matplotlib.rcParams) == before
    loaded = "import sys; sys.exit('matplotlib.pyplot' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", DRAW + "plots.svg(figure)\n" + loaded]).returncode == 0


def test_the_look_is_ours_whatever_the_users_own_settings_are():
    import matplotlib

    plain = plots.svg(drawing()[0])
    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "red", "svg.fonttype": "none"}):
        assert plots.svg(drawing()[0]) == plain


def test_a_slide_is_larger_than_a_column_of_a_paper():
    (paper, narrow), (slide, wide) = drawing("paper"), drawing("slide")
    assert paper.get_figwidth() == 3.5
    assert slide.get_figwidth() == 13.3
    assert narrow.xaxis.label.get_fontsize() == 8
    assert wide.xaxis.label.get_fontsize() == 20
    with pytest.raises(kb.BadParameter, match="paper, slide"):
        plots.new(size="poster")  # type: ignore[arg-type]


def test_a_band_draws_line_and_interval_and_the_next_one_has_another_colour():
    _, axes = drawing()
    plots.band(axes, [1, 2], [1, 1], [2, 2], [3, 3], label="uct")
    first, second = axes.get_lines()
    assert list(first.get_ydata()) == [2, 3, 4]
    assert (first.get_color(), second.get_color()) == plots.COLOURS[:2]
    low, high = axes.collections[0].get_datalim(axes.transData).intervaly
    assert (low, high) == (1, 5)
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["random", "uct"]


def test_panels_share_one_legend():
    figure, both = plots.panels([("ply", "moves"), ("plies", "games")])
    for axes in both:
        plots.band(axes, [1, 2], [1, 1], [2, 2], [3, 3], label="uct")
    plots.common_legend(figure)
    assert [axes.get_legend() for axes in both] == [None, None]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["uct"]


def test_bars_stand_beside_each_other_with_the_intervals_that_are_known():
    _, axes = plots.new()
    series = {"published": [10.0, 58.0], "measured": [8.0, 60.0]}
    plots.bars(axes, ["branching", "length"], series, {"measured": [(7.0, 9.5), None]})
    heights = [[bar.get_height() for bar in group] for group in axes.containers if hasattr(group, "patches")]
    assert heights == list(series.values())
    lefts = [bar.get_x() for group in axes.containers if hasattr(group, "patches") for bar in group]
    assert lefts[0] < lefts[2] < lefts[1] < lefts[3]
    (whisker,) = [group for group in axes.containers if not hasattr(group, "patches")]
    assert whisker.lines[2][0].get_segments()[0][:, 1].tolist() == [7.0, 9.5]


def test_a_histogram_of_whole_numbers_has_bars_of_one_width_and_counts_each_value_once():
    for values in ([5, 6, 6, 7, 9], list(range(50, 500)), [3, 3]):
        _, axes = plots.new()
        plots.histogram(axes, values)
        widths = {round(bar.get_width(), 9) for bar in axes.patches}
        assert len(widths) == 1
        assert widths.pop().is_integer()
        assert sum(bar.get_height() for bar in axes.patches) == len(values)
        assert len(axes.patches) <= 41


def test_histograms_over_each_other_have_the_same_bars():
    _, axes = plots.new()
    plots.histogram(axes, {"random": [1, 200], "uct": [90, 100]})
    bars = [group for group in axes.containers if len(group) > 1]
    assert len(bars) == 2
    assert [bar.get_x() for bar in bars[0]] == [bar.get_x() for bar in bars[1]]


@pytest.mark.parametrize("name", ["plot.gif", "plot", "plot.svg.txt"])
def test_an_unknown_suffix_says_which_there_are(tmp_path, name):
    with pytest.raises(kb.BadParameter, match=r"\.svg, \.png or \.pdf"):
        plots.save(drawing()[0], tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_path_that_cannot_be_written_is_an_error(tmp_path):
    (tmp_path / "folder.svg").mkdir()
    for path, why in ((tmp_path / "none" / "plot.svg", "no folder"), (tmp_path / "folder.svg", "is a folder")):
        for ask in (plots.check, lambda path: plots.save(drawing()[0], path)):
            with pytest.raises(kb.Error, match=why):
                ask(path)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_an_error(tmp_path):
    full = tmp_path / "plot.svg"
    full.symlink_to("/dev/full")
    with pytest.raises(kb.Error, match="no space left"):
        plots.save(drawing()[0], full)

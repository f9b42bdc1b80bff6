"""A notebook with a real kernel: cells are run, and `kb.play_widget` is clicked through the protocol of widgets."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import pytest
from jupyter_client.blocking import BlockingKernelClient
from jupyter_client.manager import KernelManager

SECONDS = 60


class Notebook:
    """The page of a notebook: it runs cells, and has a model for each widget that the kernel opens."""

    def __init__(self, kernel: BlockingKernelClient) -> None:
        self._kernel = kernel
        self.models: dict[str, dict[str, Any]] = {}

    def run(self, cell: str) -> dict[str, Any]:
        """What a cell shows, by its kinds."""
        return self._follow(self._kernel.execute(cell))

    def value(self, expression: str) -> Any:
        """What an expression is in the kernel."""
        return ast.literal_eval(self.run(expression)["text/plain"])

    def click(self, model: str, **dataset: Any) -> None:
        """Sends what the page of a widget sends for a click."""
        data = {"method": "custom", "content": {**dataset, "ply": self.models[model]["ply"]}}
        message = self._kernel.session.msg("comm_msg", {"comm_id": model, "data": data})
        self._kernel.shell_channel.send(message)
        self._follow(message["header"]["msg_id"])

    def _follow(self, asked: str) -> dict[str, Any]:
        shown: dict[str, Any] = {}
        while True:
            message = self._kernel.get_iopub_msg(timeout=SECONDS)
            kind, content = message["msg_type"], message["content"]
            if message["parent_header"].get("msg_id") != asked:
                continue
            if kind == "error":
                pytest.fail("\n".join(content["traceback"]))
            elif kind == "comm_open":
                self.models[content["comm_id"]] = content["data"]["state"]
            elif kind == "comm_msg" and content["data"].get("method") == "update":
                self.models[content["comm_id"]].update(content["data"]["state"])
            elif kind in ("execute_result", "display_data"):
                shown.update(content["data"])
            elif kind == "status" and content["execution_state"] == "idle":
                return shown


@pytest.fixture(scope="module")
def notebook() -> Iterator[Notebook]:
    manager = KernelManager(kernel_name="python3")
    manager.start_kernel()
    client = manager.client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=SECONDS)
        found = Notebook(client)
        found.run("import kibitz as kb")
        yield found
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def test_a_game_is_played_on_the_widget_against_an_engine(notebook: Notebook) -> None:
    shown = notebook.run(
        "widget = kb.play_widget(kb.game('breakthrough').start(), engines={1: kb.AlphaBeta(depth=2)})\nwidget"
    )
    model = shown["application/vnd.jupyter.widget-view+json"]["model_id"]
    state = notebook.models[model]
    assert 'data-cell="c2"' in state["page"]
    assert "export default" in state["_esm"]
    notebook.click(model, cell="c2")
    assert 'aria-label="c2: white, selected' in state["page"]
    notebook.click(model, cell="d3")
    # the engine has answered already
    assert state["ply"] == 2
    assert notebook.value("widget.moves")[0] == "c2-d3"
    assert notebook.value("widget.position.turn") == 0
    # a click on a page that is not up to date any more does nothing
    notebook.models[model]["ply"] = 0
    notebook.click(model, cell="b2")
    notebook.models[model]["ply"] = 2
    assert "selected" not in state["page"]
    notebook.click(model, action="undo")
    assert state["ply"] == 0
    assert notebook.value("widget.moves") == ()


@pytest.mark.parametrize(
    ("cell", "kind"),
    [
        ("kb.game('othello').start()", "image/svg+xml"),
        ("kb.AlphaBeta(depth=2).search(kb.game('othello').start())", "text/html"),
        ("kb.AlphaBeta(depth=2, trace=99).search(kb.game('tic-tac-toe').start()).tree", "image/svg+xml"),
    ],
)
def test_positions_reports_and_trees_show_themselves(notebook: Notebook, cell: str, kind: str) -> None:
    assert "<svg" in notebook.run(cell)[kind] or kind == "text/html"

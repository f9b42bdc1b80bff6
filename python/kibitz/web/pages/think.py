"""Watch a search think: its real tree, node by node, with a sentence for every step."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from html import escape
from typing import Any

from nicegui import events, ui

import kibitz as kb
from kibitz.draw.lesson import Lesson, growing
from kibitz.draw.lesson_picture import STYLE, drawn
from kibitz.draw.telling import tell
from kibitz.search import _ALGORITHMS
from kibitz.solve import Solver
from kibitz.tree import Tree, TreeNode, tree_of_dict
from kibitz.web.desk import Desk, Task, watch
from kibitz.web.forms import AlgorithmForm, GameForm, text_area
from kibitz.web.inputs import read_algorithm, read_game, read_position
from kibitz.web.jobs import Caps
from kibitz.web.lab import Lab
from kibitz.web.layout import explain, frame, heading, message_of
from kibitz.web.lessons import LESSONS, Example, example

__all__ = ["register"]

_CAPS = Caps(seconds=20.0, memory_mb=512, threads=1)

_TRACED = [
    name for name in kb.algorithms() if any(each.name == "trace" for each in dataclasses.fields(_ALGORITHMS[name]))
]
"""The algorithms that write their trees down."""


_FOLLOW = """
new MutationObserver(() => {
  const picture = document.querySelector('.think-picture'), focus = picture?.querySelector('.node.focus');
  if (!focus) return;
  const room = picture.getBoundingClientRect(), node = focus.getBoundingClientRect();
  if (node.left < room.left || node.right > room.right)
    picture.scrollLeft += (node.left + node.right - room.left - room.right) / 2;
}).observe(document.documentElement, { childList: true, subtree: true });
"""
"""Keeps the node that a step is about in sight, where the picture is wider than its place."""


class Thinking:
    """A search of a visitor as a lesson, which gets longer while the search runs, and the step that is shown."""

    def __init__(self) -> None:
        self.task = Task()
        self._forget(LESSONS[0])

    def _forget(self, of: Example) -> None:
        self.of = of
        self.step = 0
        self.missing = 0
        self.result: dict[str, Any] = {}
        self._nodes: list[TreeNode] = []
        self._stages: list[Tree] = []
        self._lesson: Lesson | None = None

    async def begin(self, lab: Lab, of: Example) -> None:
        """Searches something else."""
        await self.task.stop()
        self._forget(of)
        payload = {"game": of.game, "position": of.position, "algorithm": of.algorithm}
        await self.task.start(lab, "think", payload, _CAPS, self._hear)

    def _hear(self, event: dict[str, Any]) -> None:
        self._lesson = None
        if event["type"] == "nodes":
            more = tree_of_dict(event)
            self._nodes += more.nodes
            self.missing = more.missing
        elif event["type"] == "stage":
            self._stages.append(tree_of_dict(event["tree"]))
        elif event["type"] == "result":
            self.result = event["result"]

    @property
    def lesson(self) -> Lesson | None:
        """What has happened so far; nothing before the first step."""
        if self._lesson is None and self._stages:
            made = growing(self._stages)
            # the end is told when it has come
            self._lesson = made if self.result else dataclasses.replace(made, steps=made.steps[:-1])
        elif self._lesson is None and self._nodes:
            made = tell(Tree(tuple(self._nodes), self.missing))
            self._lesson = made if made.steps else None
        return self._lesson

    def go(self, step: int) -> None:
        """Shows a step."""
        if self.lesson is not None:
            self.step = max(0, min(step, len(self.lesson.steps) - 1))

    @property
    def over(self) -> bool:
        """Whether the last step is shown, and no other will come."""
        last = self.lesson is None or self.step == len(self.lesson.steps) - 1
        return last and not self.task.running


def register(lab: Lab) -> None:
    """Adds the page."""
    desk: Desk[Thinking] = Desk(Thinking)

    @ui.page("/think")
    async def think(lesson: str = "") -> None:
        mine = desk.mine()
        asked = example(lesson)
        if (asked is not None and mine.of != asked) or mine.task.job is None:
            try:
                await mine.begin(lab, asked or LESSONS[0])
            except kb.Error as error:
                # too many jobs: the page is there all the same, and says so
                mine.task.error = message_of(error)
        ui.add_css(STYLE)
        ui.add_head_html(f"<script>{_FOLLOW}</script>")
        with frame("Watch a search think", wide=True):
            heading("Watch a search think")
            with ui.element("div").classes("think-grid"):
                with ui.element("section").classes("lab-card think-stage"):
                    player = _Player(mine)
                with ui.element("aside").classes("think-side"):
                    _choice(lab, mine, player)
                    _key(mine)


class _Player:
    """The sentence, the picture and the buttons that go through the steps."""

    def __init__(self, mine: Thinking) -> None:
        self._mine = mine
        self._playing = False
        self._title = ui.html("", sanitize=False)
        self._sentence = ui.label().classes("think-sentence").props("role=status aria-live=polite")
        self._buttons()
        self._picture = ui.html("", sanitize=False).classes("think-picture").props('tabindex=0 aria-label="The tree"')
        self._count = ui.label().classes("lab-soft lab-small")
        self._error = ui.label().classes("lab-error").props("role=alert")
        self._timer = ui.timer(1.0, self._tick, active=False)
        ui.keyboard(self._key, ignore=["input", "select", "textarea", "button"])
        watch(lambda: mine.task.version, self.draw)

    def _buttons(self) -> None:
        mine = self._mine
        with ui.row().classes("think-buttons"):
            _button("first_page", "First step", lambda: self._go(0), "first")
            _button("chevron_left", "Back", lambda: self._go(mine.step - 1), "back")
            self._play = _button("play_arrow", "Play", self._toggle, "play")
            ui.button("Next", icon="chevron_right", on_click=lambda: self._go(mine.step + 1)).props(
                "unelevated no-caps data-act=next"
            )
            self._cut = ui.button("Next cut", icon="content_cut", on_click=self._next_cut).props(
                "outline no-caps data-act=cut"
            )
            _button("last_page", "Last step", lambda: self._go(10**9), "last")
            ui.label("Speed").classes("lab-soft lab-small")
            self._speed = ui.slider(min=0.25, max=8, step=0.25, value=1, on_change=self._pace)
            self._speed.classes("think-speed").props('label label-value="" aria-label="Speed of playing"')
        self._place = ui.slider(min=0, max=1, value=0, on_change=self._slid).classes("think-place")
        self._place.props('aria-label="Step"')

    def _go(self, step: int) -> None:
        """Shows the step that the visitor wants to see, and stays there."""
        self.play(False)
        self._mine.go(step)
        self.draw()

    def _slid(self, event: events.ValueChangeEventArguments[float | None]) -> None:
        if event.value is not None and int(event.value) != self._mine.step:
            self._go(int(event.value))

    def _next_cut(self) -> None:
        mine = self._mine
        found = mine.lesson.next(mine.step, "cut") if mine.lesson is not None else None
        if found is None:
            ui.notify("There is no further cut.", timeout=1500)
        else:
            self._go(found)

    def play(self, playing: bool = True) -> None:
        """Goes from step to step by itself, and waits where the search has not come any further; or stands still."""
        self._playing = self._timer.active = playing
        self._play.props(f"icon={'pause' if playing else 'play_arrow'}")

    def _toggle(self) -> None:
        if not self._playing and self._mine.over:
            self._mine.go(0)
        self.play(not self._playing)
        self.draw()

    def _pace(self) -> None:
        self._timer.interval = 1.0 / float(self._speed.value)
        self._speed.props(f'label-value="{self._speed.value:g}×"')

    def _tick(self) -> None:
        self._mine.go(self._mine.step + 1)
        if self._mine.over:
            self.play(False)
        self.draw()

    def _key(self, event: events.KeyEventArguments) -> None:
        if not event.action.keydown:
            return
        if event.key.arrow_right:
            self._go(self._mine.step + 1)
        elif event.key.arrow_left:
            self._go(self._mine.step - 1)
        elif event.key == " ":
            self._toggle()

    def draw(self) -> None:
        """Shows the present step."""
        mine = self._mine
        self._title.content = f"<h2>{escape(mine.of.title)}</h2>"
        self._error.text = mine.task.error
        found = mine.lesson
        if found is None:
            self._sentence.text = "" if mine.task.error else "The search has begun."
            self._picture.content, self._count.text = "", ""
            return
        step = found.steps[mine.step]
        self._sentence.text = step.text
        self._sentence.classes(remove="think-cut think-end")
        if step.kind in ("cut", "end"):
            self._sentence.classes(f"think-{step.kind}")
        self._picture.content = drawn(found, mine.step)
        self._place.props(f"max={max(1, len(found.steps) - 1)}")
        self._place.value = mine.step
        self._cut.set_visibility(any(each.kind == "cut" for each in found.steps))
        self._count.text = _count(mine, step.seen, len(found.steps))


def _count(mine: Thinking, seen: int, steps: int) -> str:
    """How far the lesson is, and what the search has saved."""
    text = f"Step {mine.step + 1} of {steps}. Positions looked at: {seen}"
    whole = mine.result.get("whole")
    if whole:
        text += f"; without any cut the search would look at {whole:,}"
    if mine.task.running:
        return text + ". The search is still running."
    more = f". The picture ends here; the search looked at {mine.missing:,} more." if mine.missing else "."
    return text + more


def _button(icon: str, name: str, act: Callable[[], None], mark: str) -> ui.button:
    button = ui.button(icon=icon, on_click=act).props(f'flat round dense aria-label="{name}" data-act={mark}')
    with button:
        ui.tooltip(name)
    return button


def _choice(lab: Lab, mine: Thinking, player: _Player) -> None:
    """The lessons, and a search of one's own."""

    async def begin(of: Example) -> None:
        try:
            await mine.begin(lab, of)
        except kb.Error as error:
            explain(error)
        idea.text = of.idea
        select.value = of.name if of in LESSONS else None
        player.draw()

    async def choose() -> None:
        chosen = example(str(select.value))
        if chosen is not None:
            player.play(False)
            await begin(chosen)

    with ui.element("section").classes("lab-card"):
        shown = mine.of.name if mine.of in LESSONS else None
        select = ui.select({each.name: each.title for each in LESSONS}, label="Lesson", value=shown, on_change=choose)
        select.props("outlined dense options-dense data-field=lesson").classes("think-select")
        idea = ui.label(mine.of.idea).classes("think-idea")
        ui.button("Save the picture (SVG)", icon="download", on_click=lambda: _save(mine)).props(
            "flat dense no-caps data-act=save"
        )
    with ui.expansion("A search of your own", icon="tune").classes("lab-card think-own"):
        game = GameForm("tic-tac-toe", picture=False)
        position = text_area("Position (empty: the start)", rows=2)
        algorithm = AlgorithmForm(_TRACED, "alphabeta:depth=3", threads=1)
        ui.label("It is shown node by node from the first depth on; a picture has 400 positions at most.").classes(
            "lab-soft lab-small"
        )

        async def own() -> None:
            try:
                text = algorithm.text
                read_algorithm(text)
                start = read_position(read_game(game.text), str(position.value or ""))
            except kb.Error as error:
                explain(error)
                return
            title = f"{text.partition(':')[0]} at {game.text}"
            await begin(Example("own", title, game.text, str(start), text, "A search of your own."))
            player.play()

        ui.button("Watch", icon="play_arrow", on_click=own).props("unelevated no-caps data-act=watch")


def _save(mine: Thinking) -> None:
    if mine.lesson is not None:
        picture = mine.lesson.picture(mine.step).svg
        ui.download.content(picture, f"kibitz-{mine.of.name}-{mine.step + 1}.svg", "image/svg+xml")


def _key(mine: Thinking) -> None:
    """What the picture means, and the idea behind the search."""
    with ui.element("section").classes("lab-card think-key"):
        place = ui.html(sanitize=False)

    def draw() -> None:
        family = _family(mine.of.algorithm)
        rules = "".join(f"<p>{sentence}</p>" for sentence in _RULES[family])
        signs = "".join(
            f'<li><svg viewBox="0 0 30 20">{sign}</svg>{text}</li>'
            for sign, text in (_SIGNS if family == "alpha-beta" else _SIGNS[:2])
        )
        keys = '<p class="lab-soft lab-small">Keys: → next, ← back, space plays.</p>'
        place.content = (
            f'<h2>The idea in four sentences</h2>{rules}<h2>The picture</h2><ul class="think-legend">{signs}</ul>{keys}'
        )

    watch(lambda: mine.of, draw)


def _family(algorithm: str) -> str:
    """What kind of tree an algorithm grows."""
    chosen = _ALGORITHMS[algorithm.partition(":")[0]]
    if issubclass(chosen, Solver):
        return "proof"
    return "uct" if any(each.name == "simulations" for each in dataclasses.fields(chosen)) else "alpha-beta"


_RULES = {
    "alpha-beta": (
        "<b>α</b> is what MAX has for sure already. <b>β</b> is what MIN can hold MAX to for sure.",
        "Only a value between them can still change anything: the window [α, β] above a node, and the bar below the "
        "tree.",
        "When α and β meet, the rest of the node cannot matter. It is cut, and never looked at.",
        "The best move and its value are the same as without cuts.",
    ),
    "proof": (
        "Above a position stand its <b>proof number</b> and its <b>disproof number</b>: how many leaves must at least "
        "be won to answer the question with yes, and lost to answer it with no.",
        "MAX needs one good move: the proof number is the least of the children's, the disproof number their sum.",
        "MIN needs one good reply: there it is the other way round.",
        "The search expands the leaf that counts for both numbers of the root, because it brings an answer nearer "
        "whatever it is.",
    ),
    "uct": (
        "Above a position stand its <b>visits</b>, inside the <b>mean</b> of the results.",
        "A simulation goes down where the mean is good or the visits are few, and adds one position.",
        "From there a random game is played to its end.",
        "Its result goes into the means on the way back, so that good moves are visited more and more.",
    ),
}
"""The idea of each family of searches."""

_SIGNS = (
    ('<rect x="8" y="3" width="14" height="14" class="k"/>', "MAX is to move, whose view all values take"),
    ('<circle cx="15" cy="10" r="8" class="k"/>', "MIN is to move"),
    ('<path d="M3 10L15 2L27 10L15 18Z" class="k"/>', "chance is to move"),
    (
        '<path d="M6 3L24 17" class="k p"/><path d="M10 14l7 -10M14 16l7 -10" class="k c"/>',
        "a branch that was cut",
    ),
    ('<rect x="8" y="3" width="14" height="14" class="k n"/>', "a null window: a question of yes or no"),
    ('<rect x="8" y="3" width="14" height="14" class="k a"/>', "searched a second time"),
)
"""What is drawn, and what it means."""

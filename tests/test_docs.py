"""What the documentation says is true: its examples run, its pages exist and its links lead somewhere."""

import doctest
import importlib
import importlib.util
import re
import shutil
from pathlib import Path
from types import ModuleType

import kibitz as kb
import pytest
from kibitz.cli import app
from typer.main import get_command

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
WRITTEN = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted(DOCS.glob("*.md"))]
PACKAGE = Path(kb.__file__).parent
MODULES = [
    ".".join(("kibitz", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")
    for path in sorted(PACKAGE.rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


@pytest.fixture(scope="session")
def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", DOCS / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def site(generator: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository's texts with the generated pages in place."""
    root = tmp_path_factory.mktemp("site")
    shutil.copytree(DOCS, root / "docs", ignore=shutil.ignore_patterns("games", "[a-z]*.md", "__pycache__"))
    for path in [each for each in ROOT.iterdir() if each.is_file()]:
        shutil.copy(path, root)
    for page in DOCS.glob("*.md"):
        shutil.copy(page, root / "docs")
    generator.generate(root / "docs")
    return root


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.name)
def test_examples_in_the_texts_print_what_they_say(path: Path) -> None:
    failures, _ = doctest.testfile(str(path), module_relative=False, optionflags=FLAGS)
    assert failures == 0


def test_the_readme_has_examples() -> None:
    assert (ROOT / "README.md").read_text().count(">>> ") > 10


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_print_what_they_say(name: str) -> None:
    failures, _ = doctest.testmod(importlib.import_module(name), optionflags=FLAGS)
    assert failures == 0


@pytest.mark.xdist_group("docs")
@pytest.mark.parametrize("name", kb.games())
def test_every_game_has_a_page_with_rules_parameters_and_a_picture(site: Path, name: str) -> None:
    page = (site / "docs" / "games" / f"{name}.md").read_text()
    info = kb.games().info(name)
    assert info.rules in page
    assert "<svg" in page
    assert all(f"| `{parameter.name}` |" in page for parameter in info.parameters)
    assert f"]({name}.md)" in (site / "docs" / "games" / "index.md").read_text()


@pytest.mark.xdist_group("docs")
@pytest.mark.parametrize("name", kb.algorithms())
def test_every_algorithm_has_a_page_with_its_idea_and_an_example(site: Path, name: str) -> None:
    page = (site / "docs" / "algorithms" / f"{name}.md").read_text()
    assert "## The idea" in page
    assert "\nprints\n" in page
    assert f"]({name}.md)" in (site / "docs" / "algorithms" / "index.md").read_text()


@pytest.mark.parametrize("name", kb.games())
def test_the_readme_lists_every_game_with_its_parameters(name: str) -> None:
    readme = (ROOT / "README.md").read_text()
    assert f"`{name}`" in readme
    assert all(f"`{parameter.name}`" in readme for parameter in kb.games().info(name).parameters)


@pytest.mark.parametrize("name", kb.algorithms())
def test_the_readme_lists_every_algorithm(name: str) -> None:
    assert f"`{type(kb.algorithm(name)).__name__}`" in (ROOT / "README.md").read_text()


@pytest.mark.xdist_group("docs")
def test_the_pictures_are_those_that_the_games_draw(site: Path, generator: ModuleType) -> None:
    for name in generator.IMAGES:
        drawn = (site / "docs" / "images" / f"{name}.svg").read_text()
        assert drawn == (DOCS / "images" / f"{name}.svg").read_text(), f"{name}.svg is old: run python docs/generate.py"


def test_every_command_in_the_texts_exists() -> None:
    scripts = [script for path in WRITTEN for script in re.findall(r"```sh\n(.*?)```", path.read_text(), re.DOTALL)]
    shown = {name for script in scripts for name in re.findall(r"^kibitz (\w+)", script, re.MULTILINE)}
    known = getattr(get_command(app), "commands", {})
    assert "games" in shown
    assert shown <= set(known)


def links(text: str) -> list[str]:
    """The targets of links and pictures outside of code."""
    text = re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.DOTALL)
    return re.findall(r"\]\(([^)\s]+)\)", text)


def anchors(text: str) -> set[str]:
    """The headings of a page as the addresses of their sections."""
    titles = re.findall(r"^#+ (.*)$", re.sub(r"```.*?```", "", text, flags=re.DOTALL), flags=re.MULTILINE)
    return {re.sub(r"[\s]+", "-", re.sub(r"[^\w\s-]", "", title).strip().lower()) for title in titles}


@pytest.mark.xdist_group("docs")
def test_every_relative_link_leads_somewhere(site: Path) -> None:
    pages = [*site.glob("*.md"), *site.glob("docs/**/*.md")]
    assert len(pages) > 20
    lost = []
    for page in pages:
        for link in links(page.read_text()):
            if re.match(r"[a-z]+:", link):
                continue
            path, _, anchor = link.partition("#")
            target = page.parent / path if path else page
            if not (target.exists() or (ROOT / page.relative_to(site).parent / path).exists()):
                lost.append(f"{page.relative_to(site)}: {link}")
            elif anchor and anchor not in anchors(target.read_text()):
                lost.append(f"{page.relative_to(site)}: {link} (no such section)")
    assert not lost

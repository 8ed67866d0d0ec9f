"""The pages of the documentation: their examples run, and the gallery shows all plots."""

import ast
import importlib
import inspect
import re
import shlex
from pathlib import Path

import pytest
import typer

from moselect import plots
from moselect.cli import app
from tests.docs.test_tasks import TASKS
from tests.places import DOCS, ROOT

PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]


def commands():
    """Yield the page and the text of every command in the code blocks."""
    for page in PAGES:
        if "_build" in page.parts:
            continue
        blocks = re.findall(
            r"```(?:sh|console|\{shell\})\n(.*?)```",
            page.read_text(encoding="utf-8"),
            re.DOTALL,
        )
        # A backslash continues the line.
        lines = "\n".join(blocks).replace("\\\n", " ")
        for line in lines.splitlines():
            # Not the marks in quotes, such as those of a limit.
            for part in re.findall(r"""(?:"[^"]*"|'[^']*'|[^|;&>"'])+""", line):
                words = shlex.split(part.removeprefix("$ "))
                if words and Path(words[0]).name == "moselect":
                    yield page.relative_to(ROOT).as_posix(), shlex.join(words[1:])


@pytest.mark.parametrize(("page", "command"), sorted(set(commands())))
def test_commands_have_these_options(page, command):
    name, *arguments = shlex.split(command)
    found = typer.main.get_command(app).commands[name]
    for parameter in found.params:
        parameter.callback = None  # files need not exist
    # Parses arguments and options, runs nothing, and raises where it does not understand.
    assert found.make_context(name, arguments).params


@pytest.mark.slow
def test_the_python_examples_of_the_readme_run():
    text = PAGES[0].read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    names = {}
    exec("\n".join(blocks), names)
    assert set(names["model"].predict(names["X"])) <= set(names["y"])


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.__name__)
def test_tasks_are_short_and_their_names_stand_in_the_documents(task):
    source = inspect.getsource(task)
    _, *statements = ast.parse(source).body[0].body
    first = next(
        each for each in statements if not isinstance(each, ast.Import | ast.ImportFrom)
    )
    lines = source.splitlines()[first.lineno - 1 :]
    assert len([*filter(None, lines)]) <= 12
    pages = [DOCS / page for page in TASKS[task].split(", ")]
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    called = re.findall(
        r"\b(?:moselect|metrics|plots|evidence)\.(?:\w+\.)*(\w+)\(", source
    )
    methods = re.findall(r"\.(select|fold_measures|balanced|predict|trade_off)\(", source)
    assert called
    assert [name for name in {*called, *methods} if name not in text] == []


REFERENCE = (DOCS / "reference" / "index.md").read_text(encoding="utf-8")
PACKAGES = re.findall(r"packages/(\w+)", REFERENCE)


@pytest.mark.parametrize("package", PACKAGES)
def test_public_names_have_an_example(package):
    module = importlib.import_module(f"moselect.{package}")
    values = [getattr(module, name) for name in module.__all__]
    documented = [
        value
        for value in values
        if (inspect.isclass(value) or inspect.isfunction(value))
        and value.__module__.startswith(f"moselect.{package}")
    ]
    assert documented
    assert [value for value in documented if ">>>" not in str(value.__doc__)] == []


def test_signatures_are_short_enough_for_a_notebook():
    modules = [importlib.import_module(f"moselect.{name}") for name in PACKAGES]
    public = [getattr(module, name) for module in modules for name in module.__all__]
    methods = [
        method
        for each in public
        if inspect.isclass(each)
        for name, method in inspect.getmembers(each, inspect.isfunction)
        if not name.startswith("_") and method.__module__.startswith("moselect")
    ]
    functions = [each for each in public if inspect.isfunction(each)]
    estimators = [each for each in public if hasattr(each, "fit")]
    lengths = {
        each.__qualname__: len(str(inspect.signature(each)))
        for each in [*functions, *methods, *estimators]
    }
    assert {name: n for name, n in lengths.items() if n >= 600} == {}


def test_the_gallery_shows_every_plot():
    text = (DOCS / "gallery.md").read_text(encoding="utf-8")
    functions = [
        name for name in plots.__all__ if inspect.isfunction(getattr(plots, name))
    ]
    assert functions
    assert [name for name in functions if f"plots.{name}(" not in text] == []

"""Sessions that developers and workflows call: ``nox -l`` lists them, ``nox -s lint`` runs one."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import nox

nox.needs_version = ">=2024.10"
nox.options.sessions = ["lint", "tests", "docs"]
nox.options.default_venv_backend = "uv|virtualenv"

PYTHONS = ["3.11", "3.12", "3.13", "3.14"]
QUICK = ("-q", "-n", "auto", "--dist", "loadfile", "-m", "not slow")


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """Run the quick tests."""
    session.install("-e", ".[test]")
    session.run("pytest", *QUICK, *session.posargs)


@nox.session
def slow(session: nox.Session) -> None:
    """Run the slow tests."""
    session.install("-e", ".[test]")
    session.run(
        "pytest", "-q", "-n", "auto", "--dist", "loadfile", "-m", "slow", *session.posargs
    )


@nox.session
def coverage(session: nox.Session) -> None:
    """Check the branch coverage of all tests, compiled kernels aside; report in coverage/.

    Processes that tests start or fork are measured, too (``tool.coverage.run``).
    """
    session.install("-e", ".[test]", "pytest-cov")
    session.run(
        "pytest",
        "-q",
        "-n",
        "auto",
        "--dist",
        "loadfile",
        "--cov=moselect",
        "--cov-branch",
        "--cov-fail-under=95",
        "--cov-report=term",
        "--cov-report=html:coverage",
        *session.posargs,
    )


@nox.session
def lint(session: nox.Session) -> None:
    """Check style, types and the layers of the code."""
    session.install("-e", ".[dev]")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("mypy")
    session.run("lint-imports")


@nox.session
def docs(session: nox.Session) -> None:
    """Build the documentation into docs/_build, warnings being errors."""
    session.install("-e", ".[docs]")
    session.run("sphinx-build", "-W", "--keep-going", "-q", "docs", "docs/_build")


@nox.session
def benchmarks(session: nox.Session) -> None:
    """Print the main benchmarks; or name scripts of experiments/benchmarks."""
    session.install("-e", ".[test]")
    for name in session.posargs or ["main_job", "measures"]:
        session.run("python", "-m", f"experiments.benchmarks.{name}")


@nox.session(python=PYTHONS[0])
def oldest(session: nox.Session) -> None:
    """Run the quick tests with the oldest dependencies that are allowed."""
    session.install("uv")
    session.run("uv", "pip", "install", "--resolution", "lowest-direct", "-e", ".[test]")
    session.run("pytest", *QUICK, *session.posargs)


@nox.session(python=PYTHONS[-1])
def newest(session: nox.Session) -> None:
    """Run the quick tests with the newest dependencies, pre-releases included."""
    session.install("--pre", "--upgrade", "-e", ".[test]")
    session.run("pytest", *QUICK, *session.posargs)


@nox.session
def audit(session: nox.Session) -> None:
    """Ask for known vulnerabilities of all dependencies, and print their licences."""
    session.install("-e", ".[dev,docs,models]")
    session.install("pip-audit")
    session.run("pip-audit", "--local", "--skip-editable")
    session.run("python", "docs/project/list_licences.py")


@nox.session
def build(session: nox.Session) -> None:
    """Build wheel and sdist into dist/, check both, and try the wheel in an empty folder."""
    session.install("build", "twine")
    shutil.rmtree("dist", ignore_errors=True)
    session.run("python", "-m", "build")
    files = [str(path) for path in Path("dist").iterdir()]
    session.run("twine", "check", "--strict", *files)
    wheel = next(path for path in files if path.endswith(".whl"))
    held = session.run("python", "-m", "zipfile", "-l", wheel, silent=True)
    if "tests/" in str(held):
        session.error("the wheel holds tests")
    session.install(wheel)
    with tempfile.TemporaryDirectory() as folder, session.chdir(folder):
        session.run(
            "moselect", "search", "boston", "--evaluations", "500", "--folds", "0"
        )

"""Feed every reader of files with damaged ones: ``python -m tests.storm.fuzz READER --minutes 30``.

With atheris (``pip install atheris``, ``--guided``) mutations of what reached new code are mutated
on; without it, files of the corpus are mutated at random, from ``--seed``. Either way a reader must
return, or raise ValueError with one line of text; anything else ends the run, and the file that
did it is kept beside the command that repeats it: ``python -m tests.storm.fuzz READER FILE``.
Interesting files, each a few KB, are in ``tests/storm/corpus/READER``.
"""

from __future__ import annotations

import argparse
import contextlib
import pkgutil
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np

from tests.storm.mutation import mutated

CORPUS = Path(__file__).with_name("corpus")
MEMORY = 4 * 2**30  # bytes that a reader may take
SECONDS = 20  # of processor time for one file
LONGEST_MESSAGE = 2_000

Reader = Callable[[Path], object]


def read_table(path: Path) -> object:
    from moselect.datasets import read_table

    return read_table(path)


def load_table(path: Path) -> object:
    from moselect.datasets import load_table

    data = load_table(str(path))
    assert len(data.X) == len(data.y)
    return data


def read_run(path: Path) -> object:
    """Read a run folder whose ``run.json`` is the file; its table follows the record."""
    from moselect.storage import read_run

    folder = Path(tempfile.mkdtemp(dir=path.parent))
    (folder / "run.json").write_bytes(path.read_bytes())
    for table in (CORPUS / "front").glob("*.csv"):
        (folder / table.name).write_bytes(table.read_bytes())
    return read_run(folder).front.to_frame()


def read_front(path: Path) -> object:
    """Read a run folder whose ``front.csv`` is the file; its checksum is mended."""
    import hashlib
    import json

    from moselect.storage import read_run

    folder = Path(tempfile.mkdtemp(dir=path.parent))
    content = path.read_bytes()
    (record,) = (CORPUS / "run").glob("*.json")
    known = json.loads(record.read_text())
    known |= {"front_sha256": hashlib.sha256(content).hexdigest(), "folds_sha256": None}
    (folder / "run.json").write_text(json.dumps(known))
    (folder / "front.csv").write_bytes(content)
    front = read_run(folder).front
    return [
        front[i].predict(np.zeros((1, front.weights.shape[1]))) for i in range(min(5, len(front)))
    ]


def read_model(path: Path) -> object:
    from moselect.storage import read_model

    model = read_model(path)
    if model.columns is None:
        model.predict(np.ones((2, model.n_features_in_)))
    return model._repr_html_()


def read_comparison(path: Path) -> object:
    from moselect.storage import read_comparison

    return str(read_comparison(path))


def read_cost_matrix(path: Path) -> object:
    from moselect.storage import read_cost_matrix

    return read_cost_matrix(path, [1, 2, 3])


def load_checkpoint(path: Path) -> object:
    """Load the only state of a search; a warning says what is wrong with it."""
    import hashlib

    from moselect.storage import Checkpoints

    folder = Path(tempfile.mkdtemp(dir=path.parent))
    content = path.read_bytes()
    body = content[: -hashlib.sha256().digest_size]
    (folder / "run-000.npz").write_bytes(content)
    (folder / "run-000.previous.npz").write_bytes(body + hashlib.sha256(body).digest())
    return Checkpoints(folder).load(0)


def read_pool(path: Path) -> object:
    from moselect.storage import read_pool

    pool = read_pool(path).pool
    return pool.predict_proba(np.zeros((2, pool.n_features_in_)))


READERS: dict[str, Reader] = {
    "table": read_table,
    "data": load_table,
    "run": read_run,
    "front": read_front,
    "model": read_model,
    "comparison": read_comparison,
    "costs": read_cost_matrix,
    "checkpoint": load_checkpoint,
    "pool": read_pool,
}


class WrongError(AssertionError):
    """A reader neither returned nor said in one line what is wrong."""


def check(reader: Reader, path: Path) -> None:
    """Read a file; WrongError unless that ends as it must."""

    def too_long(*_: object) -> None:
        raise WrongError(f"more than {SECONDS} s of processor time")

    signal.signal(signal.SIGPROF, too_long)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            warnings.simplefilter("error", RuntimeWarning)
            warnings.simplefilter("default", np.exceptions.ComplexWarning)  # of edited arrays
            reader(path)
    except ValueError as error:
        text = str(error)
        if not text.strip() or len(text) > LONGEST_MESSAGE:
            raise WrongError(f"a message of {len(text)} characters") from error
    except WrongError:
        raise
    except BaseException as error:
        raise WrongError(f"{type(error).__name__}: {error}") from error
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def at_random(name: str, seconds: float, seed: int, folder: Path) -> int:
    """Read mutated files of the corpus for some seconds of processor time; returns how many."""
    draw, n = random.Random(seed), 0
    corpus = [path.read_bytes() for path in sorted((CORPUS / name).iterdir())]
    suffixes = [path.suffix for path in sorted((CORPUS / name).iterdir())]
    started = time.process_time()
    while time.process_time() - started < seconds:
        i = draw.randrange(len(corpus))
        with tempfile.TemporaryDirectory(dir=folder) as own:
            path = Path(own) / f"{name}{suffixes[i]}"
            path.write_bytes(mutated(draw, corpus[i], corpus))
            report(name, path, seed)
        n += 1
    return n


def guided(name: str, seconds: float, seed: int, folder: Path) -> None:
    """Have atheris choose mutations by the code that they reach; it ends the process."""
    import atheris

    import moselect._kernels

    kernels = [  # compiled: nothing in them can be watched
        f"moselect._kernels.{module.name}"
        for module in pkgutil.iter_modules(moselect._kernels.__path__)
    ]
    with atheris.instrument_imports(include=["moselect"], exclude=kernels):
        import moselect.cli.app

        copy = shutil.copy(min((CORPUS / name).iterdir()), folder)
        with contextlib.suppress(ValueError):
            READERS[name](Path(copy))
    files = sorted((CORPUS / name).iterdir())
    others = [path.read_bytes() for path in files]

    def one(content: bytes) -> None:
        with tempfile.TemporaryDirectory(dir=folder) as own:
            kinds = [path.suffix for path in files if path.read_bytes()[:4] == content[:4]]
            path = Path(own) / f"{name}{(kinds or [files[0].suffix])[0]}"
            path.write_bytes(content)
            report(name, path, seed)

    def mutate(content: bytes, longest: int, number: int) -> bytes:
        if number % 4 == 0:
            return atheris.Mutate(content, longest)
        return mutated(random.Random(number), content, others)[:longest]

    found = folder / "corpus"  # the first folder is the one that interesting files go to
    found.mkdir()
    arguments = [f"-max_total_time={int(seconds)}", f"-seed={seed + 1}", "-max_len=20000"]
    atheris.Setup(
        [sys.argv[0], *arguments, str(found), str(CORPUS / name)], one, custom_mutator=mutate
    )
    atheris.Fuzz()


def report(name: str, path: Path, seed: int) -> None:
    """Check one file; keep it and print how to repeat it if it is read wrongly."""
    try:
        check(READERS[name], path)
    except WrongError as error:
        kept = Path(tempfile.mkdtemp(prefix="fuzz-")) / path.name
        kept.write_bytes(path.read_bytes())
        sys.stdout.write(
            f"{name}, seed {seed}: {error}\npython -m tests.storm.fuzz {name} {kept}\n"
        )
        raise


def main() -> None:
    """Fuzz one reader, or read one file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("reader", choices=READERS)
    parser.add_argument("file", type=Path, nargs="?")
    parser.add_argument("--minutes", type=float, default=5.0, help="of processor time")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--guided", action="store_true", help="by atheris")
    asked = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    if asked.file is not None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / asked.file.name
            path.write_bytes(asked.file.read_bytes())
            check(READERS[asked.reader], path)
        return
    with tempfile.TemporaryDirectory() as folder:
        if asked.guided:
            guided(asked.reader, 60.0 * asked.minutes, asked.seed, Path(folder))
        else:
            n = at_random(asked.reader, 60.0 * asked.minutes, asked.seed, Path(folder))
            sys.stdout.write(f"{asked.reader}: {n:,} files, each read or refused in one line\n")


if __name__ == "__main__":
    main()

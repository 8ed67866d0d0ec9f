"""`moselect compare`: fit with a progress bar, keep, and say which model is best at what."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes

from moselect.cli.compare_progress import compare_with_progress
from moselect.cli.compare_tables import print_comparison, print_comparison_json
from moselect.cli.compare_winner import check_winner_path, save_winner
from moselect.cli.terminal import Terminal
from moselect.comparison import DEFAULT_MODELS, Comparison, stratified_folds
from moselect.comparison.folds import N_FOLDS, N_REPEATS
from moselect.datasets import Dataset, load_dataset
from moselect.datasets.target_and_features import numeric_features
from moselect.decision import Costs, Loss
from moselect.labels import as_label_array, encode_labels
from moselect.plots import cost_over_complexity, model_front
from moselect.search import stop_on_interrupt
from moselect.storage import (
    check_file_path,
    hold_file,
    read_comparison,
    read_cost_matrix,
    replacing,
    write_comparison,
)

PICTURE_TITLE = "moselect comparison"  # by which a picture is recognised as one of ours


@dataclass(frozen=True)
class Fits:
    """What is fitted, and how."""

    models: list[str] | None
    measures: list[str] | None
    n_folds: int | None
    n_repeats: int | None
    seed: int | None
    n_jobs: int | None
    prepare: bool
    max_seconds: float | None


@dataclass(frozen=True)
class AskedCosts:
    """What mistakes cost, as options say it."""

    class_costs: list[float] | None
    loss: Loss
    file: Path | None
    priors: list[float] | None

    def resolve(self, labels: Sequence[Any]) -> Costs | None:
        """Return the costs for some classes, checked before anything is fitted; None for none."""
        if self.class_costs is not None and self.file is not None:
            raise ValueError("give one of --class-costs and --cost-matrix")
        if self.class_costs is None and self.file is None:
            if self.priors is not None:
                raise ValueError("--priors needs costs: --class-costs or --cost-matrix")
            return None
        if self.file is not None:
            costs = Costs(cost_matrix=read_cost_matrix(self.file, labels), priors=self.priors)
        else:
            costs = Costs(self.class_costs, self.loss, priors=self.priors)
        costs.matrix(len(labels))
        return costs


@dataclass(frozen=True)
class Kept:
    """What is written."""

    out: Path | None
    extend: bool
    save_best: Path | None


def run_compare(
    data: str | None,
    source: dict[str, Any],
    fits: Fits,
    asked: AskedCosts,
    kept: Kept,
    terminal: Terminal,
) -> None:
    """Do the whole job of `moselect compare`."""
    if data is None:
        raise ValueError(
            "say what to compare on: a CSV or Parquet file, or a name that moselect datasets lists"
        )
    out = kept.out
    with ExitStack() as held:
        if kept.save_best is not None:
            check_winner_path(kept.save_best)
        if out is not None:
            check_file_path(out)
            held.enter_context(hold_file(out))
        previous = _previous(out, kept.extend)
        dataset = load_dataset(data, **source)
        if not fits.prepare:
            dataset = replace(dataset, X=numeric_features(dataset.X))
        costs = asked.resolve(dataset.labels)
        seed = fits.seed
        if seed is None:
            seed = (
                int(np.random.SeedSequence().generate_state(1)[0])
                if previous is None
                else previous.random_state
            )
        with _interrupt_on_termination():
            comparison = compare_with_progress(
                fits.models or DEFAULT_MODELS,
                dataset,
                terminal,
                cv=_folds(dataset, fits.n_folds, fits.n_repeats, seed),
                measures=fits.measures,
                n_jobs=fits.n_jobs,
                random_state=seed,
                previous=previous,
                costs=costs,
                prepare=fits.prepare,
                max_seconds=fits.max_seconds,
            )
        written: list[Path] = []
        fitted = len(comparison.failures) < len(comparison.results)
        try:
            if out is not None and (fitted or comparison.interrupted):
                with stop_on_interrupt():  # a Ctrl-C that comes late must not cost the fits
                    _keep(comparison, out, written, terminal)
            if kept.save_best is not None and fitted:
                saved = save_winner(comparison, dataset, kept.save_best, fits.prepare)
                if isinstance(saved, str):
                    terminal.say(f"{saved[0].upper()}{saved[1:]}.")
                else:
                    written.append(saved)
        finally:  # what cannot be kept is printed all the same
            _show(comparison, out, written, terminal)
        if not (fitted or comparison.interrupted):
            raise ValueError("every model failed, for the reasons above: nothing was kept")


def _show(
    comparison: Comparison, out: Path | None, written: list[Path], terminal: Terminal
) -> None:
    if comparison.interrupted:
        rest = ": go on with the same command and --extend" if out in written else ""
        terminal.say(f"Interrupted{rest}.")
    if terminal.json:
        print_comparison_json(comparison, written, terminal)
        return
    print_comparison(comparison, terminal)
    for path in written:
        terminal.say(f"Written: {path}")


@contextmanager
def _interrupt_on_termination() -> Iterator[None]:
    """Have a request to end (SIGTERM) keep what is finished, as Ctrl-C does."""
    previous = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, previous)


def _previous(out: Path | None, extend: bool) -> Comparison | None:
    """Read what is to be extended; refuse to replace what is not."""
    if out is None:
        if extend:
            raise ValueError("--extend needs the file to extend: --out FILE")
        return None
    if out.exists() and not extend:
        raise ValueError(f"'{out}' exists already: add to it (--extend) or name another (--out)")
    for picture in _pictures_of(out):
        if picture.exists() and PICTURE_TITLE.encode() not in picture.read_bytes():
            raise ValueError(
                f"'{picture}' exists already and is no picture of a comparison: move it, or name "
                "another file (--out)"
            )
    return read_comparison(out) if out.exists() else None


def _folds(dataset: Dataset, n_folds: int | None, n_repeats: int | None, seed: int) -> Any:
    """Return the folds asked for; None for the usual ones, or those of what is extended."""
    if n_folds is None and n_repeats is None:
        return None
    codes = encode_labels(dataset.y, as_label_array(dataset.labels))
    return stratified_folds(
        codes,
        N_FOLDS if n_folds is None else n_folds,
        N_REPEATS if n_repeats is None else n_repeats,
        seed,
    )


def _keep(comparison: Comparison, out: Path, written: list[Path], terminal: Terminal) -> None:
    """Write a comparison, and pictures beside it if there is something to draw."""
    write_comparison(out, comparison)
    written.append(out)
    for picture, draw in _pictures_of(out).items():
        try:
            figure = draw(comparison).get_figure(root=True)
        except ValueError as error:
            terminal.say(f"No picture: {error}")
            continue
        assert figure is not None
        with replacing(picture) as file:
            figure.savefig(file, format="png", dpi=150, metadata={"Title": PICTURE_TITLE})
        plt.close(figure)
        written.append(picture)


def _pictures_of(out: Path) -> dict[Path, Callable[[Comparison], Axes]]:
    """Return the pictures that belong to a comparison, none of them the comparison's own path."""
    base = out.with_name(f"{out.name}.png") if out.suffix.lower() == ".png" else out
    return {
        base.with_suffix(".png"): model_front,
        base.with_name(f"{base.stem}-complexity.png"): cost_over_complexity,
    }

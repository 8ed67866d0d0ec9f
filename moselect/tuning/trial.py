"""A trial of a tuning search, and the folder in which trials are kept one by one."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pandas as pd
from sklearn.base import clone

from moselect._types import Document, Floats
from moselect.datasets.load import fingerprint
from moselect.io.documents import as_json
from moselect.io.model_file import DOCUMENT, as_bytes
from moselect.io.packed import Archive, Arrays
from moselect.io.run_record import recorded_versions
from moselect.learning import CV, Fitted, Predictions
from moselect.listing import in_one_line
from moselect.selection.selector import Decision
from moselect.tuning.spaces import Space, optuna_module, spaces_of


@dataclass(frozen=True, eq=False)
class Trial:
    """An estimator with sampled hyper-parameters, and its out-of-fold predictions.

    Attributes
    ----------
    name : str
        Name of the estimator and number of the trial; number 0 has its own settings.
    space : Space
        The search space.
    sample : dict of str to object
        Sampled positions, quantiles and values, which the space maps to hyper-parameters.
    proba : ndarray of shape (n, r), or None
        Out-of-fold class probabilities, once it is cross-validated.
    failure : str or None
        Reason why it failed.
    seconds : float
        Time of all fits.
    """

    name: str
    space: Space
    sample: dict[str, Any]
    proba: Floats | None = None
    failure: str | None = None
    seconds: float = math.nan

    @property
    def settings(self) -> dict[str, Any]:
        """Hyper-parameters by name."""
        return self.space.settings(self.sample)

    @property
    def about(self) -> Document:
        """Document that identifies the model."""
        described = f"{in_one_line(repr(self.space.estimator))} with {self.settings}"
        return {"model": self.space.name, "sample": self.sample, "is": described}

    def join(self, decision: Decision) -> Fitted | None:
        """Make the trial a candidate, without a final fit; None if it failed."""
        estimator = clone(self.space.estimator).set_params(**self.settings)
        decision.fits.add_models({self.name: estimator})
        if self.proba is None:
            return None
        predictions = {CV: Predictions.of(self.proba)}
        fitted = Fitted(None, predictions, math.nan, self.seconds)
        decision.fits.known[self.name] = fitted
        decision.trials = *decision.trials, self.name
        return fitted


class TrialArchive:
    """Trials in a folder, each in a file of its own.

    Files of other data, folds, seeds or versions count as absent.

    Notes
    -----
    Optuna's own storages keep no state of a sampler's random numbers, so that a search
    would not go on as if uninterrupted. Here a resumed search samples all trials again,
    with the same seed, and reads the results of those that were cross-validated.
    """

    def __init__(self, folder: Path, decision: Decision) -> None:
        samples = decision.samples
        table = pd.DataFrame(samples.X).assign(**{"": samples.sample_weight_or_ones})
        # trials of another format are fitted again
        form = 2
        about = {
            "form": form,
            "data": fingerprint(table, pd.Series(samples.codes)),
            "seed": decision.fits.seed,
            "versions": recorded_versions() | {"optuna": optuna_module().__version__},
        }
        mark = as_json(about) + decision.folds.parts.tobytes()
        self._archive = Archive(folder, sha256(mark).digest())
        self._classes = samples.classes

    def __iter__(self) -> Iterator[Trial]:
        """Iterate over the trials of known models."""
        for name in self._archive:
            arrays = self._archive.find(name)
            if arrays is None:
                continue
            about = _document(arrays)["trial"]
            (space,) = spaces_of(about["model"], self._classes)
            trial = _with_results(Trial(name, space, about["sample"]), arrays)
            if trial is not None:
                yield trial

    def find(self, trial: Trial) -> Trial | None:
        """Return a trial with its results; None if absent, or of a space changed since."""
        arrays = self._archive.find(trial.name)
        return None if arrays is None else _with_results(trial, arrays)

    def keep(self, trial: Trial) -> None:
        """Write a trial with its results."""
        results = {"failure": trial.failure, "seconds": trial.seconds}
        document = {"trial": trial.about, "results": results}
        arrays: Arrays = {DOCUMENT: as_bytes(as_json(document))}
        if trial.proba is not None:
            arrays["proba"] = trial.proba
        self._archive.keep(trial.name, arrays)


def _document(arrays: Arrays) -> Document:
    document: Document = msgspec.json.decode(arrays[DOCUMENT].tobytes())
    return document


def _with_results(trial: Trial, arrays: Arrays) -> Trial | None:
    """Return a trial with the results in its file; None if the file is of another trial."""
    document = _document(arrays)
    if document["trial"] != trial.about:
        return None
    return replace(trial, proba=arrays.get("proba"), **document["results"])


def restore_trials(decision: Decision, folder: Path) -> None:
    """Make the trials of a folder candidates of a decision; ValueError if there are none."""
    for trial in TrialArchive(folder, decision):
        trial.join(decision)
    if not decision.trials:
        raise ValueError(
            f"there are no trials in '{folder}': begin with moselect tune {folder.parent}"
        )

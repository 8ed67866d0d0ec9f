"""A trial of a tuning search, its pruning, and the folder that keeps trials one by one."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone

from moselect._types import Document, Estimator, Floats
from moselect.candidates.candidate import Candidate
from moselect.candidates.cross_validation import CV, Fitted
from moselect.candidates.splits import Splits
from moselect.costs.priced import Priced
from moselect.datasets.load import fingerprint
from moselect.evaluation.evaluations import Evaluations
from moselect.io.archives import Archive, document_in, with_document
from moselect.io.documents import as_json
from moselect.io.run_record import recorded_versions
from moselect.listing import in_one_line
from moselect.models.learner import Predictions
from moselect.samples.folds import Folds
from moselect.samples.samples import Samples
from moselect.selection.selector import Selector
from moselect.tuning.spaces import Space, optuna_module, spaces_of


@dataclass(frozen=True, eq=False)
class Trial:
    """An estimator with sampled hyper-parameters, and its out-of-fold predictions.

    Attributes
    ----------
    space : Space
        The search space.
    number : int
        Number among the trials of the estimator; number 0 has its own settings.
    sample : dict of str to object
        Sampled positions, quantiles and values, which the space maps to hyper-parameters.
    results : dict of str to object
        ``state`` as Optuna names it (``"COMPLETE"``, ``"PRUNED"``, ``"FAIL"``), ``seconds``
        of all fits, and the reason of a ``failure``; empty before it is cross-validated.
    proba : ndarray of shape (m, r), or None
        Out-of-fold class probabilities of a complete trial.
    """

    space: Space
    number: int
    sample: dict[str, Any]
    results: dict[str, Any] = field(default_factory=dict)
    proba: Floats | None = None

    @property
    def name(self) -> str:
        """Name of the estimator, and number of the trial."""
        return f"{self.space.name}-{self.number}"

    @property
    def settings(self) -> dict[str, Any]:
        """Hyper-parameters by name."""
        return self.space.settings(self.sample)

    @property
    def about(self) -> Document:
        """Document that identifies the model."""
        described = f"{in_one_line(repr(self.space.estimator))} with {self.settings}"
        return {
            "model": self.space.name,
            "number": self.number,
            "sample": self.sample,
            "is": described,
        }

    @property
    def estimator(self) -> Estimator:
        """The estimator with the sampled hyper-parameters, not fitted."""
        return clone(self.space.estimator).set_params(**self.settings)

    def join(self, selector: Selector) -> None:
        """Make a complete trial a candidate, without a final fit."""
        selector.fits.add(Candidate(self.name, self.estimator))
        predictions = {CV: Predictions.of(self.proba)}  # type: ignore[arg-type]
        fitted = Fitted(None, predictions, math.nan, self.results["seconds"])
        selector.fits.known[self.name] = fitted
        selector.trials = *selector.trials, self.name


class TrialArchive:
    """Trials in a folder, each in a file of its own.

    Files of other data, folds, seeds or versions count as absent, and so do trials that
    were pruned by other objectives.

    Parameters
    ----------
    folder : Path
        Created with the first trial.
    selector : Selector
        Samples, folds and seed.
    objectives : str, optional
        Identifies the objectives that prune trials.

    Notes
    -----
    Optuna's own storages keep no state of a sampler's random numbers, so that a search
    would not go on as if uninterrupted. Here a resumed search samples all trials again,
    with the same seed, and reads the results of those that were cross-validated.
    """

    def __init__(self, folder: Path, selector: Selector, objectives: str = "") -> None:
        samples = selector.samples
        weights = samples.sample_weight_or_ones
        about = {
            "data": fingerprint(pd.DataFrame(samples.X), pd.Series(samples.codes)),
            "seed": selector.fits.seed,
            "versions": recorded_versions() | {"optuna": optuna_module().__version__},
        }
        mark = as_json(about) + selector.folds.parts.tobytes() + weights.tobytes()
        self._objectives = objectives
        self._archive = Archive(folder, sha256(mark).hexdigest())

    def find(self, trial: Trial) -> Trial:
        """Return a trial with its results, if there are any of the same space."""
        arrays = self._archive.find(trial.name)
        if arrays is None:
            return trial
        document = document_in(arrays)
        results = document["results"]
        others = results["state"] == "PRUNED" and (
            document["objectives"] != self._objectives
        )
        if others or document["trial"] != trial.about:
            return trial
        return replace(trial, results=results, proba=arrays.get("proba"))

    def keep(self, trial: Trial) -> None:
        """Write a trial with its results."""
        document = {
            "trial": trial.about,
            "results": trial.results,
            "objectives": self._objectives,
        }
        arrays = {} if trial.proba is None else {"proba": trial.proba}
        self._archive.keep(trial.name, with_document(document, arrays))

    def restore(self, selector: Selector) -> None:
        """Make the trials of known models candidates of a selection.

        ValueError if there are none.
        """
        for name in self._archive:
            arrays = self._archive.find(name)
            if arrays is not None and "proba" in arrays:
                document = document_in(arrays)
                sampled = document["trial"]
                (space,) = spaces_of(sampled["model"], selector.samples.classes)
                parts = sampled["number"], sampled["sample"], document["results"]
                Trial(space, *parts, arrays["proba"]).join(selector)
        if not selector.trials:
            folder = self._archive.folder
            raise ValueError(
                f"there are no trials in '{folder}': begin with moselect tune {folder.parent}"
            )


@dataclass(frozen=True, eq=False)
class Pruner:
    """Prune a trial that a finished one clearly dominates on the same rows.

    Attributes
    ----------
    losses : sequence of Priced
        One for each objective.
    samples : Samples
        The training samples.
    folds : Folds
        Folds with disjoint test folds.
    finished : sequence of ndarray of shape (m, r)
        Out-of-fold probabilities of the best finished trials; without any, none is pruned.

    Notes
    -----
    A trial is hopeless if a finished one is better in every objective, each time by more
    than the standard error of their paired difference on the test folds so far. Optuna has
    no pruning for several objectives, and for one its median rule prunes half of the trials
    even where they differ by noise alone; this error is large after few rows.
    """

    losses: Sequence[Priced]
    samples: Samples
    folds: Folds
    finished: Sequence[Floats] = ()

    def is_hopeless(self, proba: Floats, n_folds: int) -> bool:
        """Return whether a trial with probabilities (m, r) of the first folds is pruned."""
        folds = Folds(self.folds.splits[:n_folds], self.folds.n_samples)
        for finished in self.finished:
            pairs = zip(
                self.evaluate(proba, folds), self.evaluate(finished, folds), strict=True
            )
            savings = (own.saving_over(other["trial"], "trial") for own, other in pairs)
            # None over a trial without mistakes on these rows: a ratio has no value there.
            if all(saved and saved.estimate < -saved.std_error for saved in savings):
                return True
        return False

    def evaluate(self, proba: Floats, folds: Folds) -> Iterator[Evaluations]:
        """Evaluate the predictions for some folds, with decisions for each objective."""
        rows = np.searchsorted(self.folds.tested, folds.tested)
        fitted = Fitted(None, {CV: Predictions.of(proba[rows])}, math.nan, math.nan)
        splits = Splits.of(self.samples, folds)
        for loss in self.losses:
            yield Evaluations.of({"trial": fitted}, loss, splits)

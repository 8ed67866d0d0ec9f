"""Trials: models with sampled hyper-parameters, cross-validated, measured and kept."""

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import field, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import moocore
import numpy as np
import pandas as pd
from sklearn.base import clone

from moselect._parallel import Report, one_thread, parallel_jobs
from moselect._types import Document, Estimator, Floats, record
from moselect.candidates.cross_validation import (
    CV,
    Fitted,
    cross_validate,
)
from moselect.candidates.registry import Candidate
from moselect.costs.priced import objective_costs
from moselect.datasets.load import fingerprint
from moselect.evaluation.decision import decide
from moselect.evaluation.objective_figures import objective_figures
from moselect.io.archives import Archive, document_in, with_document
from moselect.io.documents import as_json
from moselect.io.run_record import recorded_versions
from moselect.listing import in_one_line
from moselect.models.learner import EstimatorLearner, FitError, Predictions
from moselect.samples.folds import Folds
from moselect.samples.samples import Samples
from moselect.selection.selector import Selector
from moselect.tuning.spaces import Searched, Space, spaces_of

ERROR = "_se"  # suffix of the standard error of an objective


@record
class Trial:
    """An estimator with sampled hyper-parameters, and its out-of-fold predictions.

    Attributes
    ----------
    space : Space
        The search space.
    number : int
        Number among the trials of the estimator; number 0 has its own settings.
    settings : dict of str to object
        Hyper-parameters by name.
    results : dict of str to object
        ``seconds`` of all fits, and the reason of a ``failure``; empty before it is
        cross-validated.
    proba : ndarray of shape (m, r), or None
        Out-of-fold class probabilities, unless it failed.
    """

    space: Space
    number: int
    settings: dict[str, object]
    results: dict[str, Any] = field(default_factory=dict)
    proba: Floats | None = None

    @property
    def name(self) -> str:
        """Name of the estimator, and number of the trial."""
        return f"{self.space.name}-{self.number}"

    @property
    def about(self) -> Document:
        """Document that identifies the model."""
        described = f"{in_one_line(repr(self.space.estimator))} with {self.settings}"
        return {"model": self.space.name, "number": self.number, "is": described}

    @property
    def estimator(self) -> Estimator:
        """The estimator with the sampled hyper-parameters, not fitted."""
        return clone(self.space.estimator).set_params(**self.settings)

    def cross_validated(
        self, learner: EstimatorLearner, samples: Samples, folds: Folds
    ) -> "Trial":
        """Return the trial with its results; its failure is one of them."""
        started = time.perf_counter()
        failure = None
        proba = None
        try:
            proba = cross_validate(learner, samples, folds, n_jobs=1).cv.proba
        except FitError as error:
            failure = str(error)
        results = {"seconds": time.perf_counter() - started, "failure": failure}
        return replace(self, results=results, proba=proba)

    def join(self, selector: Selector) -> Fitted:
        """Make a trial a candidate, without a final fit; return its predictions."""
        selector.fits.add(Candidate(self.name, self.estimator))
        predictions = {CV: Predictions.of(self.proba)}  # type: ignore[arg-type]
        fitted = Fitted(None, predictions, math.nan, self.results["seconds"])
        selector.fits.known[self.name] = fitted
        selector.trials = *selector.trials, self.name
        return fitted


class TrialArchive:
    """Trials in a folder, each in a file of its own.

    Files of other data, folds, seeds or versions count as absent.

    Parameters
    ----------
    folder : Path
        Created with the first trial.
    selector : Selector
        Samples, folds and seed.
    """

    def __init__(self, folder: Path, selector: Selector) -> None:
        samples = selector.samples
        weights = samples.sample_weight_or_ones
        about = {
            "data": fingerprint(pd.DataFrame(samples.X), pd.Series(samples.codes)),
            "seed": selector.fits.seed,
            "versions": recorded_versions(),
        }
        mark = as_json(about) + selector.folds.parts.tobytes() + weights.tobytes()
        self._archive = Archive(folder, sha256(mark).hexdigest())

    def find(self, trial: Trial) -> Trial:
        """Return a trial with its results, if there are any of the same space."""
        arrays = self._archive.find(trial.name)
        if arrays is None or document_in(arrays)["trial"] != trial.about:
            return trial
        results = document_in(arrays)["results"]
        return replace(trial, results=results, proba=arrays.get("proba"))

    def keep(self, trial: Trial) -> None:
        """Write a trial with its results."""
        document = {"trial": trial.about, "results": trial.results}
        arrays = {} if trial.proba is None else {"proba": trial.proba}
        self._archive.keep(trial.name, with_document(document, arrays))

    def restore(self, selector: Selector) -> None:
        """Make the trials of known models candidates of a selection.

        ValueError if there are none.
        """
        for name in self._archive:
            model, _, number = name.rpartition("-")
            (space,) = spaces_of(model, selector.samples.classes)
            settings = space.sample(int(number), selector.fits.seed)
            trial = self.find(Trial(space, int(number), settings))
            if trial.proba is not None:
                trial.join(selector)
        if not selector.trials:
            folder = self._archive.folder
            raise ValueError(
                f"there are no trials in '{folder}': begin with moselect tune {folder.parent}"
            )


class Trials:
    """Sample, cross-validate and measure trials, as candidates of a selection.

    The estimators take turns. The first trial of each has the settings that the estimator
    comes with.

    Parameters
    ----------
    selector : Selector
        Samples, folds, objectives and fits; the trials become its candidates.
    estimators : str, sequence of str, or mapping
        As in `tune`.
    storage : str or Path, optional
        Folder of earlier trials, which new ones extend.

    Attributes
    ----------
    interrupted : bool
        Whether Ctrl-C ended the search.
    """

    interrupted = False

    def __init__(
        self,
        selector: Selector,
        estimators: Searched,
        storage: str | Path | None = None,
    ) -> None:
        self._spaces = spaces_of(estimators, selector.samples.classes)
        shares = selector.samples.class_weights
        self._losses = {
            objective.name: objective_costs(objective, shares)
            for objective in selector.objectives
            if objective.solved is not None or not objective.measured
        }
        self._names = [objective.name for objective in selector.objectives]
        # Functions that do not take such predictions fail before the first trial.
        perfect = np.eye(selector.samples.n_classes)[selector.samples.codes]
        objective_figures(selector.objectives, selector.samples, Predictions.of(perfect))
        self._archive = storage and TrialArchive(Path(storage), selector)
        self._rows: dict[str, dict[str, object]] = {}
        self._selector = selector

    def run(
        self,
        n_trials: int,
        max_seconds: float | None,
        n_jobs: int | None,
        report: Report,
    ) -> None:
        """Evaluate trials up to a number, or until the time is over."""
        if not n_trials >= 1:
            raise ValueError(f"n_trials is {n_trials}: give a number of at least 1")
        started = time.monotonic()
        trials = [self._sample(number) for number in range(n_trials)]
        done = {trial.name: trial for trial in trials if trial.results}
        fits = self._selector.fits

        def tasks() -> Iterator[Callable[[], Trial]]:
            """Generate the trials to be fitted, as workers become free."""
            for trial in trials:
                is_over = (
                    max_seconds is not None and time.monotonic() - started > max_seconds
                )
                if is_over and trial is not trials[0]:  # one is to be selected
                    return
                if not trial.results:
                    learner = fits.classifier(trial.estimator)
                    yield partial(
                        trial.cross_validated, learner, fits.samples, fits.folds
                    )

        parallel = parallel_jobs(n_jobs, order="generator_unordered")
        try:
            # Once for all trials: each fit would look for the libraries that have threads.
            with one_thread():
                for trial in parallel(tasks()):
                    if self._archive:
                        self._archive.keep(trial)
                    done[trial.name] = trial
                    report(len(done), n_trials)
        except KeyboardInterrupt:
            if not done:
                raise  # nothing to select from
            self.interrupted = True
        for trial in trials:
            if trial.name in done:
                self._measure(done[trial.name])

    @property
    def table(self) -> pd.DataFrame:
        """Objectives of the trials with their standard errors, and hyper-parameters."""
        return pd.DataFrame.from_dict(self._rows, orient="index")

    @property
    def front(self) -> pd.DataFrame:
        """The non-dominated trials; ValueError if all of them failed."""
        table = self.table
        complete = table[table["failure"].isna()]
        if complete.empty:
            raise ValueError(f"every trial failed: {table['failure'].iloc[0]}")
        values = complete[self._names].to_numpy()
        return complete[moocore.is_nondominated(values, maximise=True)]

    @property
    def gains(self) -> dict[str, float]:
        """Greatest gain of a trial above predictions without features, by objective."""
        return {
            name: self.front[name].max()
            - 1.0
            + costs.loss.of_constant(costs.cells, self._selector.samples.class_weights)
            for name, costs in self._losses.items()
        }

    def _sample(self, number: int) -> Trial:
        """Sample the trial of a number, or find it."""
        turn, place = divmod(number, len(self._spaces))
        space = self._spaces[place]
        trial = Trial(space, turn, space.sample(turn, self._selector.fits.seed))
        return self._archive.find(trial) if self._archive else trial

    def _measure(self, trial: Trial) -> None:
        """Add the row of a trial, with decisions solved for each objective."""
        row = {"estimator": trial.space.name, **trial.results}
        fitted = None if trial.proba is None else trial.join(self._selector)
        splits = self._selector.splits
        for objective in self._selector.objectives:
            name = objective.name
            value = error = math.nan
            if fitted is not None and name in self._losses:
                loss, error = decide(fitted, self._losses[name], splits).figure()
                value = 1.0 - loss
            elif fitted is not None:
                (value,), _ = objective_figures([objective], splits.predicted, fitted.cv)
                if not math.isfinite(value):
                    row["failure"] = f"objective {name!r} is {value}"
            row |= {name: value, f"{name}{ERROR}": error}
        # As columns of scikit-learn's ``cv_results_`` are named.
        row |= {f"param_{name}": value for name, value in trial.settings.items()}
        self._rows[trial.name] = row

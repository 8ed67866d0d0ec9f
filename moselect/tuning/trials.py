"""Trials: cross-validated models with sampled hyper-parameters, kept one by one."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pandas as pd

from moselect._processes import Report, no_report, share
from moselect._types import Floats
from moselect.datasets.load import fingerprint
from moselect.io.archive import Archive
from moselect.io.documents import as_json
from moselect.io.model_file import DOCUMENT, as_bytes
from moselect.io.run_record import recorded_versions
from moselect.learning import FitError, Fitted, Learner, Predictions, cross_validated
from moselect.samples.folds import Folds
from moselect.samples.samples import Samples
from moselect.selection.decision_loss import DecisionLoss, SelectionCriteria
from moselect.selection.evaluations import CandidateEvaluations
from moselect.selection.known_models import describe
from moselect.selection.selector import Decision
from moselect.tuning.spaces import Space, optuna_module

# Trials that are sampled together, before their results are known: a constant, so that the
# trials do not depend on the number of processes. Also the population of NSGA-II.
BATCH = 10


@dataclass(frozen=True, eq=False)
class Trial:
    """An estimator with sampled hyper-parameters.

    Attributes
    ----------
    name : str
        Name of the estimator and number of the trial; number 0 has its own settings.
    space : Space
        The search space.
    sampled : dict of str to float
        Sampled hyper-parameters in Optuna's internal form, from which the same space gives
        the same settings.
    """

    name: str
    space: Space
    sampled: dict[str, float]

    @property
    def settings(self) -> dict[str, Any]:
        """Hyper-parameters by name."""
        return self.space.settings(self.sampled)

    @property
    def about(self) -> dict[str, Any]:
        """Document that identifies the model of the trial."""
        described = f"{describe(self.space.estimator)} with {self.settings}"
        return {"model": self.space.name, "sampled": self.sampled, "is": described}


@dataclass(frozen=True, eq=False)
class Outcome:
    """Out-of-fold class probabilities (n, r) of a trial, or the reason why it failed."""

    proba: Floats | None
    failure: str | None
    seconds: float

    @property
    def fitted(self) -> Fitted:
        """The trial as a candidate, which is not fitted to all samples yet."""
        assert self.proba is not None
        predictions = Predictions.of(self.proba)
        return Fitted(None, None, predictions, None, math.nan, self.seconds)


class TrialArchive:
    """Outcomes of trials in a folder, each in a file of its own.

    Files of other data, folds, seeds or versions count as absent, and the trials are
    fitted again.
    """

    def __init__(self, folder: Path, decision: Decision, seed: int) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        samples = decision.samples
        table = pd.DataFrame(samples.X).assign(**{"": samples.sample_weight_or_ones})
        about = {
            "data": fingerprint(table, pd.Series(samples.codes)),
            "seed": seed,
            "versions": recorded_versions() | {"optuna": optuna_module().__version__},
        }
        mark = as_json(about) + decision.folds.parts.tobytes()
        self._archive = Archive(folder, sha256(mark).digest())

    def __iter__(self) -> Any:
        """Iterate over name and document of all trials."""
        for name in self._archive:
            arrays = self._archive.find(name)
            if arrays is not None:
                yield name, msgspec.json.decode(arrays[DOCUMENT].tobytes())

    def find(self, trial: Trial) -> Outcome | None:
        """Return the outcome of a trial; None if it is absent or of other settings."""
        arrays = self._archive.find(trial.name)
        if arrays is None:
            return None
        about = msgspec.json.decode(arrays.pop(DOCUMENT).tobytes())
        failure, seconds = about.pop("failure"), about.pop("seconds")
        if about != trial.about:
            return None
        return Outcome(arrays.get("proba"), failure, seconds)

    def keep(self, trial: Trial, outcome: Outcome) -> None:
        """Write the outcome of a trial."""
        about = trial.about
        about |= {"failure": outcome.failure, "seconds": outcome.seconds}
        arrays: dict[str, Any] = {DOCUMENT: as_bytes(as_json(about))}
        if outcome.proba is not None:
            arrays["proba"] = outcome.proba
        self._archive.keep(trial.name, arrays)


class Trials:
    """Sample, cross-validate and measure trials, as candidates of a decision.

    Each estimator has a study and a share of the trials of its own. The first trial has
    the settings that the estimator comes with.

    Parameters
    ----------
    decision : Decision
        Samples, folds and fits; the trials become its candidates.
    spaces : sequence of Space
        The estimators and their search spaces.
    goals : mapping of str to DecisionLoss
        Decision loss of each objective.
    seed : int
        Seed of the samplers.
    archive : TrialArchive, optional
        Outcomes of earlier trials, to which further ones are added.

    Attributes
    ----------
    figures : dict of str to ndarray of shape (2, m)
        Objectives of each trial and their standard errors; NaN if it failed.
    """

    def __init__(
        self,
        decision: Decision,
        spaces: Sequence[Space],
        goals: Mapping[str, DecisionLoss],
        seed: int,
        archive: TrialArchive | None = None,
    ) -> None:
        self.trials: list[Trial] = []
        self.outcomes: dict[str, Outcome] = {}
        self.figures: dict[str, Floats] = {}
        self._decision = decision
        self._spaces = spaces
        self._goals = goals
        self._archive = archive
        seeds = np.random.SeedSequence(seed).generate_state(len(spaces))
        self._studies = [_study(len(goals), int(number)) for number in seeds]

    def run(
        self,
        n_trials: int,
        timeout: float | None = None,
        n_jobs: int | None = None,
        report: Report = no_report,
    ) -> None:
        """Evaluate trials up to a number, or until the batch in which the time is over."""
        started = time.monotonic()
        while len(self.trials) < n_trials:
            if timeout is not None and time.monotonic() - started > timeout:
                break
            # The settings that the estimators come with, by themselves: no sampler needs them.
            size = BATCH if self.trials else len(self._spaces)
            stop = min(len(self.trials) + size, n_trials)
            asked = [self._ask(number) for number in range(len(self.trials), stop)]
            self._evaluate([trial for trial, _ in asked], n_jobs, n_trials, report)
            for trial, of_study in asked:
                self.trials.append(trial)
                if of_study is not None:
                    self._tell(trial, of_study)
        self._decision.trials = tuple(
            trial.name for trial in self.trials if not self.outcomes[trial.name].failure
        )

    def _ask(self, number: int) -> tuple[Trial, Any]:
        """Sample the trial of a number; the estimators take turns."""
        turn, place = divmod(number, len(self._spaces))
        space = self._spaces[place]
        of_study, sampled = None, {}
        if turn > 0:
            of_study = self._studies[place].ask(dict(space.distributions))
            sampled = {
                name: float(kind.to_internal_repr(of_study.params[name]))
                for name, kind in space.distributions.items()
            }
        return Trial(f"{space.name}-{turn}", space, sampled), of_study

    def _evaluate(
        self, trials: list[Trial], n_jobs: int | None, n_trials: int, report: Report
    ) -> None:
        """Cross-validate the trials that are not in the archive."""
        fits = self._decision.fits
        tasks = []
        absent = []
        for trial in trials:
            estimator = trial.space.with_settings(trial.settings)
            fits.add_models({trial.name: estimator})
            outcome = None if self._archive is None else self._archive.find(trial)
            if outcome is not None:
                self._take(trial, outcome)
                continue
            absent.append(trial)
            about = self._decision.samples, self._decision.folds
            tasks.append(partial(_cross_validate, fits.learners[trial.name], *about))

        def received(index: int, outcome: Outcome) -> None:
            if self._archive is not None:
                self._archive.keep(absent[index], outcome)
            self._take(absent[index], outcome)
            report(len(self.outcomes), n_trials)

        share(tasks, n_jobs, isolated=True, received=received)

    def _take(self, trial: Trial, outcome: Outcome) -> None:
        """Measure the objectives of a trial, with decisions solved for each of them."""
        self.outcomes[trial.name] = outcome
        self.figures[trial.name] = np.full((2, len(self._goals)), np.nan)
        if outcome.failure:
            return
        fitted = outcome.fitted
        self._decision.fits.known[trial.name] = fitted
        for j, goal in enumerate(self._goals.values()):
            loss, error = CandidateEvaluations(
                {trial.name: fitted}, SelectionCriteria(goal), self._decision.splits
            ).figure(trial.name)
            self.figures[trial.name][:, j] = 1.0 - loss, error

    def _tell(self, trial: Trial, of_study: Any) -> None:
        study = self._studies[self._spaces.index(trial.space)]
        values = self.figures[trial.name][0]
        if np.isfinite(values).all():
            study.tell(of_study, values.tolist())
        else:
            study.tell(of_study, state=optuna_module().trial.TrialState.FAIL)


def _study(n_objectives: int, seed: int) -> Any:
    """Create a study: TPE for one objective, NSGA-II for several."""
    optuna = optuna_module()
    sampler = optuna.samplers.TPESampler(seed=seed)
    if n_objectives > 1:
        sampler = optuna.samplers.NSGAIISampler(population_size=BATCH, seed=seed)
    verbosity = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    try:
        return optuna.create_study(
            directions=["maximize"] * n_objectives, sampler=sampler
        )
    finally:
        optuna.logging.set_verbosity(verbosity)


def _cross_validate(learner: Learner, samples: Samples, folds: Folds) -> Outcome:
    """Cross-validate a trial; a failure has its reason in one line."""
    started = time.perf_counter()
    try:
        predictions = cross_validated(learner, samples, folds)
    except FitError as error:
        return Outcome(None, str(error), time.perf_counter() - started)
    return Outcome(predictions.proba, None, time.perf_counter() - started)

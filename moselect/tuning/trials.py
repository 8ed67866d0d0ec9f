"""Trials: models with sampled hyper-parameters, cross-validated and measured."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import moocore
import numpy as np
import pandas as pd

from moselect._processes import Report, share
from moselect._threads import one_thread
from moselect.learning import (
    FitError,
    Learner,
    cross_validate,
    join_folds,
)
from moselect.metrics.objective import Objective
from moselect.samples.folds import Folds
from moselect.samples.samples import Samples
from moselect.selection.decision_loss import (
    DecisionLoss,
    objective_losses,
)
from moselect.selection.evaluations import Evaluations
from moselect.selection.selector import Decision
from moselect.tuning.spaces import optuna_module, spaces_of
from moselect.tuning.trial import Trial, TrialArchive

# Trials that are sampled together, before their results are known: a constant, so that the
# trials do not depend on the number of processes. Also the population of NSGA-II.
BATCH = 10
ERROR = "_se"  # suffix of the standard error of an objective


class Trials:
    """Sample, cross-validate and measure trials, as candidates of a decision.

    Each estimator has a study and a share of the trials of its own. The first trial has
    the settings that the estimator comes with.

    Parameters
    ----------
    decision : Decision
        Samples, folds, objectives and fits; the trials become its candidates.
    estimators : str, sequence of str, or mapping
        As in `tune`.
    storage : str or Path, optional
        Folder of earlier trials, which new ones extend.

    Attributes
    ----------
    chance : Series
        Objectives of predictions without features.
    failures : dict of str to str
        Reason of each failure.
    interrupted : bool
        Whether Ctrl-C ended the search.
    """

    interrupted = False

    def __init__(
        self,
        decision: Decision,
        estimators: Any,
        storage: str | Path | None = None,
    ) -> None:
        samples = decision.samples
        self._spaces = spaces_of(estimators, samples.classes)
        self._archive = None
        if storage is not None:
            self._archive = TrialArchive(Path(storage), decision)
        self._losses = losses_of(decision.objectives, samples)
        weights = samples.sample_weight_or_ones
        self.chance = pd.Series(
            {
                name: 1.0 - loss.chance_loss(samples.codes, weights)
                for name, loss in self._losses.items()
            }
        )
        self.failures: dict[str, str] = {}
        self._rows: dict[str, dict[str, Any]] = {}
        self._decision = decision
        seeds = np.random.SeedSequence(decision.fits.seed)
        self._studies = [
            _study(len(self._losses), int(seed))
            for seed in seeds.generate_state(len(self._spaces))
        ]

    def run(
        self,
        n_trials: int,
        timeout: float | None,
        n_jobs: int | None,
        report: Report,
    ) -> None:
        """Evaluate trials up to a number, or until the batch in which the time is over."""
        if not n_trials >= 1:
            raise ValueError(f"n_trials is {n_trials}: give a number of at least 1")
        started = time.monotonic()
        while len(self._rows) < n_trials:
            if timeout is not None and time.monotonic() - started > timeout:
                return
            # The first batch has the settings that the estimators come with, so that TPE
            # knows their objectives before it samples.
            size = BATCH if self._rows else len(self._spaces)
            stop = min(len(self._rows) + size, n_trials)
            batch = [self._sample(number) for number in range(len(self._rows), stop)]
            try:
                trials = self._cross_validated(batch, n_jobs, n_trials, report)
            except KeyboardInterrupt:
                if not self._rows:
                    raise  # nothing to select from
                self.interrupted = True
                return
            for trial in trials:
                self._add(trial)

    @property
    def table(self) -> pd.DataFrame:
        """Objectives of the trials with their standard errors, and hyper-parameters."""
        return pd.DataFrame.from_dict(self._rows, orient="index")

    @property
    def front(self) -> pd.DataFrame:
        """The non-dominated trials; ValueError if all of them failed."""
        table = self.table
        values = table[[*self._losses]].dropna()
        if values.empty:
            raise ValueError(f"every trial failed: {self.failures[table.index[0]]}")
        best = moocore.is_nondominated(values.to_numpy(), maximise=True)
        return table.loc[values.index[best]]

    def _sample(self, number: int) -> Trial:
        """Sample the trial of a number; the estimators take turns."""
        turn, place = divmod(number, len(self._spaces))
        space = self._spaces[place]
        sample = {}
        if turn > 0:
            sample = self._studies[place].ask(space.distributions).params
        return Trial(f"{space.name}-{turn}", space, sample)

    def _cross_validated(
        self, batch: list[Trial], n_jobs: int | None, n_trials: int, report: Report
    ) -> list[Trial]:
        """Cross-validate the trials of a batch that are not in the archive."""
        decision = self._decision
        done = {}
        absent = []
        tasks = []
        for trial in batch:
            known = None if self._archive is None else self._archive.find(trial)
            if known is not None:
                done[trial.name] = known
                continue
            trial.join(decision)
            learner = decision.fits.learners[trial.name]
            absent.append(trial)
            tasks.append(
                partial(_cross_validate, learner, decision.samples, decision.folds)
            )

        def received(index: int, results: dict[str, Any]) -> None:
            trial = replace(absent[index], **results)
            if self._archive is not None:
                self._archive.keep(trial)
            done[trial.name] = trial
            report(len(self._rows) + len(done), n_trials)

        # Once for all trials: each fit would look for the libraries that have threads.
        with one_thread():
            share(tasks, n_jobs, isolated=True, received=received)
        return [done[trial.name] for trial in batch]

    def _add(self, trial: Trial) -> None:
        """Measure a trial, with decisions solved for each objective, and tell the sampler."""
        turn, place = divmod(len(self._rows), len(self._spaces))
        row: dict[str, Any] = {"estimator": trial.space.name}
        fitted = trial.join(self._decision)
        for name, criteria in self._losses.items():
            loss = error = math.nan
            if fitted is not None:
                evaluated = Evaluations.of(
                    {trial.name: fitted}, criteria, self._decision.splits
                )
                loss, error = evaluated.figure(trial.name)
            row |= {name: 1.0 - loss, f"{name}{ERROR}": error}
        row["seconds"] = trial.seconds
        # As columns of scikit-learn's ``cv_results_`` are named.
        row |= {f"param_{name}": value for name, value in trial.settings.items()}
        self._rows[trial.name] = row
        values = None
        if trial.failure is None:
            values = [row[name] for name in self._losses]
        else:
            self.failures[trial.name] = trial.failure
        optuna = optuna_module().trial
        state = optuna.TrialState.FAIL if values is None else optuna.TrialState.COMPLETE
        study = self._studies[place]
        if turn > 0:
            study.tell(turn, values, state)
            return
        # The settings that the estimator comes with are told where the space has them. If
        # not, a failed trial has the number 0, so that each later number is a turn.
        own = optuna.create_trial(state=optuna.TrialState.FAIL)
        with suppress(ValueError, TypeError):
            own = optuna.create_trial(
                params=trial.space.own_sample(),
                distributions=trial.space.distributions,
                values=values,
                state=state,
            )
        study.add_trial(own)


def losses_of(
    objectives: Sequence[Objective], samples: Samples
) -> Mapping[str, DecisionLoss]:
    """Return the decision loss of each objective; ValueError if one has none."""
    shares = samples.class_weights
    losses = {}
    for objective in objectives:
        if objective.solved is not None:
            costs = objective.solved.start(shares)
            losses[objective.name] = DecisionLoss(costs, metric=objective.solved)
        elif objective.measured:
            raise ValueError(
                f"objective {objective.name!r} is measured only: no decisions can be solved "
                "for it"
            )
        else:
            (losses[objective.name],) = objective_losses([objective], shares)
    return losses


def _study(n_objectives: int, seed: int) -> Any:
    """Create a study: TPE for one objective, NSGA-II for several."""
    optuna = optuna_module()
    sampler = optuna.samplers.TPESampler(seed=seed)
    if n_objectives > 1:
        sampler = optuna.samplers.NSGAIISampler(population_size=BATCH, seed=seed)
    # Optuna announces each study; its verbosity is global to the process.
    verbosity = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    try:
        return optuna.create_study(
            directions=["maximize"] * n_objectives, sampler=sampler
        )
    finally:
        optuna.logging.set_verbosity(verbosity)


def _cross_validate(learner: Learner, samples: Samples, folds: Folds) -> dict[str, Any]:
    """Cross-validate a trial; a failure has a reason."""
    started = time.perf_counter()
    proba = None
    failure = None
    try:
        proba = join_folds(cross_validate(learner, samples, folds)).proba
    except FitError as error:
        failure = str(error)
    seconds = time.perf_counter() - started
    return {"proba": proba, "failure": failure, "seconds": seconds}

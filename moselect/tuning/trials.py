"""Trials: models with sampled hyper-parameters, cross-validated and measured."""

import math
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import moocore
import numpy as np
import pandas as pd
from joblib import Parallel, delayed

from moselect._parallel import Report, as_they_come, one_thread
from moselect.candidates.cross_validation import fit_and_predict_fold
from moselect.costs.losses import MetricLoss
from moselect.costs.priced import Priced, objective_costs
from moselect.metrics.objective import Objective
from moselect.models.learner import EstimatorLearner
from moselect.samples.samples import Samples
from moselect.selection.selector import Selector
from moselect.tuning.spaces import optuna_module, spaces_of
from moselect.tuning.trial import Pruner, Trial, TrialArchive

# Trials that are sampled together, before their results are known: a constant, so that the
# trials do not depend on the number of processes. Also the population of NSGA-II.
BATCH = 10
ERROR = "_se"  # suffix of the standard error of an objective
# as the pruners of Optuna
MIN_COMPLETE = 5


class Trials:
    """Sample, cross-validate and measure trials, as candidates of a selection.

    Each estimator has a study and a share of the trials of its own. The first trial has
    the settings that the estimator comes with.

    Parameters
    ----------
    selector : Selector
        Samples, folds, objectives and fits; the trials become its candidates.
    estimators : str, sequence of str, or mapping
        As in `tune`.
    storage : str or Path, optional
        Folder of earlier trials, which new ones extend.
    prune : bool, default=True
        As in `tune`.

    Attributes
    ----------
    interrupted : bool
        Whether Ctrl-C ended the search.
    """

    interrupted = False

    def __init__(
        self,
        selector: Selector,
        estimators: Any,
        storage: str | Path | None = None,
        *,
        prune: bool = True,
    ) -> None:
        samples = selector.samples
        self._spaces = spaces_of(estimators, samples.classes)
        self._prune = prune
        self._losses = losses_of(selector.objectives, samples)
        losses = [*self._losses.values()]
        self._pruner = Pruner(losses, samples, selector.folds)
        self._archive = None
        if storage is not None:
            keys = b"".join(loss.key for loss in losses)
            objectives = sha256(keys).hexdigest() if prune else ""
            self._archive = TrialArchive(Path(storage), selector, objectives)
        self._rows: dict[str, dict[str, Any]] = {}
        self._selector = selector
        seeds = np.random.SeedSequence(selector.fits.seed)
        self._studies = {
            space.name: _study(len(losses), int(seed))
            for space, seed in zip(
                self._spaces, seeds.generate_state(len(self._spaces)), strict=True
            )
        }

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
            is_over = timeout is not None and time.monotonic() - started > timeout
            if is_over and self._rows:  # without trials there is nothing to select from
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
        complete = table[table["state"] == "COMPLETE"]
        if complete.empty:
            raise ValueError(f"every trial failed: {table['failure'].iloc[0]}")
        values = complete[[*self._losses]].to_numpy()
        return complete[moocore.is_nondominated(values, maximise=True)]

    @property
    def gains(self) -> dict[str, float]:
        """Greatest gain of a trial above predictions without features, by objective."""
        samples = self._selector.samples
        return {
            name: self.front[name].max()
            - 1.0
            + costs.loss.of_constant(costs.cells, samples)
            for name, costs in self._losses.items()
        }

    def _sample(self, number: int) -> Trial:
        """Sample the trial of a number, or find it; the estimators take turns."""
        turn, place = divmod(number, len(self._spaces))
        space = self._spaces[place]
        sample = {}
        if turn > 0:
            sample = self._studies[space.name].ask(space.distributions).params
        trial = Trial(space, turn, sample)
        return trial if self._archive is None else self._archive.find(trial)

    def _pruner_of(self, estimator: str) -> Pruner:
        """Return the pruner by the best trials of an estimator in earlier batches.

        Users compare the best trials of estimators: another estimator's trials prune none.
        """
        study = self._studies[estimator]
        n_complete = sum(trial.state.name == "COMPLETE" for trial in study.trials)
        if not self._prune or n_complete < MIN_COMPLETE:
            return self._pruner
        known = self._selector.fits.known
        best = [known[f"{estimator}-{trial.number}"] for trial in study.best_trials]
        finished: Any = [fitted.cv.proba for fitted in best]
        return replace(self._pruner, finished=finished)

    def _cross_validated(
        self, batch: list[Trial], n_jobs: int | None, n_trials: int, report: Report
    ) -> list[Trial]:
        """Cross-validate the trials of a batch that are not in the archive."""
        done = {trial.name: trial for trial in batch if trial.results}
        tasks = [
            delayed(_cross_validated)(
                trial,
                self._selector.fits.classifier(trial.estimator),
                self._pruner_of(trial.space.name),
            )
            for trial in batch
            if not trial.results
        ]
        parallel = Parallel(n_jobs, return_as=as_they_come("generator_unordered"))
        # Once for all trials: each fit would look for the libraries that have threads.
        with one_thread():
            for trial in parallel(tasks):
                if self._archive is not None:
                    self._archive.keep(trial)
                done[trial.name] = trial
                report(len(self._rows) + len(done), n_trials)
        return [done[trial.name] for trial in batch]

    def _add(self, trial: Trial) -> None:
        """Measure a trial, with decisions solved for each objective, and tell the sampler."""
        row: dict[str, Any] = {"estimator": trial.space.name, **trial.results}
        for name in self._losses:
            row |= {name: math.nan, f"{name}{ERROR}": math.nan}
        values = None
        if trial.proba is not None:
            trial.join(self._selector)
            evaluated = self._pruner.evaluate(trial.proba, self._pruner.folds)
            for name, each in zip(self._losses, evaluated, strict=True):
                loss, error = each["trial"].figure()
                row |= {name: 1.0 - loss, f"{name}{ERROR}": error}
            values = [row[name] for name in self._losses]
        # As columns of scikit-learn's ``cv_results_`` are named.
        row |= {f"param_{name}": value for name, value in trial.settings.items()}
        self._rows[trial.name] = row
        optuna = optuna_module().trial
        state = optuna.TrialState[row["state"]]
        study = self._studies[trial.space.name]
        if trial.number > 0:
            study.tell(trial.number, values, state)
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


def losses_of(objectives: Sequence[Objective], samples: Samples) -> Mapping[str, Priced]:
    """Return the decision loss of each objective; ValueError if one has none."""
    shares = samples.class_weights
    losses = {}
    for objective in objectives:
        if objective.solved is not None:
            costs = objective.solved.start(shares)
            losses[objective.name] = Priced(costs, MetricLoss(objective.solved))
        elif objective.measured:
            raise ValueError(
                f"objective {objective.name!r} is measured only: no decisions can be solved "
                "for it"
            )
        else:
            losses[objective.name] = objective_costs(objective, shares)
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


def _cross_validated(trial: Trial, learner: EstimatorLearner, pruner: Pruner) -> Trial:
    """Cross-validate a trial until it fails or is hopeless; return it with results."""
    started = time.perf_counter()
    state = "COMPLETE"
    failure = None
    tested = pruner.folds.tested
    proba = np.empty((len(tested), pruner.samples.n_classes))
    with one_thread():
        for number, fold in enumerate(pruner.folds):
            part = fit_and_predict_fold(learner.for_fold(number), fold, pruner.samples)
            if isinstance(part, str):
                state = "FAIL"
                failure = f"{part} (fold {number})"
                break
            proba[np.searchsorted(tested, fold[1])] = part.predictions.proba
            if number + 1 < len(pruner.folds) and pruner.is_hopeless(proba, number + 1):
                state = "PRUNED"
                break
    seconds = time.perf_counter() - started
    results = {"state": state, "seconds": seconds, "failure": failure}
    return replace(trial, results=results, proba=proba if state == "COMPLETE" else None)

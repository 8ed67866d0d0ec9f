"""`tune`: search models and hyper-parameters by several objectives, and select a trial."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

import pandas as pd
from numpy.typing import ArrayLike

from moselect._parallel import ProgressLine, Report, no_report
from moselect._types import CrossValidation, LabelOrder, Labels, Table
from moselect.candidates.candidates import CandidateFits, FitSettings
from moselect.costs.costs import AnyCosts, ClassValues, Costs, Loss
from moselect.metrics.objective import Objective
from moselect.models.training_columns import samples_of
from moselect.preprocessing import Preparation
from moselect.samples.folds import Folds
from moselect.search.ordinal_problem import resolve_objectives
from moselect.selection.selecting import Selects
from moselect.selection.selector import Selector
from moselect.tuning.spaces import Searched
from moselect.tuning.trials import Trials
from moselect.validation import seed_or_drawn


@dataclass(eq=False, repr=False)
class Tuning(Selects):
    """Trials of models and hyper-parameters, made by `tune`, and their selection.

    Attributes
    ----------
    class_costs, loss, cost_matrix, priors, costs, labels, prepare
        As in `moselect.ParetoSearch`.
    trials_ : DataFrame
        One row a trial: ``estimator``, ``seconds``, the reason of a ``failure``,
        cross-validated objectives, to be maximised, each with its standard error (suffix
        ``_se``), and hyper-parameters (prefix ``param_``). The best of many look better than
        they are: ``select`` corrects its figure.
    front_ : DataFrame
        The non-dominated trials.
    interrupted_ : bool
        Whether Ctrl-C ended the search.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> tuning = moselect.tune("multinomial", X, y, n_trials=3, cv=2, random_state=1)
    >>> tuning.trials_.index.tolist()
    ['multinomial-0', 'multinomial-1', 'multinomial-2']
    """

    class_costs: ClassValues | None = None
    loss: Loss = "absolute"
    cost_matrix: ArrayLike | None = None
    priors: ClassValues | None = None
    costs: AnyCosts | None = None
    labels: LabelOrder = None
    prepare: bool | Preparation = True

    trials_: pd.DataFrame = field(init=False)
    front_: pd.DataFrame = field(init=False)
    interrupted_: bool = field(default=False, init=False)
    _selector: Selector = field(init=False)

    @property
    def selector_(self) -> Selector:
        """Selector of trials for given costs or preferences."""
        return self._selector

    def __repr__(self) -> str:
        n_complete = self.trials_["failure"].isna().sum()
        return (
            f"<Tuning: {len(self.trials_)} trials, {n_complete} complete, "
            f"{len(self.front_)} non-dominated>"
        )

    def _repr_html_(self) -> str:
        shown = self.front_.dropna(axis="columns", how="all")
        table = shown.to_html(float_format="{:.4g}".format, border=0)
        return f"<p>{escape(repr(self))}</p>{table}"


def tune(
    candidates: Searched,
    X: Table,
    y: ArrayLike,
    n_trials: int = 100,
    max_seconds: float | None = None,
    objectives: str | Sequence[object] | None = None,
    cv: CrossValidation | Folds = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    times: ArrayLike | None = None,
    random_state: int | None = None,
    storage: str | Path | None = None,
    n_jobs: int | None = None,
    report: Report = no_report,
    verbose: bool = False,
    *,
    costs: AnyCosts | None = None,
    **settings: Any,
) -> Tuning:
    """Search over models and their hyper-parameters by several objectives.

    Each trial is an estimator with hyper-parameters that are sampled at random,
    cross-validated on the same folds. Each objective has decisions of its own: accuracy uses
    the most probable classes of a trial, MAE its median classes, and kappa decisions solved
    for kappa. Functions and scorers have no standard error.

    Parameters
    ----------
    candidates : str, sequence of str, or mapping
        Names of known models, which have a search space of their own
        (`moselect.tuning.KNOWN_SPACES`), or ``{name: (estimator, space)}`` with classifiers
        that have ``predict_proba``. A space has a list or array of values, or a distribution
        of ``scipy.stats``, for each hyper-parameter, as in scikit-learn's
        ``RandomizedSearchCV``. The trials are divided equally among the estimators.
    X, y : array-like of shape (n, p) and (n,)
        Features and ordinal labels.
    n_trials : int, default=100
        Number of trials. The first of each estimator has the settings that it comes with.
    max_seconds : float, optional
        Seconds after which no further trial begins; the first one always does.
    objectives : str or sequence, optional
        As in `moselect.ParetoSearch`, one or more: ``"accuracy"``, ``"one_minus_mae"`` and
        ``"vus"`` by default, or ``"cost"`` if there are costs. Functions and scorers of
        scikit-learn are evaluated once, on the out-of-fold predictions of all rows: the
        most probable classes, expected ranks or class probabilities of a trial.
    cv : int, splitter or iterable, optional
        Folds of cross-validation, five by default. Groups are never divided, and with
        times folds go forward.
    sample_weight, groups, times : array-like of shape (n,), optional
        As in `moselect.ParetoSearch.fit`.
    random_state : int, optional
        The same seed gives the same front, for any number of processes.
    storage : str or Path, optional
        Folder in which each trial is kept when it ends. The same call goes on with them, and
        gives the result of a search that was not interrupted.
    n_jobs : int, optional
        Number of processes; or workers of a joblib backend, such as Dask.
    report : callable, optional
        Called with the number of trials done and their total.
    verbose : bool, default=False
        Whether `tune` and ``select`` print their progress to standard error, with an estimate
        of the time left.
    costs : mapping, array-like or Costs, optional
        Costs of ``"cost"``: by class label, a vector or a matrix, or `moselect.Costs`.
    **settings
        Parameters of `Tuning`: ``labels``, ``prepare``, ``class_costs``, ``loss``,
        ``cost_matrix`` and ``priors``.

    Returns
    -------
    Tuning
        With the trials (``trials_``), the non-dominated ones (``front_``), and ``select`` as
        a search has. The figure of the selected trial is corrected for the selection among
        all trials: some clusters of rows select, and others evaluate.

    Raises
    ------
    ValueError
        If a model or a hyper-parameter is unknown, a space is empty, or every trial failed.
    TypeError
        If an estimator has no class probabilities, or the values of a hyper-parameter are
        neither a sequence nor a distribution.

    References
    ----------
    Bergstra & Bengio (2012), Random search for hyper-parameter optimization, Journal of
    Machine Learning Research 13, 281-305.

    Examples
    --------
    >>> import moselect
    >>> from scipy.stats import loguniform
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = moselect.datasets.load_boston()
    >>> space = {"var_smoothing": loguniform(1e-9, 1.0)}
    >>> tuning = moselect.tune({"bayes": (GaussianNB(), space)}, X, y, 5, random_state=1)
    >>> model = tuning.select(class_costs=[1, 1, 1, 5, 5])
    >>> model.evidence.selected.startswith("bayes-")
    True
    """
    unknown = settings.keys() - {each.name for each in fields(Tuning) if each.init}
    if unknown:
        raise TypeError(f"tune() got an unexpected keyword argument {min(unknown)!r}")
    tuning = Tuning(costs=costs, **settings)
    samples, scale = samples_of(
        X,
        y,
        labels=tuning.labels,
        prepare=tuning.prepare,
        sample_weight=sample_weight,
        groups=groups,
        times=times,
    )
    tuning._scale = scale
    line = ProgressLine()
    fits = CandidateFits(
        samples,
        FitSettings("features", tuning.prepare, seed_or_drawn(random_state), n_jobs),
        Folds.of_samples(samples, 5 if cv is None else cv),
        report=line if verbose else no_report,
    )
    selector = Selector(
        fits,
        objectives_of(objectives, scale.observed, scale.labels, scale.own_costs(tuning)),
    )
    selector.own_candidates = []
    trials = Trials(selector, candidates, storage)
    if verbose and report is no_report:
        report = partial(line, "trials")
    trials.run(n_trials, max_seconds, n_jobs, report)
    tuning.interrupted_ = trials.interrupted
    tuning.trials_ = trials.table
    tuning.front_ = trials.front
    selector.gains = trials.gains
    tuning._selector = selector
    return tuning


def objectives_of(
    names: str | Sequence[object] | None,
    classes: Labels,
    scale: Labels,
    costs: Costs | None,
) -> tuple[Objective, ...]:
    """Resolve the objectives of trials: by default the cost, if costs are given."""
    if isinstance(names, str):
        names = (names,)
    if not names:
        names = ("accuracy", "one_minus_mae", "vus") if costs is None else ("cost",)
    return resolve_objectives(names, classes, scale, costs)

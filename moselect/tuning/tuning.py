"""`tune`: search models and hyper-parameters by several objectives, and select a trial."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import moocore
import pandas as pd
from numpy.typing import ArrayLike

from moselect._processes import Report, no_report
from moselect.metrics import Loss
from moselect.metrics.objective import Objective
from moselect.preprocessing import Preparation
from moselect.samples.samples import Samples
from moselect.search.search_samples import deal_folds, seed_of, with_objectives
from moselect.search.selecting import SelectingClassifier
from moselect.search.settings import SearchSettings
from moselect.selection.candidates import CandidateFactory
from moselect.selection.decision_loss import DecisionLoss, objective_goals
from moselect.selection.selector import Decision
from moselect.tuning.spaces import spaces_of
from moselect.tuning.trials import TrialArchive, Trials

ERROR = "_se"  # suffix of the standard error of an objective
SETTING = "param_"  # prefix of hyper-parameters, as in scikit-learn's ``cv_results_``
OBJECTIVES = ("accuracy", "one_minus_mae", "vus")


class Tuning(SelectingClassifier):
    """Search over models and their hyper-parameters by several objectives.

    Parameters
    ----------
    estimators, n_trials, timeout, objectives, cv, random_state, storage, n_jobs
        As in `tune`.
    class_costs, loss, cost_matrix, priors, preferences, model, labels, prepare
        As in `moselect.ParetoSearch`.

    Attributes
    ----------
    trials_ : DataFrame
        One row a trial: ``estimator``, cross-validated objectives, to be maximised, each
        with its standard error (suffix ``_se``), ``seconds`` and hyper-parameters (prefix
        ``param_``).
    front_ : DataFrame
        The non-dominated trials.
    failures_ : dict of str to str
        Reasons why trials failed, in one line each.
    chance_ : Series
        Objectives of predictions without features.
    interrupted_ : bool
        Whether Ctrl-C ended the search.
    selector_ : Decision
        Selects trials for given costs or preferences.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> tuning = Tuning("multinomial", n_trials=3, cv=2, random_state=1).fit(X, y)
    >>> tuning.trials_.index.tolist()
    ['multinomial-0', 'multinomial-1', 'multinomial-2']
    """

    # Parameters of the base class that a search over trials does not have.
    holdout = None
    monotone = None

    def __init__(
        self,
        estimators: Any,
        *,
        n_trials: int = 100,
        timeout: float | None = None,
        objectives: Sequence[Any] | None = None,
        cv: Any = None,
        class_costs: ArrayLike | None = None,
        loss: Loss = "absolute",
        cost_matrix: ArrayLike | None = None,
        priors: ArrayLike | None = None,
        preferences: Mapping[str, float] | None = None,
        model: str = "cheapest",
        prepare: bool | Preparation = True,
        labels: Sequence[Any] | None = None,
        storage: str | Path | None = None,
        n_jobs: int | None = None,
        random_state: int | None = None,
    ) -> None:
        self.estimators = estimators
        self.n_trials = n_trials
        self.timeout = timeout
        self.objectives = objectives
        self.cv = cv
        self.class_costs = class_costs
        self.loss = loss
        self.cost_matrix = cost_matrix
        self.priors = priors
        self.preferences = preferences
        self.model = model
        self.prepare = prepare
        self.labels = labels
        self.storage = storage
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(
        self,
        X: ArrayLike | pd.DataFrame,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        groups: ArrayLike | None = None,
        times: ArrayLike | None = None,
        report: Report = no_report,
    ) -> Self:
        """Evaluate the trials on training data.

        Parameters
        ----------
        X, y, sample_weight, groups, times
            As in `moselect.ParetoSearch.fit`, but without a holdout set.
        report : callable, optional
            Called with the number of trials done and their total.
        """
        self.seed_ = seed_of(self.random_state)
        samples = self._read_samples(X, y, sample_weight, groups, times)
        objectives = self._objectives()
        folds = deal_folds(samples, 5 if self.cv is None else self.cv)
        factory = CandidateFactory(
            samples.X, "features", self.prepare, self.seed_, self.n_jobs
        )
        decision = Decision(samples, factory, folds, objectives=objectives)
        decision.own_candidates = ()
        return self._run(decision, report)

    def _run(self, decision: Decision, report: Report = no_report) -> Self:
        """Evaluate the trials on the samples and folds of a decision."""
        if not self.n_trials >= 1:
            raise ValueError(f"n_trials is {self.n_trials}: give a number of at least 1")
        samples = decision.samples
        goals = goals_of(decision.objectives, samples)
        spaces = spaces_of(self.estimators, samples.classes)
        archive = None
        if self.storage is not None:
            archive = TrialArchive(Path(self.storage), decision, self.seed_)
        trials = Trials(decision, spaces, goals, self.seed_, archive)
        self.interrupted_ = False
        try:
            trials.run(self.n_trials, self.timeout, self.n_jobs, report)
        except KeyboardInterrupt:
            if not trials.trials:
                raise  # nothing to keep
            self.interrupted_ = True
        outcomes = trials.outcomes
        self.failures_ = {
            name: outcome.failure for name, outcome in outcomes.items() if outcome.failure
        }
        self.trials_ = _table(trials, list(goals))
        values = self.trials_[list(goals)].dropna()
        if values.empty:
            raise ValueError(f"every trial failed: {next(iter(self.failures_.values()))}")
        best = moocore.is_nondominated(values.to_numpy(), maximise=True)
        self.front_ = self.trials_.loc[values.index[best]]
        weights = samples.sample_weight_or_ones
        chance = {
            name: 1.0 - goal.chance_loss(samples.codes, weights)
            for name, goal in goals.items()
        }
        self.chance_ = pd.Series(chance)
        gains = values.max() - self.chance_
        decision.gains = {str(name): float(gain) for name, gain in gains.items()}
        self.selector_ = decision
        self._selected = []
        return self

    def _objectives(self) -> Sequence[Objective]:
        """Resolve the objectives: by default the cost, if there are costs."""
        costs = self._own_costs()
        names = self.objectives
        if names is None:
            names = OBJECTIVES if costs is None else ("cost",)
        elif isinstance(names, str):
            names = (names,)
        settings = SearchSettings(
            names,
            class_costs=self.class_costs,
            loss=self.loss,
            cost_matrix=self.cost_matrix,
            priors=self.priors,
        )
        return with_objectives(settings, self.classes_, self.scale_).objectives


def tune(
    estimators: Any,
    X: ArrayLike | pd.DataFrame,
    y: ArrayLike,
    n_trials: int = 100,
    timeout: float | None = None,
    objectives: Sequence[Any] | None = None,
    cv: Any = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    times: ArrayLike | None = None,
    random_state: int | None = None,
    storage: str | Path | None = None,
    n_jobs: int | None = None,
    **settings: Any,
) -> Tuning:
    """Search over models and their hyper-parameters by several objectives.

    Needs Optuna: ``pip install 'moselect[tune]'``. Each trial is an estimator with sampled
    hyper-parameters, cross-validated on the same folds. Each objective has decisions of its
    own: the accuracy of a trial is that of its most probable classes, its MAE that of its
    median classes, its kappa that of decisions solved for it.

    Parameters
    ----------
    estimators : str, sequence of str, or mapping
        Names of known models, which have a search space of their own
        (`moselect.tuning.KNOWN_SPACES`), or ``{name: (estimator, space)}`` with classifiers
        that have ``predict_proba``. A space has a list of values, a distribution of
        ``scipy.stats`` or one of ``optuna.distributions`` for each hyper-parameter. The
        trials are divided equally among the estimators.
    X, y : array-like of shape (n, p) and (n,)
        Features and ordinal labels.
    n_trials : int, default=100
        Number of trials. The first of each estimator has the settings that it comes with.
    timeout : float, optional
        Seconds after which no further batch of ten trials begins.
    objectives : sequence, optional
        As in `moselect.ParetoSearch`, one or more that can be optimised: ``"accuracy"``,
        ``"one_minus_mae"`` and ``"vus"`` by default, or ``"cost"`` if there are
        ``class_costs`` or a ``cost_matrix``. One objective is searched by TPE, several by
        NSGA-II.
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
        Number of processes; or those of a backend of joblib, such as Dask.
    **settings
        Further parameters of `Tuning`, such as ``labels`` or ``class_costs``.

    Returns
    -------
    Tuning
        With the trials (``trials_``), the non-dominated ones (``front_``), and ``select`` as
        a search has. The figure of the selected trial is corrected for the selection among
        all trials: some clusters of rows select, and others evaluate.

    Raises
    ------
    ValueError
        If a model is unknown, a space is empty, or every trial failed.
    TypeError
        If an estimator has no class probabilities.
    ImportError
        If Optuna is not installed.

    References
    ----------
    Akiba, Sano, Yanase, Ohta & Koyama (2019), Optuna: a next-generation hyperparameter
    optimization framework, KDD.

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
    tuning = Tuning(
        estimators,
        n_trials=n_trials,
        timeout=timeout,
        objectives=objectives,
        cv=cv,
        random_state=random_state,
        storage=storage,
        n_jobs=n_jobs,
        **settings,
    )
    return tuning.fit(X, y, sample_weight, groups=groups, times=times)


def goals_of(
    objectives: Sequence[Objective], samples: Samples
) -> dict[str, DecisionLoss]:
    """Return the decision loss of each objective; ValueError if one has none."""
    shares = samples.class_weights
    goals = {}
    for objective in objectives:
        if objective.solved is not None:
            costs = objective.solved.start(shares)
            goals[objective.name] = DecisionLoss(costs, metric=objective.solved)
        elif objective.measured:
            raise ValueError(
                f"objective {objective.name!r} is measured only: no decisions can be solved "
                "for it"
            )
        else:
            (goals[objective.name],) = objective_goals([objective], shares)
    return goals


def _table(trials: Trials, objectives: list[str]) -> pd.DataFrame:
    """Tabulate the trials."""
    rows = {}
    for trial in trials.trials:
        values, errors = trials.figures[trial.name]
        row: dict[str, Any] = {"estimator": trial.space.name}
        for name, value, error in zip(objectives, values, errors, strict=True):
            row |= {name: value, f"{name}{ERROR}": error}
        row["seconds"] = trials.outcomes[trial.name].seconds
        settings = trial.settings.items()
        row |= {f"{SETTING}{name}": value for name, value in settings}
        rows[trial.name] = row
    return pd.DataFrame.from_dict(rows, orient="index")

"""The evidence for a selected model: what it and others do on rows they never saw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from moselect._types import Floats, Integers
from moselect.decision.costs import ResolvedCosts
from moselect.decision.differences import PairedDifference, verdict
from moselect.decision.goal import rule_figures
from moselect.decision.limits import LimitReached, rank_of, read_limits
from moselect.decision.promise import Profile, Promise
from moselect.decision.trade_off import price, referral_curves, trade_off
from moselect.labels import encode_labels
from moselect.learning import Responses
from moselect.metrics.objectives import objective_named
from moselect.metrics.probability import least_expected_cost
from moselect.models.referral import answers
from moselect.samples import Samples

NEW_DATA, ERROR = "new data", "standard error"


class LatestFold(NamedTuple):
    """Value of a kind on the last of folds that go forward in time.

    Examples
    --------
    >>> LatestFold(value=1.25, standard_error=0.06, differs=True).differs
    True
    """

    value: float
    standard_error: float
    differs: bool


@dataclass(frozen=True, eq=False)
class Evidence:
    """What is known about a selected model, other kinds of model, and rivals.

    Figures on new data are cross-validated: every row is judged by models that were
    fitted, whole, without its fold.

    Attributes
    ----------
    selected : str
        The kind that was selected.
    value : str
        What the rules are compared by: ``"cost"``, the mean cost of a sample, lower is
        better; or ``"utility"``, the weighted gain above chance, in units of the most
        that the front gains in each objective in training, higher is better.
    expected, expected_se : float
        That value of the selected model on new data, the choice counted in: some rows
        choose the kind, and by their class shares the classes, and others judge that. The
        standard error takes in what this adds to the figure of the kind in ``rules``.
    rules : DataFrame
        One row a kind of model or rival: that value on ``new data``; its ``standard
        error``, as if one more of the dearest mistakes had been seen; how far it is
        ``behind`` the best (the share of its cost that it costs more, or the utility that
        it has less), from ``behind low`` to ``behind high``, where some rows select the
        best and others judge it; with limits whether all are met, ``within limits`` (the
        best is one that meets them); the value on samples that
        were ``held out``, if any, and in ``training``; the number of ``terms``; and the
        ``seconds`` of the fits.
    differences : dict of str to PairedDifference
        For each of the others: the share of its cost that the selected one saves, or the
        utility that it gains, paired by sample, where some rows select and others judge,
        as for ``expected``. The errors count one more of the dearest mistakes.
    objectives : DataFrame of shape (3, m) or (4, m)
        The objectives of the selected model: on ``new data``, with their ``standard
        error``, as if one mistake more, one class off, had been seen; on samples ``held
        out``, if any; and in ``training``.
    predicted : DataFrame
        The class that each rule predicts for every sample (n,) as new data. The index has
        their rows in the table.
    samples : Samples
        Those samples without their features: true classes, weights and groups.
    probabilities : dict of str to ndarray of shape (n, r)
        Class probabilities of every sample as new data, by kind.
    folds : ndarray of int, shape (n,)
        The fold of each sample.
    confusion : DataFrame of shape (r, r), or (r, r + 1) with a referral
        Samples of each true class (rows) that the selected model puts into each class
        (columns), or leaves to a person, as new data; of samples with weights, the sums
        of these.
    costs : ResolvedCosts or None
        The costs, if it was selected for costs.
    preferences : mapping of str to float, or None
        The weights of the objectives, of sum 1, if it was selected by preference.
    limits : list of LimitReached
        What was asked for, and what holds on new data.
    without_limits : float or None
        The value of the selected kind on new data if there were no limits, if there are
        any.
    conditions : DataFrame or None
        The same value and error of scorecards of 1 to 20 conditions, if any were
        considered.
    scorecards : ndarray of shape (20, n, r), or None
        Class probabilities of every sample as new data by these scorecards.
    shuffled : tuple of (float, float), or None
        Value and standard error of the selected kind by folds without regard to time, if
        samples have times and this differs from the figure for later samples by two
        standard errors.
    latest : LatestFold, or None
        Value and standard error of the selected kind on the last of folds that go forward
        in time, and whether this differs from the other folds by two standard errors.
    left_out : dict of str to str
        Why kinds could not be fitted.
    columns : list of Profile
        How the columns of the training table were distributed.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> search = moselect.ParetoSearch(n_iterations=3, random_state=1).fit(X, y)
    >>> evidence = search.select(class_costs=[1, 1, 1, 5, 5], kind="linear").evidence
    >>> evidence.rules.index.tolist()
    ['linear', 'proportional odds', 'best member', 'always one class']
    """

    selected: str
    value: str
    expected: float
    expected_se: float
    rules: pd.DataFrame
    differences: dict[str, PairedDifference]
    objectives: pd.DataFrame
    predicted: pd.DataFrame
    samples: Samples
    probabilities: dict[str, Floats]
    folds: NDArray[np.int64]
    confusion: pd.DataFrame
    costs: ResolvedCosts | None
    preferences: Mapping[str, float] | None
    limits: list[LimitReached]
    without_limits: float | None
    conditions: pd.DataFrame | None
    scorecards: Floats | None
    shuffled: tuple[float, float] | None
    latest: LatestFold | None
    left_out: dict[str, str]
    columns: list[Profile]

    @property
    def promise(self) -> Promise:
        """The figures that the model's file keeps, by the class shares in use."""
        counts = self.confusion.to_numpy(dtype=np.float64)
        confusion = counts / counts.sum()
        trained = confusion.sum(axis=1)
        # The mean cost in use is the sum of plain costs times this confusion.
        if self.costs is not None:
            confusion = confusion * self.costs.ratios[:, None]
        return Promise(
            None if self.costs is None else self.costs.matrix.tolist(),
            self.expected,
            self.expected_se,
            confusion.tolist(),
            trained.tolist(),
            self.limits,
            self.samples.of_units(np.ones(len(self.samples))).size,
            self.columns,
        )

    @property
    def true(self) -> NDArray[Any]:
        """True classes of the samples, shape (n,)."""
        return np.asarray(self.samples.classes[self.samples.codes])

    @property
    def weights(self) -> Floats | None:
        """Weights of the samples, (n,): relative, or of a part that stands for all."""
        return self.samples.weights

    @property
    def class_ratios(self) -> Floats:
        """How much commoner each class (r,) is in use than in the table."""
        return (
            np.ones(self.samples.n_classes) if self.costs is None else self.costs.ratios
        )

    @property
    def predicted_codes(self) -> dict[str, Integers]:
        """Codes (n,) of the predictions of each rule, r where a row is left to a person."""
        referral = None if self.costs is None else self.costs.referral
        called = answers(self.samples.classes, referral)
        return {
            str(name): encode_labels(column, called)
            for name, column in self.predicted.items()
        }

    def trade_off(self, label: Any, *, scorecards: bool = False) -> pd.DataFrame:
        """Return what is missed against false alarms, at the border below a class.

        Of the samples of a class at or above the border some are called lower: they are
        missed; of the others some are called as high: false alarms. Every cut of the
        probability of being at or above the border is an operating point. For a kind with
        one score the points are the ROC curve of this border, and the area under 1 -
        ``missed`` over ``false_alarms`` is its part of U_cons, the mean over all borders
        (Waegeman, De Baets & Boullart 2008, eq. 18), ties counting one half.

        Parameters
        ----------
        label : label or str
            The lowest class above the border: not the lowest of all.
        scorecards : bool, default=False
            Whether scorecards of 1 to 20 conditions are kinds, too.

        Returns
        -------
        DataFrame
            One row a kind and operating point, all on new data. ``kind``; ``cut``, the
            least probability that is called high; ``missed`` and ``false_alarms``, shares
            from 0 to 1 of all samples on a side of the border, by the shares of the classes
            in use, with their standard errors ``missed error`` and ``false_alarms error``,
            which count in how much models of different folds differ at this cut;
            ``cost`` of a sample if on each side of the border the class of least expected
            cost is called, and whether no other point of the kind is cheaper,
            ``cheapest`` (only if costs are in use); and whether no point of any kind
            misses fewer for as few false alarms, ``best``.

        Raises
        ------
        ValueError
            If it is no class, or the lowest.
        """
        border = rank_of(str(label), list(map(str, self.samples.classes.tolist())))
        if border == 0:
            raise ValueError(f"{label} is the lowest class: no border lies below it")
        kinds = self._kinds(scorecards)
        return trade_off(self.samples, kinds, border, self.costs, self.folds)

    def price(self, words: str, *, scorecards: bool = False) -> pd.DataFrame:
        """Estimate the least cost on new data under each limit of a mistake.

        Mistakes that are limited have 61 prices, from 0 upwards, beside their costs: each
        is one decision of a kind. A limit in use has the price that `select` found.

        Parameters
        ----------
        words : str
            The mistake, as ``limits`` of `ParetoSearch.select` name it:
            ``"severe<serious"`` or ``"called severe"``.
        scorecards : bool, default=False
            Whether scorecards of 1 to 20 conditions are kinds, too.

        Returns
        -------
        DataFrame
            One row a decision, from the cheapest without a limit to the strictest limit;
            between two rows the stricter one holds. ``limit``: the least that it meets,
            2.33 standard errors above the ``share`` of such mistakes among all samples of
            the class, in use, with its ``standard error``; the ``cost`` of a sample; and
            the ``kind`` that decides.

        Raises
        ------
        ValueError
            If a preference selected the model, so that there are no costs, or the mistake
            cannot be read.
        """
        if self.costs is None:
            raise ValueError(
                "a limit has a price where mistakes have costs: select for costs"
            )
        kinds = self._kinds(scorecards)
        (limit,) = read_limits({words: 0.5}, self.samples.classes, self.class_ratios)
        return price(self.samples, kinds, self.predicted_codes, limit, self.costs.in_use)

    def referral(self) -> pd.DataFrame:
        """Return what rows cost, decided and all, as more are left to a person.

        Rows are left to a person in the order of what that is expected to save. The cost
        of those that remain, over their share, is the risk-coverage curve (El-Yaniv &
        Wiener 2010, Journal of Machine Learning Research 11, 1605-1641).

        Returns
        -------
        DataFrame
            One row a kind and share, all on new data and by the shares of the classes in
            use. ``kind``; the share of rows that are ``referred``, from 0 to 1; the mean
            ``cost`` of all rows, with its ``standard error`` over independent rows or
            groups; the mean cost of rows that are ``decided``, NaN if none is; and whether
            it is ``in use``: the rows of which it is expected to save something.

        Raises
        ------
        ValueError
            If the model was selected without the cost of a referral.
        """
        if self.costs is None or self.costs.referral is None:
            raise ValueError("select with refer=, the cost of leaving a row to a person")
        return referral_curves(self.samples, self.probabilities, self.costs)

    def measured(self) -> pd.DataFrame:
        """Return the objectives of every kind that has class probabilities, on new data.

        Returns
        -------
        DataFrame
            One row a kind; for each objective its value and, in the second level of the
            columns, its ``standard error``. Rows that would be left to a person have
            their classes.
        """
        objectives = [objective_named(str(name)) for name in self.objectives]
        classes, rows = self.samples.classes, {}
        for kind, proba in self.probabilities.items():
            if self.costs is None or self.costs.referral is None:
                codes = encode_labels(self.predicted[kind], classes)
            else:
                codes = least_expected_cost(proba, self.costs.of_classes)
            responses = Responses.of(proba)._replace(codes=codes)
            figures = rule_figures(objectives, self.samples, responses, self.folds)
            rows[kind] = np.column_stack(figures).ravel()
        columns = pd.MultiIndex.from_product([self.objectives, ["value", ERROR]])
        return pd.DataFrame(np.vstack(list(rows.values())), list(rows), columns)

    def _kinds(self, scorecards: bool) -> dict[str, Floats]:
        """Return class probabilities (n, r) by kind."""
        if not scorecards or self.scorecards is None:
            return self.probabilities
        cards = enumerate(self.scorecards, start=1)
        by_name = {f"points, {k} conditions": card for k, card in cards}
        return self.probabilities | by_name

    @property
    def verdicts(self) -> list[str]:
        """The differences in words."""
        in_percent = self.value == "cost"
        return [
            verdict(difference, rival, in_percent=in_percent)
            for rival, difference in self.differences.items()
        ]

    def __repr__(self) -> str:
        figure = f"{self.expected:.4g} +- {self.expected_se:.2g}"
        return f"<Evidence: {self.selected}, {self.value} on new data {figure}>"

    def to_html(self) -> str:
        """Return the rules as a table."""
        table = self.rules.to_html(float_format="{:.4g}".format, border=0)
        return f"<p>{self.value.capitalize()} on new data</p>{table}"

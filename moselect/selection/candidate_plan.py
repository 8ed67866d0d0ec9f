"""Candidates to fit for a selection, and the ones that may be selected."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, get_args

from moselect._types import Estimator
from moselect.learning import FitError, Fitted
from moselect.models.ordinal_classifier import keeps_directions
from moselect.selection.candidates import CandidateFits
from moselect.selection.choice import CANDIDATES, PROPORTIONAL_ODDS, Choice
from moselect.selection.decision_loss import DecisionLoss
from moselect.selection.evaluation import Splits
from moselect.selection.evaluations import Evaluations

ENSEMBLE = CANDIDATES[-1]


class CandidatePlan(NamedTuple):
    """Names of the candidates to fit, simplest first, and then of the baselines."""

    names: list[str]
    eligible: list[str]  # those that may be selected
    requested: str | None  # a single candidate
    choice: Choice


def plan_candidates(
    requested: str | None,
    candidates: Sequence[str],
    added: Mapping[str, Estimator],
    baselines: Sequence[str],
    *,
    directed: bool,
) -> CandidatePlan:
    """Plan which candidates to fit.

    Parameters
    ----------
    requested : str, optional
        A candidate, a baseline or a selection criterion.
    candidates : sequence of str
        All candidates, simplest first.
    added : mapping of str to estimator
        Candidates that are classifiers of the user.
    baselines : sequence of str
        All baselines.
    directed : bool
        Whether candidates are to keep directions.

    Raises
    ------
    ValueError
        If no candidate or baseline has the requested name.
    """
    names = [*candidates, *baselines]
    choices = get_args(Choice)
    if requested in names:
        names = [requested]
    elif not (requested is None or requested in choices):
        known = ", ".join((*names, *choices))
        raise ValueError(f"unknown model {requested!r}: choose from {known}")
    # Classifiers that cannot keep directions are compared, but selected by name only.
    free = {
        name for name, model in added.items() if directed and not keeps_directions(model)
    }
    eligible = [
        name for name in names if name in {*candidates} - free or name == requested
    ]
    compared = free if len(names) > 1 else set()
    return CandidatePlan(
        list(dict.fromkeys([*eligible, *compared, *baselines])),
        eligible,
        requested if len(names) == 1 else None,
        requested if requested in choices else "cheapest",  # type: ignore[arg-type]
    )


def fit_candidates(
    plan: CandidatePlan,
    fits: CandidateFits,
    others: Mapping[str, Fitted],
    criteria: DecisionLoss,
    splits: Splits,
) -> tuple[dict[str, Fitted], dict[str, str]]:
    """Fit the candidates of a plan; return the fits and the reasons of failures.

    ``others`` are fits of further baselines. ValueError if no eligible candidate can be
    fitted.
    """
    fitted = dict(others)
    failures: dict[str, str] = {}
    # The ensemble first: it starts worker processes, which then serve the others, too.
    # The linear rule last: it is refitted for each decision loss, and only if it could be
    # selected. Relative excess cost of proportional odds over the best candidate above
    # which no linear rule is tuned: a score of the same features will not catch up.
    max_tuning_gap = 0.1
    for name in sorted(
        (name for name in plan.names if name not in others),
        key=lambda name: (name == "linear") - (name == ENSEMBLE),
    ):
        is_optional = name == "linear" != plan.requested
        if is_optional and _gap(fitted, criteria, splits) > max_tuning_gap:
            continue
        try:
            fitted[name] = fits(name, criteria.of_classes)
        except FitError as error:
            failures[name] = str(error)
    if not fitted.keys() & {*plan.eligible}:
        name = plan.eligible[0]
        raise ValueError(f"{name} cannot be fitted: {failures[name]}")
    if ENSEMBLE in fitted and fits.samples.directions:
        reasons = fits.failed_members.items()
        failures |= {f"{member} of the {ENSEMBLE}": why for member, why in reasons}
    return {name: fitted[name] for name in plan.names if name in fitted}, failures


def _gap(fits: Mapping[str, Fitted], criteria: DecisionLoss, splits: Splits) -> float:
    """Compute the relative excess cost of proportional odds over the best candidate."""
    if criteria.ranking.any() or PROPORTIONAL_ODDS not in fits:
        return 0.0
    evaluated = Evaluations.of(fits, criteria, splits)
    losses = {name: loss for name, (loss, _) in evaluated.losses.items()}
    least = min(losses.values())
    return losses[PROPORTIONAL_ODDS] / least - 1.0 if least > 0.0 else 0.0

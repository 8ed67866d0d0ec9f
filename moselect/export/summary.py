"""The summary of a selected model: evidence as sentences and tables of a model card."""

from datetime import date

import msgspec
import numpy as np

from moselect import __version__
from moselect.monitoring.sequential import TOLERATED, rows_for_verdict
from moselect.predictor import Model, ModelCard
from moselect.predictor.card import Section
from moselect.predictor.reference import Reference
from moselect.report.columns import column_sections, influence_sections
from moselect.report.figures import (
    columns_of,
    saving_heading,
    value_heading,
)
from moselect.report.headline import BASELINE_WORDS, boundary_miss, costliest_class
from moselect.report.sections import Report, report
from moselect.selection import Evidence

STRICTER = (0.75, 0.5, 0.25)  # limits in multiples of the present error rate
COVERAGE = 0.9  # of the range of classes of a single case
CAVEATS = (
    "Probabilities and costs hold where classes are as common as in the training data, unless "
    "class shares in use are given.",
    "Values outside the training range are extrapolated; predict warns of them.",
    "Influences describe how the model predicts, not causes.",
)


def summarise(
    model: Model,
    *,
    predicts: str,
    data: str | None = None,
    reported: Report | None = None,
) -> ModelCard:
    """Summarise a selected model as a model card, without a further fit.

    Parameters
    ----------
    model : Model
        A model with evidence, as `ParetoSearch.select` returns it.
    predicts : str
        Name of the target.
    data : str, optional
        Name of the training data.
    reported : Report, optional
        Report of the evidence, with performance by group; by default without.

    Returns
    -------
    ModelCard

    Raises
    ------
    ValueError
        If the model has no evidence: it was read from a file, or not selected.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> search = moselect.ParetoSearch(n_iterations=2, cv=None, random_state=1).fit(X, y)
    >>> model = search.select(class_costs=[1, 1, 1, 5, 5], model="linear")
    >>> [section.title for section in summarise(model, predicts="value").sections][:2]
    ['Data', 'Costs']
    """
    evidence: Evidence | None = model.evidence
    if evidence is None:
        raise ValueError(
            "the model has no evidence to summarise: select it for costs or preferences"
        )
    reported = reported or report(evidence)
    candidates = columns_of(
        reported.candidates.table,
        *("model", value_heading(evidence), saving_heading(evidence), "difference"),
    )
    for row in candidates:
        if row[0] in BASELINE_WORDS:
            row[0] += f" ({BASELINE_WORDS[row[0]]})"
    sections = [
        _data(evidence, data),
        reported.criteria,
        reported.confusion,
        msgspec.structs.replace(reported.candidates, table=candidates),
        *reported.groups,
        *(
            section
            for section in (reported.differences, reported.findings)
            if section.sentences
        ),
        *influence_sections(model, evidence),
        *_stricter_limits(evidence),
        *_single_case(evidence),
        # stored with the model: the evidence would calibrate prediction sets again
        *_next_check(model.reference),
        *column_sections(model),
        Section("Limitations", [*CAVEATS]),
    ]
    return ModelCard(
        predicts=predicts,
        n_rows=len(evidence.samples),
        data=data,
        headline=reported.headline,
        sections=sections,
    )


def _data(evidence: Evidence, data: str | None) -> Section:
    """Describe the training data and the selection."""
    splits = evidence.evaluations.splits
    samples = splits.train
    held_out = 0 if splits.holdout is None else len(splits.holdout)
    n_rows = len(samples) + held_out if splits.train.times is not None else len(splits.cv)
    words = f"{n_rows:,} rows" + ("" if data is None else f" of {data}")
    if samples.groups is not None:
        words += f" in {len(np.unique(samples.groups)):,} groups"
    if splits.train.times is not None:
        words += f"; {len(splits.cv):,} tested, each by a model of earlier rows"
        if held_out:
            words += f", and the latest {held_out:,} held out"
    selected = f"Selected on {date.today():%d %B %Y} with moselect {__version__}."
    return Section("Data", [f"{words}. {selected}"])


def _stricter_limits(evidence: Evidence) -> list[Section]:
    """Tabulate the cost of stricter limits on misses of the costliest class."""
    if evidence.costs is None or not evidence.probabilities:
        return []
    code = costliest_class(evidence)
    label = evidence.samples.classes[code]
    words = boundary_miss(evidence, label)
    counts = evidence.confusion.to_numpy()
    referred = counts[code, len(counts) :].sum()  # no mistakes, by the limit
    missed = 1.0 - (counts[code, code] + referred) / counts[code].sum()
    rules = evidence.price(words)
    least = rules["cost"].min()
    rows = []
    for share in STRICTER:
        # Rules are ordered from the cheapest to the strictest.
        meeting = rules[rules["limit"] <= share * missed].head(1)
        for rule in meeting.to_dict("records"):
            more = rule["cost"] / least - 1.0 if least > 0.0 else np.nan
            excess = "" if more != more else f"{more:.0%} more"
            limit = f"at most {share * missed:.0%} of class {label} missed"
            rows.append([limit, excess, rule["model"]])
    if not rows:
        return []
    heading = ["limit", "mean cost, relative to no limit", "model"]
    limit = f"{words}:{STRICTER[1] * missed:.2g}"
    sentence = f"At present {missed:.0%} are missed. Limit to select with: {limit}"
    return [Section("Cost of a stricter limit", [sentence], [heading, *rows])]


def _single_case(evidence: Evidence) -> list[Section]:
    """Report size and coverage of prediction sets."""
    # Sets of one fold would have no other folds to be calibrated by.
    if (
        evidence.selected not in evidence.probabilities
        or evidence.evaluations.n_folds == 1
    ):
        return []
    sets = evidence.sets(COVERAGE).loc["all"]
    sentence = (
        f"For a single case, a prediction set of coverage {COVERAGE:g} is the range of classes "
        f"that holds the true one with this probability: on average {sets['size']:.1f} of "
        f"{evidence.samples.n_classes} classes (measured coverage {sets['coverage']:.0%})."
    )
    return [Section("How sure of a single case", [sentence])]


def _next_check(reference: Reference) -> list[Section]:
    """Report how many labelled rows a check of the model needs."""
    if reference.costs is None:
        return []
    n_rows = rows_for_verdict(reference)
    sentence = (
        "A check of later rows with their classes shows whether the cost has risen."
    )
    if n_rows is None:
        sentence += (
            f" The estimate is too uncertain to rule out an increase of {TOLERATED:.0%}."
        )
    else:
        cases = f"{float(f'{n_rows:.2g}'):,.0f}"
        sentence += f" About {cases} cases rule out an increase of {TOLERATED:.0%}."
    return [Section("When to check again", [sentence])]

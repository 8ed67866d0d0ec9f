"""The summary of a selected model: evidence as sentences and tables of a model card."""

import shlex
from collections.abc import Sequence
from contextlib import suppress
from datetime import date
from itertools import groupby

import msgspec
import numpy as np
import pandas as pd

from moselect import __version__
from moselect.export.sql import check_sql
from moselect.listing import listing, rows_of
from moselect.models.scorecard.sheet import is_scorecard, sheet_of
from moselect.monitoring.sequential import TOLERATED, rows_for_verdict
from moselect.predictor import Model, ModelCard
from moselect.predictor.card import Section
from moselect.predictor.reference import Reference
from moselect.report.columns import (
    column_sections,
    contributions_of_rows,
    influence_sections,
)
from moselect.report.figures import (
    baseline_bars,
    columns_of,
)
from moselect.report.headline import BASELINE_WORDS
from moselect.report.sections import Report, report
from moselect.selection import Evidence

MOST_COLUMNS = 30  # listed for deployment
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
    contributions: pd.DataFrame | None = None,
    file: str = "model.npz",
    remarks: Sequence[str] = (),
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
    contributions : DataFrame, optional
        Result of `contributions_of_rows`, which takes seconds for an ensemble.
    file : str, default="model.npz"
        Name of the file of the model, for the commands that use it.
    remarks : sequence of str, optional
        What can invalidate the result, and the edges of bins: the first section has them.

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
    ['Limits on missing class 5', 'What the model looks at']
    """
    evidence: Evidence | None = model.evidence
    if evidence is None:
        raise ValueError(
            "the model has no evidence to summarise: select it for costs or preferences"
        )
    reported = reported or report(evidence)
    card = ModelCard(
        predicts=predicts,
        n_rows=len(evidence.samples),
        data=data,
        headline=reported.headline,
        picture=baseline_bars(evidence),
    )
    candidates = columns_of(
        reported.candidates.table,
        *("model", evidence.loss.heading, evidence.loss.gained, "difference"),
    )
    for row in candidates:
        if row[0] in BASELINE_WORDS:
            row[0] += f" ({BASELINE_WORDS[row[0]]})"
    if contributions is None:
        contributions = contributions_of_rows(model, evidence)
    shown = influences = influence_sections(model, evidence, contributions)
    rule = [model.summary]
    folded = list[Section]()
    if is_scorecard(model):
        # The points of a scorecard show its influences and its rule themselves.
        shown = _points(model, card)
        rule = []
        folded = influences
    sections = [
        Section("Check before use", [*remarks]),
        reported.limits,
        reported.changes,
        *shown,
        reported.mistakes,
        reported.differences,
        *reported.groups,
        # stored with the model: the evidence would calibrate prediction sets again
        *next_check(model.reference),
        _deployment(model, file),
    ]
    details = [
        _data(evidence, data),
        reported.criteria,
        msgspec.structs.replace(reported.candidates, table=candidates),
        reported.confusion,
        Section("Decision rule", rule),
        reported.findings,
        *folded,
        *_single_case(evidence),
        *column_sections(model),
        Section("Limitations", [*CAVEATS]),
    ]
    sections, details = (
        [section for section in part if section.sentences or section.table]
        for part in (sections, details)
    )
    return msgspec.structs.replace(card, sections=sections, details=details)


def _points(model: Model, card: ModelCard) -> list[Section]:
    """List the points of a scorecard, and the class of each sum."""
    sheet = sheet_of(model, card)
    lines = [
        [feature, "; ".join(f"{line.text}: {line.points}" for line in of_feature)]
        for feature, of_feature in groupby(sheet.lines, key=lambda line: line.feature)
    ]
    sums = "; ".join(f"{label}: {sums}" for label, sums in sheet.classes)
    sentence = f"Class by the sum of points: {sums}."
    return [Section("The card", [sentence], [["column", "points"], *lines])]


def _deployment(model: Model, file: str) -> Section:
    """State the commands that predict and export, and the columns that they need."""
    name = shlex.quote(file)
    sentences = [f"Predictions: moselect predict {name} NEW_ROWS -o classes.csv"]
    with suppress(ValueError):
        check_sql(model)
        sentences.append(f"The same in a database: moselect export {name} predict.sql")
    names = listing(model.reference.table_columns, MOST_COLUMNS)
    sentences.append(f"Columns, found by name: {names}.")
    return Section("For IT", sentences)


def _data(evidence: Evidence, data: str | None) -> Section:
    """Describe the training data and the selection."""
    splits = evidence.splits
    samples = splits.train
    words = rows_of(splits.n_rows, splits.n_source_rows)
    if data is not None:
        words += f" of {data}"
    if samples.groups is not None:
        words += f" in {len(np.unique(samples.groups)):,} groups"
    if samples.times is not None:
        words += f"; {len(splits.cv):,} tested, each by a model of earlier rows"
        if splits.holdout is not None:
            words += f", and the latest {len(splits.holdout):,} held out"
    selected = f"Selected on {date.today():%d %B %Y} with moselect {__version__}."
    return Section("Data", [f"{words}. {selected}"])


def _single_case(evidence: Evidence) -> list[Section]:
    """Report size and coverage of prediction sets."""
    # Sets of one fold would have no other folds to be calibrated by.
    if evidence.selected not in evidence.probabilities or evidence.splits.n_folds == 1:
        return []
    sets = evidence.sets(COVERAGE).loc["all"]
    sentence = (
        f"For a single case, a prediction set of coverage {COVERAGE:g} is the range of classes "
        f"that holds the true one with this probability: on average {sets['size']:.1f} of "
        f"{evidence.samples.n_classes} classes (measured coverage {sets['coverage']:.0%})."
    )
    return [Section("How sure of a single case", [sentence])]


def next_check(reference: Reference) -> list[Section]:
    """Report how many labelled rows a check of the model needs."""
    if reference.costs is None:
        return []
    n_rows = rows_for_verdict(reference)
    sentence = (
        "Check again when later classes are known: the estimate is too uncertain to rule out "
        f"a rise of the cost by {TOLERATED:.0%}."
    )
    if n_rows is not None:
        cases = f"{float(f'{n_rows:.2g}'):,.0f}"
        sentence = (
            f"Check again after about {cases} cases with known classes, which rule out a rise of "
            f"the cost by {TOLERATED:.0%}."
        )
    return [Section("When to check again", [sentence])]

"""Page of a search: its data and initial settings, its template and scripts."""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

import numpy as np
import pandas as pd
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup
from scipy.stats import t as student

from moselect._types import Document, Integers, Labels, record
from moselect.budgets import PAGE
from moselect.candidates.names import TRIVIAL
from moselect.costs.costs import Costs
from moselect.costs.decisions import read_referral
from moselect.costs.limits import CONFIDENCE, margin_of, parts_of, read_limit
from moselect.inference.standard_errors import sandwich, widening
from moselect.inspection.trade_off import PRICES
from moselect.listing import rows_of
from moselect.metrics.objective import Objective
from moselect.page.candidates import as_json, known_candidates, packed_array
from moselect.report.sections import report, result_of
from moselect.samples.parts import draw, draw_rows
from moselect.search.front import Front
from moselect.search.pareto import spread_subset
from moselect.selection.selector import Selector

FOLDER = files("moselect.page") / "page"
# Each script uses those before it; together they are one module.
SCRIPTS = """
graph data text axes costs limits decisions state controls choice tradeoffs model case front page
"""
# The page may run its own script only and load no external resources.
POLICY = (
    "default-src 'none'; script-src 'sha256-{}'; style-src 'unsafe-inline'; "
    "base-uri 'none'; form-action 'none'"
)
FRAME = Markup(
    '<iframe srcdoc="{page}" sandbox="allow-scripts allow-downloads" title="Front" '
    'style="width: 100%; height: 900px; border: 0"></iframe>'
)
RELATIONS = {"below": "<", "above": ">", "predicted": " predicted "}


@record
class Page:
    """Self-contained HTML page with a notebook representation."""

    html: str = field(repr=False)

    def write(self, path: str | Path) -> None:
        """Write the page to a file."""
        Path(path).write_text(self.html, "utf-8", newline="\n")

    def _repr_html_(self) -> str:
        # In a frame of its own, so that neither its style nor its scripts meet the notebook's.
        return str(FRAME.format(page=self.html))


def make_page(
    selector: Selector,
    *,
    about: Mapping[str, object] | None = None,
    run: str | None = None,
    costs: Costs | None = None,
    limits: Mapping[str, float] | None = None,
    confidence: float = CONFIDENCE,
    by: pd.DataFrame | None = None,
    result: Document | None = None,
    remarks: Sequence[str] = (),
) -> Page:
    """Make an HTML page to choose a model by costs and limits and to explore a front.

    It needs no network, and notebooks display it. It holds the out-of-fold class
    probabilities of every candidate, so that decisions and their costs are
    cross-validated for any costs, class shares and limits set there. More than 10,000
    samples are subsampled at random, and more than 1,000 members of the front by an even
    spread over it.

    Parameters
    ----------
    selector : Selector
        Selector of a search, ``search.selector_``. Candidates not fitted yet are fitted.
    about : mapping, optional
        Metadata as plain JSON values: ``name``, ``target`` and ``sample_weight``, the
        column of the weights, are shown, and all entries are stored in model files.
    run : str, optional
        Run folder, quoted for a shell, for the command shown in the page.
    costs : Costs, optional
        Initial misclassification costs; by default equal for all classes.
    limits : mapping of str to float, optional
        Initial limits on error rates, as in `select`.
    confidence : float, default=0.9
        Confidence that the limits hold on unseen rows.
    by : DataFrame, optional
        Columns of groups whose results are shown, with a row for each row of the
        table, as in `Evidence.by`. A ``result`` has its own groups.
    result : dict, optional
        Report of the selection for the initial costs and limits, made by
        `moselect.report.sections.result_of`; by default of the cheapest candidate.
    remarks : sequence of str, optional
        What can invalidate the results, and the edges of bins.

    Returns
    -------
    Page

    Examples
    --------
    >>> import numpy as np
    >>> import moselect
    >>> X, y = np.arange(60.0)[:, None], np.arange(60) // 30 + 1
    >>> search = moselect.ParetoSearch(n_iterations=2, n_particles=5, random_state=1).fit(X, y)
    >>> page = make_page(search.selector_, about={"name": "steps"})
    >>> page.html[:15]
    '<!doctype html>'
    """
    if selector.member is None:
        raise ValueError("the selector has no front: give the front of a search")
    front = selector.member.front
    samples = selector.splits.cv
    known = dict(about or {})
    rows = draw_rows(samples, PAGE.rows)
    shown = draw(samples, PAGE.rows)
    initial = costs or Costs()
    if initial.class_costs is None and initial.cost_matrix is None:
        initial = replace(initial, class_costs=np.ones(samples.n_classes))
    if result is None:
        evidence = selector.select(
            initial, None, limits, by=by, confidence=confidence
        ).evidence
        names = [] if by is None else map(str, by)
        groups = {name: evidence.group_estimates(name) for name in names}
        result = result_of(report(evidence, groups), evidence)
    codes = np.asarray(result["decided"])[rows]
    summary = {
        "start": {} if costs is None else _start(costs, limits or {}, samples.classes),
        "run": run,
        "result": {**result, "decided": packed_array(codes, "u2")},
        "rows": rows_of(selector.splits.n_rows, selector.splits.n_source_rows),
        "goes_forward": selector.splits.goes_forward,
        "n_samples": len(samples),
        "n_shown": len(shown),
        "n_columns": samples.X.shape[1],
        "remarks": remarks,
        "classes": [str(label) for label in samples.classes],
        "codes": packed_array(shown.codes, "u2"),
        "weights": None if shown.weights is None else packed_array(shown.weights, "f4"),
        "groups": None if shown.groups is None else packed_array(shown.units, "u2"),
        "reach": student.ppf(0.975, max(1, shown.n_units - 1)),
        "widening": widening(shown),
        "sandwich": sandwich(shown, 1.0),
        # for the commands, which have the same default
        "confidence": None if confidence == CONFIDENCE else confidence,
        "sure": margin_of(confidence),
        "prices": PRICES,
        "trivial": TRIVIAL,
        "candidates": known_candidates(selector, rows, known, initial),
        "about": {"data": known, "moselect": version("moselect")},
        "front": _front(front, selector.objectives, samples.class_weights),
    }
    return _render(summary)


def _start(costs: Costs, limits: Mapping[str, float], classes: Labels) -> Document:
    """Convert costs and limits to the initial settings of the page."""
    stated = costs.in_order(classes)
    names = list(map(str, classes.tolist()))
    matrix = None if stated.cost_matrix is None else stated.matrix(len(names))
    values = {"matrix": matrix, "classCosts": stated.class_costs, "priors": stated.priors}
    start: Document = {
        name: np.asarray(value, float)
        for name, value in values.items()
        if value is not None
    }
    referral = read_referral(costs.refer, classes)
    if referral is not None:
        start |= {"label": referral[0], "refer": referral[1]}

    def name_of(words: str) -> str:
        # as the page writes it, whatever spaces and numbers are given
        (relation, c), *truth = parts_of(words, names).items()
        rows = "".join(names[y] for _, y in truth)
        return f"{rows}{RELATIONS[relation]}{names[c]}".strip()

    for words, most in limits.items():
        read_limit(words, most, classes)
    shares = [{"name": name_of(words), "most": most} for words, most in limits.items()]
    return start | {"loss": stated.loss, "limits": shares}


def _front(
    front: Front, objectives: Sequence[Objective], class_counts: Integers
) -> Document:
    """Collect objectives of front members: training and, if estimated, out-of-sample values."""
    indices = np.arange(len(front))
    if len(front) > PAGE.members:
        indices = np.sort(spread_subset(front.objectives, PAGE.members))
    shown = front.take(indices)
    return {
        "n_models": len(front),
        "indices": indices,
        "objectives": _objectives(front, objectives, class_counts),
        "training": shown.objectives,
        "expected": shown.expected,
        "error": shown.expected_se,
    }


# objectives that differ by less for all models coincide
SAME_OBJECTIVE = 1e-9


def _objectives(
    front: Front, objectives: Sequence[Objective], class_counts: Integers
) -> list[Document]:
    """Describe the objectives that differ, with costs if linear in the confusion matrix."""
    values = front.objectives.to_numpy()
    return [
        {
            "key": objective.name,
            "column": j,
            "words": objective.label,
            "meaning": objective.meaning,
            "chance": front.chance[objective.name],
            "costs": None
            if objective.costs is None
            else objective.costs(class_counts).ravel(),
        }
        for j, objective in enumerate(objectives)
        if all(
            np.abs(values[:, i] - values[:, j]).max() > SAME_OBJECTIVE for i in range(j)
        )
    ]


def _render(summary: Document) -> Page:
    """Render the page of a summary from its template."""
    script = "\n" + "\n".join(_read(f"{name}.js") for name in SCRIPTS.split())
    environment = Environment(autoescape=True, undefined=StrictUndefined)
    html = environment.from_string(_read("page.html")).render(
        summary=summary,
        policy=POLICY.format(
            base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        ),
        style=_read("page.css"),
        script=script,
        # Escaped, so that no string in the JSON can end the script element around it.
        data=as_json(summary).decode().replace("<", "\\u003c"),
    )
    return Page(html)


def _read(name: str) -> str:
    return (FOLDER / name).read_text("utf-8")

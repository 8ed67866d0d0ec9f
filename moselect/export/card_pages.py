"""The model card on one page, as plain text or HTML."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, repeat, zip_longest
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from moselect.listing import in_one_line
from moselect.predictor import Model, ModelCard
from moselect.predictor.card import FeatureCard, Figure
from moselect.scorecard.sheet import is_scorecard, sheet_of

MOST_FEATURES = 50  # weights shown of a model with more


def card_text(model: Model, card: ModelCard) -> str:
    """Return the model card as plain text; of a scorecard, the index card."""
    return _page("card.txt", model, card)


def card_html(model: Model, card: ModelCard) -> str:
    """Return the same as one HTML page without scripts; names are escaped."""
    return _page("card.html", model, card)


def _page(name: str, model: Model, card: ModelCard) -> str:
    environment = Environment(
        loader=PackageLoader("moselect.export"),
        autoescape=select_autoescape(),  # names in HTML
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_finalize,
    )
    environment.filters["table"] = _text_table
    if is_scorecard(model):
        page = environment.get_template(f"score{name}")
        return page.render(sheet=sheet_of(model, card))
    return environment.get_template(name).render(_content(model, card))


def _finalize(value: Any) -> Any:
    """Keep text of the user's in one line; tables, which are marked as safe, are made of lines."""
    is_text = isinstance(value, str) and not isinstance(value, Markup)
    return in_one_line(value) if is_text else value


def _content(model: Model, card: ModelCard) -> dict[str, Any]:
    """Return the contents of both pages, as plain values and tables of text."""
    weighed = sorted(
        zip(card.features, model.coef_.tolist(), strict=True),
        key=lambda pair: -abs(pair[1] * pair[0].standard_deviation),
    )
    classes = list(map(str, model.answers.tolist()))
    return {
        "card": card,
        "classes": classes,
        "class_table": list(
            zip_longest(classes, card.class_counts, model.score_ranges, fillvalue="")
        ),
        "feature_table": [_feature_row(*pair) for pair in weighed[:MOST_FEATURES]],
        "n_more": max(0, len(weighed) - MOST_FEATURES),
        "figure_table": [_figure_row(figure) for figure in card.figures],
        "costs": _square(classes, card.cost_matrix),
        "confusion": _square(classes, card.confusion),
        "about": [
            ["objective weights", _pairs(card.preferences)],
            ["training data", card.data],
            ["training rows", str(card.n_rows)],
            ["dates", card.dates and " to ".join(card.dates)],
            ["seed", None if card.seed is None else str(card.seed)],
            ["versions", _pairs(card.versions)],
        ],
    }


def _feature_row(feature: FeatureCard, weight: float) -> list[str]:
    name = feature.name + (f" ({feature.unit})" if feature.unit else "")
    return [
        name,
        _number(weight),
        _number(weight * feature.standard_deviation),
        _range(feature.minimum, feature.maximum),
        _range(feature.low, feature.high),
        f"{weight * (feature.high - feature.low):+.4g}",
    ]


def _figure_row(figure: Figure) -> list[str]:
    interval = ""
    if figure.interval is not None:
        interval = f"{_range(*figure.interval)} ({100 * figure.level:g} %)"
    return [figure.name, _number(figure.value), interval, figure.rows]


def _square(classes: list[str], rows: list[Any] | None) -> list[list[str]] | None:
    if rows is None:
        return None
    return [
        [label, *map(_number, row)] for label, row in zip(classes, rows, strict=False)
    ]


def _pairs(values: dict[str, Any] | None) -> str | None:
    pairs = (values or {}).items()
    return ", ".join(f"{in_one_line(key)} {value}" for key, value in pairs) or None


def _range(low: float, high: float) -> str:
    return f"{_number(low)} to {_number(high)}"


def _number(value: float) -> str:
    return f"{value:.6g}" if value == int(value) else f"{value:.4g}"


def _text_table(rows: list[Sequence[Any]], *heading: str) -> str:
    """Return lines of columns: the first to the left, the others to the right."""
    sides = chain([str.ljust], repeat(str.rjust))
    columns = []
    for cells, side in zip(zip(heading, *rows, strict=True), sides, strict=False):
        texts = [in_one_line(str(cell)) for cell in cells]
        width = max(map(len, texts))
        columns.append([side(text, width) for text in texts])
    return "\n".join("  ".join(line).rstrip() for line in zip(*columns, strict=True))

"""A front as a small HTML table for notebooks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from moselect.search.objectives import OBJECTIVE_WORDS

if TYPE_CHECKING:
    from moselect.search.front import Front


def front_html(front: Front) -> str:
    """Give size, hypervolume, and the best model of each objective and the balanced one as HTML."""
    objectives = [str(name) for name in front.objectives]
    names = [escape(OBJECTIVE_WORDS.get(name, name)) for name in objectives]
    places = {
        f"best {words}": front.best(name) for name, words in zip(objectives, names, strict=True)
    }
    places["balanced"] = front.balanced()
    head = "".join(f"<th>{name}</th>" for name in ("", "place", *names))
    rows = []
    for what, place in places.items():
        values = front.objectives.iloc[place]
        cells = "".join(
            f"<td><strong>{value:.4f}</strong></td>"
            if what == f"best {name}"
            else f"<td>{value:.4f}</td>"
            for name, value in zip(names, values, strict=True)
        )
        rows.append(f"<tr><th>{what}</th><td>{place}</td>{cells}</tr>")
    classes = ", ".join(escape(str(label)) for label in front.classes)
    return (
        f"<p><strong>Front of {len(front):,} models</strong> of {front.weights.shape[1]} features "
        f"for the classes {classes}; hypervolume above chance {front.hypervolume:.4f}</p>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    )

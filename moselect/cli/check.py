"""`moselect check`: read rows as the model's table was read, compare, and print."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from moselect.cli.predict import as_in_training
from moselect.cli.terminal import Terminal
from moselect.columns.predictions import predict_table
from moselect.columns.steps import steps_of
from moselect.datasets.reading import Reading
from moselect.datasets.sources import find_source
from moselect.datasets.target_and_features import choose_target, target_values
from moselect.decision import Check, check
from moselect.listing import in_one_line
from moselect.storage import read_model, write_model

MOST_ROWS = 6  # of mistakes and columns that are printed


def run_check(
    path: Path,
    data: str,
    target: str | None,
    adapt: Path | None,
    force: bool,
    reading: Reading | None,
    terminal: Terminal,
) -> bool | None:
    """Do the whole job of `moselect check`; return whether the promise was kept."""
    known = read_model(path)
    source = find_source(data, reading)
    for note in source.notes:
        terminal.say(note)
    steps = steps_of(known.columns)
    table = as_in_training(source, steps, known.feature_names or ())
    usable = predict_table(known, table).scored
    trained = known.about.get("target") if known.card is None else known.card.predicts
    name = target or (trained if trained in table else None)
    labels = None
    if name is not None:
        values = target_values(source, choose_target(source, name), known.classes_.tolist())
        usable &= values.notna().to_numpy()
        labels = values[usable].to_numpy()
    if not usable.any():
        raise ValueError(f"no row of '{data}' can be predicted and compared")
    if not usable.all():
        terminal.warn(f"{(~usable).sum()} of {len(usable)} rows have no class and are left out")
    if known.promise is not None:  # of other columns nothing was promised
        table = table[[column.name for column in known.promise.columns]]
    found = check(known, table[usable], labels)
    if terminal.json:
        terminal.print_json(_as_record(found))
    else:
        _print(found, terminal)
    if adapt is not None:
        shares = found.class_shares
        assert found.promised.costs is not None  # else nothing is checked
        adapted = known.decide(found.promised.costs, shares["now"], shares["promised"])
        about = {**known.about, "class_shares": shares["now"].tolist()}
        write_model(adapt, adapted, about, overwrite=force)
        terminal.say(f"Written: {adapt}")
    return found.kept


def _print(found: Check, terminal: Terminal) -> None:
    terminal.results.print(f"{found.verdict[0].upper()}{found.verdict[1:]}.")
    table = terminal.table("class", "share shown", "share now")
    for label, row in found.class_shares.iterrows():
        table.add_row(in_one_line(str(label)), f"{row['promised']:.1%}", f"{row['now']:.1%}")
    terminal.results.print(table)
    if found.mistakes is not None:
        table = terminal.table("mistake", "cost of a row", "shown")
        worst = found.mistakes[found.mistakes["difference"] > 0.0].head(MOST_ROWS)
        for one in worst.to_dict("records"):
            mistake = in_one_line(f"{one['true']} as {one['predicted']}")
            table.add_row(mistake, f"{one['cost']:.3g}", f"{one['promised']:.3g}")
        terminal.results.print(table)
    limits = {} if found.limits is None else found.limits.to_dict("index")
    for words, now in limits.items():
        state = "holds" if now["holds"] else "does not hold"
        terminal.results.print(
            f"{in_one_line(str(words))}: {now['now']:.1%}, at most {now['limit']:.1%}: {state}"
        )
    drifted = found.drift[found.drift["drifted"]].sort_values("distance", ascending=False)
    for name, row in drifted.head(MOST_ROWS).iterrows():
        moved = (
            f"{row['distance']:.1%} of rows would have to move ({row['unchanged']:.1%} by chance)"
        )
        new = f"{row['outside']:.1%} are out of range or new"
        terminal.results.print(f"'{in_one_line(str(name))}' has drifted: {moved}, {new}")


def _as_record(found: Check) -> dict[str, Any]:
    tables = ("class_shares", "limits", "calibration", "drift")
    return {
        "kept": found.kept,
        "verdict": found.verdict,
        "cost": found.cost,
        "standard_error": None if np.isnan(found.error) else found.error,
        "promised": {"cost": found.promised.cost, "standard_error": found.promised.error},
        "mistakes": None if found.mistakes is None else found.mistakes.to_dict("records"),
        **{
            name: None if table is None else table.reset_index().to_dict("records")
            for name, table in ((name, getattr(found, name)) for name in tables)
        },
    }

"""Costs and limits of the last decision on a run, beside its pictures: a page begins with them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from moselect.decision import Costs
from moselect.storage.atomic import make_folder, write_file

FILE = Path("figures") / "decision.json"  # which goes with the pictures when the run is made anew


class _Decision(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    class_costs: list[float] | None
    loss: str
    cost_matrix: list[list[float]] | None
    priors: list[float] | None
    refer: dict[str, float | list[float]] | None
    limits: dict[str, float]


def keep_decision(run: Path, costs: Costs, limits: Mapping[str, float] | None) -> None:
    """Write the costs and limits of a decision into the folder of its run."""

    def plain(values: Any) -> Any:
        return None if values is None else np.asarray(values, dtype=np.float64).tolist()

    refer: Any = costs.refer
    if refer is not None:
        refer = refer if isinstance(refer, Mapping) else {"refer": refer}
        refer = {label: plain(cost) for label, cost in refer.items()}
    kept = _Decision(
        plain(costs.class_costs),
        costs.loss,
        plain(costs.cost_matrix),
        plain(costs.priors),
        refer,
        dict(limits or {}),
    )
    make_folder((run / FILE).parent)
    write_file(run / FILE, msgspec.json.encode(kept), follow=False)


def last_decision(run: Path) -> tuple[Costs, dict[str, float]] | None:
    """Return the costs and limits of the last decision; None if there is none that can be read."""
    try:
        kept = msgspec.json.decode((run / FILE).read_bytes(), type=_Decision)
    except (OSError, msgspec.DecodeError):
        return None
    fields = msgspec.structs.asdict(kept)
    limits = fields.pop("limits")
    return Costs(**fields), limits

"""The winner of a comparison, fitted to all rows and kept in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from moselect import __version__
from moselect.columns.steps import steps_of
from moselect.comparison import Comparison, fit_model
from moselect.comparison.text import in_order
from moselect.datasets import Dataset
from moselect.models import OrdinalLinearClassifier, OrdinalPool
from moselect.storage import write_model
from moselect.storage.atomic import check_file_path


def check_winner_path(path: Path) -> None:
    """Raise ValueError if something is there already to which a winner may be written."""
    for possible in {path, _pool_path(path)}:
        if possible.exists():
            raise ValueError(f"'{possible}' exists already: name another file (--save-best)")
        check_file_path(possible)


def save_winner(comparison: Comparison, dataset: Dataset, path: Path) -> Path | str:
    """Fit the winner to all rows and write it; return the file, or why there is none.

    The winner is the model of least cost; without costs, that of the best mean rank. A linear rule
    is written as ``model.json`` is, a pool as ``.skops``, with what prepares its columns and the
    costs that it decides by. Others are objects of scikit-learn, which no safe file can hold.
    """
    costs = comparison.fitted_for
    name = in_order(comparison)[0] if costs is None else comparison.best_for()
    model = fit_model(name, dataset.X, dataset.y, costs=costs, random_state=comparison.random_state)
    about = _about(comparison, dataset, name)
    *before, last = steps_of(model)
    if isinstance(last, OrdinalPool):
        preparation = before[0] if before else None
        matrix = None if costs is None else costs.matrix(len(comparison.classes))
        about.pop("cost_matrix", None)  # it stands beside the pool
        write_model(_pool_path(path), last, about, preparation=preparation, cost_matrix=matrix)
        return _pool_path(path)
    rule = getattr(model, "model_", None)
    if not isinstance(rule, OrdinalLinearClassifier):
        return (
            f"not saved: {name} is neither a linear rule nor a pool, and only these can be written "
            "to a file; fit it in Python: moselect.comparison.fit_model"
        )
    write_model(path, rule, about)
    return path


def _about(comparison: Comparison, dataset: Dataset, name: str) -> dict[str, Any]:
    data = {"name": dataset.name, "target": dataset.target, "fingerprint": dataset.fingerprint}
    about: dict[str, Any] = {"data": data, "model": name, "moselect": __version__}
    costs = comparison.fitted_for
    if costs is not None:
        cost, error = comparison.costs()[["cost", "standard error"]].loc[name].to_numpy(dtype=float)
        about |= {
            "cost_matrix": costs.matrix(len(comparison.classes)).tolist(),
            "expected_cost": float(cost),
            "standard_error": float(error),
        }
    return about


def _pool_path(path: Path) -> Path:
    return path.with_suffix(".skops")

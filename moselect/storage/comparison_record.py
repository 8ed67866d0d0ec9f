"""The record in a comparison file by its types, checked whenever it is read."""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

from moselect.storage.documents import Labels, Seed, check_different_labels

COMPARISON_FORMAT: Final = "moselect comparison"
COMPARISON_SCHEMA: Final = 2


class CostsRecord(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Costs as they were given."""

    class_costs: list[float] | None
    loss: Literal["absolute", "squared", "zero_one"]
    cost_matrix: list[list[float]] | None
    priors: list[float] | None


class ModelRecord(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One model: what it is, why it could not be fitted (null if it could), and what it warned of.

    ``warnings`` has one list for each fold; ``for_costs`` says whether it was fitted for costs.
    """

    name: str
    description: str
    failure: str | None
    for_costs: bool
    warnings: list[list[str]]


class ComparisonRecord(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The array ``record`` of a comparison file, an npz archive of plain arrays, as UTF-8 text.

    ``fitted_for`` has the costs that models were fitted for; ``versions`` the version of each
    package that results may depend on.

    Examples
    --------
    >>> import tempfile
    >>> import msgspec
    >>> import numpy as np
    >>> import moselect
    >>> from pathlib import Path
    >>> from moselect.storage import write_comparison
    >>> X, y = [[0.0], [2.0], [1.0], [3.0]] * 10, [1, 1, 2, 2] * 10
    >>> found = moselect.compare(["trivial", "ordinal_ridge"], X, y, cv=2, random_state=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_comparison(Path(folder) / "comparison.npz", found)
    ...     with np.load(Path(folder) / "comparison.npz") as arrays:
    ...         text = arrays["record"].tobytes()
    >>> msgspec.json.decode(text, type=ComparisonRecord).classes
    [1, 2]
    """

    format: Literal["moselect comparison"]
    schema: Literal[2]
    classes: Labels
    measures: list[str]
    fingerprint: str
    random_state: Seed
    fitted_for: CostsRecord | None
    models: list[ModelRecord]
    versions: dict[str, str]

    def __post_init__(self) -> None:
        check_different_labels(self.classes)
        names = [model.name for model in self.models]
        if len(set(names)) < len(names):
            raise ValueError("two models have the same name")

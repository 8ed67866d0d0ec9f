"""Samples and folds of a search as arrays, so that a selection draws none again."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import msgspec
import pandas as pd

from moselect._types import Labels
from moselect.io.archives import Arrays, part_of, text_in, with_document
from moselect.models.training_columns import Scale
from moselect.samples.folds import Folds
from moselect.samples.samples import Samples
from moselect.search.front import Front
from moselect.search.ordinal_problem import resolve_objectives
from moselect.search.search_samples import SearchSamples
from moselect.search.settings import SearchSettings
from moselect.tables.cells import as_frame
from moselect.tables.features import Schema

# Arrays in a file, and beginnings of names of arrays.
TRAINING = "training"
HOLDOUT = "holdout"
DATA = "training columns"
SIGNS = "signs"
HOLDOUT_DATA = "holdout columns"
FOLDS = "folds"
FORWARD_FOLDS = "forward folds"
# Values of each sample; its features are in the row of the table.
BY_SAMPLE = ("codes", "weights", "groups", "times", "copy_groups", "rows")


def arrays_of_samples(search: SearchSamples) -> Arrays:
    """Return the samples of a search as arrays, without the rows of its table."""
    samples = search.samples
    folds = search.folds
    arrays = {
        f"{part}/{name}": getattr(each, name)
        for part, each in ((TRAINING, samples), (HOLDOUT, search.holdout))
        if each is not None
        for name in BY_SAMPLE
    }
    arrays |= {DATA: search.data.X, SIGNS: search.data.signs}
    if search.holdout_data is not None:
        arrays[HOLDOUT_DATA] = search.holdout_data.X
    if folds is not None:
        arrays[FORWARD_FOLDS if folds.goes_forward else FOLDS] = folds.parts
    given = {name: values for name, values in arrays.items() if values is not None}
    return with_document(samples.schema, given)


def samples_from(
    arrays: Arrays,
    X: pd.DataFrame,
    front: Front,
    scale: Labels,
    settings: SearchSettings,
    remarks: Sequence[str] = (),
) -> SearchSamples:
    """Return the samples of a search from their `arrays_of_samples`.

    ``X`` has the features of all rows, and ``scale`` all classes; settings name the objectives.
    """
    schema = msgspec.json.decode(text_in(arrays), type=Schema | None)
    table = as_frame(X)

    def samples_in(part: str) -> Samples:
        values: Mapping[str, Any] = part_of(arrays, part)
        return Samples(
            table.iloc[values["rows"]],
            classes=front.classes,
            remarks=tuple(remarks),
            directions=settings.monotone or {},
            schema=schema,
            **values,
        )

    samples = samples_in(TRAINING)
    names = front.feature_names
    data = samples.with_features(arrays[DATA], names, arrays.get(SIGNS))
    folds = None
    if FOLDS in arrays:
        folds = Folds.from_index(arrays[FOLDS])
    if FORWARD_FOLDS in arrays:
        folds = Folds.from_parts(arrays[FORWARD_FOLDS])
    holdout = None
    holdout_data = None
    if HOLDOUT_DATA in arrays:
        holdout = samples_in(HOLDOUT)
        holdout_data = holdout.with_features(arrays[HOLDOUT_DATA], None)
    classes = Scale(scale, front.classes, is_guessed=False)
    objectives = resolve_objectives(
        settings.objectives, front.classes, scale, classes.own_costs(settings)
    )
    return SearchSamples(
        replace(settings, objectives=objectives),
        classes,
        samples,
        data,
        front.columns,
        folds,
        holdout,
        holdout_data,
    )

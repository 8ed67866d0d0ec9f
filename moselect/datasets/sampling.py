"""Samples of sources that do not fit into memory: stratified by class, in one pass."""

import os
from collections import defaultdict
from collections.abc import Hashable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from pandas.api.types import is_numeric_dtype

from moselect._types import Booleans, FilePath, Floats, Integers, LabelOrder
from moselect.budgets import MEMORY
from moselect.datasets.source_tables import find_blocks
from moselect.datasets.sources import in_data_folder
from moselect.datasets.target import EACH_ROW, choose_target, target_values
from moselect.labels.labels import level_text
from moselect.tables.blocks import Block, name_of, read_stored
from moselect.tables.cells import distinct_cells
from moselect.tables.reading import Reading, files_of
from moselect.tables.tables import MOST_LABELS, Source

# Cells of a column that are known, by whether they are numbers.
Known = defaultdict[tuple[Hashable, bool], set[object]]
# Of text, also of infinity.
FIRST_OF_NUMBERS = [*"+-.0123456789iI"]


class Sample(NamedTuple):
    """Rows that were drawn from a source.

    Attributes
    ----------
    source : Source
        The rows, in the order of their source, with its name.
    rows : ndarray of int, shape (n,)
        Position of each row in the source, from 0.
    weights : ndarray of shape (n,)
        Rows of the source that each row stands for; their sum are all rows with a label.
    n_rows, n_unlabelled : int
        Rows of the source, and those without a label, which are not drawn.

    Examples
    --------
    >>> Sample._fields[1:3]
    ('rows', 'weights')
    """

    source: Source
    rows: Integers
    weights: Floats
    n_rows: int
    n_unlabelled: int


def is_large(source: FilePath, reading: Reading | None = None) -> bool:
    """Return whether files are larger than a part of the memory, and can be read in blocks.

    The size of a query is not known.
    """
    name = os.fspath(source)
    path = in_data_folder(name) or Path(name)
    size = sum(file.stat().st_size for file in files_of(path))
    machine_bytes = MEMORY.machine_bytes
    if machine_bytes is None:
        machine_bytes = 2**33  # unknown on Windows
        if os.name == "posix":
            machine_bytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    if size <= MEMORY.sampled_share * machine_bytes:
        return False
    return next(find_blocks(name, reading, file_bytes=0)).stored is not None


def class_shares(counts: pd.Series, n_rows: int) -> pd.Series:
    """Return the share of the rows of each class in a sample of about ``n_rows``.

    Half of the sample is in proportion to the classes, and half in equal parts (a congressional
    sample; Acharya, Gibbons & Poosala 2000). All rows of a rare class are drawn.

    Examples
    --------
    >>> class_shares(pd.Series({"none": 900, "slight": 90, "severe": 10}), 300).round(3).tolist()
    [0.206, 0.706, 1.0]
    """
    proportional = 1.0 / max(1.0, counts.sum())
    shares = n_rows / 2 * (proportional + 1.0 / (len(counts) * counts))
    return shares.clip(upper=1.0)


class DrawOptions(NamedTuple):
    """Target, its order, groups and file format of a source to draw from, as in `load_dataset`."""

    target: str | None = None
    order: LabelOrder = None
    is_binned: bool = False
    group: str | None = None
    reading: Reading | None = None


def draw_sample(
    source: FilePath,
    n_rows: int,
    options: DrawOptions = DrawOptions(),  # noqa: B008 - is constant
    random_state: int = 0,
) -> Sample | None:
    """Draw about ``n_rows`` rows of a source in one pass; None if no more have a label.

    Rows are drawn by the shares of their classes. A row with a level, word or gap that no row
    before it has is drawn for certain, so that the types of columns are those in all rows.

    Of a source with groups whole groups are drawn, with one probability, in a second pass. The
    first finds groups that are drawn for certain: those with rows of rare classes, of a
    twentieth of the usual number, or with new cells.

    Parameters
    ----------
    source : str or path
        Text or Parquet files, or the connection URL of a query, as in `load_dataset`.
    n_rows : int
        Expected number of rows.
    options : DrawOptions, optional
        Target, order, group and file format.
    random_state : int, default=0
        Seed.

    Raises
    ------
    ValueError
        If the source is no such file or query, or the target has too many labels.

    Examples
    --------
    >>> import tempfile
    >>> table = pd.DataFrame({"age": range(1000), "grade": [1, 2] * 500})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table.to_csv(f"{folder}/grades.csv", index=False)
    ...     sample = draw_sample(f"{folder}/grades.csv", 300)
    >>> sample.n_rows, round(sample.weights.sum())
    (1000, 1000)
    """
    if options.group == EACH_ROW:
        options = options._replace(group=None)
    certain = None
    if options.group is not None:
        first, *_ = _draw(source, n_rows // 20, options, random_state)
        certain = first["chance"][first["certain"] | (first["share"] == 1.0)].unique()
    drawn = _draw(source, n_rows, options, random_state, certain)
    rows, stored, block, counts, n_read = drawn
    n_labelled = int(counts.sum())
    if n_labelled <= n_rows:
        return None
    return Sample(
        read_stored(name_of(os.fspath(source)), stored, block, options.reading),
        rows["row"].to_numpy(),
        class_weights(rows, counts).to_numpy(float),
        n_read,
        n_read - n_labelled,
    )


def class_weights(rows: pd.DataFrame, counts: pd.Series) -> pd.Series:
    """Return the weights (n,) of drawn ``rows``: they sum to the ``counts`` of their classes.

    Rows that were drawn for certain weigh 1, and the others of a class equally. Few certain rows
    of a class weigh as the others: if they are at most a tenth of the root of its rows, a mean
    changes by a tenth of its standard error for each standard deviation by which they differ.
    Sums of equal weights are fast.

    Examples
    --------
    >>> rows = pd.DataFrame({"label": [0, 0, 0, 1], "certain": [True, False, False, True]})
    >>> class_weights(rows, pd.Series([21, 4])).tolist()
    [1.0, 10.0, 10.0, 4.0]
    """
    by_class = rows.groupby("label")["certain"]
    n_rows = by_class.transform("size")
    n_certain = by_class.transform("sum")
    # Certain rows stand for the others of a class, too, if no other row was drawn.
    weigh_one = (n_certain > np.sqrt(n_rows) / 10) & (n_certain < n_rows)
    n_certain = n_certain.where(weigh_one, 0)
    by_chance = (rows["label"].map(counts) - n_certain) / (n_rows - n_certain)
    return by_chance.mask(rows["certain"] & weigh_one, 1.0)


def _draw(
    source: FilePath,
    n_rows: int,
    options: DrawOptions,
    seed: int,
    certain: Floats | None = None,
) -> tuple[pd.DataFrame, pd.DataFrame, Block, pd.Series, int]:
    """Draw rows, or whole groups: ``certain`` ones, and others with one probability.

    Returns the rows, and as they are stored in blocks, one of the blocks, the number of rows
    in the source of each class by its code, and of all.
    """
    rng = np.random.default_rng(seed)
    known: Known = defaultdict(set)
    codes: dict[str, int] = {}
    counts = pd.Series(dtype=float)
    n_read = 0
    drawn = []
    stored = []
    for block in find_blocks(os.fspath(source), options.reading, file_bytes=0):
        if block.stored is None:
            raise ValueError(
                f"'{source}' is read as a whole: no rows can be drawn from it"
            )
        table = block.source.table
        rows = pd.DataFrame({"label": _labels(block.source, options, codes)})
        rows["row"] = n_read + rows.index
        n_read += len(rows)
        if options.group is None:
            rows["chance"] = rng.random(len(rows))
        else:
            rows["chance"] = group_chances(
                table[choose_target(block.source, options.group)], seed
            )
        rows = rows[rows["label"] >= 0]
        counts = counts.add(rows["label"].value_counts(), fill_value=0.0)
        if len(counts) > MOST_LABELS:
            raise ValueError(
                f"the target has more than {MOST_LABELS} labels: name another column, or cut it "
                "into classes with bins"
            )
        if certain is None:
            if len(rows) < len(table):
                table = table.iloc[rows.index]
            rows["certain"] = has_new_cell(table, known)
            shares = class_shares(counts, n_rows)
        else:
            rows["certain"] = rows["chance"].isin(certain)
            shares = pd.Series(min(1.0, n_rows / n_read), counts.index)
        drawn.append(_drawn(rows, shares))
        stored.append(block.stored().iloc[drawn[-1].index])
    # The shares of earlier blocks were larger.
    joined = pd.concat(drawn, ignore_index=True)
    joined["share"] = shares.to_numpy()[joined["label"]]
    rows = _drawn(joined, shares)
    rows_as_stored = pd.concat(stored, ignore_index=True).iloc[rows.index]
    return rows, rows_as_stored, block, counts, n_read


def _labels(source: Source, options: DrawOptions, codes: dict[str, int]) -> Integers:
    """Return the code of each label of a block (n,), -1 without one, and extend the ``codes``."""
    target = choose_target(source, options.target)
    places, levels = distinct_cells(target_values(source, target, options.order))
    texts = [level_text(level).strip() for level in levels]
    if options.is_binned:
        texts = [""] * len(levels)  # classes are not known yet
    found = [codes.setdefault(text, len(codes)) for text in texts]
    return np.array([*found, -1])[places]


def group_chances(groups: pd.Series, seed: int) -> Floats:
    """Return a number from 0 to 1 (n,) for each row: the hash of its group.

    Examples
    --------
    >>> chances = group_chances(pd.Series([7, 8, 7]), seed=0)
    >>> (chances == group_chances(pd.Series(["7", "8", "7"]), seed=0)).all()
    np.True_
    """
    codes, levels = distinct_cells(groups)
    texts = np.array([*map(level_text, levels), ""], object)
    hashes = pd.util.hash_array(texts, hash_key=f"{seed:016d}"[-16:])
    return (hashes / 2.0**64)[codes]


def _drawn(rows: pd.DataFrame, shares: pd.Series) -> pd.DataFrame:
    """Return the rows that are drawn if classes have some shares."""
    by_chance = rows["chance"] < shares.to_numpy()[rows["label"]]
    return rows[rows["certain"] | by_chance]


def has_new_cell(table: pd.DataFrame, known: Known) -> Booleans:
    """Mark rows (n,) with a cell that is not among the ``known``, and add it to these.

    Of columns of more numbers, or words, than a scale has, one is marked, and no further ones
    are added.

    Examples
    --------
    >>> table = pd.DataFrame({"town": ["Bonn", "Bonn", None], "size": [1.5, 2.0, 1.5]})
    >>> has_new_cell(table, defaultdict(set))
    array([ True,  True,  True])
    """
    is_new = np.zeros(len(table), bool)
    for name, column in table.reset_index(drop=True).items():
        is_numeric = is_numeric_dtype(column.dtype)
        if not is_numeric:
            column = column.astype(str)
        elif len(known[name, True]) > MOST_LABELS and not column.hasnans:
            continue
        cells = pd.Series(column.unique())
        if cells.isin(known[name, True] | known[name, False]).all():
            continue
        are_numbers = cells.notna()
        if not is_numeric:
            # To parse all words takes long.
            candidates = cells.where(cells.str.lstrip().str[:1].isin(FIRST_OF_NUMBERS))
            are_numbers = pd.to_numeric(candidates, errors="coerce").notna()
        for is_number in (True, False):
            found = known[name, is_number]
            if len(found) > MOST_LABELS:
                continue
            new = cells[are_numbers == is_number]
            new = new[~new.isin(found)].head(MOST_LABELS + 1)
            found.update(new)
            if len(found) > MOST_LABELS:
                new = new.head(1)
            is_new[column[column.isin(new)].drop_duplicates().index] = True
    return is_new

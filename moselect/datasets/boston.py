"""Boston housing with its target in the five classes of published ordinal studies."""

from pathlib import Path

import pandas as pd

from moselect.datasets.binning import bin_target
from moselect.datasets.tables import read_table

TARGET = "MEDV"
# The study prints priors that sum to 0.7: they either apply to 70 % of the samples, or to all.
PRINTED = (0.3, 0.2, 0.1, 0.05, 0.05)
BINNINGS: dict[str, str | tuple[float, ...]] = {
    "normalised": tuple(prior / 0.7 for prior in PRINTED),
    "printed": PRINTED,
    "uniform": "uniform",
}


def load_boston(binning: str = "normalised") -> tuple[pd.DataFrame, pd.Series]:
    """Load the Boston housing data with the target cut into five classes.

    Parameters
    ----------
    binning : {"normalised", "printed", "uniform"}
        The class priors (0.3, 0.2, 0.1, 0.05, 0.05) of [1]_ sum to 0.7. ``"normalised"``
        divides them by 0.7: 506 samples, classes of 217, 144, 73, 36, 36. ``"printed"``
        takes them as they stand and leaves out the most expensive 30 %: 354 samples,
        classes of 152, 101, 51, 25, 25. ``"uniform"`` has five bins of equal width: 506
        samples, classes of 77, 239, 123, 36, 31.

    Returns
    -------
    X : DataFrame of shape (n, 13)
        Features as floats, rows in the order of the original file.
    y : Series of shape (n,)
        Classes 1 to 5, named ``"MEDV"``, with the index of ``X``.

    Raises
    ------
    ValueError
        If the binning is none of the three.

    Notes
    -----
    The column ``B`` encodes an assumption about racial segregation and house prices. The
    table is here because published figures depend on it; see ``data/README.md``.

    References
    ----------
    .. [1] Waegeman, De Baets, Boullart (2008). ROC analysis in ordinal regression learning.
       Pattern Recognition Letters 29, 1-9.

    Examples
    --------
    >>> X, y = load_boston()
    >>> X.shape
    (506, 13)
    >>> y.value_counts(sort=False).sort_index().tolist()
    [217, 144, 73, 36, 36]
    """
    if binning not in BINNINGS:
        raise ValueError(
            f"unknown binning {binning!r} of boston: give one of {', '.join(BINNINGS)}"
        )
    table = read_boston()
    y = bin_target(table[TARGET], binning=BINNINGS[binning]).dropna().astype("int64")
    return table.drop(columns=TARGET).loc[y.index].astype("float64"), y


def read_boston() -> pd.DataFrame:
    """Return the table as published, with 13 features and the numeric target last."""
    return read_table(Path(__file__).parent / "data" / "boston.csv")

"""Coverage of the intervals of rates in bands of a score (`moselect.bands`).

    python -m experiments.coverage.score_bands

The outcome has the rate .02 + .5 s^3 at a score s, uniform from 0 to 1; rates of bands are those
of 200,000 new rows. z = (rate shown - rate) / (a quarter of the width of the interval).
"""

import argparse

import numpy as np
import pandas as pd

import moselect

SIZES = ((300, 3), (1_000, 4), (1_000, 5), (5_000, 5))  # rows, and bands


def draw(n, seed):
    """Draw the outcome and the score of n rows."""
    rng = np.random.default_rng(seed)
    score = rng.uniform(size=n)
    return rng.uniform(size=n) < 0.02 + 0.5 * score**3, score


def main():
    """Print a row for each number of rows and bands."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=60)
    draws = parser.parse_args().draws
    outcome, scores = draw(200_000, draws)
    rows = []
    for n, n_bands in SIZES:
        covered = []
        z = []
        for seed in range(draws):
            found = moselect.bands(*draw(n, seed), n_bands=n_bands)
            table = found.table
            rates = pd.Series(outcome).groupby(found.predict(scores)).mean()
            covered += table["low"].le(rates).mul(table["high"].ge(rates)).tolist()
            z += ((table["rate"] - rates) / (table["high"] - table["low"]) * 4.0).tolist()
        rows.append((n, n_bands, np.mean(covered), np.mean(z), np.std(z)))
    columns = ["rows", "bands", "covered", "mean z", "sd of z"]
    print(pd.DataFrame(rows, columns=columns).round(3).to_string(index=False))


if __name__ == "__main__":
    main()

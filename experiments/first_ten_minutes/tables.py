"""Ten tables as people have them: made up, each with what makes it awkward, and twenty new rows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

GERMAN = {"sep": ";", "encoding": "cp1252"}
N_NEW = 20
SEED = 7


class Table(NamedTuple):
    """A file with labelled rows, one with new rows, and what its user has to type beside its name.

    ``correction`` are options that the first message must name.
    """

    name: str
    what: str
    labelled: Path
    new: Path
    costs: str
    correction: tuple[str, ...] = ()


def ordinal(
    score: Any, shares: list[float], names: list[Any], noise: float = 0.6
) -> np.ndarray:
    """Return classes of given shares by a score with noise."""
    rng = np.random.default_rng(len(score))
    score = (score - np.mean(score)) / np.std(score) + noise * rng.normal(size=len(score))
    cuts = np.quantile(score, np.cumsum(shares)[:-1])
    return np.array(names, dtype=object)[np.searchsorted(cuts, score)]


def text(values: Any, form: str) -> list[str]:
    """Return numbers as they are written."""
    return [form.format(value) for value in values]


def german(values: Any, digits: int = 1) -> list[str]:
    """Return numbers with a decimal comma."""
    return [f"{value:.{digits}f}".replace(".", ",") for value in values]


def clinic(rng: np.random.Generator, n: int = 600) -> pd.DataFrame:
    age, weight = rng.integers(18, 92, n), rng.normal(78, 12, n)
    crp, pressure = np.exp(rng.normal(1, 1.2, n)), rng.normal(135, 18, n)
    score = 0.03 * age + 0.02 * weight + 0.7 * np.log(crp) + 0.01 * pressure
    day = pd.Timestamp("2023-01-02") + pd.to_timedelta(rng.integers(0, 500, n), "D")
    unknown = rng.random(n) < 0.04
    return pd.DataFrame(
        {
            "Fallnr.": text(rng.permutation(n) + 100_000, "F-{}"),
            "Aufnahme": day.strftime("%d.%m.%Y"),
            "Alter": age,
            "Gewicht": [f"{value} kg" for value in german(weight)],
            "CRP (mg/l)": np.where(crp < 0.6, "<0,6", german(crp)),
            "RR syst.": np.where(unknown, "n.b.", text(pressure, "{:.0f} mmHg")),
            "Raucher": rng.choice(["ja", "nein", "", "Ex-Raucher"], n),
            "Schweregrad": ordinal(
                score, [0.5, 0.3, 0.15, 0.05], ["leicht", "mittel", "schwer", "kritisch"]
            ),
        }
    )


def claims(rng: np.random.Generator, n: int = 700) -> pd.DataFrame:
    power, driver, delay = (
        rng.integers(40, 250, n),
        rng.integers(18, 80, n),
        rng.gamma(1.5, 8, n),
    )
    score = 0.02 * power + 0.08 * delay - 0.03 * driver
    day = pd.Timestamp("2022-01-01") + pd.to_timedelta(rng.integers(0, 700, n), "D")
    classes = ["minor", "moderate", "serious", "severe"]
    severity = ordinal(score, [0.6, 0.25, 0.1, 0.05], classes)
    paid = np.exp(
        6 + 3.0 * pd.Series(severity).map(classes.index).to_numpy() + rng.random(n)
    )
    return pd.DataFrame(
        {
            "claim_id": np.arange(n) + 550_000,
            "accident": day.strftime("%Y-%m-%d"),
            "reported": (day + pd.to_timedelta(delay.astype(int), "D")).strftime(
                "%Y-%m-%d"
            ),
            "power_kw": power,
            "driver_age": driver,
            "use": rng.choice(["private", "commuting", "business"], n),
            "paid": text(paid, "€ {:,.2f}"),
            "severity": severity,
        }
    )


def credit(rng: np.random.Generator, n: int = 900) -> pd.DataFrame:
    leverage, cover = rng.beta(2, 3, n), np.exp(rng.normal(1, 0.8, n))
    size, profit = rng.normal(6, 1.5, n), rng.normal(4, 5, n)
    score = -3 * leverage + 0.7 * np.log(cover) + 0.3 * size + 0.05 * profit
    names = ["CCC", "B", "BB", "BBB", "A", "AA"]
    return pd.DataFrame(
        {
            "company": text(range(n), "Company {} plc"),
            "country": rng.choice(["DE", "FR", "US", "NA", "IT", "GB"], n),
            "total assets": [
                f"{1000 * value:,.0f}".replace(",", "'") for value in np.exp(size)
            ],
            "leverage": text(100 * leverage, "{:.1f} %"),
            "profit": [
                f"({-value:.1f})" if value < 0 else f"{value:.1f}" for value in profit
            ],
            "employees": rng.choice(["1-9", "10-49", "50-249", "250+"], n),
            "rating": ordinal(score, [0.05, 0.15, 0.25, 0.25, 0.2, 0.1], names),
        }
    )


def bands(rng: np.random.Generator, n: int = 500) -> pd.DataFrame:
    age, income, visits = rng.integers(0, 5, n), rng.integers(0, 4, n), rng.poisson(3, n)
    score = 0.8 * age - 0.5 * income + 0.3 * visits
    return pd.DataFrame(
        {
            "age": np.array(["18-25", "26-40", "41-55", "56-70", "71+"])[age],
            "income": np.array(["<20k", "20k-40k", "40k-80k", ">80k"])[income],
            "visits": visits,
            "risk": ordinal(score, [0.5, 0.3, 0.2], ["green", "amber", "red"]),
        }
    )


def grades(rng: np.random.Generator, n: int = 350) -> pd.DataFrame:
    hours, missed = rng.gamma(3, 2, n), rng.poisson(4, n)
    before = np.clip(np.round(2 * rng.normal(3, 1, n)) / 2, 1, 6)
    return pd.DataFrame(
        {
            "Schüler": text(rng.permutation(n), "S{:03d}"),
            "Klasse": rng.choice(["9a", "9b", "10a", "10b"], n),
            " Lernzeit ": german(hours),
            "Fehltage": missed,
            "Vornote": german(before),
            "Note": ordinal(
                -0.3 * hours + 0.15 * missed + 1.1 * before,
                [0.1, 0.25, 0.3, 0.25, 0.1],
                [1, 2, 3, 4, 5],
            ),
        }
    )


def units(rng: np.random.Generator, n: int = 400) -> pd.DataFrame:
    acid, fat, cells = (
        rng.normal(6.8, 0.3, n),
        rng.normal(3.8, 0.5, n),
        rng.lognormal(12, 0.6, n),
    )
    score = -0.9 * np.log(cells) - np.abs(acid - 6.8) + 0.6 * fat
    table = {
        "farm": rng.choice(text(range(25), "farm {}"), n),
        "pH": acid.round(2),
        "fat": fat.round(1),
        "cells": cells.round(),
        "quality": ordinal(score, [0.15, 0.35, 0.5], ["poor", "fair", "good"]),
    }
    below = pd.DataFrame(
        [{"farm": "name", "pH": "", "fat": "%", "cells": "1/ml", "quality": ""}]
    )
    return pd.concat([below, pd.DataFrame(table)], ignore_index=True)


def sensor(rng: np.random.Generator, n: int = 1200) -> pd.DataFrame:
    hours, vibration = np.arange(n) / 6, np.exp(rng.normal(0, 0.5, n))
    warmth = 60 + 8 * np.sin(hours / 24 * 2 * np.pi) + rng.normal(0, 3, n)
    time = pd.Timestamp("2024-01-01") + pd.to_timedelta(10 * np.arange(n), "min")
    return pd.DataFrame(
        {
            "id": np.arange(n),
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "machine": rng.choice(["M01", "M02", "M03"], n),
            "vibration": vibration.round(4),
            "humidity": np.where(
                rng.random(n) < 0.05, np.nan, rng.normal(40, 5, n).round(1)
            ),
            "spare": None,
            "firmware": "1.10",
            "wear": ordinal(
                1.5 * vibration + 0.08 * warmth, [0.7, 0.2, 0.1], ["ok", "watch", "alarm"]
            ),
        }
    ).sample(frac=1.0, random_state=SEED)


def stars(rng: np.random.Generator, n: int = 1500) -> pd.DataFrame:
    price, late = np.exp(rng.normal(3, 0.7, n)), rng.poisson(3, n)
    names = ["1 star", "2 stars", "3 stars", "4 stars", "5 stars"]
    given = ordinal(
        -0.5 * late + 0.3 * np.log(price), [0.1, 0.08, 0.15, 0.3, 0.37], names
    )
    unlabelled = rng.random(n) < 0.68
    unlabelled[-N_NEW:] = False
    return pd.DataFrame(
        {
            "review": text(range(n), "review {} of a product"),
            "price": text(price, "${:.2f}"),
            "days late": late,
            "verified": rng.choice([True, False], n),
            "stars": np.where(unlabelled, "", given),
        }
    )


def injuries(rng: np.random.Generator, n: int = 300) -> pd.DataFrame:
    load, height = rng.normal(size=n), rng.normal(size=n)
    injury = ordinal(load + 0.5 * height, [0.55, 0.3, 0.15], ["none", "minor", "major"])
    injury[:2] = "fatal"
    return pd.DataFrame(
        {
            "load": load.round(3),
            "height": height.round(3),
            "site": rng.choice(list("ABCDEFGH"), n),
            "injury": injury,
        }
    )


def wide(rng: np.random.Generator, n: int = 170) -> pd.DataFrame:
    codes = (rng.random((n, 200)) < 0.15).astype(int)
    score = codes[:, :8] @ np.linspace(1, 2, 8) + 0.3 * codes[:, 8:20].sum(axis=1)
    table = pd.DataFrame(codes, columns=text(range(200), "code_{:03d}"))
    return table.assign(toxicity=ordinal(score, [0.4, 0.35, 0.25], [1, 2, 3], 0.3))


def write_survey(
    rng: np.random.Generator, folder: Path, n: int = 400
) -> tuple[Path, Path]:
    """Write a workbook of several sheets, with a title and the questions below the names."""
    answers = rng.integers(1, 6, (n, 5))
    scale = ["Strongly disagree", "Disagree", "Neutral", "Agree", "Strongly agree"]
    table = pd.DataFrame(
        np.array(scale, dtype=object)[answers - 1], columns=list("ABCDE")
    )
    table = table.mask(rng.random(table.shape) < 0.03)
    table.insert(
        0, "StartDate", pd.Timestamp("2024-03-01") + pd.to_timedelta(np.arange(n), "h")
    )
    names = ["Very dissatisfied", "Dissatisfied", "Satisfied", "Very satisfied"]
    table["overall"] = ordinal(answers[:, :3].sum(axis=1), [0.1, 0.2, 0.4, 0.3], names)
    questions = pd.DataFrame([{name: f"SelectionCriteria {name}" for name in table}])
    paths = folder / "survey.xlsx", folder / "survey_new.xlsx"
    for path, rows in zip(
        paths, (table[:-N_NEW], table[-N_NEW:].drop(columns="overall")), strict=True
    ):
        with pd.ExcelWriter(path) as book:
            pd.DataFrame({"About": ["Wave 3"]}).to_excel(
                book, sheet_name="About", index=False
            )
            whole = pd.concat([questions[[*rows]], rows])
            whole.to_excel(book, sheet_name="Predictions", index=False, startrow=2)
            book.sheets["Predictions"]["A1"] = "Customer satisfaction"
    return paths


CSV: dict[
    str, tuple[str, Callable[..., pd.DataFrame], str, tuple[str, ...], dict[str, Any]]
] = {
    "clinic": (
        "German: semicolons, decimal commas, units, '<0,6', 'n.b.', dates, Windows-1252",
        *(clinic, "1,2,4,8", ("--order", "leicht,mittel,schwer,kritisch"), GERMAN),
    ),
    "claims": ("two dates, money, a leak", claims, "1,2,4,8", ("--drop", "paid"), {}),
    "credit": (
        "ratings, 12'345, percent, negatives in brackets",
        credit,
        "6,5,4,3,2,1",
        (),
        {},
    ),
    "bands": (
        "bands as text, classes of unknown order",
        *(bands, "1,2,5", ("--order", "green,amber,red"), {}),
    ),
    "grades": (
        "school grades, decimal commas, blanks",
        grades,
        "1,1,2,3,4",
        (),
        {"sep": ";"},
    ),
    "milk": ("a row of units below the names", units, "4,2,1", (), {}),
    "sensor": (
        "timestamps, a number of rows, empty and constant columns",
        *(sensor, "1,2,5", ("--order", "ok,watch,alarm"), {}),
    ),
    "stars": (
        "two thirds without a label, money, free text",
        *(stars, "5,4,3,2,1", ("--order", "1 star,2 stars,3 stars,4 stars,5 stars"), {}),
    ),
    "injuries": (
        "a class of two rows",
        *(injuries, "1,2,4", ("--order", "none,minor,major+fatal"), {"sep": "\t"}),
    ),
}


def make_tables(folder: Path) -> list[Table]:
    """Write all tables into a folder."""
    tables = []
    for name, (what, make, costs, correction, form) in CSV.items():
        paths = folder / f"{name}.csv", folder / f"{name}_new.csv"
        table = make(np.random.default_rng(SEED))
        table[:-N_NEW].to_csv(paths[0], index=False, **form)
        table.iloc[-N_NEW:, :-1].to_csv(paths[1], index=False, **form)
        tables.append(Table(name, what, *paths, costs, correction))
    survey = write_survey(np.random.default_rng(SEED), folder)
    what = "a workbook: sheets, a title, questions below the names, words for numbers"
    tables.append(Table("survey", what, *survey, "4,3,1,1"))
    paths = folder / "wide.parquet", folder / "wide_new.parquet"
    table = wide(np.random.default_rng(SEED))
    table[:-N_NEW].to_parquet(paths[0])
    table.iloc[-N_NEW:, :-1].to_parquet(paths[1])
    return [*tables, Table("wide", "Parquet, 200 columns, 150 rows", *paths, "1,2,4")]

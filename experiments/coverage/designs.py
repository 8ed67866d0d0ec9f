"""Bias and coverage of the figures of `select` and `check` under many known laws.

    python -m experiments.coverage.designs [--draws 50] [--only "6 groups,rare class"]
        [--figures cost,check] [--model linear] [--jobs 2] [--write]

For each law and figure: the mean of shown - true, the standard deviation of (shown - true) /
standard error (at most 1.2 is asked for), and the share of 95 % intervals that cover (.92 to .97).
True is what the selected model does on 20,000 further rows as they come in use. A limit counts as
covered if it is kept there when it is called met; a remark, if rows that belong together are
remarked upon. `check` takes 200 new rows: how often it reports
an increase for rows from the same law (at most 5 %), for rows of which three tenths have a random
class, and for rows of twice the cost (power).
"""

from __future__ import annotations

import argparse
import inspect
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from joblib import Parallel, delayed

import moselect
from experiments.coverage.laws import LAWS, N_NEW, Drawn, Law
from moselect.metrics import ranking_scores

EXPECTED = Path(__file__).with_name("designs.csv")
FIGURES = ("remark", "cost", "objectives", "difference", "limit", "trade-off", "referral")
FIGURES += ("sets", "check")
RELATED = ("MS102", "MS107", "MS108")  # groups, copies and near copies
NORMAL = 1.96
MOST, REFERRED = 0.15, 0.4  # limit of the highest class called lower; cost of a referral
CUTS = (0.2, 0.4, 0.6)
COVERAGE = 0.9  # of sets of classes
N_CHECKED, SPOILT = 200, 0.3
N_MONTHS, MONTHLY = 6, 100  # batches of consecutive rows
RANKINGS = ("vus", "u_cons", "u_ovo", "u_pairs")  # as `ranking_scores` returns them
BASELINE = "proportional odds"


def positions(labels: np.ndarray, answers: np.ndarray) -> np.ndarray:
    """Return the position of each label among the answers of a model."""
    return pd.Index(answers).get_indexer(pd.Index(labels))


class Shown(NamedTuple):
    """One figure that is shown, with its interval, and what is true."""

    figure: str
    shown: float
    error: float
    true: float
    covered: bool


def shown(figure: str, value: float, error: float, true: float) -> Shown:
    return Shown(figure, value, error, true, abs(value - true) <= NORMAL * error)


class Table:
    """A search on one table of a law, and further rows of the law."""

    def __init__(self, law: Law, candidate: str, seed: int) -> None:
        rng = np.random.default_rng(seed)
        drawn = law.draw(rng)
        self.law, self.candidate, self.rng = law, candidate, rng
        self.new = law.draw_new(N_NEW, rng)
        search = moselect.ParetoSearch(n_iterations=2, random_state=seed, n_jobs=1)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            self.search = search.fit(drawn.X, drawn.y, **drawn.fit_options)
        # Codes of the remarks on rows that belong together.
        found = [str(each.message)[:5] for each in caught]
        self.remarks = [code for code in found if code in RELATED]

    def select(self, **options: Any) -> Any:
        """Select a model for the costs of the law."""
        costs = {"class_costs": self.law.class_costs, "priors": self.law.priors}
        return self.search.select(**costs, **{"model": self.candidate} | options)

    def cost(self, model: Any) -> float:
        """Return the mean cost of the further rows by the costs of a model."""
        return float(self.paid(model, self.new).mean())

    def paid(self, model: Any, rows: Drawn) -> np.ndarray:
        """Return the cost of each of some rows."""
        predicted = positions(model.predict(rows.X), model.answers)
        return np.asarray(model.evidence.costs.matrix[rows.y, predicted])

    def figures(self, wanted: tuple[str, ...]) -> Iterator[Shown]:
        """Yield the figures that are wanted."""
        if "remark" in wanted:
            is_remarked = bool(self.remarks)
            yield Shown("remark", np.nan, np.nan, np.nan, is_remarked)
        model = self.select()
        evidence = model.evidence
        if "cost" in wanted:
            true = self.cost(model)
            yield shown("cost, expected", evidence.expected, evidence.expected_se, true)
            yield shown("cost, of the candidate", *evidence.chosen.figure(), true)
        if "objectives" in wanted and self.law.priors is None:
            yield from self.objectives(model)
        if "difference" in wanted and BASELINE in evidence.differences:
            saved = evidence.differences[BASELINE]
            baseline = self.cost(self.select(model=BASELINE))
            true = 1.0 - self.cost(model) / baseline
            covered = saved.low <= true <= saved.high
            yield Shown("difference", *saved[:2], true, covered)
        if "limit" in wanted:
            yield from self.limit()
        if "trade-off" in wanted:
            yield from self.trade_off(model)
        if "referral" in wanted:
            yield self.referral()
        if "sets" in wanted:
            yield from self.sets(model)
        if "check" in wanted:
            yield from self.check(model)

    def objectives(self, model: Any) -> Iterator[Shown]:
        """Compare the objectives with those on the further rows."""
        X, y = self.new.X, self.new.y
        codes = positions(model.predict(X), model.classes_)
        rankings = ranking_scores(y, model.decision_function(X))
        true = dict(zip(RANKINGS, rankings, strict=True))
        true["accuracy"] = np.mean(codes == y)
        true["one_minus_mae"] = 1.0 - np.abs(codes - y).mean()
        for name, column in model.evidence.objectives.items():
            yield shown(str(name), column["cv"], column["std_error"], true[name])

    def limit(self) -> Iterator[Shown]:
        """Compare a limited share of mistakes, and whether the limit is kept."""
        top = len(self.law.class_costs) - 1
        model = self.select(limits={f"{top}<{top}": MOST})
        (limit,) = model.evidence.limits
        called = positions(model.predict(self.new.X), model.classes_)
        true = float(np.mean(called[self.new.y == top] < top))
        yield shown("limit, share", limit.share, limit.std_error, true)
        if limit.met:
            yield Shown("limit, kept if met", limit.share, np.nan, true, true <= MOST)

    def trade_off(self, model: Any) -> Iterator[Shown]:
        """Compare points of the trade-off at cuts of the probability of the highest class."""
        top = len(self.law.class_costs) - 1
        points = model.evidence.trade_off(top)
        points = points[points["model"] == model.evidence.selected]
        tail, high = model.predict_proba(self.new.X)[:, top], self.new.y == top
        for cut in CUTS:
            point = points[points["cut"] >= cut].iloc[-1]
            for share, rows in (("miss_rate", high), ("false_alarm_rate", ~high)):
                wrong = (tail < cut) if share == "miss_rate" else (tail >= cut)
                error = point[f"{share}_error"]
                true = float(np.mean(wrong[rows]))
                yield shown(f"trade-off, {share}", point[share], error, true)

    def referral(self) -> Shown:
        """Compare the cost of a row if some are referred."""
        model = self.select(refer=REFERRED)
        curve = model.evidence.referral()
        curve = curve[(curve["model"] == model.evidence.selected) & curve["in use"]]
        point = curve.iloc[0]
        return shown("referral", point["cost"], point["std_error"], self.cost(model))

    def sets(self, model: Any) -> Iterator[Shown]:
        """Compare the coverage of sets of classes, over all rows and in each class."""
        for by in (None, "class"):
            found = model.evidence.sets(COVERAGE, by)
            sets = model.predict_set(self.new.X, COVERAGE, by)
            lowest, highest = (positions(sets[end], model.classes_) for end in sets)
            is_covered = (lowest <= self.new.y) & (self.new.y <= highest)
            name = "sets" if by is None else "sets by class"
            all_rows = found.loc["all", ["coverage", "std_error"]]
            yield shown(f"{name}, all", *all_rows, is_covered.mean())
            for label in model.classes_ if by else ():
                of_class = found.loc[label, ["coverage", "std_error"]]
                yield shown(name, *of_class, is_covered[self.new.y == label].mean())

    def check(self, model: Any) -> Iterator[Shown]:
        """Check later rows; "covered" is whether an increase of their cost is reported.

        They are unchanged, or a share has a random class or the class of the greatest cost.
        """
        draw_later = self.law.draw_later or self.law.draw_new
        later = draw_later(N_CHECKED, self.rng)
        others = self.rng.integers(0, len(model.classes_), N_CHECKED)
        spoilt = np.where(self.rng.random(N_CHECKED) < SPOILT, others, later.y)
        costs = model.evidence.costs.matrix
        mean = self.cost(model)
        greatest = costs[:, positions(model.predict(self.new.X), model.answers)].max(
            axis=0
        )
        share = mean / (greatest.mean() - mean)  # doubles the mean cost
        predicted = positions(model.predict(later.X), model.answers)
        worst = costs[:, predicted].argmax(axis=0)
        doubled = np.where(self.rng.random(N_CHECKED) < share, worst, later.y)
        tables = {"falsely dearer": later.y, "dearer": spoilt, "doubled": doubled}
        for name, y in tables.items():
            found = moselect.check(model, later.X, y)
            yield Shown(f"check, {name}", np.nan, np.nan, np.nan, found.holds is False)
        if self.law.draw_later is not None:
            months = draw_later(N_MONTHS * MONTHLY, self.rng)
            history = None
            is_dearer = False
            for rows in np.split(np.arange(len(months.y)), N_MONTHS):
                found = moselect.check(
                    model, months.X.iloc[rows], months.y[rows], history=history
                )
                history = found.history
                is_dearer = is_dearer or found.holds is False
            name = f"check, falsely dearer in {N_MONTHS} batches of {MONTHLY}"
            yield Shown(name, np.nan, np.nan, np.nan, is_dearer)
        if "sample_weight" in inspect.signature(moselect.check).parameters:
            table = self.law.draw(self.rng)  # sampled as the first one was
            if table.weights is not None or table.groups is not None:
                options = {"sample_weight": table.weights, "groups": table.groups}
                found = moselect.check(model, table.X, table.y, **options)
                name = "check, falsely dearer, sampled alike"
                yield Shown(name, np.nan, np.nan, np.nan, found.holds is False)


def simulate(
    name: str, seed: int, candidate: str, wanted: tuple[str, ...]
) -> list[dict[str, Any]]:
    """Return the figures of one table; a table that is refused says why."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = list(Table(LAWS[name], candidate, seed).figures(wanted))
        except ValueError as error:
            print(f"{name}, draw {seed}: {error}", flush=True)
            return []
    return [{"law": name, "draw": seed, **figure._asdict()} for figure in found]


def summarise(found: pd.DataFrame) -> pd.DataFrame:
    """Return one row a law and figure."""
    found = found.assign(
        off=found["shown"] - found["true"],
        z=(found["shown"] - found["true"]) / found["error"],
    )
    grouped = found.groupby(["law", "figure"], sort=False)
    return pd.DataFrame(
        {
            "n": grouped.size(),
            "shown": grouped["shown"].mean(),
            "shown - true": grouped["off"].mean(),
            "mean z": grouped["z"].mean(),
            "sd of z": grouped["z"].std(),
            "covered": grouped["covered"].mean(),
        }
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--draws", type=int, default=50)
    parser.add_argument("--only", help="laws, between commas; by default all")
    parser.add_argument("--figures", default=",".join(FIGURES))
    parser.add_argument("--model", default="linear")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--write", action="store_true", help=f"to {EXPECTED.name}, too")
    options = parser.parse_args()
    names = list(LAWS)
    if options.only:
        names = [
            name for name in names if any(p in name for p in options.only.split(","))
        ]
    if not names:
        parser.error(f"no such law: choose from {'; '.join(LAWS)}")
    wanted = tuple(options.figures.split(","))
    tables = []
    for name in names:
        seeds = range(1_000 * options.seed, 1_000 * options.seed + options.draws)
        draws = (delayed(simulate)(name, seed, options.model, wanted) for seed in seeds)
        rows = [row for part in Parallel(options.jobs)(draws) for row in part]
        if rows:
            tables.append(summarise(pd.DataFrame(rows)))
            print(tables[-1].round(3).to_string(), end="\n\n", flush=True)
    if options.write:
        pd.concat(tables).round(4).to_csv(EXPECTED)


if __name__ == "__main__":
    main()

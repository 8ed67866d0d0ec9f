"""Selection on the page for the guide's table, with text, dates and missing values."""

import shlex

import pandas as pd
import pytest

from moselect.io import read_model
from moselect.page.page_of_front import Page
from tests.cli.conftest import run_in, run_main
from tests.page.conftest import add_limit, downloaded, select_candidate, set_costs, settle
from tests.places import CLAIMS

pytestmark = pytest.mark.slow

SEARCH = (
    "search claims.csv --target severity --order none,slight,serious,severe "
    "--evaluations 120 --particles 40 --folds 2 --seed 1 --out run"
)


@pytest.fixture(name="claims")
def claims_with_two_dates(tmp_path):
    """Write the guide's tables with dates of the claims' events, some of them missing."""
    for name in ("claims.csv", "new_claims.csv"):
        path = CLAIMS.with_name(name)
        table = pd.read_csv(path, parse_dates=["reported"], nrows=200)
        days = 3 * table["severity"].str.len().where(table.index % 9 > 0)
        table["happened"] = table["reported"] - pd.to_timedelta(days, "D")
        table.to_csv(tmp_path / name)
    return tmp_path / "claims.csv"


def classes_of_typed_rows(tab, claims, n=3):
    """Type the first rows of the table, and return their classes."""
    found = []
    for _, cells in pd.read_csv(claims, dtype=str, nrows=n).fillna("").iterrows():
        for label in tab.locator("#case-columns label").all():
            field = label.locator("input, select")
            cell = cells[label.inner_text().split("\n")[0]]
            if field.evaluate("field => field.tagName") == "SELECT":
                field.select_option(cell)
            else:
                field.fill(cell)
        found.append(tab.inner_text("#case-class"))
    return found


def test_every_candidate_is_selected_on_the_page_and_predicts(show, tmp_path, claims):
    run_in(tmp_path, SEARCH)
    run_in(tmp_path, "report run -o page.html")
    tab = show(Page((tmp_path / "page.html").read_text(encoding="utf-8")))
    set_costs(tab, [1, 1, 3, 6])
    add_limit(tab, 50, "class severe", "lower than serious")
    n_rows = len(pd.read_csv(tmp_path / "new_claims.csv"))
    for candidate in tab.locator("#candidates button").all_inner_texts():
        if candidate in ("always one class", "proportional odds", "best member"):
            continue  # no models of ours
        select_candidate(tab, candidate)
        accept = tab.get_by_label("download anyway")
        if accept.is_visible():
            accept.check()
        model = "model.json"
        settle(tab)
        typed = classes_of_typed_rows(tab, claims)
        if tab.get_by_role("button", name="Download model.json").is_visible():
            downloaded(tab, tmp_path)
        else:
            command = shlex.split(tab.inner_text("#command"))
            done = run_main(tmp_path, *command[1:])
            assert done.returncode in (0, 3), done.stderr
            model = command[-1]
        rows = pd.read_csv(claims, nrows=len(typed), keep_default_na=False)
        assert typed == read_model(tmp_path / model).predict(rows).tolist()
        run_in(tmp_path, f"predict {model} new_claims.csv -o p.csv --force")
        predicted = pd.read_csv(tmp_path / "p.csv")
        assert len(predicted) == n_rows
        assert set(predicted.iloc[:, -1].dropna()) or set(predicted["severity"].dropna())

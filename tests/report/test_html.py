"""What the page is made of, without a browser."""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import json
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from moselect import ParetoSearch
from moselect.models import contributions
from moselect.report import make_page
from moselect.report.score_counts import count_scores
from moselect.report.summary import summarise
from moselect.report.terms import find_terms

HOSTILE = "</script><script>alert(1)</script><!--{{ 7 * 7 }}"


def scripts(html):
    return re.findall(r"<script([^>]*)>(.*?)</script>", html, flags=re.DOTALL)


def numbers(array):
    return np.frombuffer(gzip.decompress(base64.b64decode(array["packed"])), f"<{array['kind']}")


def test_numbers_are_kept_to_the_last_bit(make_front):
    front = make_front(20, holdout=True)
    arrays = summarise(front)["arrays"]
    for name in ("objectives", "holdout", "weights", "thresholds", "confusions"):
        np.testing.assert_array_equal(numbers(arrays[name]), np.ravel(getattr(front, name)))


def test_the_data_of_the_page_are_one_element(make_front):
    front = make_front(5, [f"{HOSTILE}{c}" for c in "ab"], features=(HOSTILE, "b", "c"))
    about = {"name": HOSTILE, "target": HOSTILE}
    page = make_page(front, about=about, run=HOSTILE).html
    found = scripts(page)
    assert len(found) == 2
    attributes, text = found[0]
    assert attributes == ' id="data" type="application/json"'
    assert json.loads(text) == json.loads(json.dumps(summarise(front, about=about, run=HOSTILE)))
    assert HOSTILE not in page
    assert "49" not in re.search(r"<title>(.*?)</title>", page)[1]


def test_only_the_script_of_the_page_may_run(make_front):
    page = make_page(make_front(5, ["a", "b"])).html
    policy = html.unescape(re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1])
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'"
    (script,) = [text for attributes, text in scripts(page) if 'type="module"' in attributes]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert rules["script-src"] == f"'sha256-{digest}'"
    assert "unsafe-eval" not in policy
    assert "\r" not in page  # a browser would read another text than the one that was hashed


def test_a_notebook_keeps_the_whole_page(make_front):
    page = make_page(make_front(30, [f"{HOSTILE}é{c}" for c in "abc"]))
    shown = page._repr_html_()
    assert html.unescape(re.search(r'srcdoc="([^"]*)"', shown)[1]) == page.html


def test_counts_along_the_scores(searched):
    front, X, y = searched
    found = count_scores(front, X, y)
    codes = np.searchsorted(front.classes, y)
    for i in (0, len(front) // 2, len(front) - 1):
        scores = X @ front.weights[i]
        assert (np.diff(found.cuts[i]) >= 0.0).all()
        assert found.cuts[i, 0] < scores.min()
        assert found.counts[i].sum() == len(y)
        for c, cut in enumerate(found.cuts[i]):  # the slow, obvious way
            below = np.bincount(codes[scores <= cut], minlength=len(front.classes))
            np.testing.assert_array_equal(found.counts[i, : c + 1].sum(axis=0), below)


def test_terms_that_are_curves():
    rng = np.random.default_rng(3)
    table = pd.DataFrame({"wave": rng.normal(size=90), "few": rng.integers(0, 3, 90)})
    y = np.digitize(np.sin(table["wave"]) + 0.3 * rng.normal(size=90), [-0.5, 0.4])
    search = ParetoSearch(columns="splines", n_iterations=2, cv=None, random_state=1).fit(table, y)
    front, model = search.front_, search.front_[0]
    terms = find_terms(front, front.columns.transform(table))
    added = contributions(model, table)  # one column a term: the slow, obvious way
    assert [" * ".join(term["features"]) for term in terms] == list(added)
    for term, name in zip(terms, added, strict=True):
        size = term["size"]
        own = model.coef_[term["start"] : term["start"] + size]
        spread = np.sqrt(own @ np.reshape(term["covariance"], (size, size)) @ own)
        assert spread == pytest.approx(added[name].std(ddof=0))
        if name in table:
            line = pd.DataFrame({each: table[each].mean() for each in table}, index=term["at"])
            line[name] = term["at"]
            curve = np.reshape(term["curve"], (-1, size)) @ own
            np.testing.assert_allclose(curve, contributions(model, line)[name], atol=1e-9)
    assert [term["curve"] is None for term in terms] == [False, False, True]
    assert terms[0]["at"][0] == table["wave"].min()


def test_what_makes_no_page(searched):
    front, X, y = searched
    for given, message in (
        ((front, X[1:], y[1:]), "not the rows of the search"),
        ((front, X), "give both X and y"),
        ((replace(front, confusions=None),), "holds no confusion matrices: search it anew"),
    ):
        with pytest.raises(ValueError, match=message):
            make_page(*given)

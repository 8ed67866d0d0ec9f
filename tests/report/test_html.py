"""What the page is made of, without a browser."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from dataclasses import replace

import numpy as np
import pytest

from moselect.report import make_page
from moselect.report.summary import MODELS, summarise

HOSTILE = "</script><script>alert(1)</script><!--"


def scripts(html):
    return re.findall(r"<script([^>]*)>(.*?)</script>", html, flags=re.DOTALL)


def numbers(text, kind):
    return np.frombuffer(base64.b64decode(text), kind)


def test_numbers_are_kept_to_the_last_bit(make_front):
    front = make_front(20, ["a", "b", "c"], holdout=True)
    arrays = summarise(front)["arrays"]
    for name in ("objectives", "holdout", "weights", "thresholds"):
        expected = np.asarray(getattr(front, name)).ravel()
        np.testing.assert_array_equal(numbers(arrays[name], "<f8"), expected)
    for name in ("confusions", "holdout_confusions"):
        np.testing.assert_array_equal(numbers(arrays[name], "<i4"), getattr(front, name).ravel())


def test_the_data_of_the_page_are_one_element(make_front):
    front = make_front(5, [f"{HOSTILE}{c}" for c in "ab"], features=(HOSTILE, "b", "c"))
    about = {"name": HOSTILE, "target": HOSTILE}
    html = make_page(front, about, run=HOSTILE).html
    found = scripts(html)
    assert len(found) == 3
    attributes, text = found[0]
    assert attributes == ' id="data" type="application/json"'
    assert json.loads(text) == json.loads(json.dumps(summarise(front, about, HOSTILE)))
    assert html.count(HOSTILE) == 0


def test_only_the_scripts_of_the_page_may_run(make_front):
    html = make_page(make_front(5, ["a", "b"])).html
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html)[1]
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'"
    digests = [
        base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        for attributes, text in scripts(html)
        if not attributes
    ]
    assert rules["script-src"] == " ".join(f"'sha256-{d}'" for d in digests) + " 'unsafe-eval'"
    assert "\r" not in html  # a browser would read another text than the one that was hashed


def test_a_page_of_many_models_stays_small(make_front):
    front = make_front(MODELS, list("abcde"), [f"feature {j}" for j in range(30)], holdout=True)
    assert len(make_page(front).html.encode()) < 8e6


def test_a_notebook_keeps_the_whole_page_packed(make_front):
    page = make_page(make_front(300, [f"{HOSTILE}é{c}" for c in "abc"]))
    shown = page._repr_html_()
    packed = base64.b64decode(re.search(r"atob\(&quot;([^&]*)&quot;\)", shown)[1])
    assert gzip.decompress(packed).decode() == page.html
    assert packed[4:8] == bytes(4)  # no time of day: the same page is the same text
    assert len(shown) < 2.2e6


def test_a_front_that_does_not_know_what_it_predicts(make_front, tmp_path):
    front = replace(make_front(5, ["a", "b"]), confusions=None)
    with pytest.raises(ValueError, match="holds no confusion matrices: search it anew"):
        make_page(front).write(tmp_path / "page.html")
    assert list(tmp_path.iterdir()) == []


def test_a_page_is_written(make_front, tmp_path):
    front = make_front(5, ["a", "b"])
    page = make_page(front)
    page.write(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_bytes() == page.html.encode()
    assert len(repr(page)) < 100

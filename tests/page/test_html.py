"""The document of the page, without a browser."""

import base64
import hashlib
import html
import json
import re
from dataclasses import replace

import numpy as np
import pytest

from moselect.page import make_page
from moselect.selection import Selector

HOSTILE = "</script><script>alert(1)</script><!--{{ 7 * 7 }}"


def scripts(html):
    return re.findall(r"<script([^>]*)>(.*?)</script>", html, flags=re.DOTALL)


@pytest.mark.slow
def test_the_data_of_the_page_are_one_element(searched, page):
    old = searched.selector_
    samples = replace(old.samples, classes=np.array([f"{HOSTILE}{c}" for c in "abc"]))
    parts = replace(old.member.samples, samples=samples)
    selector = Selector.of_search(old.member.front, parts)
    # known fits, which hold codes and no names
    selector.fits.known.update(old.fits.known)
    about = {"name": HOSTILE, "target": HOSTILE}
    page = make_page(selector, about=about, run=HOSTILE).html
    found = scripts(page)
    assert len(found) == 2
    attributes, text = found[0]
    assert attributes == ' id="data" type="application/json"'
    assert json.loads(text)["run"] == HOSTILE
    assert HOSTILE not in page
    assert "49" not in re.search(r"<title>(.*?)</title>", page)[1]


@pytest.mark.slow
def test_only_the_script_of_the_page_may_run(page):
    policy = html.unescape(
        re.search(r'Content-Security-Policy" content="([^"]*)"', page.html)[1]
    )
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'"
    (script,) = [
        text for attributes, text in scripts(page.html) if 'type="module"' in attributes
    ]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert rules["script-src"] == f"'sha256-{digest}'"
    assert "unsafe-eval" not in policy
    # a browser would read another text than the one that was hashed
    assert "\r" not in page.html

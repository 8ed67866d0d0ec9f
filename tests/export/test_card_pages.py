from __future__ import annotations

from html.parser import HTMLParser

import numpy as np
import pytest

from moselect.export.card_pages import card_html, card_text
from moselect.predictor import OrdinalLinearClassifier, model_card

SCRIPT = '<script>alert("x")</script>'


class Page(HTMLParser):
    """Tags and text of a page."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.text = [], ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.text += " "

    def handle_data(self, data):
        self.text += data


def make_card(names=("small", "large", "constant"), labels=("low", "high"), **more):
    model = OrdinalLinearClassifier([5.0, -1.0, 1e6], [0.5], labels, names)
    rng = np.random.default_rng(2)
    X = rng.normal(size=(50, 3)) * [0.1, 10.0, 0.0]
    y = np.asarray(labels)[(X[:, 0] > 0.0).astype(int)]
    return model, model_card(model, X, y, predicts="risk", **more), X


@pytest.fixture
def full():
    return make_card(
        purpose="Least expected cost.",
        units={"large": "km/h"},
        cost_matrix=[[0, 1], [7, 0]],
        preferences={"vus": 2.0},
        data="claims",
        dates=("2020-01-01", "2021-06-30"),
        preparation=["missing speeds are filled with 50"],
        figures=[
            {"name": "accuracy", "value": 0.9, "rows": "train"},
            {
                "name": "mean cost",
                "value": 0.25,
                "rows": "cv",
                "interval": (0.125, 0.5),
            },
        ],
        confusion=[[20, 3], [4, 23]],
        intended_use="Triage by an expert.",
        limits=["Not for children."],
        versions={"moselect": "0.1.0"},
        seed=7,
    )


@pytest.mark.parametrize("page", [card_text, lambda *given: Page(card_html(*given)).text])
def test_everything_stands_on_the_page(full, page):
    model, card, X = full
    text = " ".join(page(model, card).split())
    for told in (
        "risk", "Least expected cost.", "large (km/h)", "vus 2.0", "claims", "training rows: 50",
        "2020-01-01 to 2021-06-30", "missing speeds are filled with 50", "accuracy 0.9 train",
        "mean cost 0.25 0.125 to 0.5 (95 %) cv", "low 20 3", "high 4 23", "high 7 0",
        "Triage by an expert.", "Not for children.", "moselect 0.1.0", "seed: 7", "above 0.5",
    ):  # fmt: skip
        assert told in text
    # By standardised size: -1 x 10, then 5 x 0.1, then the constant.
    at = [text.index(f"{name} ") for name in ("large (km/h)", "small", "constant")]
    assert at == sorted(at)
    low, high = np.quantile(X[:, 1], [0.1, 0.9])
    assert f"{-(high - low):+.4g}" in text


def test_hostile_names_stay_text():
    names = [SCRIPT, "a\nLIMITS\n- none", "{{ 7 * 7 }}"]
    labels = ["&lt;", "\u202eb\x1b[31m"]
    model, card, _ = make_card(names, labels, purpose=SCRIPT, units={SCRIPT: SCRIPT})
    page = Page(card_html(model, card))
    assert "script" not in page.tags
    assert SCRIPT in page.text
    assert "&lt;" in page.text
    for text in (page.text, card_text(model, card)):
        assert "{{ 7 * 7 }}" in text
        assert "a LIMITS - none" in text
        assert "\x1b" not in text
        assert "\u202e" not in text

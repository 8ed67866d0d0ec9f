"""The page in a browser: its figures equal those of Python and the command line."""

import re

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import norm, t

from moselect import Costs, ParetoSearch
from moselect.evaluation.choice import saving_over
from moselect.page import make_page
from tests.page.conftest import (
    add_limit,
    counts_shown,
    downloaded,
    fill_fields,
    press,
    select_candidate,
    set_costs,
    settle,
)

pytestmark = pytest.mark.slow
SETTINGS = {  # costs, and limits
    "equal": (Costs([1, 1, 1]), {}),
    "high costs": (Costs([1, 1, 6], "squared"), {}),
    "shares": (Costs([1, 2, 1], "zero_one", priors=[0.5, 0.3, 0.2]), {}),
    "limit by shares": (Costs([1, 1, 2], priors=[0.2, 0.3, 0.5]), {"mid<mid": 0.3}),
    "two limits": (Costs([1, 1, 2]), {"high<mid": 0.1, "predicted high": 0.4}),
    "referral": (Costs([1, 1, 4], refer=0.4), {}),
}
RADIOS = {"absolute": "1, 2, 3", "squared": "1, 4, 9", "zero_one": "always 1"}


@pytest.fixture
def tab(show, page):
    """Open the page of the front."""
    return show(page)


def set_up(tab, setting):
    costs, limits = SETTINGS[setting]
    if costs.refer is not None:
        tab.fill("#refer", str(costs.refer))
    set_costs(tab, costs.class_costs, RADIOS[costs.loss])
    if costs.priors is not None:
        tab.get_by_text("Class prevalence in use differs").click()
        tab.get_by_label("weight the classes").check()
        fill_fields(tab, "#priors input", [100 * share for share in costs.priors])
    for mistake, most in limits.items():
        truth, _, below = mistake.partition("<")
        above = " or above" if truth == "mid" else ""
        among = f"class {truth}{above}" if below else "all rows"
        called = f"lower than {below}" if below else truth.removeprefix("predicted ")
        add_limit(tab, 100 * most, among, called)


def costs_shown(tab):
    """Return the mean cost that is shown, and the ends of its interval."""
    return [float(text) for text in re.findall(r"\d+\.\d+", tab.inner_text("#sentence"))]


def select(searched, setting, candidate=None):
    costs, limits = SETTINGS[setting]
    return searched.selector_.select(costs, candidate, limits)


@pytest.mark.checks("Files, exports and pages", "select, in a browser")
@pytest.mark.parametrize("setting", [*SETTINGS][1:])
def test_costs_and_confusion_match_select(searched, tab, tmp_path, setting):
    set_up(tab, setting)
    refers = setting == "referral"
    for candidate in ("ensemble", "scorecard" if refers else "additive"):
        select_candidate(tab, candidate)
        model = select(searched, setting, candidate)
        evidence = model.evidence
        assert_array_equal(counts_shown(tab), evidence.confusion)
        expected, error = evidence.evaluations[candidate].figure()
        # The candidate of the report has its sentences instead.
        if "not corrected" in tab.inner_text("#verdicts"):
            interval = t(len(evidence.predicted) - 1, expected, error).interval(0.95)
            assert costs_shown(tab) == pytest.approx([expected, *interval], abs=0.006)
        chips = tab.locator("#chips li").all_inner_texts()
        for chip, limit in zip(chips, evidence.limits, strict=True):
            assert ("not met" in chip) == (not limit.met)
            share = float(re.search(r": (\d+) %", chip)[1])
            assert share == pytest.approx(100 * limit.share, abs=0.51)
    if not all(limit.met for limit in evidence.limits):
        assert tab.get_by_role("button", name="Download model.json").is_disabled()
        tab.get_by_label("download anyway").check()
    taken = downloaded(tab, tmp_path)
    X = searched.selector_.samples.X
    assert taken.about["expected_cost"] == pytest.approx(expected)
    assert_allclose(taken.thresholds_, model.thresholds_, rtol=1e-6)
    assert_array_equal(taken.predict(X), model.predict(X))
    assert ("refer" in taken.predict(X)) == refers
    # `check` takes it as it does the model that `select` hands over
    for name in ("costs", "confusion", "trained", "n_rows", "n_units", "class_errors"):
        assert_allclose(
            getattr(taken.reference, name), getattr(model.reference, name), atol=1e-6
        )
    if "shares" not in setting:  # a page is written before class shares are set in it
        assert taken.reference.columns == model.reference.columns
    assert_allclose(taken.predict_proba(X), model.predict_proba(X))


def test_weights_and_groups_match_select(searched, show):
    samples = searched.selector_.samples
    n = len(samples)
    y = pd.Categorical.from_codes(samples.codes, samples.classes, ordered=True)
    weights = np.random.default_rng(0).uniform(0.2, 2.0, n)
    search = ParetoSearch(n_particles=10, n_iterations=2, cv=2, random_state=0)
    search.fit(samples.X, y, sample_weight=weights, groups=np.arange(n) // 3)
    search.selector_.own_candidates = ["additive"]
    tab = show(make_page(search.selector_))
    set_up(tab, "high costs")
    select_candidate(tab, "additive")
    assert 'model="additive")' in tab.inner_text("#command")
    evidence = select(search, "high costs", "additive").evidence
    expected, error = evidence.evaluations["additive"].figure()
    # the error is widened by the number of groups
    low, high = norm(expected, error).interval(0.95)
    assert costs_shown(tab) == pytest.approx([expected, max(0.0, low), high], abs=0.006)


@pytest.mark.parametrize("setting", ["high costs", "two limits"])
def test_the_default_selection_matches_select(searched, tab, setting):
    set_up(tab, setting)
    selected = tab.inner_text("#choice-title").removeprefix("Selected: ").split(",")[0]
    assert selected == select(searched, setting).evidence.selected
    evaluations = select(searched, setting, "additive").evidence.evaluations
    parts = evaluations["proportional odds"], evaluations["additive"]
    # not corrected for selection, as other settings than those of the report
    saving = saving_over(*parts, *(each.cv_loss[0] for each in parts))
    select_candidate(tab, "additive")
    low, high = 100 * saving.low, 100 * saving.high
    words = f"{100 * saving.estimate:z.0f} % ({low:z.0f} to {high:z.0f} %)"
    row = tab.locator("#candidates tr", has_text="proportional odds")
    assert words in row.inner_text().replace("\N{MINUS SIGN}", "-")


def click_picture(tab, picture, x, y):
    """Press the mouse in a picture, at shares of its width and height."""
    tab.locator(picture).scroll_into_view_if_needed()
    box = tab.locator(f"{picture} > svg").bounding_box()
    tab.mouse.click(box["x"] + x * box["width"], box["y"] + y * box["height"])
    settle(tab)


def test_limits_are_set_by_pictures_and_by_keyboard(searched, tab):
    select_candidate(tab, "additive")
    costs = {}
    for percent in (20, 40):
        tab.locator("#boundary-most").fill(str(percent))
        settle(tab)
        words = f"at most {percent} % of high predicted lower"
        assert tab.inner_text("#chips li").startswith(words)
        limits = {"high<high": percent / 100}
        model = searched.selector_.select(Costs([1, 1, 1]), "additive", limits)
        costs[percent] = model.evidence.chosen.figure()[0]
        assert costs_shown(tab)[0] == pytest.approx(costs[percent], abs=0.006)
    # The last limit is 40 %: half of it costs more.
    words = r"A limit of 20 % in place of 40 %: mean cost ([\d.]+) more\."
    more = re.fullmatch(words, tab.inner_text("#price-words"))
    assert float(more[1]) == pytest.approx(costs[20] - costs[40], abs=0.1 * costs[20])
    for picture in ("#price", "#missed"):
        before = tab.inner_text("#chips")
        click_picture(tab, picture, 0.45, 0.55)
        assert tab.inner_text("#chips") != before
    boundary = "of mid or above predicted lower than mid"
    tab.locator("#boundary").select_option(label=boundary)
    settle(tab)
    tab.locator("#boundary-most").focus()
    tab.keyboard.press("ArrowLeft")
    settle(tab)
    assert boundary in tab.inner_text("#chips")


def number(text):
    return float(text.replace("\N{MINUS SIGN}", "-"))


@pytest.mark.checks("Files, exports and pages", "predict, in a browser")
@pytest.mark.parametrize("candidate", ["additive", "scorecard", "ensemble"])
def test_predictions_of_a_single_row_match_python(searched, tab, candidate):
    select_candidate(tab, candidate)
    model = select(searched, "equal", candidate)
    X = searched.selector_.samples.X
    for i in range(3):
        for name, cell in X.iloc[i].items():
            field = tab.get_by_label(name, exact=True)
            text = repr(float(cell))
            # Browsers take hyphens only in fields of numbers.
            if field.get_attribute("type") != "number":
                text = text.replace("-", "\N{MINUS SIGN}")
            field.fill(text)
        row = X.iloc[[i]]
        shares = tab.locator("#case-proba td").all_inner_texts()
        shown = [float(share.strip(" %")) / 100 for share in shares]
        assert shown == pytest.approx(model.predict_proba(row)[0], abs=6e-4)
        lines = tab.locator("#case-adds tbody tr").all_inner_texts()
        *amounts, total = (number(line.split("\t")[-1]) for line in lines)
        assert sum(amounts) == pytest.approx(total, abs=0.02)
        change = tab.inner_text("#case-change")
        words = re.search(r"another class: (\w+) if (\w+) were (.+)\.", change)
        if words:
            other = row.assign(**{words[2]: number(words[3])})
            assert model.predict(other)[0] == words[1] != tab.inner_text("#case-class")


def test_a_page_opens_with_the_given_costs_and_limits(searched, show):
    costs = Costs([1, 2, 5], "squared", priors=[0.5, 0.3, 0.2], refer={"person": 1.5})
    limits = {
        "high<mid": 0.3,
        "mid>mid": 0.2,
        "predicted high": 0.4,
        "low predicted high": 0.1,
    }
    tab = show(make_page(searched.selector_, run="runs/a", costs=costs, limits=limits))
    command = tab.inner_text("#command")
    given = "--class-costs 1,2,5 --loss squared --priors 0.5,0.3,0.2"
    options = " ".join(f"--limit '{name}:{most}'" for name, most in limits.items())
    assert f"{given} {options} --refer person:1.5" in command
    evidence = searched.selector_.select(costs, limits=limits).evidence
    assert evidence.selected in tab.inner_text("#choice-title")
    assert_array_equal(counts_shown(tab), evidence.confusion)


def test_score_parts_and_effects_match_python(searched, tab, tmp_path):
    for candidate in ("proportional odds", "additive"):
        select_candidate(tab, candidate)
        model = downloaded(tab, tmp_path)
        parts = model.parts(model.columns_of(searched.selector_.samples.X))
        share = parts.std(ddof=0).sort_values(ascending=False)
        share = share[share > 0.0]
        names = tab.locator("#parts tbody th").all_inner_texts()
        shown = [name.replace("\N{MULTIPLICATION SIGN}", "*") for name in names]
        assert shown == list(share.index)
        cells = tab.locator("#parts tbody td:first-of-type").all_inner_texts()
        percent = [float(cell.strip(" %")) for cell in cells]
        assert_allclose(percent, 100 * share / share.sum(), atol=0.06)
    chosen = select(searched, "equal").evidence.selected
    for candidate in ("scorecard", "ensemble", chosen):
        explained = searched.explain(select(searched, "equal", candidate))
        select_candidate(tab, candidate)
        (drawn,) = tab.locator("#moves tr", has_text="cm").locator("polyline").all()
        points = drawn.get_attribute("points").replace(",", " ").split()
        heights = -np.array(points[1::2], dtype=float)
        effect = explained.effects.query("feature == 'cm'")["expected rank"]
        assert np.corrcoef(effect, heights)[0, 1] > 0.999


def test_the_address_restores_everything_and_undo_goes_back(page, tab, show):
    parts = ("#choice", "#classes", "#candidates", "#chips", "#member", "#command")
    set_up(tab, "two limits")
    press(tab, "Pin to compare")
    select_candidate(tab, "linear")
    tab.locator("#front circle.member").first.dispatch_event("click")
    kept = [tab.inner_text(part) for part in parts]
    tab.wait_for_url(lambda url: "member" in url)  # it follows after a pause
    address = tab.evaluate("location.hash")
    for _ in range(12):
        tab.evaluate("document.getElementById('undo').click()")
    assert tab.evaluate("location.hash") == ""
    assert tab.get_by_role("button", name="Undo").is_disabled()
    again = show(page, address=address)
    assert kept == [again.inner_text(part) for part in parts]
    for address in (
        "#of something else",
        '#{"kind":"none"}',
        '#{"limits":[{"name":"none"}]}',
        '#{"classes":3,"limits":[{"name":"none"}]}',
    ):
        assert show(page, address=address).inner_text("#chips") == ""


def test_a_notebook_shows_the_page_in_a_frame(chromium, page):
    tab = chromium.new_page()
    tab.set_content(f"<h1>notebook</h1>{page._repr_html_()}")
    frame = tab.frame_locator("iframe")
    frame.locator("html[data-ready]").wait_for(state="attached")
    before = frame.locator("#sentence").inner_text()
    frame.get_by_role("slider").first.fill("0.9")
    assert frame.locator("#sentence").inner_text() != before
    assert tab.locator("h1").all_inner_texts() == ["notebook"]
    # in the frame the page is still under its own policy
    forbidden = frame.locator("html").evaluate(
        """() => new Promise((tell) => {
            addEventListener("securitypolicyviolation", (event) => tell(event.effectiveDirective));
            fetch("http://127.0.0.1:9").catch(() => setTimeout(() => tell("nothing"), 2000));
        })"""
    )
    assert forbidden == "connect-src"
    tab.close()

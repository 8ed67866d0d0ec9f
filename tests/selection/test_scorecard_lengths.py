import numpy as np
import pytest

from moselect import Scorecard, plots

COSTS = np.array([[0.0, 1.0, 2.0], [1.0, 0.0, 1.0], [6.0, 3.0, 0.0]])


@pytest.fixture(scope="module")
def card(search):
    return search[0].select(cost_matrix=COSTS, model="scorecard")


@pytest.fixture(scope="module")
def lengths(search, card):
    return search[0].scorecard_lengths(card)


@pytest.mark.checks("Costs", "scorecards of each length, fitted by hand")
def test_lengths_are_those_of_scorecards_that_are_fitted_in_each_fold(search, lengths):
    fitted, X, y = search
    codes = y.cat.codes.to_numpy()
    for n_conditions in (1, 3, 6):
        predicted = np.empty(len(y), int)
        n_columns = []
        for train, test in fitted.selector_.folds:
            card = Scorecard(n_conditions).fit(X.iloc[train], y.iloc[train])
            predicted[test] = (card.predict_proba(X.iloc[test]) @ COSTS).argmin(axis=1)
            n_columns.append(card.card_["condition"].str.split().str[0].nunique())
        found = lengths.loc[n_conditions]
        assert found["cost"] == pytest.approx(COSTS[codes, predicted].mean())
        assert found["accuracy"] == pytest.approx(np.mean(codes == predicted))
        assert found["columns"] == np.mean(n_columns)


def test_the_length_in_use_has_the_figures_of_the_evidence(card, lengths):
    evidence = card.evidence
    length = lengths.loc[len(card.coef_)]
    measures = evidence.measures.loc["scorecard", "cv"]
    assert length[measures.index].to_numpy() == pytest.approx(measures.to_numpy())
    cost, error = evidence.chosen.figure()
    assert length[["cost", "std_error"]].tolist() == pytest.approx([cost, error])


def test_lengths_are_drawn(lengths):
    cost, ranking = plots.scorecard_lengths(lengths, selected=8).axes
    assert cost.lines[0].get_ydata() == pytest.approx(lengths["cost"])
    for line, name in zip(ranking.lines, ("vus", "u_cons"), strict=False):
        assert line.get_ydata() == pytest.approx(lengths[name])
    assert cost.lines[-1].get_xdata() == [8, 8]


def test_only_scorecards_have_lengths(search):
    model = search[0].select(cost_matrix=COSTS, model="linear")
    with pytest.raises(ValueError, match=r"selected model, linear, is no scorecard"):
        search[0].scorecard_lengths(model)
    with pytest.raises(ValueError, match="not selected by this search"):
        search[0].scorecard_lengths(model.replace(evidence=None))

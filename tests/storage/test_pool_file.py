from __future__ import annotations

import io
import json
import os
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import skops.io
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.ensemble import ExtraTreesRegressor
from sklearn.linear_model import Ridge

from moselect.columns import Preparation, predict_table
from moselect.models import OrdinalPool
from moselect.models.pool.base_models import BASE_MODELS
from moselect.models.pool.ordinal_extra_trees import OrdinalExtraTrees
from moselect.models.pool.rank_regressors import BoostedRanks
from moselect.storage import read_pool, write_pool

rng = np.random.default_rng(0)
X = rng.normal(size=(90, 3))
Y = np.digitize(X[:, 0] + 0.5 * rng.normal(size=90), [-0.5, 0.5])


class Own(RegressorMixin, BaseEstimator):
    """A model that moselect does not know."""

    def fit(self, X, y):
        return self

    def predict(self, X):
        return X[:, 0]


class Boom:
    """What a stranger would have run."""

    def __reduce__(self):
        return os.system, ("echo boom",)


@pytest.fixture(scope="module")
def pool():
    return OrdinalPool(max_seconds=None, random_state=0).fit(X, Y)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "pool.skops"


def test_a_pool_comes_back_to_the_last_bit(pool, path):
    write_pool(path, pool)
    again = read_pool(path).pool
    assert again.model_names_ == list(BASE_MODELS)
    np.testing.assert_array_equal(again.predict_proba(X), pool.predict_proba(X))
    np.testing.assert_array_equal(again.oof_ranks_, pool.oof_ranks_)
    assert again.get_params() == pool.get_params()


def test_a_pool_keeps_its_preparation_and_costs(path):
    table = pd.DataFrame({"a": X[:, 0], "kind": np.where(X[:, 1] > 0.0, "yes", "no")})
    preparation = Preparation(random_state=0)
    pool = OrdinalPool(["proportional_odds"], random_state=0)
    pool.fit(preparation.fit_transform(table, Y), Y)
    costs = np.array([[0.0, 1.0, 9.0], [1.0, 0.0, 1.0], [9.0, 1.0, 0.0]])
    write_pool(path, pool, preparation=preparation, cost_matrix=costs, about={"model": "pool"})
    kept = read_pool(path)
    assert kept.about == {"model": "pool"}
    found = predict_table(kept.pool, table, kept.preparation, kept.cost_matrix)
    decided = pool.decide(preparation.transform(table), costs)
    np.testing.assert_array_equal(found.classes, decided)
    assert (decided != pool.predict(preparation.transform(table))).any()


def test_rows_that_a_pool_cannot_score_have_a_reason(pool):
    named = OrdinalPool(["proportional_odds"], random_state=0)
    named.fit(pd.DataFrame(X, columns=list("abc")), Y)
    table = pd.DataFrame({"c": [0.1, 0.2], "b": [0.0, None], "a": ["1.5", "2"]})
    found = predict_table(named, table)
    assert found.reasons.tolist() == ["", "'b' is missing"]
    complete = pd.DataFrame([[1.5, 0.0, 0.1]], columns=list("abc"))
    assert found.classes.tolist() == [named.predict(complete)[0], None]


def test_pools_of_large_tables_and_of_estimators_of_scikit_learn(path):
    X = rng.normal(size=(5_100, 2))
    y = np.digitize(X[:, 0] + rng.normal(size=5_100), [0.0])
    models = [("hist", BoostedRanks(5)), ("ridge", Ridge()), ("trees", ExtraTreesRegressor(3))]
    pool = OrdinalPool(models, max_seconds=None, random_state=0).fit(X, y)
    write_pool(path, pool)
    np.testing.assert_array_equal(read_pool(path).pool.predict_proba(X), pool.predict_proba(X))


def test_a_pool_with_a_model_of_ones_own_is_not_written(path):
    pool = OrdinalPool([Own()], max_seconds=None).fit(X, Y)
    with pytest.raises(ValueError, match=r"cannot be written to a file: it holds .*Own"):
        write_pool(path, pool)
    assert not path.exists()


def test_a_file_with_another_type_is_refused(pool, path):
    foreign = OrdinalPool([Own()], max_seconds=None).fit(X, Y)
    skops.io.dump({"pool": foreign}, path)
    with pytest.raises(ValueError, match=r"holds .*Own, which moselect never writes: it is not op"):
        read_pool(path)


def test_a_file_that_names_a_function_to_call_is_refused(pool, path, capfd):
    changed = OrdinalPool([Ridge()], max_seconds=None).fit(X, Y)
    changed.left_out_ = {"a": os.system}
    skops.io.dump({"pool": changed}, path)
    with pytest.raises(ValueError, match="which moselect never writes"):
        read_pool(path)
    assert capfd.readouterr().out == ""


def test_no_pickle_is_opened(path):
    import pickle

    path.write_bytes(pickle.dumps(Boom()))
    with pytest.raises(ValueError, match=r"the pool .* cannot be read"):
        read_pool(path)


def test_trees_that_lead_outside_are_refused(path):
    for model in (OrdinalExtraTrees(2), BoostedRanks(3), ExtraTreesRegressor(2)):
        pool = OrdinalPool([model], max_seconds=None, random_state=0).fit(X, Y)
        fitted = pool.models_[0].estimator
        forest = getattr(fitted, "model_", fitted)
        tree = np.ravel(forest.estimators_)[0].tree_
        state = tree.__getstate__()
        state["nodes"]["left_child"][0] = 10_000
        tree.__setstate__(state)
        skops.io.dump({"pool": pool}, path)
        with pytest.raises(ValueError, match=r"damaged .*: a tree has a node that leads outside"):
            read_pool(path)


def test_trees_that_ask_for_features_that_are_not_there_are_refused(path):
    pool = OrdinalPool([ExtraTreesRegressor(2)], max_seconds=None, random_state=0).fit(X, Y)
    tree = pool.models_[0].estimator.estimators_[0].tree_
    state = tree.__getstate__()
    state["nodes"]["feature"][0] = 3
    tree.__setstate__(state)
    skops.io.dump({"pool": pool}, path)
    with pytest.raises(ValueError, match="asks for a feature that is not there"):
        read_pool(path)


def test_other_files_are_refused(pool, path):
    with pytest.raises(ValueError, match=r"cannot read the pool .*No such file"):
        read_pool(path)
    skops.io.dump(Ridge(), path)
    with pytest.raises(ValueError, match="is not a pool, but a Ridge"):
        read_pool(path)
    skops.io.dump({"pool": OrdinalPool()}, path)
    with pytest.raises(ValueError, match="not fitted"):
        read_pool(path)


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.0, 0.5, 0.99])
def test_damaged_files_are_refused(pool, path, share):
    write_pool(path, pool)
    content = path.read_bytes()
    path.write_bytes(content[: int(share * len(content))])
    with pytest.raises(ValueError, match=r"the pool .* cannot be read"):
        read_pool(path)


@pytest.mark.slow
def test_a_file_without_one_of_its_arrays_is_refused(pool, path):
    write_pool(path, pool)
    kept = io.BytesIO()
    with zipfile.ZipFile(path) as whole, zipfile.ZipFile(kept, "w") as part:
        arrays = [name for name in whole.namelist() if name.endswith(".npy")]
        for name in whole.namelist():
            if name != arrays[0]:
                part.writestr(name, whole.read(name))
        assert "__class__" in json.loads(whole.read("schema.json"))
    path.write_bytes(kept.getvalue())
    with pytest.raises(ValueError, match=r"is damaged|cannot be read"):
        read_pool(path)


def test_an_old_file_stays_if_the_new_one_cannot_be_written(pool, path):
    path.write_text("old", encoding="utf-8")
    with pytest.raises(ValueError, match="cannot be written"):
        write_pool(path, OrdinalPool([Own()], max_seconds=None).fit(X, Y))
    assert path.read_text(encoding="utf-8") == "old"
    with pytest.raises(ValueError, match="there is no folder"):
        write_pool(Path("/nowhere/at/all/pool.skops"), pool)

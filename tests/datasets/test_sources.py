from urllib.error import URLError

import pandas as pd
import pytest
import sklearn.datasets
from sklearn.utils import Bunch

from moselect.datasets import load_dataset


@pytest.fixture
def folder(tmp_path, monkeypatch):
    folder = tmp_path / "sets"
    folder.mkdir()
    (folder / "stock_ord.csv").write_text("response,V1\n1,0.5\n2,0.7\n")
    monkeypatch.setenv("MOSELECT_DATA", str(folder))
    return folder


class TestDataFolder:
    @pytest.mark.parametrize("name", ["stock_ord", "stock_ord.csv"])
    def test_is_searched_for_bare_names(self, folder, name):
        dataset = load_dataset(name)
        assert dataset.name == "stock_ord"
        assert dataset.y.tolist() == [1, 2]

    def test_comes_before_bundled_sets_and_the_working_folder(
        self, folder, tmp_path, monkeypatch
    ):
        (folder / "boston.csv").write_text("x,grade\n1,7\n2,8\n")
        (tmp_path / "stock_ord.csv").write_text("x,grade\n1,7\n2,8\n")
        monkeypatch.chdir(tmp_path)
        assert load_dataset("boston").labels == (7, 8)
        assert load_dataset("stock_ord.csv").labels == (1, 2)
        assert load_dataset("./stock_ord.csv").labels == (7, 8)


class TestOpenML:
    def answer(self, monkeypatch, frame, target_names):
        calls = []

        def fetch_openml(**arguments):
            calls.append(arguments)
            return Bunch(frame=frame, target_names=target_names)

        monkeypatch.setattr(sklearn.datasets, "fetch_openml", fetch_openml)
        return calls

    def test_its_default_target_and_nominal_numbers(self, monkeypatch):
        grade = pd.Categorical(["10", "9", "10"])
        frame = pd.DataFrame({"grade": grade, "x": [1, 2, 3], "y": [0.5, 0.6, 0.7]})
        calls = self.answer(monkeypatch, frame, ["grade"])
        dataset = load_dataset("openml:43")
        assert calls == [{"data_id": 43, "as_frame": True}]
        assert (dataset.name, dataset.target) == ("openml:43", "grade")
        assert dataset.labels == (9, 10)
        assert dataset.X.columns.tolist() == ["x", "y"]

    @pytest.mark.parametrize(
        "failure",
        [URLError("no route to host")],
    )
    def test_a_failure_is_one_line(self, monkeypatch, failure):
        def fail(**_):
            raise failure

        monkeypatch.setattr(sklearn.datasets, "fetch_openml", fail)
        with pytest.raises(
            ValueError,
            match=r"cannot fetch 'openml:43' from OpenML: .*(host|IncompleteRead|found)",
        ) as caught:
            load_dataset("openml:43")
        assert "\n" not in str(caught.value)

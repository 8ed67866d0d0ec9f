from __future__ import annotations

import pytest

from moselect.export import export_model
from moselect.export.export_model import SUFFIXES
from moselect.models import OrdinalLinearClassifier, ProportionalOdds, model_card

MODEL = OrdinalLinearClassifier([1.0, 2.0], [0.5], ["low", "high"], ["a", "b"])
CARD = model_card(MODEL, [[1.0, 2.0], [-3.0, 0.0]], ["high", "low"], predicts="risk")


@pytest.mark.parametrize("suffix", [suffix for suffix in SUFFIXES if suffix != ".png"])
def test_files_appear_and_are_not_overwritten(tmp_path, suffix):
    path = tmp_path / f"model{suffix.upper()}"
    export_model(MODEL, str(path), card=CARD)
    before = path.read_bytes()
    assert before.startswith(b"PK") == (suffix == ".xlsx")
    with pytest.raises(ValueError, match="exists already"):
        export_model(MODEL, path, card=CARD)
    path.write_text("mine")
    export_model(MODEL, path, card=CARD, overwrite=True)
    if suffix != ".xlsx":  # which holds the time
        assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_other_models_say_in_one_line_why(tmp_path, suffix):
    with pytest.raises(
        ValueError, match="ProportionalOdds cannot be written down"
    ) as error:
        export_model(ProportionalOdds(), tmp_path / f"model{suffix}", card=CARD)
    assert "\n" not in str(error.value)
    assert not list(tmp_path.iterdir())


def test_what_is_missing_is_said(tmp_path):
    with pytest.raises(
        ValueError, match=r"must end in \.sql, \.xlsx, \.py, \.onnx, \.html"
    ):
        export_model(MODEL, tmp_path / "model.r")
    with pytest.raises(ValueError, match="is to be a model card, but the model has none"):
        export_model(MODEL, tmp_path / "model.html")
    with pytest.raises(ValueError, match="there is no folder"):
        export_model(MODEL, tmp_path / "none" / "model.sql")
    assert not list(tmp_path.iterdir())

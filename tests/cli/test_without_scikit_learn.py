"""`predict` evaluates model files without scikit-learn."""

import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from tests.cli.conftest import QUICK, run_in

CLAIMS = Path(__file__).parents[2] / "docs" / "data" / "claims.csv"
SCRIPT = """
import sys
from moselect.cli import main

sys.argv = ["moselect", *sys.argv[1:]]
try:
    main()
except SystemExit as ending:
    assert not ending.code, ending.code
loaded = {name.partition(".")[0] for name in sys.modules}
print(sorted(loaded & {"sklearn", "skops", "joblib"}))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Folder of a search on the guide's claims, which have text, dates and gaps."""
    folder = tmp_path_factory.mktemp("claims")
    shutil.copy(CLAIMS, folder)
    options = "--target severity --order none,slight,serious,severe --folds 0 --out run"
    run_in(folder, f"search claims.csv {options} {QUICK}")
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("candidate", ["scorecard", "linear", "additive", "ensemble"])
def test_no_candidate_needs_scikit_learn_to_predict(folder, candidate):
    model = f"{candidate}{'.npz' if candidate == 'ensemble' else '.json'}"
    run_in(folder, f"select run --class-costs 1,1,2,2 --model {candidate} -o {model}")
    predict = f"predict {model} claims.csv --proba --explain --quiet --force -o"
    run_in(folder, f"{predict} expected.csv")
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *predict.split(), "found.csv"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"
    found, expected = (
        pd.read_csv(folder / f"{name}.csv") for name in ("found", "expected")
    )
    pd.testing.assert_frame_equal(found, expected)

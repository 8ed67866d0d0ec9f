"""`predict` of a file of ours imports no scikit-learn: it reads and evaluates arrays alone."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from moselect import ParetoSearch
from moselect.io import write_model

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
def files(tmp_path_factory):
    rng, folder = np.random.default_rng(0), tmp_path_factory.mktemp("plain")
    n = 120
    words = ["roof", "tile", "water", "glass", "door", "wall", "fire"]
    X = pd.DataFrame(
        {
            "size": rng.normal(size=n),
            "town": rng.choice(list("abc"), n),
            "day": pd.Timestamp("2024-01-01")
            + pd.to_timedelta(rng.integers(0, 500, n), "D"),
            "note": [" ".join(rng.choice(words, 4)) + f" no {i}" for i in range(n)],
        }
    )
    y = np.digitize(X["size"] + X["note"].str.contains("fire"), [-0.3, 0.8])
    X.to_csv(folder / "table.csv", index=False)
    search = ParetoSearch(n_iterations=2, cv=None, random_state=0).fit(X, y)
    for candidate in ("scorecard", "linear", "additive", "ensemble"):
        model = search.select(class_costs=[1, 1, 2], model=candidate)
        path = folder / f"{candidate}{'.npz' if candidate == 'ensemble' else '.json'}"
        write_model(path, model)
        pd.DataFrame(
            {"P": model.predict_proba(X)[:, 0], "class": model.predict(X)}
        ).to_csv(folder / f"{candidate}.expected.csv", index=False)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("candidate", ["scorecard", "linear", "additive", "ensemble"])
def test_no_candidate_needs_scikit_learn_to_predict(files, tmp_path, candidate):
    model = next(path for path in files.glob(f"{candidate}.*") if path.suffix != ".csv")
    out = tmp_path / "out.csv"
    command = ["predict", str(model), str(files / "table.csv"), "-o", str(out)]
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *command, "--proba", "--explain", "--quiet"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"
    found = pd.read_csv(out)
    expected = pd.read_csv(Path(files / f"{candidate}.expected.csv"))
    assert found["class"].tolist() == expected["class"].tolist()
    shares = found.filter(like="P(").iloc[:, 0]
    np.testing.assert_allclose(shares, expected["P"], atol=1e-12)

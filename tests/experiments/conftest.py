"""Small sizes of the papers' experiments, run once each."""

import functools

import matplotlib as mpl
import pytest

from experiments import verdicts
from experiments.catalogue import find_experiments


@pytest.fixture(scope="session")
def quick(tmp_path_factory):
    """Run an experiment in its small size; return verdicts by key and the folder of figures."""
    mpl.use("Agg")
    experiments = {experiment.name: experiment for experiment in find_experiments()}

    @functools.cache
    def run(name):
        folder = tmp_path_factory.mktemp(name)
        shares = []
        results = experiments[name].run(folder, quick=True, report=shares.append)
        assert shares == sorted(shares)
        assert 0.0 < shares[-1] <= 1.0 + 1e-12
        expected = verdicts.read_expected(experiments[name].folder / "expected.csv")
        return verdicts.judge(expected, results, complete=False).set_index("key"), folder

    return run

"""Remarks on columns that leak classes."""

import numpy as np
import pytest

from moselect.preprocessing.roles import leak_remarks


@pytest.mark.parametrize(
    ("leak", "reason"),
    [
        (lambda codes, noise: 0.1 * noise - np.sign(codes), "AUC 1.000"),
        (lambda codes, noise: np.where(codes == 2, noise, np.nan), "AUC 1.000"),
        (lambda codes, noise: np.array(["well", "ill", "dead"])[codes], "AUC 1.000"),
        (lambda codes, noise: 1000 + noise.argsort(), "numbers the rows"),
        (lambda codes, noise: noise, None),
        (lambda codes, noise: [f"word {i}" for i in range(200)], None),
    ],
)
def test_columns_that_leak_are_named_with_their_option(table, leak, reason):
    X, codes = table
    noise = np.random.default_rng(1).normal(size=200)
    found = leak_remarks(X.assign(leak=leak(codes, noise)), codes)
    assert len(found) == (reason is not None)
    assert all(reason in remark and "(drop=leak)" in remark for remark in found)

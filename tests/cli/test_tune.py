"""`moselect tune`: trials in a run folder, and the selection of one."""

import numpy as np
import pandas as pd
import pytest


@pytest.mark.slow
def test_trials_of_a_run_are_kept_selected_and_used(run, run_command, run_json):
    tune = "tune run --models multinomial,proportional_odds --trials"
    assert run_json(f"{tune} 2")["n_trials"] == 2
    kept = {path: path.read_bytes() for path in (run / "trials").iterdir()}
    begun = run_json(f"{tune} 4")
    assert {path: path.read_bytes() for path in kept} == kept
    assert "select corrects" in " ".join(run_command(f"{tune} 4").stdout.split())
    trials = pd.read_csv(run / "trials.csv").set_index("trial")
    assert trials["estimator"].tolist() == ["multinomial", "proportional_odds"] * 2
    assert set(begun["front"]) <= set(trials.index)
    chosen = run_json(
        "select run --candidates tuned --model multinomial-1 --class-costs 1,1,1 "
        "--loss zero_one -o tuned.npz"
    )
    confusion = np.array(chosen["confusion"])
    accuracy = trials.loc["multinomial-1", "accuracy"]
    assert np.trace(confusion) / confusion.sum() == pytest.approx(accuracy)
    run_command("predict tuned.npz t.csv -o classes.csv")

import json
import re
import shutil

import pytest

from moselect.io import read_run


@pytest.fixture
def run_with_blank(run, run_evidence):
    """Run folder with a blank in its name and with the evidence of its candidates."""
    shutil.copytree(run_evidence[0], run / "evidence")
    return run.rename(run.with_name("my run"))


@pytest.mark.slow
def test_the_page_of_a_run(run_command, tmp_path, run_with_blank):
    record = read_run(run_with_blank).record
    assert run_command("report 'my run' -o p.html").stdout == "p.html\n"
    html = (tmp_path / "p.html").read_text(encoding="utf-8")
    data = json.loads(re.search(r'type="application/json">(.*?)</script>', html)[1])
    assert data["front"]["n_models"] == record["n_models"]
    assert (data["n_columns"], data["classes"]) == (2, ["low", "mid", "high"])
    assert (data["name"], data["target"]) == ("t", "grade")
    assert data["about"]["data"]["fingerprint"] == record["data"]["fingerprint"]
    assert data["run"] == "'my run'"  # as a shell reads it

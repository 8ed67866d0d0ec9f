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


def page_data(path):
    html = path.read_text(encoding="utf-8")
    return json.loads(re.search(r'type="application/json">(.*?)</script>', html)[1])


@pytest.mark.slow
def test_the_page_of_a_run(run_command, tmp_path, run_with_blank):
    record = read_run(run_with_blank).record
    line = "report 'my run' -o p.html"
    assert run_command(line).stdout == "p.html\n"
    data = page_data(tmp_path / "p.html")
    assert data["front"]["n_models"] == record["n_models"]
    assert (data["n_columns"], data["classes"]) == (2, ["low", "mid", "high"])
    assert (data["name"], data["target"]) == ("t", "grade")
    assert data["about"]["data"]["fingerprint"] == record["data"]["fingerprint"]
    assert data["run"] == "'my run'"  # as a shell reads it

    assert run_command(f"{line} --force --quiet").stdout == ""
    assert page_data(tmp_path / "p.html") == data  # by models that were kept

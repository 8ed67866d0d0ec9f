import json
import re
import shutil
from html import unescape

import pytest

from moselect.io import read_run


@pytest.mark.slow
def test_the_page_of_a_run_with_a_blank_in_its_name(
    run_command, tmp_path, run, run_evidence
):
    shutil.copytree(run_evidence[0], run / "evidence")  # nothing is fitted
    path = run / "run.json"
    remarked = json.loads(path.read_text()) | {"remarks": ["MS101: 'a<b' tells"]}
    path.write_text(json.dumps(remarked))
    record = read_run(run.rename("my run")).record
    assert run_command("report 'my run' -o p.html").stdout == "p.html\n"
    html = (tmp_path / "p.html").read_text(encoding="utf-8")
    data = json.loads(re.search(r'type="application/json">(.*?)</script>', html)[1])
    assert data["front"]["n_models"] == record["n_models"]
    assert (data["n_columns"], data["classes"]) == (2, ["low", "mid", "high"])
    about = data["about"]["data"]
    assert (about["name"], about["target"]) == ("t", "grade")
    assert about["fingerprint"] == record["data"]["fingerprint"]
    assert data["run"] == "'my run'"  # as a shell reads it
    assert data["remarks"] == ["MS101: 'a<b' tells"]
    header = unescape(html.partition("<section")[0])
    assert "Check before use: 1 remark on the data" in header
    assert data["remarks"][0] in header

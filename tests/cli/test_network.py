"""No command opens a network connection."""

import json
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow
WATCHED = """
import json, sys
opened = []
def watch(event, arguments):
    if event in ("socket.connect", "socket.sendto", "socket.getaddrinfo", "socket.bind"):
        opened.append([event, repr(arguments[-1])])
sys.addaudithook(watch)
from moselect.cli import main
for line in sys.argv[1:]:
    sys.argv = ["moselect", *line.split()]
    try:
        main()
    except SystemExit as end:
        assert not end.code, (line, end.code)
sys.stderr.write("opened:" + json.dumps(opened))
"""
LINES = [
    "search t.csv --folds 2 --runs 2 --jobs 2 --out run --evaluations 30 --particles 10",
    "select run --class-costs 1,1,5 --model linear -o m.json --export m.sql",
    "predict m.json t.csv -o p.csv",
    "report run -o page.html",
    "compare t.csv --models always_one_class --folds 2 --out c.json",
    "datasets",
]


def test_no_command_opens_a_socket(table):
    table.to_csv("t.csv", index=False)
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, *LINES],
        capture_output=True,
        text=True,
        timeout=1200,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stderr.rpartition("opened:")[2]) == []

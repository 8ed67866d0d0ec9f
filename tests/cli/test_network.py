"""No command opens a connection that was not asked for."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow
WATCHED = """
import json, sys
reached = []
def watch(event, arguments):
    if event in ("socket.connect", "socket.sendto", "socket.getaddrinfo", "socket.bind"):
        reached.append([event, repr(arguments[-1])])
sys.addaudithook(watch)
from moselect.cli import main
for command in json.loads(sys.argv[1]):
    sys.argv = ["moselect", *command]
    try:
        main()
    except SystemExit as end:
        assert not end.code, (command, end.code)
sys.stderr.write("reached:" + json.dumps(reached))
"""
QUICK = ("--evaluations", "30", "--particles", "10", "--seed", "1")
COSTS = ("--class-costs", "1,1,5", "--kind", "linear")


def reached_by(folder, script, *arguments):
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=1200,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stderr.rpartition("reached:")[2])


def test_no_command_opens_a_socket(tmp_path, table):
    table.to_csv(tmp_path / "t.csv", index=False)
    commands = [
        [
            "search",
            "t.csv",
            "--folds",
            "2",
            "--runs",
            "2",
            "--jobs",
            "2",
            "--out",
            "run",
            *QUICK,
        ],
        ["select", "run", *COSTS, "-o", "m.json", "--export", "m.sql"],
        ["predict", "m.json", "t.csv", "-o", "p.csv"],
        ["report", "run", "-o", "page.html"],
        [
            "compare",
            "t.csv",
            "--models",
            "always_one_class",
            "--folds",
            "2",
            "--out",
            "c.jsonl",
        ],
        ["datasets"],
    ]
    assert reached_by(tmp_path, WATCHED, json.dumps(commands)) == []


def test_the_watch_sees_connections(tmp_path):
    script = WATCHED.replace(
        "from moselect.cli import main\n", "import socket\n"
    ).replace(
        "        main()\n", "        socket.socket().connect_ex(('127.0.0.1', 9))\n"
    )
    assert reached_by(tmp_path, script, json.dumps([["x"]]))[0][0] == "socket.connect"

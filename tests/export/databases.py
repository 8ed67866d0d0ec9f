"""Three databases behind one function: rows in, the rows of a SELECT out."""

import csv
import io
import itertools
import os
import shutil
import sqlite3
import subprocess
from pathlib import Path

import duckdb
import numpy as np
import pytest

from moselect.export import sql_of


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def create(table, column_types, name):
    columns = ", ".join(
        f"{quoted(c)} {column_types.get(c, 'DOUBLE PRECISION')}" for c in table
    )
    return f"CREATE TABLE {quoted(name)} ({columns})"


def rows_of(table):
    cells = table.astype(object)
    return [*cells.where(cells.notna(), None).itertuples(index=False, name=None)]


def _embedded(connection, sql, table, column_types, name="data"):
    connection.execute(create(table, column_types, name))
    row = f"({', '.join('?' for _ in table)})"
    values = ", ".join([row] * len(table))  # at once: DuckDB is slow at single rows
    connection.execute(
        f"INSERT INTO {quoted(name)} VALUES {values}", [*itertools.chain(*rows_of(table))]
    )
    found = connection.execute(sql)
    names = [column[0] for column in found.description]
    rows = found.fetchall()
    connection.close()
    return names, rows


def run_sqlite(*query):
    return _embedded(sqlite3.connect(":memory:"), *query)


def run_duckdb(*query):
    return _embedded(duckdb.connect(), *query)


def predictions_of(run, query, table, column_types):
    """Run a query; return the score and class of each row, in order."""
    numbered = table.assign(id=range(len(table)))
    names, found = run(query, numbered, {**column_types, "id": "INTEGER"})
    assert names == [*numbered.columns, "score", "class"]
    return [row[-2:] for row in sorted(found, key=lambda row: int(row[-3]))]


def check_case(run, case):
    """Check that every row has the class of `predict`."""
    found = predictions_of(run, sql_of(case.model), case.table, case.column_types)
    scores, classes = zip(*found, strict=True)
    assert list(classes) == case.classes
    atol = 1e-13 if case.column_types else 1e-14
    np.testing.assert_allclose(np.array(scores, float), case.scores, 1e-13, atol)


class Postgres:
    """A server of its own in a folder, reached by a socket in it."""

    def __init__(self, folder):
        programs = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
        found = str(programs[-1]) if programs else shutil.which("initdb")
        if found is None:
            pytest.skip("there is no PostgreSQL server: apt-get install postgresql")
        self._programs = Path(found).parent
        self._folder = folder
        # A server refuses to run as root.
        self._user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        if self._user:
            folder.chmod(0o755)
            shutil.chown(folder, "postgres")
        options = "-U postgres -A trust -E UTF8"
        self._run("initdb", "-D", folder / "data", *options.split())
        options = f"-k {folder} -c listen_addresses= -c fsync=off"
        self._control("start", "-w", "-o", options, "-l", folder / "log")

    def _run(self, program, *arguments, text=None):
        return subprocess.run(
            [*self._user, self._programs / program, *arguments],
            input=text,
            stdout=subprocess.PIPE if text is not None else subprocess.DEVNULL,
            check=True,
            timeout=120,
            cwd=self._folder,
            encoding="utf-8",
        ).stdout

    def _control(self, *arguments):
        self._run("pg_ctl", "-D", self._folder / "data", *arguments)

    def stop(self):
        self._control("stop", "-m", "immediate")

    def __call__(self, sql, table, column_types, name="data"):
        rows = io.StringIO()
        csv.writer(rows, lineterminator="\n").writerows(
            ["" if value is None else value for value in row] for row in rows_of(table)
        )
        (self._folder / "rows.csv").write_text(rows.getvalue(), encoding="utf-8")
        script = (
            f"DROP TABLE IF EXISTS {quoted(name)};\n{create(table, column_types, name)};\n"
            f"COPY {quoted(name)} FROM '{self._folder}/rows.csv' WITH (FORMAT csv);\n{sql}"
        )
        options = "-U postgres -X -q --csv -v ON_ERROR_STOP=1 -f -"
        printed = self._run("psql", "-h", self._folder, *options.split(), text=script)
        names, *found = csv.reader(io.StringIO(printed, newline=""))
        blank = [
            (*row[:-2], float(row[-2]) if row[-2] else None, row[-1] or None)
            for row in found
        ]
        return names, blank

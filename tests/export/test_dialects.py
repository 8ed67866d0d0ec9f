from __future__ import annotations

import sys

import pytest
import sqlglot
from sqlglot import ErrorLevel, exp

from moselect.export import sql_of
from moselect.export.dialects import DIALECTS, RUN, STARS_WITHOUT
from moselect.graph.formula import Formula
from moselect.models.terms import DatePart, Number, Truth
from tests.export.cases import LABELS, NAMES, PREPARED, make_case
from tests.export.databases import check_case

DATE = DatePart("when", "weekday", "%d.%m.%Y %H:%M", 4.0, gaps=("n.a.",))


# The hostile names include "score", of which BigQuery and Snowflake would take only one.
CASES = [
    (dialect if dialect in RUN else "duckdb", dialect, name)
    for dialect in (*sorted(RUN), *STARS_WITHOUT)
    for name in (*PREPARED, "terms", "decimals")
    if dialect in RUN or name != "decimals"
]


@pytest.mark.slow
@pytest.mark.parametrize(("run", "dialect", "name"), CASES, indirect=["run"])
def test_every_row_has_the_class_of_predict(run, dialect, name):
    check_case(run, make_case(name), dialect)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_names_labels_and_what_is_said_of_the_database(dialect):
    query = sql_of(make_case("decimals").formula, "my.own table", dialect=dialect)
    where = query.splitlines()[3]
    assert DIALECTS[dialect] in where
    assert ("not run" in where) == (dialect not in RUN)
    tree = sqlglot.parse_one(query, dialect=dialect)
    tree.sql(dialect, unsupported_level=ErrorLevel.RAISE)
    assert {
        column.name for column in tree.find_all(exp.Column) if column.table == "t"
    } >= {*NAMES}
    assert {*LABELS} <= {text.name for text in tree.find_all(exp.Literal, exp.National)}
    (table,) = (table for table in tree.find_all(exp.Table) if table.db)
    assert (table.db, table.name) == ("my", "own table")


def test_what_sql_server_does_not_have():
    formula = Formula(
        (DATE, Truth("é", 1.0), Number("x")), (1.0, 1.0, 1.0), (0.5,), (False, True)
    )
    query = sql_of(formula, dialect="tsql")
    tree = sqlglot.parse_one(query, dialect="tsql")
    assert not list(tree.find_all(exp.Boolean, exp.DPipe))
    assert all(part.args.get("length") for part in tree.find_all(exp.Substring))
    assert "LEADING" not in query
    assert "MAX)) COLLATE Latin1_General_BIN2" in query  # or "red" is "Red"


def test_sqlglot_may_be_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "sqlglot", None)
    with pytest.raises(ValueError, match=r"pip install 'moselect\[sql\]'"):
        sql_of(make_case("decimals").formula, dialect="tsql")

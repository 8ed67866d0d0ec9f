import pytest
import sqlglot
from sqlglot import ErrorLevel, exp

from moselect.export import sql, sql_of
from moselect.export.sql import DIALECTS
from tests.export.cases import LABELS, NAMES, PREPARED, make_case
from tests.export.databases import check_case


# Hostile names include "score", and BigQuery and Snowflake refuse two columns of one name.
@pytest.mark.slow
@pytest.mark.parametrize("run", ["duckdb"], indirect=True)
@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", PREPARED)
def test_every_row_has_the_class_of_predict(run, dialect, name):
    check_case(run, make_case(name), dialect)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_names_and_labels(dialect):
    query = sql_of(make_case("decimals").model, "my.own table", dialect=dialect)
    assert f"Written for {dialect} by sqlglot" in query.splitlines()[3]
    tree = sqlglot.parse_one(query, dialect=dialect)
    tree.sql(dialect, unsupported_level=ErrorLevel.RAISE)
    assert {
        column.name for column in tree.find_all(exp.Column) if column.table == "t"
    } >= {*NAMES}
    assert {*LABELS} <= {text.name for text in tree.find_all(exp.Literal)}
    (table,) = (table for table in tree.find_all(exp.Table) if table.db)
    assert (table.db, table.name) == ("my", "own table")


def test_sqlglot_may_be_missing(monkeypatch):
    monkeypatch.setattr(sql, "find_spec", lambda name: None)
    with pytest.raises(ValueError, match=r"pip install 'moselect\[sql\]'"):
        sql_of(make_case("decimals").model, dialect="snowflake")

import numpy as np
import pandas as pd
import pytest

from moselect.datasets import blocks
from moselect.datasets.blocks import find_blocks
from moselect.datasets.tables import read_source

NUMBERS = np.random.default_rng(0).normal(size=200).round(2)
TABLE = pd.DataFrame(
    {
        "size": NUMBERS,
        "count": np.arange(200),
        "gaps": np.where(NUMBERS > 1.0, None, np.arange(200)),
        "note": ['two\nlines; "quoted"' if x > 0.5 else "Total" for x in NUMBERS],
        "town": ["Köln" if x < -1.5 else "Bonn" for x in NUMBERS],
        "code": [f"{i % 7:03d}" for i in range(200)],
    }
)
FORMS = {
    "commas": TABLE.to_csv(index=False).encode(),
    "german": TABLE.to_csv(index=False, sep=";", decimal=",").encode("cp1252"),
    "titles": b"# of May\nList of houses\n\n" + TABLE.to_csv(index=False).encode(),
    "sums": TABLE.to_csv(index=False).encode() + b"Total,19900,,,,\n",
    "wide": TABLE.to_csv(index=False).encode("utf-16"),
}


@pytest.mark.parametrize("form", [*FORMS, "parquet"])
def test_blocks_add_up_to_the_full_table(tmp_path, monkeypatch, form):
    path = tmp_path / "t.csv"
    if form == "parquet":
        TABLE.astype({"gaps": float}).to_parquet(path)
    else:
        path.write_bytes(FORMS[form])
    source = read_source(path)
    monkeypatch.setattr(blocks, "MAX_BYTES", 0)
    monkeypatch.setattr(blocks, "BLOCK_BYTES", 1000)
    monkeypatch.setattr(blocks, "BLOCK_CELLS", 100)
    found = [*find_blocks(str(path))]
    assert len(found) > 5 or form == "wide"
    tables = [source.table for source in found]
    pd.testing.assert_frame_equal(pd.concat(tables, ignore_index=True), source.table)
    for name in source.table:
        written = pd.concat([source.as_written(name) for source in found]).astype(str)
        assert written.tolist() == source.as_written(name).astype(str).tolist()
    assert {source.decimal for source in found} == {source.decimal}

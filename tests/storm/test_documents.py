"""Documents that were edited or made by others: read, or refused in one line."""

from __future__ import annotations

import io
import json
import shutil
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.storm.belongings import make, record_of, sha256
from tests.storm.campaign import storm
from tests.storm.commands import check_kept, contents, run
from tests.storm.strategies.documents import as_text, damaged, edited

pytestmark = pytest.mark.slow

READS_A_RUN = (
    ("select", "plain", "--model", 0, "-o", "m.json"),
    ("select", "plain", "--model", 0, "-o", "m.json", "--json"),
    ("select", "plain", "--class-costs", "1,1,5", "-o", "m.json"),
    ("select", "plain", "--cost-template", "made.csv"),
    ("search", "--resume", "plain"),
    ("search", "--resume", "plain", "--json"),
    ("report", "plain", "-o", "m.html"),
    ("plot", "plain"),
)
WRITTEN = ("m.json", "m.html", "made.csv", "plain/figures", "q.csv", "begun")


@pytest.fixture(scope="module")
def folder():
    with tempfile.TemporaryDirectory() as name:
        yield make(Path(name))


def reads(folder, *command):
    before = contents(folder)
    done = run(folder, *command)
    check_kept(before, folder, *WRITTEN)
    for name in WRITTEN[:3]:
        (folder / name).unlink(missing_ok=True)
    return done


@pytest.fixture
def copied(folder, tmp_path):
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    return tmp_path


def in_a_copy(folder):
    class Copy:
        def __enter__(self):
            self.held = tempfile.TemporaryDirectory()
            path = Path(self.held.__enter__())
            shutil.copytree(folder, path, dirs_exist_ok=True)
            return path

        def __exit__(self, *error):
            return self.held.__exit__(*error)

    return Copy()


@storm(150)
@given(st.data(), st.sampled_from(READS_A_RUN))
def test_records_of_runs(folder, data, command):
    with in_a_copy(folder) as place:
        record = data.draw(edited(record_of(place, "plain")))
        (place / "plain/run.json").write_bytes(as_text(record))
        reads(place, *command)


@storm(50)
@given(st.data(), st.sampled_from(READS_A_RUN))
def test_bytes_of_records(folder, data, command):
    with in_a_copy(folder) as place:
        path = place / "plain/run.json"
        path.write_bytes(data.draw(damaged(path.read_bytes())))
        reads(place, *command)


CELLS = ("", "-1", "0", "1e308", "-1e308", "nan", "inf", "x", "0.5", "1e30", "9" * 30, "True")


@st.composite
def edited_table(draw, content):
    """Draw a CSV with a cell, a row or a column changed."""
    rows = [line.split(",") for line in content.decode().splitlines()]
    row, column = draw(st.integers(0, len(rows) - 1)), draw(st.integers(0, len(rows[0]) - 1))
    change = draw(
        st.sampled_from(("cell", "cell", "column", "drop", "rows", "header", "twice", "name"))
    )
    if change == "cell":
        rows[row][column] = draw(st.sampled_from(CELLS))
    elif change == "column":
        cell = draw(st.sampled_from(CELLS))
        for one in rows[1:]:
            one[column] = cell
    elif change == "drop":
        rows = [one[:column] + one[column + 1 :] for one in rows]
    elif change == "rows":
        rows = rows[: 1 + row]
    elif change == "header":
        rows = rows[:1]
    elif change == "twice":
        rows = [one + one[column : column + 1] for one in rows]
    else:
        rows[0][column] = draw(
            st.sampled_from(("w:", "b:0", "b:99", "n:1:4", "se:", "x", "w:\x1b[2J"))
        )
    return "\n".join(map(",".join, rows)).encode() + b"\n"


@storm(120)
@given(st.data(), st.sampled_from(READS_A_RUN))
def test_fronts_with_mended_hashes(folder, data, command):
    with in_a_copy(folder) as place:
        path = place / "plain/front.csv"
        content = data.draw(edited_table(path.read_bytes()) | damaged(path.read_bytes()))
        path.write_bytes(content)
        record = record_of(place, "plain") | {"front_sha256": sha256(content)}
        (place / "plain/run.json").write_text(json.dumps(record))
        reads(place, *command)


@storm(80)
@given(st.data(), st.sampled_from(READS_A_RUN))
def test_fronts_of_folds_with_mended_hashes(folder, data, command):
    with in_a_copy(folder) as place:
        (path,) = (place / "plain").glob("folds-*.csv")
        content = data.draw(edited_table(path.read_bytes()) | damaged(path.read_bytes()))
        path.unlink()
        (place / f"plain/folds-{sha256(content)[:12]}.csv").write_bytes(content)
        record = record_of(place, "plain") | {"folds_sha256": sha256(content)}
        (place / "plain/run.json").write_text(json.dumps(record))
        reads(place, *command)


@storm(150)
@given(st.data(), st.sampled_from(("plain", "prepared", "curves")), st.booleans())
def test_models(folder, data, name, by_field):
    with in_a_copy(folder) as place:
        path = place / f"{name}.json"
        if by_field:
            content = as_text(data.draw(edited(json.loads(path.read_bytes()))))
        else:
            content = data.draw(damaged(path.read_bytes()))
        path.write_bytes(content)
        table = "mixed.csv" if name == "prepared" else "t.csv"
        options = data.draw(st.sampled_from(((), ("--proba",), ("--explain",))))
        reads(place, "predict", path.name, table, "-o", "q.csv", *options)


def repacked(path, **changes):
    """Return the bytes of a comparison with other arrays."""
    with np.load(path) as file:
        arrays = dict(file) | changes
    buffer = io.BytesIO()
    np.savez(buffer, **{name: a for name, a in arrays.items() if a is not None})
    return buffer.getvalue()


EXTEND = (
    *("compare", "t.csv", "--models", "trivial", "--folds", 2, "--repeats", 1),
    *("--out", "c.npz", "--extend"),
)


@storm(100)
@given(st.data())
def test_records_of_comparisons(folder, data):
    with in_a_copy(folder) as place:
        path = place / "c.npz"
        with np.load(path) as file:
            record = json.loads(file["record"].tobytes())
        text = as_text(data.draw(edited(record)))
        path.write_bytes(repacked(path, record=np.frombuffer(text, dtype=np.uint8)))
        before = contents(place)
        done = run(place, *EXTEND)
        check_kept(before, place, *(("c.",) if done.code == 0 else ()))


@st.composite
def edited_array(draw, array):
    """Draw an array with other numbers, another shape or another type."""
    change = draw(st.sampled_from(("value", "all", "shape", "kind", "none", "empty")))
    odd = draw(st.sampled_from((-1, 0, 1, 3, 7, 2**40, np.nan, np.inf, -np.inf, 1e308)))
    if change == "none":
        return None
    if change == "empty":
        return array[:0]
    if change == "shape":
        return draw(st.sampled_from((array[None], array[:-1], array.ravel()[:, None], array.T)))
    if change == "kind":
        return array.astype(draw(st.sampled_from(("f4", "f2", "i1", "u8", "c16", "U5", "?"))))
    edited = array.astype(np.float64) if not np.isfinite(odd) else array.copy()
    if change == "all":
        edited[...] = np.clip(odd, -(2**40), 2**40) if edited.dtype.kind == "i" else odd
    else:
        edited.flat[draw(st.integers(0, edited.size - 1))] = (
            odd if edited.dtype.kind == "f" else int(min(odd, 2**40))
        )
    return edited


@storm(100)
@given(st.data())
def test_arrays_of_comparisons(folder, data):
    with in_a_copy(folder) as place:
        path = place / "c.npz"
        with np.load(path) as file:
            names = sorted(set(file.files) - {"record"})
            name = data.draw(st.sampled_from(names))
            array = data.draw(edited_array(file[name]))
        path.write_bytes(repacked(path, **{name: array}))
        before = contents(place)
        done = run(place, *EXTEND)
        check_kept(before, place, *(("c.",) if done.code == 0 else ()))


@storm(50)
@given(st.data())
def test_bytes_of_comparisons(folder, data):
    with in_a_copy(folder) as place:
        path = place / "c.npz"
        path.write_bytes(data.draw(damaged(path.read_bytes())))
        before = contents(place)
        done = run(place, *EXTEND)
        check_kept(before, place, *(("c.",) if done.code == 0 else ()))


@storm(100)
@given(st.data(), st.booleans())
def test_costs(folder, data, by_cell):
    with in_a_copy(folder) as place:
        path = place / "costs.csv"
        change = edited_table if by_cell else damaged
        path.write_bytes(data.draw(change(path.read_bytes())))
        reads(place, "select", "plain", "--cost-matrix", "costs.csv", "-o", "m.json")


@storm(80)
@given(st.data())
def test_records_of_searches_that_have_not_ended(folder, data):
    with in_a_copy(folder) as place:
        path = place / "begun/unfinished/run.json"
        path.write_bytes(as_text(data.draw(edited(json.loads(path.read_bytes())))))
        reads(place, "search", "--resume", "begun")


@storm(80)
@given(st.data())
def test_states_with_mended_hashes(folder, data):
    with in_a_copy(folder) as place:
        path = place / "begun/unfinished/run-000.npz"
        packed = path.read_bytes()[:-32]
        path.write_bytes(packed)
        with np.load(path) as file:
            name = data.draw(st.sampled_from(sorted(file.files)))
            array = data.draw(
                edited_array(np.atleast_1d(file[name]))
                if file[name].dtype.kind in "fi"
                else st.none()
            )
            if array is not None and file[name].ndim == 0 and array.size == 1:
                array = array.reshape(())
        packed = repacked(path, **{name: array})
        path.write_bytes(packed + bytes.fromhex(sha256(packed)))
        reads(place, "search", "--resume", "begun")

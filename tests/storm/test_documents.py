"""Documents that were edited or made by others: read, or refused in one line."""

from __future__ import annotations

import contextlib
import io
import json
import shutil
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moselect.models import OrdinalPool
from moselect.storage import read_pool, write_pool
from tests.storm.belongings import make, record_of, sha256
from tests.storm.campaign import storm
from tests.storm.commands import check_kept, check_message, contents, no_hang, run
from tests.storm.strategies.arrays import edited_array
from tests.storm.strategies.cells import edited_table
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


@contextlib.contextmanager
def in_a_copy(folder):
    with tempfile.TemporaryDirectory() as name:
        shutil.copytree(folder, name, dirs_exist_ok=True)
        yield Path(name)


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
        check_kept(before, place, *(("c.", "c-complexity.") if done.code == 0 else ()))


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
        check_kept(before, place, *(("c.", "c-complexity.") if done.code == 0 else ()))


@storm(50)
@given(st.data())
def test_bytes_of_comparisons(folder, data):
    with in_a_copy(folder) as place:
        path = place / "c.npz"
        path.write_bytes(data.draw(damaged(path.read_bytes())))
        before = contents(place)
        done = run(place, *EXTEND)
        check_kept(before, place, *(("c.", "c-complexity.") if done.code == 0 else ()))


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


@pytest.fixture(scope="module")
def pool(tmp_path_factory):
    rng = np.random.default_rng(4)
    X, y = rng.normal(size=(30, 2)), np.arange(30) % 3
    path = tmp_path_factory.mktemp("pool") / "pool.skops"
    write_pool(path, OrdinalPool(["proportional_odds"], cv=2, random_state=0).fit(X, y))
    return path


def members(content):
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(files):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


@storm(100)
@given(data=st.data(), by_field=st.booleans())
def test_pools(pool, data, by_field):
    content = pool.read_bytes()
    if by_field:
        files = members(content)
        files["schema.json"] = as_text(data.draw(edited(json.loads(files["schema.json"]))))
        content = packed(files)
    else:
        content = data.draw(damaged(content))
    with tempfile.TemporaryDirectory() as name:
        other = Path(name) / "pool.skops"
        other.write_bytes(content)
        try:
            with no_hang():
                found = read_pool(other)
        except ValueError as error:
            check_message(error)
        else:
            assert isinstance(found.pool, OrdinalPool)

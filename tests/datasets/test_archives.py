"""Archives that would fill the memory are refused before anything in them is read."""

from __future__ import annotations

import gzip
import io
import os
import struct
import subprocess
import sys
import threading
import time
import zipfile

import openpyxl
import pandas as pd
import pytest

from moselect.datasets import check_archive, load_table, open_stream, read_table
from moselect.datasets.files import contents
from moselect.storage import read_cost_matrix, read_pool

LARGE = 300  # MB that a small file unpacks to


def bomb(path, name, **files):
    """Write an archive with a member of zeros, after the members of another archive."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for other, content in files.items():
            archive.writestr(other, content)
        with archive.open(name, "w") as member:
            for _ in range(LARGE):
                member.write(bytes(2**20))


@pytest.mark.slow
def test_workbooks(tmp_path):
    pd.DataFrame({"a": [1], "grade": [2]}).to_excel(tmp_path / "t.xlsx", index=False)
    assert read_table(tmp_path / "t.xlsx").to_dict("list") == {"a": [1], "grade": [2]}
    with zipfile.ZipFile(tmp_path / "t.xlsx") as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    bomb(tmp_path / "t.xlsx", "xl/media/zeros.bin", **files)
    with pytest.raises(ValueError, match="would take 300 MB when it is unpacked"):
        read_table(tmp_path / "t.xlsx")
    with pytest.raises(ValueError, match="is no cost matrix"):
        read_cost_matrix(tmp_path / "t.xlsx", [1, 2])


SHEET = """<office:document-content
    xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
    xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
    xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0">
    <office:body><office:spreadsheet><table:table table:name="S"
    ><table:table-row table:number-rows-repeated="{rows}"><table:table-cell
    office:value-type="float" office:value="1" table:number-columns-repeated="{columns}"
    ><text:p>1</text:p></table:table-cell></table:table-row></table:table
    ></office:spreadsheet></office:body>
    </office:document-content>"""
MANIFEST = """<manifest:manifest
    xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>"""
READ = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (4 * 2**30,) * 2)
from moselect.datasets import read_table
try:
    read_table(sys.argv[1])
except ValueError as error:
    sys.exit(str(error))
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "columns", "said"),
    [
        (3, 2, "two columns are called '1'"),  # so it was read
        (1_000_000, 16_384, "no workbook, or damaged"),
        (2_000_000_000, 2_000_000_000, "no workbook, or damaged"),
    ],
)
def test_repeated_cells(tmp_path, rows, columns, said):
    with zipfile.ZipFile(tmp_path / "t.ods", "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", SHEET.format(rows=rows, columns=columns))
        archive.writestr("META-INF/manifest.xml", MANIFEST)
    command = [sys.executable, "-c", READ, tmp_path / "t.ods"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert said in ended.stderr
    assert len(ended.stderr.splitlines()) == 1


@pytest.mark.slow
def test_pools(tmp_path):
    bomb(tmp_path / "pool.skops", "zeros.npy", **{"schema.json": b"{}"})
    with pytest.raises(ValueError, match="no whole"):
        read_pool(tmp_path / "pool.skops")


def test_a_stated_size_that_is_not_true():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zeros", bytes(2**22))
    check_archive(file)
    content = bytearray(file.getvalue())
    stated = struct.pack("<I", 2**22)
    assert content.count(stated) == 2
    with pytest.raises(ValueError, match="damaged"):
        check_archive(io.BytesIO(content.replace(stated, struct.pack("<I", 10))))


@pytest.mark.parametrize("mark", [b"", "\ufeff".encode()])
def test_a_line_without_end(tmp_path, mark):
    path = tmp_path / "t.csv.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(mark + b"a,grade\n1,2\n")
        for _ in range(130):
            file.write(b"0" * 2**20)
    with pytest.raises(ValueError, match="a line has more than 128 MB: it is no table"):
        read_table(path)


def test_compressed_twice(tmp_path):
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(gzip.compress(b"a,grade\n1,2\n")))
    with pytest.raises(ValueError, match="compressed twice"):
        read_table(path)


def test_a_cell_far_from_the_table(tmp_path):
    book = openpyxl.Workbook()
    for row in (["a", "grade"], [1, 2], [3, 4]):
        book.active.append(row)
    book.active["AZ900"] = 7
    book.save(tmp_path / "t.xlsx")
    with pytest.raises(ValueError, match="column 52 has no name"):
        read_table(tmp_path / "t.xlsx")
    book.active["XFD1048576"] = 7
    book.save(tmp_path / "t.xlsx")
    with pytest.raises(ValueError, match="span 1,048,576 rows and 16,384 columns: clear"):
        read_table(tmp_path / "t.xlsx")


def test_blank_rows_of_a_workbook(tmp_path):
    table = pd.DataFrame({"a": [1, None, 3], "grade": [1, None, 2]})
    table.to_excel(tmp_path / "t.xlsx", index=False)
    with pytest.raises(ValueError, match="'grade' is missing or infinite in 1 of 3 rows"):
        load_table(tmp_path / "t.xlsx")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_that_nobody_writes_to(tmp_path, monkeypatch):
    os.mkfifo(tmp_path / "t.csv")
    monkeypatch.setattr(contents, "PATIENCE", 0.1)
    with pytest.raises(ValueError, match="nobody writes to the pipe"):
        read_table(tmp_path / "t.csv")
    with pytest.raises(ValueError, match="is a pipe or a device"):
        open_stream(tmp_path / "t.csv", ["a"])


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_whose_writer_takes_its_time(tmp_path, monkeypatch):
    os.mkfifo(tmp_path / "t.csv")
    monkeypatch.setattr(contents, "PATIENCE", 0.2)

    def write():
        with (tmp_path / "t.csv").open("w") as pipe:
            for line in ("a,grade\n", "1,2\n", "3,4\n"):
                time.sleep(0.3)
                pipe.write(line)
                pipe.flush()

    writer = threading.Thread(target=write)
    writer.start()
    assert read_table(tmp_path / "t.csv").to_dict("list") == {"a": [1, 3], "grade": [2, 4]}
    writer.join()


def test_a_device_that_does_not_end(monkeypatch):
    monkeypatch.setattr(contents, "LARGEST_STREAM", 2**22)
    with pytest.raises(ValueError, match="does not end"):
        read_table("/dev/zero")

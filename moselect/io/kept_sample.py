"""The sample of a large source, kept with its run: a selection needs no source."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from moselect.io.atomic import write_file

if TYPE_CHECKING:
    from moselect._types import Document
    from moselect.datasets import Dataset
    from moselect.datasets.sampling import Sample

SAMPLE = "sample-{}.npz"  # with the fingerprint of its data


def write_sample(folder: Path, data: Dataset) -> None:
    """Write the sample of a data set, if it is one, and remove samples of earlier runs."""
    path = folder / SAMPLE.format(data.fingerprint)
    if data.sample is not None:
        import numpy as np  # commands read records before slow imports

        from moselect.io.archives import pack

        arrays = data.sample._asdict()
        arrays["content"] = np.frombuffer(data.sample.content, dtype=np.uint8)
        write_file(path, pack(arrays))
    for other in folder.glob(SAMPLE.format("*")):
        if other != path:
            other.unlink()


def read_sample(folder: Path, record: Document) -> Sample | None:
    """Read the sample of a run; None if it has all rows of its source."""
    if record["data"].get("n_source_rows") is None:
        return None
    from moselect.datasets.sampling import Sample
    from moselect.io.archives import unpack

    path = folder / SAMPLE.format(record["data"]["fingerprint"])
    if not path.exists():
        raise ValueError(f"'{path}' is missing: search again")
    arrays = unpack(path.read_bytes(), f"'{path}'")
    return Sample(
        arrays["content"].tobytes(),
        arrays["rows"],
        arrays["weights"],
        int(arrays["n_rows"]),
        int(arrays["n_unlabelled"]),
    )

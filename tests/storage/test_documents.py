"""Documents of a kind: what is wrong with others is said in a short line."""

from __future__ import annotations

import json

import pytest

from moselect.models import ModelDocument
from moselect.storage.documents import decoded


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (json.dumps({"format": "é" * 12_000}).encode(), "é…é"),
        (b'{"about": ' + b'{"a":' * 100_000, "nested too deeply"),
        (b'{"format": "\xff"}', "UTF-8"),
        (b"[]", "Expected `object`, got `array`"),
    ],
)
def test_what_is_wrong_is_said_shortly(content, said):
    with pytest.raises(ValueError, match=said.replace("`", ".")) as caught:
        decoded(content, ModelDocument)
    assert len(str(caught.value)) <= 500

"""Examples of docstrings that load data, search or pool models are slow tests."""

import pytest

SLOW = ("load_", "ParetoSearch", "OrdinalStacking", "compare(")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark them, so that ``-m "not slow"`` leaves them out."""
    for item in items:
        if isinstance(item, pytest.DoctestItem):
            source = "".join(example.source for example in item.dtest.examples)
            if any(word in source for word in SLOW):
                item.add_marker(pytest.mark.slow)

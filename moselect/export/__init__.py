"""A model as SQL, ONNX, or a page that describes it."""

from moselect.export.export_model import export_model
from moselect.export.graph import graph_of, inputs_of
from moselect.export.onnx import onnx_of
from moselect.export.sql import sql_of

__all__ = ["export_model", "graph_of", "inputs_of", "onnx_of", "sql_of", "summarise"]


def __getattr__(name: str) -> object:
    """Import `summarise` when it is first used: it needs scipy."""
    if name == "summarise":
        from moselect.export.summary import summarise

        return summarise
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

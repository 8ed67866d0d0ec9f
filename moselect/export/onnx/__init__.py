"""A model as a graph of ONNX operators, for Java, C#, browsers and databases."""

from moselect.export.onnx.document import onnx_inputs, onnx_of

__all__ = ["onnx_inputs", "onnx_of"]

from .exporting import export_model as export_model
from .graph import graph_of as graph_of
from .graph import inputs_of as inputs_of
from .onnx import onnx_of as onnx_of
from .sql import sql_of as sql_of
from .summary import summarise as summarise

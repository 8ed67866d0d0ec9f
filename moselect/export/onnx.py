"""A model as an ONNX document, for Java, C#, browsers and databases."""

from typing import Any

import numpy as np

from moselect import __version__
from moselect._types import Document
from moselect.export.graph import graph_of
from moselect.operators.graph import INPUT_ENCODINGS, TENSOR_TYPES, TREE_ENSEMBLE, Graph
from moselect.operators.trees import Trees
from moselect.predictor.model import Model

TREES = "ai.onnx.ml"  # the domain of operators on trees and text
OPSETS = {"": 21, TREES: 5}
# Of rows without a class; the label if it is an integer.
NOTHING = {"score": np.nan, "probabilities": np.nan, "label": ""}
NO_INTEGER = np.iinfo(np.int64).min


def onnx_of(model: Model, target: str = "an ordinal class") -> bytes:
    """Return a model as an ONNX document (opset 21), in double precision.

    Each column in use is an input (n, 1) of its name: numbers, truth as 1 and 0, times in
    seconds and dates in seconds since 1970-01-01 UTC as doubles, NaN where they are
    missing; levels as text, empty where they are missing. `inputs_of`
    makes them of a table. The outputs are ``label`` (n, 1), integers if the classes are, the
    least one where a row has no class, and otherwise text, empty where a row has no class;
    ``score`` (n, 1); and ``probabilities`` (n, r), where the model has some. Beside a column
    of the same name an output is called ``predicted_score``.

    Parameters
    ----------
    model : Model
        The model.
    target : str
        What is predicted, for the description.

    Raises
    ------
    ValueError
        If it has no such form: words of text, or a classifier of another package.
    ModuleNotFoundError
        If onnx is not installed: the extra ``onnx``.

    Examples
    --------
    >>> from moselect.predictor import OrdinalLinearClassifier
    >>> model = OrdinalLinearClassifier([1.0], [0.5], ["low", "high"], ["speed"])
    >>> document = onnx_of(model)
    """
    graph = graph_of(model)
    results = {name: graph.outputs[name] for name in NOTHING if name in graph.outputs}
    types = dict.fromkeys(results, "double") | {"label": "string"}
    nothing = {**NOTHING}
    if model.answers.dtype.kind in "iu":
        types["label"] = "int64"
        nothing["label"] = NO_INTEGER
        (labels,) = (
            node.inputs[0] for node in graph.nodes if node.result == results["label"]
        )
        graph.constants[labels] = graph.constants[labels].astype(int)
    # One flag for a row: whether any of its cells is unusable.
    if graph.unusable:
        unusable, *others = graph.unusable
        for other in others:
            unusable = graph.add("Or", unusable, other).name
        for name, result in results.items():
            usable = graph.add("Where", unusable, np.array(nothing[name]), result)
            results[name] = usable.name
    classes = "\n".join(str(label) for label in model.classes_)
    about = {"predicts": target, "classes": classes, "moselect": __version__}
    return bytes(_document(graph, results, types, about).SerializeToString())


BRANCH_MEMBER = 6  # mode of a split by membership


def _attributes(trees: Trees) -> Document:
    """Return trees as attributes of ONNX's operator, which has a number for each leaf mode."""
    from onnx import numpy_helper  # an extra

    is_set = trees.sets >= 0
    # modes of a split
    at_most = 0
    attributes = {
        "n_targets": trees.n_targets,
        "aggregate_function": 1,  # sums
        "post_transform": 0,  # as they are
        "tree_roots": trees.roots.tolist(),
        "nodes_featureids": trees.features.tolist(),
        "nodes_splits": numpy_helper.from_array(trees.splits),
        "nodes_modes": numpy_helper.from_array(
            np.where(is_set, BRANCH_MEMBER, at_most).astype(np.uint8)
        ),
        "leaf_targetids": trees.targets.tolist(),
        "leaf_weights": numpy_helper.from_array(trees.values),
    }
    for side, child in (("true", trees.true_nodes), ("false", trees.false_nodes)):
        is_leaf = child < 0
        # ONNX counts leaves from 0, too, and marks them in a table of their own.
        places = np.where(is_leaf, -1 - child, child)
        attributes[f"nodes_{side}nodeids"] = places.tolist()
        attributes[f"nodes_{side}leafs"] = is_leaf.astype(int).tolist()
    if is_set.any():  # members of one set after the other, each with a NaN behind
        listed = [
            [*np.flatnonzero(members), np.nan]
            for members in trees.members[trees.sets[is_set]]
        ]
        attributes["membership_values"] = numpy_helper.from_array(np.concatenate(listed))
    return attributes


IR_VERSION = 10
INNER = "/"  # prefix of names within the graph: a column may be called input_0


def _document(
    graph: Graph, results: dict[str, str], types: dict[str, str], about: dict[str, str]
) -> Any:
    from onnx import helper, numpy_helper  # an extra

    inputs = []
    outputs = []
    nodes = []
    used = set[str]()  # by other operators than trees, whose arrays are attributes
    for i, (name, encoding) in enumerate(graph.inputs.items()):
        tensor_type = TENSOR_TYPES[
            "string" if encoding == INPUT_ENCODINGS["levels"] else "double"
        ]
        inputs.append(
            helper.make_tensor_value_info(
                name, tensor_type, ["n", 1], doc_string=encoding
            )
        )
        nodes.append(helper.make_node("Identity", [name], [f"{INNER}input_{i}"]))
    for node in graph.nodes:
        takes = node.inputs
        attributes = node.settings
        if node.operator == TREE_ENSEMBLE:
            takes = takes[:1]
            attributes = _attributes(graph.trees_of(node))
        used.update(takes)
        domain = TREES if node.operator in (TREE_ENSEMBLE, "LabelEncoder") else ""
        operands = [INNER + name for name in takes]
        result = INNER + node.result
        made = helper.make_node(
            node.operator, operands, [result], domain=domain, **attributes
        )
        nodes.append(made)
    for name, result in results.items():
        tensor_type = TENSOR_TYPES[types[name]]
        output = f"predicted_{name}" if name in graph.inputs else name
        outputs.append(helper.make_tensor_value_info(output, tensor_type, None))
        nodes.append(helper.make_node("Identity", [INNER + result], [output]))
    constants = [
        numpy_helper.from_array(array, INNER + name)
        for name, array in graph.constants.items()
        if name in used
    ]
    model = helper.make_model(
        helper.make_graph(nodes, "moselect", inputs, outputs, constants),
        opset_imports=[helper.make_opsetid(*opset) for opset in OPSETS.items()],
        producer_name="moselect",
        ir_version=IR_VERSION,
    )
    helper.set_model_props(model, about)
    return model

"""Operators evaluated by numpy, against onnxruntime and the JavaScript of the page."""

import json
import subprocess
from pathlib import Path
from shutil import which

import numpy as np
import onnxruntime
import pytest

import moselect
from moselect.export.onnx import _document
from moselect.operators.feature_graph import OPERATORS, evaluate
from moselect.operators.graph import TREE_ENSEMBLE, Graph
from moselect.operators.trees import joined
from moselect.page.candidates import _plain
from tests.operators.test_trees import draw_tree

N = 60
RNG = np.random.default_rng(3)
WILD = RNG.normal(size=(N, 4)) * 10.0 ** RNG.integers(-12, 13, (N, 4))
WILD[:6, 0] = [0.0, -0.0, 1.0, -1.0, 709.0, -745.0]
SMALL = RNG.integers(-4, 6, (N, 4)) / 2.0  # ties and categories
INPUTS = {"x": WILD, "y": np.roll(WILD, 7), "z": SMALL}
COLUMNS = {f"{name}{j}": each[:, [j]] for name, each in INPUTS.items() for j in range(4)}
TREES = joined([draw_tree(np.random.default_rng(4), 4, 3) for _ in range(9)])


def operations(x, y, z):
    """Yield the name of each operator, and its result on three inputs of four columns."""
    for name in ("Add", "Sub", "Mul", "Div", "Min", "Max"):
        yield name, x.apply(name, y)
        yield name, x.apply(name, np.array([[1.0]]))
    for name in ("Exp", "Log", "Floor", "Sigmoid"):
        yield name, x.clip(-700.0, 700.0).apply(name)
    for name in ("Greater", "Less"):
        yield name, z.apply(name, 0.5).cast("double")
    yield "IsNaN", (x / 0.0).apply("IsNaN").cast("double")
    yield "Where", z.apply("Less", 0.5).apply("Where", x, y)
    yield "Softmax", z.apply("Softmax", axis=1)
    yield "MatMul", z @ np.arange(8.0).reshape(4, 2)
    for name in ("ReduceSum", "ReduceMax", "ReduceMin"):
        yield name, z.apply(name, np.array([1]), keepdims=1)
    yield "Cast", z.cast("int64").cast("double")
    yield "Cast", x.cast("float").cast("double")
    yield "Reshape", x.apply("Reshape", np.array([-1, 2]))
    yield "Concat", x.apply("Concat", y, z, axis=1)
    yield "Gather", x.columns([2, 0, 2])
    places = (z * 0.5 + 3.0).cast("int64")
    yield "Gather", z.graph.add("Gather", np.arange(10.0), places)
    yield TREE_ENSEMBLE, z.sum_trees(TREES)
    yield TREE_ENSEMBLE, x.columns([1]).count_below([-1.0, 0.0, 3.0]).cast("double")


def operations_unknown_to_the_page(x, y, z):
    """Yield operators for rows without a class, and for labels."""
    yield "IsInf", (x / 0.0).apply("IsInf").cast("double")
    is_outside = z.apply("Less", 0.0).apply("Or", z.apply("Greater", 1.0))
    yield "Or", is_outside.cast("double")
    yield "ArgMin", z.apply("ArgMin", axis=1, keepdims=1).cast("double")


def graph_of(*parts):
    """Record operators on three inputs, each of four columns."""
    graph = Graph()
    inputs = []
    for name in INPUTS:
        first, *others = (graph.read(f"{name}{j}", "number") for j in range(4))
        inputs.append(first.apply("Concat", *others, axis=1))
    for part in parts:
        for name, result in part(*inputs):
            graph.outputs[f"{name} {len(graph.outputs)}"] = result.name
    return graph


def by_numpy(graph):
    named = {f"input_{i}": values for i, values in enumerate(COLUMNS.values())}
    return evaluate(graph, named)


def by_onnx(graph):
    types = dict.fromkeys(graph.outputs, "double") | {"label": "string"}
    document = _document(graph, dict(graph.outputs), types, {}).SerializeToString()
    results = onnxruntime.InferenceSession(document).run(None, COLUMNS)
    return dict(zip(graph.outputs, results, strict=True))


def by_javascript(graph):
    """Run a graph by the script of the page."""
    script = Path(moselect.__file__).parent / "page" / "page" / "graph.js"
    inputs = {name: values[:, 0].tolist() for name, values in COLUMNS.items()}
    run = f"""
    const graph = {json.dumps(_plain(graph))};
    readyGraph(graph);
    const found = runGraph(graph, {json.dumps(inputs)}, {json.dumps([*graph.outputs])});
    const text = (value) => (Number.isFinite(value) ? value : String(value));
    const plain = ({{ shape, values }}) => [shape, values.map((value) => text(Number(value)))];
    console.log(JSON.stringify(found.map(plain)));
    """
    done = subprocess.run(
        ["node", "-"],
        input=script.read_text() + run,
        capture_output=True,
        text=True,
        check=True,
    )
    return {
        name: np.array([float(v) for v in values]).reshape(shape)
        for name, (shape, values) in zip(
            graph.outputs, json.loads(done.stdout), strict=True
        )
    }


def assert_numpy_equals(expected, graph, atol_of_sigmoid=1e-300):
    for name, found in by_numpy(graph).items():
        assert np.shape(found) == expected[name].shape
        atol = atol_of_sigmoid if name.startswith("Sigmoid") else 1e-300
        np.testing.assert_allclose(
            found, expected[name], rtol=1e-14, atol=atol, err_msg=name
        )


def test_numpy_equals_onnx():
    graph = graph_of(operations, operations_unknown_to_the_page)
    assert {name.split()[0] for name in graph.outputs} == {*OPERATORS}
    # onnxruntime computes some probabilities as 1 - p.
    assert_numpy_equals(by_onnx(graph), graph, atol_of_sigmoid=2e-16)


@pytest.mark.skipif(which("node") is None, reason="node runs the script of the page")
def test_numpy_equals_the_page():
    graph = graph_of(operations)
    assert_numpy_equals(by_javascript(graph), graph)

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
TREES = joined([draw_tree(np.random.default_rng(4), 4, 3) for _ in range(9)])
PYTHON_ONLY = {"IsInf", "Or", "ArgMin"}  # for rows without a class, and for labels


def cases():
    """Yield the name of each operator, and a function that applies it."""
    pairs = ("Add", "Sub", "Mul", "Div", "Min", "Max")
    for name in pairs:
        yield name, lambda x, y, z, name=name: x.apply(name, y)
        yield name, lambda x, y, z, name=name: x.apply(name, np.array([[1.0], [2.0]])[:1])
    for name in ("Exp", "Log", "Floor", "Sigmoid"):
        yield name, lambda x, y, z, name=name: x.clip(-700.0, 700.0).apply(name)
    for name in ("Greater", "Less"):
        yield name, lambda x, y, z, name=name: z.apply(name, 0.5).cast("double")
    for name in ("IsNaN", "IsInf"):
        yield name, lambda x, y, z, name=name: (x / 0.0).apply(name).cast("double")
    yield (
        "Or",
        lambda x, y, z: (
            z.apply("Less", 0.0).apply("Or", z.apply("Greater", 1.0)).cast("double")
        ),
    )
    yield "Where", lambda x, y, z: z.apply("Less", 0.5).apply("Where", x, y)
    yield "Softmax", lambda x, y, z: z.apply("Softmax", axis=1)
    yield "MatMul", lambda x, y, z: z @ np.arange(8.0).reshape(4, 2)
    for name in ("ReduceSum", "ReduceMax", "ReduceMin"):
        yield name, lambda x, y, z, name=name: z.apply(name, np.array([1]), keepdims=1)
    yield "ArgMin", lambda x, y, z: z.apply("ArgMin", axis=1, keepdims=1).cast("double")
    yield "Cast", lambda x, y, z: z.cast("int64").cast("double")
    yield "Cast", lambda x, y, z: x.cast("float").cast("double")
    yield "Reshape", lambda x, y, z: x.apply("Reshape", np.array([-1, 2]))
    yield "Concat", lambda x, y, z: x.apply("Concat", y, z, axis=1)
    yield "Gather", lambda x, y, z: x.columns([2, 0, 2])
    yield (
        "Gather",
        lambda x, y, z: z.graph.add(
            "Gather", np.arange(10.0), (z * 0.5 + 3.0).cast("int64")
        ),
    )
    yield TREE_ENSEMBLE, lambda x, y, z: z.sum_trees(TREES)
    yield (
        TREE_ENSEMBLE,
        lambda x, y, z: x.columns([1]).count_below([-1.0, 0.0, 3.0]).cast("double"),
    )


def graph_of(make):
    """Record an operator on three inputs, each of four columns."""
    graph = Graph()
    parts = [graph.read(f"{name}{j}", "number") for name in INPUTS for j in range(4)]
    inputs = [
        parts[4 * k].apply("Concat", *parts[4 * k + 1 : 4 * k + 4], axis=1)
        for k in range(3)
    ]
    graph.outputs["score"] = make(*inputs).name
    return graph


def columns():
    return {
        f"{name}{j}": values[:, [j]] for name, values in INPUTS.items() for j in range(4)
    }


def by_numpy(graph):
    named = {f"input_{i}": values for i, values in enumerate(columns().values())}
    return np.asarray(evaluate(graph, named)["score"])


def by_onnx(graph):
    types = dict.fromkeys(graph.outputs, "double") | {"label": "string"}
    document = _document(graph, dict(graph.outputs), types, {}).SerializeToString()
    return onnxruntime.InferenceSession(document).run(None, columns())[0]


def by_javascript(graphs):
    """Run graphs by the script of the page."""
    script = Path(moselect.__file__).parent / "page" / "page" / "graph.js"
    plain = [_plain(graph) for graph in graphs]
    inputs = {name: values[:, 0].tolist() for name, values in columns().items()}
    run = f"""
    const found = [];
    for (const graph of {json.dumps(plain)}) {{
      readyGraph(graph);
      found.push(runGraph(graph, {json.dumps(inputs)}, ["score"])[0]);
    }}
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
    return [
        np.array([float(v) for v in values]).reshape(shape)
        for shape, values in json.loads(done.stdout)
    ]


def test_every_operator_is_compared():
    assert {name for name, _ in cases()} == {*OPERATORS}


@pytest.mark.parametrize(("name", "make"), list(cases()))
def test_numpy_equals_onnx(name, make):
    graph = graph_of(make)
    found = by_numpy(graph)
    expected = by_onnx(graph)
    assert found.shape == expected.shape
    # onnxruntime computes some probabilities as 1 - p.
    atol = 2e-16 if name == "Sigmoid" else 1e-300
    np.testing.assert_allclose(found, expected, rtol=1e-14, atol=atol)


@pytest.mark.skipif(which("node") is None, reason="node runs the script of the page")
def test_numpy_equals_the_page():
    graphs = [graph_of(make) for name, make in cases() if name not in PYTHON_ONLY]
    for graph, found in zip(graphs, by_javascript(graphs), strict=True):
        expected = by_numpy(graph)
        assert found.shape == expected.shape
        np.testing.assert_allclose(found, expected, rtol=1e-14, atol=1e-300)

"""Cells of a cost matrix as expressions of columns: parsed, never evaluated as code."""

import ast
import re
from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

import numpy as np

from moselect._types import Floats
from moselect.listing import short

OPERATORS: dict[type, Callable[..., Any]] = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.Div: np.divide,
    ast.USub: np.negative,
    ast.UAdd: np.positive,
}
FUNCTIONS: dict[str, Callable[..., Any]] = {"min": np.minimum, "max": np.maximum}


class CostExpression:
    """Expression of columns: numbers, names, + - * / ( ), min and max.

    Names of columns with blanks or signs stand in backticks or quotes.

    Parameters
    ----------
    text : str or float
        The expression.

    Attributes
    ----------
    columns : list of str
        Names of the columns, in their order.

    Raises
    ------
    ValueError
        If the text is no such expression.

    Examples
    --------
    >>> cost = CostExpression("max(0.3 * `claim amount`, 50)")
    >>> cost.columns, cost({"claim amount": np.array([100.0, 1000.0])})
    (['claim amount'], array([ 50., 300.]))
    """

    def __init__(self, text: object) -> None:
        self.text = str(text)
        # Python's own parser finds the tree; the tree is checked node by node, and no code is
        # made of it.
        quoted = re.sub("`([^`]*)`", lambda found: repr(found[1]), self.text.strip())
        columns = _Columns()
        try:
            self._tree = ast.parse(quoted, mode="eval").body
            self(columns)
        except (SyntaxError, ValueError):
            raise ValueError(
                f"the cost {short(self.text)!r} cannot be read: write numbers, columns (with "
                "blanks in backticks), + - * / ( ), min and max"
            ) from None
        self.columns = list(columns)

    def __call__(self, values: Mapping[str, Any]) -> Any:
        """Compute the expression for columns (n,); NaN and infinities propagate."""

        def value(node: Any) -> Any:
            match node:
                case ast.Constant(value=str(name)) | ast.Name(id=name):
                    return values[name]
                case ast.Constant(value=number) if type(number) in (int, float):
                    return float(number)  # type: ignore[arg-type]
                case ast.UnaryOp(op=op, operand=operand) if type(op) in OPERATORS:
                    return OPERATORS[type(op)](value(operand))
                case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
                    return OPERATORS[type(op)](value(left), value(right))
                case ast.Call(ast.Name(name), [_, *_], []) if name in FUNCTIONS:
                    return reduce(FUNCTIONS[name], map(value, node.args))
            raise SyntaxError

        with np.errstate(all="ignore"):
            return value(self._tree)


class _Columns(dict[str, float]):
    """Columns that an expression takes, noted when it is computed."""

    def __missing__(self, name: str) -> float:
        self[name] = np.nan
        return self[name]


def costs_at(costs: Floats, codes: Any, predicted: Any = slice(None)) -> Floats:
    """Look up the costs of samples by true class, and by decision if it is given.

    ``costs`` are one matrix (r, m), or one for each of the samples (n, r, m); the result
    is (n, m), or (n,) for ``predicted`` codes (n,).
    """
    cells = (codes, predicted)
    if costs.ndim == 3:
        cells = (np.arange(len(codes)), *cells)  # type: ignore[assignment]
    return costs[cells]


def expected_costs(proba: Floats, costs: Floats) -> Floats:
    """Compute the expected cost (n, m) of each decision by class probabilities (n, r).

    ``costs`` are one matrix (r, m), or one for each of the samples (n, r, m).

    Examples
    --------
    >>> costs = np.array([[[0.0, 1.0], [5.0, 0.0]], [[0.0, 1.0], [1.0, 0.0]]])
    >>> expected_costs(np.array([[0.7, 0.3], [0.7, 0.3]]), costs)
    array([[1.5, 0.7],
           [0.3, 0.7]])
    """
    if costs.ndim == 2:
        return proba @ costs
    return np.einsum("nc,ncm->nm", proba, costs)

"""The program of a `FittingProcess`: from standard input to standard output, one fit at a time.

It is run by its path, so that the process need not import the package.
"""

from __future__ import annotations

import os
import pickle
import sys
import warnings

import cloudpickle


def main() -> None:
    """Answer requests (estimator, features, target) with what was fitted, or what went wrong."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # compiled code that prints must not print into the answers
    while True:
        try:
            estimator, X, y = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        answers.write(b"\n")  # all is imported: the time begins
        answers.flush()
        result: object
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                result = estimator.fit(X, y)
            except Exception as error:  # noqa: BLE001 - the asking process raises it
                result = error
        answer = cloudpickle.dumps((result, [(str(w.message), w.category) for w in caught]))
        answers.write(len(answer).to_bytes(8, "big") + answer)
        answers.flush()


if __name__ == "__main__":
    main()

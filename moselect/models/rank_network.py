"""`RankNetwork`: a neural network with an output for each cut between classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import check_is_fitted

from moselect._types import Floats
from moselect.models.cumulative import class_shares, descending
from moselect.models.threads import one_blas_thread
from moselect.models.training import features_and_codes, features_to_predict, see_classes


class RankNetwork(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Learn the targets (1, .., 1, 0, .., 0) of NNRank: output k is on in the classes above k.

    A perceptron of scikit-learn with sigmoid outputs and cross-entropy, on standardised features.
    The output that is on for every class (the first in the papers) is left out.

    Parameters
    ----------
    hidden_layer_sizes : tuple of int, default=(20,)
        Neurons of each hidden layer. The papers leave their number open.
    activation : {"logistic", "tanh", "relu", "identity"}, default="logistic"
        Of the hidden neurons; sigmoid in the papers.
    alpha : float, default=1.0
        Strength of the L2 penalty, on the scale of the summed cross-entropy.
    solver : {"lbfgs", "adam", "sgd"}, default="lbfgs"
        How the network learns; the papers have stochastic gradients, ``"sgd"``.
    max_iter : int, default=1000
        Most iterations, or passes through the data.
    tol : float, default=1e-4
        Where learning stops, as in `sklearn.neural_network.MLPClassifier`.
    random_state : int, RandomState instance or None, default=None
        Initial weights, and the order of the samples for stochastic solvers.
    labels : sequence, optional
        Class labels, lowest first. Strings need it unless they are an ordered Categorical. A class
        that no sample of the training data has gets the probability 0.

    Attributes
    ----------
    network_ : Pipeline
        The scaler and the fitted `MLPClassifier`.
    n_iter_ : int
        Iterations done.
    classes_ : ndarray of shape (r,)
        Class labels, lowest first.
    n_features_in_, feature_names_in_
        Number of features, and their names if X was a DataFrame.

    Notes
    -----
    `predict` counts leading outputs, as in the papers. Where outputs do not descend this need not
    be the most probable class of `predict_proba`, which puts the nearest descending ones, by least
    squares, instead; their sum, the score, is the same.

    References
    ----------
    Cheng, Wang & Pollastri (2008), A neural network approach to ordinal regression, IJCNN,
    1279-1284. Sommer (2015), section 1.4.

    Examples
    --------
    >>> from moselect.datasets import load_boston
    >>> X, y = load_boston()
    >>> model = RankNetwork(random_state=0).fit(X, y)
    >>> model.predict_proba(X).shape
    (506, 5)
    """

    def __init__(
        self,
        hidden_layer_sizes: Sequence[int] = (20,),
        *,
        activation: Literal["logistic", "tanh", "relu", "identity"] = "logistic",
        alpha: float = 1.0,
        solver: Literal["lbfgs", "adam", "sgd"] = "lbfgs",
        max_iter: int = 1000,
        tol: float = 1e-4,
        random_state: Any = None,
        labels: Sequence[Any] | None = None,
    ) -> None:
        self.hidden_layer_sizes = hidden_layer_sizes
        self.activation = activation
        self.alpha = alpha
        self.solver = solver
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.labels = labels

    @one_blas_thread()
    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit.

        Parameters
        ----------
        X : array-like of shape (n, p)
            Finite features, in any units.
        y : array-like of shape (n,)
            Ordinal labels.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If features, labels or settings are wrong, or there is one class only.

        Warns
        -----
        ConvergenceWarning
            If learning stopped at ``max_iter``.
        """
        values, codes = features_and_codes(self, X, y)
        self._seen, codes = see_classes(self.classes_, codes)
        n_cuts = len(self._seen.indices) - 1
        targets = (codes[:, None] > np.arange(n_cuts)).astype(np.int64)
        settings = {name: value for name, value in self.get_params().items() if name != "labels"}
        self.network_ = make_pipeline(StandardScaler(), MLPClassifier(**settings))
        # With a single column of targets there are no several labels, but two classes.
        self.network_.fit(values, targets if n_cuts > 1 else targets[:, 0])
        self.n_iter_ = self.network_[-1].n_iter_
        return self

    def decision_function(self, X: ArrayLike) -> Floats:
        """Score samples by 1 + the sum of the outputs, the expected class 1 .. r, shape (n,)."""
        return np.asarray(1.0 + self._outputs(X).sum(axis=1))

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Compute the class probabilities (n, r), from outputs that were made to descend."""
        return class_shares(descending(self._outputs(X)))

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Predict the class that follows as many leading outputs as are at least 1/2, (n,)."""
        leading = np.logical_and.accumulate(self._outputs(X) >= 0.5, axis=1)
        return np.asarray(self.classes_[leading.sum(axis=1)])

    def _outputs(self, X: ArrayLike) -> Floats:
        """Compute the estimates of P(y > k), (n, r - 1)."""
        check_is_fitted(self)
        values = features_to_predict(self, X)
        predicted = self.network_.predict_proba(values)
        # Of two classes both have a column.
        above = predicted[:, -(len(self._seen.indices) - 1) :].astype(np.float64)
        return self._seen.at_all_cuts(above, 1.0, 0.0)

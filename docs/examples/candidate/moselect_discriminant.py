"""Two further candidates of moselect: discriminant analysis and distances to prototypes."""

import numpy as np
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from moselect.candidates import Candidate


class Prototypes(ClassifierMixin, BaseEstimator):
    """Classes by the distances of a row to their means, in standard deviations."""

    def fit(self, X, y):
        """Find the means of the classes."""
        X = np.asarray(X, dtype=np.float64)
        self.classes_ = np.unique(y)
        self.scale_ = X.std(axis=0) + 1e-9
        self.means_ = np.array([X[y == label].mean(axis=0) for label in self.classes_])
        return self

    def predict_proba(self, X):
        """Compute class probabilities (n, r), a softmax of the distances."""
        steps = (np.asarray(X)[:, None] - self.means_) / self.scale_
        return softmax(-(steps**2).mean(axis=2), axis=1)

    def predict(self, X):
        """Predict the class of the nearest mean."""
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


# Simpler than the additive model (3), less simple than a linear one (2).
DISCRIMINANT = Candidate(
    "discriminant", LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto"), rank=2.5
)
PROTOTYPES = Candidate("prototypes", Prototypes(), rank=1.5)

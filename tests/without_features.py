"""Samples of class codes alone, for figures that need no features."""

import numpy as np

from moselect.samples import Samples


def samples_of(codes, classes=None, **info):
    """Return samples of codes; classes are 0, 1, ... by default, ``info`` weights or groups."""
    classes = np.arange(codes.max() + 1) if classes is None else classes
    return Samples(np.empty((len(codes), 0)), codes, classes, **info)

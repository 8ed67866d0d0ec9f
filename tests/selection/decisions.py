"""Deterministic decisions in one process."""

from dataclasses import replace

from moselect.candidates.candidates import CandidateFactory
from moselect.preprocessing.preparation import schema_of
from moselect.samples.folds import Folds
from moselect.selection import Selector


def decide(samples, index=None):
    """Return a decision on samples, with folds given by their index or the default ones."""
    folds = None if index is None else Folds.from_index(index)
    if samples.schema is None:
        samples = replace(samples, schema=schema_of(samples.X))
    factory = CandidateFactory(samples.schema, random_state=0, n_jobs=1)
    return Selector(samples, factory, folds)

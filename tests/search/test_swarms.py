"""Ask, tell and archive of both swarms."""

import numpy as np
import pytest

from moselect.metrics import OBJECTIVES
from moselect.search import OrdinalProblem
from moselect.search.direction_swarm import DirectionSwarm
from moselect.search.particle_swarm import ParticleSwarm
from tests.search.conftest import fly

ALL = OBJECTIVES
SOME = ("u_ovo", "accuracy")
OWN = ("one_minus_macro_mae", "u_ovo", "quadratic_kappa", "macro_accuracy")


def make(encoding, table, objectives, seed, n_particles=25):
    rng = np.random.default_rng(seed)
    if encoding == "search":
        problem = OrdinalProblem(*table, thresholds="search", objectives=objectives)
        return problem, ParticleSwarm(problem, n_particles, (-1.0, 1.0), rng)
    problem = OrdinalProblem(*table, objectives=objectives)
    starts = np.eye(problem.n_dimensions)[:2]
    return problem, DirectionSwarm(problem, n_particles, starts, rng)


encodings = pytest.mark.parametrize("encoding", ["exact", "search"])
subsets = pytest.mark.parametrize(
    "objectives", [ALL, SOME, OWN], ids=["all", "two", "own"]
)


@encodings
@subsets
def test_the_archive_holds_exactly_the_nondominated_points(
    awkward, dominated, encoding, objectives
):
    problem, swarm = make(encoding, awkward(1, 4), objectives, seed=1)
    evaluated = fly(problem, swarm, 12)[1].reshape(-1, len(objectives))
    members = swarm.archive.points
    assert not dominated(members, evaluated).any()
    assert len(np.unique(members, axis=0)) == len(members)
    for candidate in evaluated:
        assert (members >= candidate).all(axis=1).any()

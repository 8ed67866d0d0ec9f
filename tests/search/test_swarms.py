"""Ask, tell and archive of both swarms."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from moselect.metrics import OBJECTIVES
from moselect.search import OrdinalProblem
from moselect.search.direction_swarm import DirectionSwarm
from moselect.search.swarm import ParticleSwarm
from tests.any_tables import ordinal_table

OWN = ("one_minus_macro_mae", "u_ovo", "quadratic_kappa", "macro_accuracy")


def fly(problem, swarm, rounds):
    """Run ask and tell for some rounds; return all positions and objectives."""
    positions = []
    objectives = []
    for _ in range(rounds):
        positions.append(swarm.ask().copy())
        objectives.append(problem.evaluate(positions[-1]))
        swarm.tell(objectives[-1])
    return np.array(positions), np.array(objectives)


@pytest.mark.checks("Search and thresholds", "comparison of all pairs")
@pytest.mark.parametrize("encoding", ["exact", "search"])
@pytest.mark.parametrize("objectives", [OBJECTIVES, OWN], ids=["all", "own"])
def test_the_archive_holds_exactly_the_nondominated_points(
    awkward, dominated, encoding, objectives, rng
):
    problem = OrdinalProblem(*awkward(1, 4), thresholds=encoding, objectives=objectives)
    if encoding == "search":
        swarm = ParticleSwarm(problem, 25, (-1.0, 1.0), rng)
    else:
        starts = np.eye(problem.n_dimensions)[:2]
        swarm = DirectionSwarm(problem, 25, starts, rng)
    evaluated = fly(problem, swarm, 12)[1].reshape(-1, len(objectives))
    members = swarm.archive.points
    assert not dominated(members, evaluated).any()
    assert len(np.unique(members, axis=0)) == len(members)
    assert (members[:, None] >= evaluated).all(axis=2).any(axis=0).all()


@pytest.mark.parametrize("n_particles", [2, 5])
def test_a_swarm_begins_with_the_ready_made_directions(awkward, n_particles, rng):
    problem = OrdinalProblem(*awkward(8, 3))
    starts = problem.ready_made()[:3]
    first = DirectionSwarm(problem, n_particles, starts, rng).ask()
    assert len(first) == n_particles
    assert_allclose(first[:3], starts[:n_particles], rtol=1e-12)


def test_a_swarm_finds_the_direction_that_made_the_labels(rng):
    X, _ = ordinal_table(200, 5)
    latent = X @ [3.0, -2.0, 1.0, 0.0, 0.5]
    ranks = np.digitize(latent, np.quantile(latent, [0.5, 0.8]))
    problem = OrdinalProblem(X, ranks)
    swarm = DirectionSwarm(problem, 30, np.empty((0, 5)), rng)
    fly(problem, swarm, 100)
    assert_allclose(swarm.archive.points.max(axis=0), 1.0, atol=0.01)


@pytest.mark.parametrize("velocity_range", [(-0.1, 0.3), (0.0, 1.0)])
def test_velocities_stay_within_their_range(velocity_range, rng):
    problem = OrdinalProblem(*ordinal_table(30), thresholds="search")
    swarm = ParticleSwarm(problem, 30, velocity_range, rng)
    steps = np.diff(fly(problem, swarm, 10)[0], axis=0)
    low, high = velocity_range
    assert steps.min() >= low - 1e-12
    assert steps.max() <= high + 1e-12
    assert np.isclose(steps, low, atol=1e-12).any()
    assert np.isclose(steps, high, atol=1e-12).any()

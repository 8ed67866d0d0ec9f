import numpy as np


def fly(problem, swarm, rounds):
    """Run ask and tell for some rounds; return all positions and objectives."""
    positions = []
    objectives = []
    for _ in range(rounds):
        positions.append(swarm.ask().copy())
        objectives.append(problem.evaluate(positions[-1]))
        swarm.tell(objectives[-1])
    return np.array(positions), np.array(objectives)

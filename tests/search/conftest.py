import numpy as np


def fly(problem, swarm, rounds):
    """Return all positions asked for and all objectives told."""
    asked, told = [], []
    for _ in range(rounds):
        asked.append(swarm.ask().copy())
        told.append(problem.evaluate(asked[-1]))
        swarm.tell(told[-1])
    return np.array(asked), np.array(told)

"""Time of an evaluation, and of all else in an iteration, side by side in one process.

    python experiments/benchmarks/evaluation.py

Medians of interleaved repetitions, kernels compiled beforehand, one BLAS thread. The floor is the
cheapest exact way to sorted scores: a matrix product and a sort in place.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import moocore
import numpy as np
from threadpoolctl import threadpool_limits
from timing import median_seconds

from moselect.metrics import OBJECTIVES, Objective
from moselect.search import OrdinalProblem, ParetoArchive, moves
from moselect.search.direction_swarm import DirectionSwarm

CROSSINGS = moves.crossings  # timed anew for each problem
SIZES = [(506, 13, 5, 500, 41), (10_000, 20, 5, 500, 9), (1_000_000, 20, 5, 16, 5)]


def draw_data(n: int, p: int, r: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draw normal features, ratings with few distinct rows, and classes of equal size."""
    rng = np.random.default_rng(n)
    X = rng.normal(size=(n, p))
    rows = rng.integers(-1, 2, size=(40, p)).astype(float)
    noisy = X @ rng.normal(size=p) + 2.0 * rng.normal(size=n)
    y = np.searchsorted(np.quantile(noisy, np.arange(1, r) / r), noisy)
    return X, rows[rng.integers(40, size=n)], y


def time_evaluation(n: int, p: int, r: int, n_particles: int, repetitions: int) -> None:
    X, ratings, y = draw_data(n, p, r)
    positions = np.random.default_rng(1).uniform(-1.0, 1.0, (n_particles, p + r - 1))
    weights, scores = np.ascontiguousarray(positions[:, :p]), np.empty((n_particles, n))

    def floor() -> None:
        np.matmul(weights, X.T, out=scores)
        scores.sort(axis=1)

    one = OrdinalProblem(X, y, thresholds="search")
    two = OrdinalProblem(X, y, thresholds="search", n_jobs=2)
    tied = OrdinalProblem(ratings, y, thresholds="search")
    exact = OrdinalProblem(X, y)
    costs = (
        np.abs(np.subtract.outer(np.arange(r), np.arange(r)))
        * np.arange(1.0, r + 1)[:, None]
    )
    cost = OrdinalProblem(
        X, y, objectives=(Objective("own", lambda counts: costs), "vus")
    )
    macro = OrdinalProblem(X, y, objectives=("one_minus_macro_mae", "accuracy"))
    seconds = median_seconds(
        {
            "floor": floor,
            "one": lambda: one.evaluate(positions),
            "two": lambda: two.evaluate(positions),
            "tied": lambda: tied.evaluate(positions),
            "exact": lambda: exact.evaluate(weights),
            "cost": lambda: cost.evaluate(weights),
            "macro": lambda: macro.evaluate(weights),
        },
        repetitions,
    )
    ratios = [seconds[name] / seconds["floor"] for name in list(seconds)[1:]]
    print(f"{f'{n:,} x {p}, {n_particles}':22}{1e3 * seconds['floor']:10.2f}", end="")
    print("".join(f"{ratio:14.2f}" for ratio in ratios))


def fill(archive: ParetoArchive, members: int) -> None:
    """Add neighbours of the members, each better in some objectives and worse in others."""
    rng = np.random.default_rng(0)
    while len(archive) < members:
        chosen = rng.integers(len(archive), size=200)
        tilt = 0.02 * rng.normal(size=(len(chosen), len(OBJECTIVES)))
        tilt -= tilt.mean(axis=1, keepdims=True)
        archive.add(archive.points[chosen] + tilt, archive.payload[chosen])


def time_iteration(n: int, p: int, r: int, n_particles: int, members: int) -> None:
    """Time `ask` and `tell` of a swarm whose archive has so many members."""
    X, _, y = draw_data(n, p, r)
    problem = OrdinalProblem(X, y)
    spent = {"steps": 0.0}

    def timed(step: Callable[..., np.ndarray]) -> Callable[..., np.ndarray]:
        def timed_step(*arguments: object) -> np.ndarray:
            started = time.perf_counter()
            result = step(*arguments)
            spent["steps"] += time.perf_counter() - started
            return result

        return timed_step

    problem.gradients = timed(problem.gradients)
    moves.crossings = timed(CROSSINGS)
    starts = problem.ready_made()
    swarm = DirectionSwarm(problem, n_particles, starts, np.random.default_rng(0))
    for _ in range(10):
        swarm.tell(problem.evaluate(swarm.ask()))
    fill(swarm.archive, members)
    rounds = []
    for _ in range(21):
        spent["steps"] = 0.0
        started = time.perf_counter()
        positions = swarm.ask()
        criteria = time.perf_counter()
        objectives = problem.evaluate(positions)
        evaluated = time.perf_counter()
        swarm.tell(objectives)
        told = time.perf_counter()
        motion = criteria - started - spent["steps"]
        rounds.append((evaluated - criteria, motion, told - evaluated, spent["steps"]))
    evaluation, motion, tell, gradient = np.median(rounds, axis=0)
    print(
        f"{f'{n:,} x {p}, {n_particles}':22}{len(swarm.archive):10,}{1e3 * evaluation:14.2f}"
        f"{motion / evaluation:14.2f}{tell / evaluation:14.2f}"
        f"{(motion + tell) / evaluation:14.2f}{gradient / evaluation:14.2f}"
    )


def draw_front(rng: np.random.Generator, k: int, depth: float) -> np.ndarray:
    """Draw points on a sphere, or up to ``depth`` below it: near a front, most of them beaten."""
    points = np.abs(rng.normal(size=(k, len(OBJECTIVES))))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    return points * (1.0 - depth * rng.random((k, 1)))


def time_insertion(members: int, n_candidates: int) -> None:
    rng = np.random.default_rng(0)
    inside = draw_front(rng, members, 0.0)
    candidates = [draw_front(rng, n_candidates, 0.5) for _ in range(22)]
    archive = ParetoArchive(len(OBJECTIVES), 1)
    archive.add(inside, np.full((members, 1), -1.0))
    rounds, entered = [], []
    for number, batch in enumerate(candidates):
        union = np.vstack([archive.points, batch])
        started = time.perf_counter()
        moocore.is_nondominated(union, maximise=True)
        filtered = time.perf_counter()
        archive.add(batch, np.full((n_candidates, 1), float(number)))
        added = time.perf_counter()
        rounds.append((filtered - started, added - filtered))
        entered.append(np.count_nonzero(archive.payload == number))
    refilter, add = np.median(rounds[1:], axis=0)
    print(
        f"\n{n_candidates} candidates near the front, of which {np.median(entered):.0f} enter, "
        f"into {members:,} members:\n{1e3 * add:.1f} ms; refiltering the union with moocore takes "
        f"{1e3 * refilter:.1f} ms, {refilter / add:.1f} x as long (goal: 5 x)"
    )


def main() -> None:
    with threadpool_limits(limits=1, user_api="blas"):
        print(
            "All six objectives, in times the floor (goals: 1.5, two threads faster, ties 2)"
        )
        heads = (
            "floor, ms",
            "one thread",
            "two threads",
            "heavy ties",
            "exact",
            "cost, VUS",
        )
        heads += ("macro, acc.",)
        print(
            f"{'n x p, particles':22}{heads[0]:>10}"
            + "".join(f"{h:>14}" for h in heads[1:])
        )
        for size in SIZES:
            time_evaluation(*size)
        print(
            "\nAn iteration, in times the evaluation with exact thresholds (goal: all else 1)"
        )
        heads = ("archive", "evaluate, ms", "motion", "archive", "all else", "steps")
        print(
            f"{'n x p, particles':22}{heads[0]:>10}"
            + "".join(f"{h:>14}" for h in heads[1:])
        )
        for n, n_particles in ((506, 100), (506, 500), (10_000, 100)):
            time_iteration(n, 13, 5, n_particles, 5_000)
        time_insertion(20_000, 500)


if __name__ == "__main__":
    main()

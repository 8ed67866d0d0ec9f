"""Insertion into a set of mutually non-dominated points; all objectives are maximised."""

import numpy as np

from moselect._kernels.compilation import kernel

# Points compared at a time, branch-free, for vector instructions.
BLOCK = 64


@kernel
def _count_hits(points, start, width, candidate, sign, hits):
    """Count the objectives in which each point of a block is no worse than the candidate.

    With ``sign`` -1 those in which it is no better. Without a branch, the compiler
    compares a block at once.
    """
    hits[:] = 0
    for j in range(points.shape[0]):
        bound = sign * candidate[j]
        values = points[j, start : start + width]
        for i in range(width):
            hits[i] += np.int64(sign * values[i] >= bound)


@kernel
def insert(points, ids, size, candidates, candidate_ids):
    """Insert ``candidates`` (k, m) one after the other; return the new size.

    A candidate enters unless a point is at least as good everywhere (of equal points the
    first stays); points that it dominates leave. ``ids`` (capacity,) travels with the
    columns of ``points`` (m, capacity); capacity must be at least ``size + k``. The order
    of the points is arbitrary: those that dominate many candidates move to the front, so
    that later candidates are rejected early.
    """
    m = points.shape[0]
    hits = np.empty(BLOCK, dtype=np.int64)
    for c in range(candidates.shape[0]):
        candidate = candidates[c]
        dominator = -1  # some point at least as good everywhere
        for start in range(0, size, BLOCK):
            width = min(BLOCK, size - start)
            _count_hits(points, start, width, candidate, 1.0, hits)
            for i in range(width):
                if hits[i] == m:
                    dominator = start + i
                    break
            if dominator >= 0:
                break
        # Swapped half-way to the front: what dominates one candidate soon dominates the
        # next ones.
        if dominator >= 0:
            forward = dominator // 2
            for j in range(m):
                points[j, forward], points[j, dominator] = (
                    points[j, dominator],
                    points[j, forward],
                )
            ids[forward], ids[dominator] = ids[dominator], ids[forward]
            continue
        kept = 0  # the others leave, in order
        # Not dominated: now the points that the candidate dominates make room, in place.
        for start in range(0, size, BLOCK):
            width = min(BLOCK, size - start)
            _count_hits(points, start, width, candidate, -1.0, hits)
            for i in range(width):
                if hits[i] == m:
                    continue
                if kept < start + i:
                    for j in range(m):
                        points[j, kept] = points[j, start + i]
                    ids[kept] = ids[start + i]
                kept += 1
        size = kept
        for j in range(m):
            points[j, size] = candidate[j]
        ids[size] = candidate_ids[c]
        size += 1
    return size

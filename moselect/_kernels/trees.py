"""Sum of the leaves that rows reach in decision trees."""

from moselect._kernels.compilation import kernel


@kernel
def sum_leaves(
    X,
    roots,
    features,
    splits,
    true_nodes,
    false_nodes,
    sets,
    members,
    targets,
    values,
    out,
):
    """Add to ``out`` (n, k) the values of the leaves that the rows of ``X`` (n, p) reach.

    Node i sends a row to ``true_nodes[i]`` if its feature is at most ``splits[i]`` or, where
    ``sets[i]`` is not negative, if its feature is a category that this row of
    ``members`` marks; else to ``false_nodes[i]``. A negative child c is the leaf ``-1 - c``,
    whose value is added to column ``targets``.
    """
    n_categories = members.shape[1]
    for root in roots:  # trees outside: one tree and some rows fit the cache
        for i in range(X.shape[0]):
            node = root
            while node >= 0:
                x = X[i, features[node]]
                chosen = sets[node]
                if chosen < 0:
                    is_true = x <= splits[node]
                else:
                    # NaN fails both comparisons, and so is no member of any set.
                    known = 0.0 <= x < n_categories and x == int(x)
                    is_true = known and members[chosen, int(x)] != 0
                node = true_nodes[node] if is_true else false_nodes[node]
            out[i, targets[-1 - node]] += values[-1 - node]

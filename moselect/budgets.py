"""Budgets: rows, folds, steps and seconds beyond which something is thinned or ends.

One class for each purpose. An attribute has its reason and the experiment that chose it.
"""


class ParallelBudget:
    """Least work that is divided among threads or processes."""

    # Rows above which fits are divided among processes where nobody says how many, since these
    # take two to three seconds to start; and their number, since each has a copy of the table.
    rows = 3_000
    processes = 2
    # The same for a linear rule alone, whose five folds take two seconds on 20,000 rows of 20
    # numbers (experiments/benchmarks/deciding.py).
    rows_of_rule = 20_000
    # Scores of one more thread. Not measured.
    scores_per_thread = 2**14


class MemoryBudget:
    """Parts in which large files and arrays are processed; results do not depend on them."""

    # A file that is read at once.
    file_bytes = 2**26
    # Files of a larger share of the machine's memory are sampled, to so many rows: a table takes
    # several times the bytes of its file, and fits have copies of it. Not measured.
    sampled_share = 1 / 16
    sampled_rows = 200_000
    machine_bytes: int | None = None  # of this machine
    # Columns of the folds of one fit that a run folder keeps: compressed, a tenth of it.
    kept_bytes = 2**26
    # Some 25,000 rows of 40 numbers as text.
    block_bytes = 2**23
    # Splines have ten numbers for each cell.
    block_cells = 1_000_000
    # Clusters of all rows of a source: the error of a mean then has a coefficient of variation
    # of 1 / sqrt(2 * 10,000).
    clusters = 10_000
    # Rows of a query that are fetched at a time. Not measured.
    query_rows = 50_000
    # Rows of features that are copied at a time: a second copy of all may not fit in memory.
    copied_rows = 8_192
    # Rows of a graph evaluated at a time: its arrays fit the cache. Not measured.
    graph_rows = 1_000
    # Rows whose covariances with the inducing points fit the cache. Not measured.
    covariance_rows = 500
    # Up to here numpy takes less time than loading the compiled loop over trees. Not measured.
    interpreted_rows = 5_000
    # Leading rows that are split into fields to find the form of a file. Not measured.
    head_rows = 1_000


class SearchBudget:
    """Rows and evaluations of the search for the front."""

    # Up to here the search has a single stage, on all rows (experiments/benchmarks/scale.py).
    single_stage_rows = 5_000
    # Rows of the stages before the last: the first always, others up to half of all rows.
    first_stage_rows = 4_000
    later_stage_rows = (20_000, 100_000)
    # Share of the budget at which each stage ends, by the number of stages before the last.
    # Sampling noise decreases as 1 / sqrt(n): on few rows the swarm soon optimises noise, on
    # many each round is slow. These shares kept 98 to 99 % of the hypervolume at 30,000 rows
    # and 99 % at 200,000 (experiments/benchmarks/scale.py --full).
    stage_ends = (
        (100 / 120,),
        (80 / 120, 110 / 120),
        (80 / 120, 108 / 120, 116 / 120),
    )
    # The search in a fold, and its training rows; a quarter as many evaluate its front. Only
    # its time is measured (experiments/benchmarks, "with the five folds").
    fold_evaluations = 1_000
    fold_rows = 8_000
    # Rows on which members of the front are compared. Not measured.
    member_rows = 10_000
    # Members whose influences are averaged: neighbours on a front have similar ones. Not
    # measured.
    averaged_members = 30
    # Members whose crowding distances are computed in a round. Not measured.
    crowded_members = 500
    # Between two checkpoints of a run. Not measured.
    checkpoint_seconds = 2.0


class CrossValidationBudget:
    """Rows and clusters of a cross-validation."""

    # More rows hardly reduce the standard errors (experiments/coverage, "Many rows").
    rows = 50_000
    # Clusters, over all repeats, on which the selection itself is evaluated, and most repeats: of
    # 19 blocks of Boston, 50 give a cost with a standard deviation of 2 % of its standard error.
    selections = 5_000
    selection_repeats = 50
    # Share of the last rows that is held out of a table with times. Not measured.
    holdout_of_times = 0.3


class LinearBudget:
    """Rows, folds and steps of linear and additive models."""

    # Folds that choose the penalty of proportional odds, of its additive form, which has more
    # penalties to fit, and of the direction for a decision loss. Not measured.
    penalty_folds = 5
    additive_folds = 3
    direction_folds = 5
    # Rows that rank the penalties (experiments/benchmarks: time of the first selection).
    penalty_rows = 5_000
    # Rows of a direction: a loss of precision is detectable in 300,000 test samples, so that the
    # model of all rows has more than the fold models, where it is not in a test fold.
    direction_rows = 50_000
    direction_fold_rows = 10_000
    direction_steps = 100
    # Entries of the matrix in all sweeps of least absolute deviations: some tenths of a second.
    deviation_entries = 200_000_000


class EnsembleBudget:
    """Rows of the base models of the ensemble."""

    # Above, the Gaussian process has a subsample. Not measured.
    rows = 5_000
    # Above, the stacking weights of a fold are estimated on its two neighbouring folds: 11 sets
    # of folds are fitted, not 16. Cross-validated costs are then 1 % too large on 500 rows, and
    # would be 4 % too large on 150 (experiments/ablation).
    neighbour_rows = 300
    # Above, histogram trees have 15 leaves and other rates (experiments/benchmarks).
    deep_tree_rows = 5_000
    # Rows of histogram trees (experiments/benchmarks: 20,000 rows take 21 s, not 50).
    histogram_rows = 20_000
    # Rows that choose three numbers of a kernel, at O(n^3), and inducing points. Not measured.
    kernel_rows = 120
    inducing_rows = 1_000
    # Rows that tell whether a model is constant. Not measured.
    varying_rows = 1_000


class ScorecardBudget:
    """Folds and steps of the search for conditions."""

    folds = 5
    # Swaps of a condition for another at each length. Not measured: usual searches end before.
    swaps = 20


class InspectionBudget:
    """Rows and columns over which effects, sets and reasons are computed."""

    # The coverage of 20,000 rows has a standard error of 0.2 %.
    set_rows = 20_000
    # Rows that tell an AUC from 1.
    leak_rows = 20_000
    # Rows over which local effects are accumulated. Not measured.
    effect_rows = 1_000
    # Shapley values: rows scored in a call, since a few take as long as one; background rows of
    # a main effect; and values of a column at which it is estimated. Not measured.
    scored_rows = 20_000
    averaged_rows = 10
    effect_values = 50
    # Background rows drawn from the profiles of a model. Not measured.
    background_rows = 100
    # Draws of unchanged tables in a test of drift; of more columns more, since the level of
    # each is lower. Not measured.
    drift_draws = 2_000
    drift_draws_per_column = 40


class PageBudget:
    """Contents of a page, which a browser loads at once. Not measured."""

    # Samples whose probabilities the page holds, and members of the front, spread over it.
    rows = 10_000
    members = 1_000
    # Characters of a model that is embedded to score rows.
    model_characters = 1_600_000
    # Frequent levels of a column, and quantiles of a numeric one, the median in the middle.
    levels = 200
    quantiles = 25


PARALLEL = ParallelBudget()
MEMORY = MemoryBudget()
SEARCH = SearchBudget()
CROSS_VALIDATION = CrossValidationBudget()
LINEAR = LinearBudget()
ENSEMBLE = EnsembleBudget()
SCORECARD = ScorecardBudget()
INSPECTION = InspectionBudget()
PAGE = PageBudget()

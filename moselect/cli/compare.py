"""`moselect compare`: fit, keep each model as it ends, and print tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from moselect import __version__
from moselect.cli.files import save_figure
from moselect.cli.options import (
    Binning,
    Bins,
    Categorical,
    ClassCosts,
    CostMatrix,
    Drop,
    Force,
    Group,
    Ignore,
    Json,
    Keep,
    LeaveOut,
    Metric,
    Missing,
    Names,
    Order,
    Read,
    Target,
    Time,
    Weight,
    costs_of,
    data_argument,
    option,
    stated,
    table_of,
)
from moselect.cli.search_run import print_notes
from moselect.cli.tables import print_json, print_table
from moselect.cli.terminal import INTERRUPTED, Show, Terminal
from moselect.datasets.sources import check_source
from moselect.io.atomic import check_file_path
from moselect.io.run_record import RECORD, load_recorded, read_record, search_of
from moselect.listing import names

if TYPE_CHECKING:  # slow to import
    from moselect._types import Document
    from moselect.comparison import Comparison
    from moselect.datasets import Dataset
    from moselect.preprocessing import Preparation


def compare(
    data: Annotated[
        str,
        data_argument(
            "A bundled name (boston), openml:ID, or a CSV, .xlsx or Parquet file; or a run folder, "
            "for its data, target, classes and columns.",
            "DATA|RUN",
        ),
    ],
    models: Annotated[
        Names,
        option(
            "Models, separated by commas, such as scorecard,ensemble,random_forest; fast ones by "
            "default. An unknown name lists all.",
            read=names,
        ),
    ] = None,
    folds: Annotated[
        int | None, option("Number of stratified folds; by default 5, repeated twice.")
    ] = None,
    class_costs: ClassCosts = None,
    cost_matrix: CostMatrix = None,
    metric: Metric = None,
    seed: Annotated[
        int | None, option("Random seed, for reproducible results; by default a new one.")
    ] = None,
    jobs: Annotated[int | None, option("Processes to fit with.")] = None,
    out: Annotated[
        Path | None,
        option("Results file, written after each model, with figures beside it."),
    ] = None,
    save_best: Annotated[
        Path | None,
        option(
            "File for the cheapest model, fitted to all rows: .json for linear models, .npz for "
            "ensembles and classifiers; others cannot be saved (exit code 3)."
        ),
    ] = None,
    force: Force = False,
    json: Json = False,
    target: Target = None,
    order: Order = None,
    bins: Bins = None,
    binning: Binning = None,
    leave_out: LeaveOut = None,
    categorical: Categorical = None,
    weight: Weight = None,
    group: Group = None,
    time: Time = None,
    reading: Read = None,
    drop: Drop = None,
    keep: Keep = None,
    missing: Missing = None,
    ignore: Ignore = None,
) -> None:
    """Compare the cross-validated costs of models on the same folds."""
    is_run = Path(data, RECORD).is_file()
    loaded_by = table_of(locals())
    prepared = stated(drop=drop, keep=keep, categorical=categorical, missing=missing)
    if is_run and (prepared or loaded_by):
        raise ValueError(
            "options for reading data need DATA: a run folder already has them"
        )
    if not is_run:
        check_source(data)
    picture = None if out is None else out.with_name(f"{out.stem}.png")
    for path in (out, save_best, picture):
        if path is not None:
            check_file_path(path, replace=force)
    terminal = Terminal(json=json, ignored=ignore or ())
    with terminal.progress(f"reading {data}") as show:
        from moselect.comparison import DEFAULT_MODELS
        from moselect.datasets import load_dataset
        from moselect.preprocessing import Preparation

        prepare: bool | Preparation = True
        if is_run:
            record = read_record(Path(data))
            dataset = load_recorded(record, None, "moselect compare DATA")
            prepare = search_of(record).prepare
        else:
            dataset = load_dataset(data, **loaded_by)
            if prepared:
                prepare = Preparation(random_state=seed, **prepared)
        print_notes(dataset, prepare, terminal)
        costs = costs_of(dataset.labels, class_costs, cost_matrix, metric=metric)
        if save_best is not None and costs is not None and costs.by_row:
            raise ValueError(
                "--save-best takes one cost matrix: for costs of each row use moselect select"
            )
        settings: Document = {
            "cv": folds,
            "random_state": seed,
            "n_jobs": jobs,
            "prepare": prepare,
            "costs": costs,
            "labels": dataset.labels,
        }
        models = models or DEFAULT_MODELS
        comparison, lost = _fit(dataset, models, settings, out, force, show)
    if comparison.interrupted:
        terminal.inform("Interrupted.")
    (print_json if terminal.json else print_table)(comparison, terminal)
    if len(comparison.failures) == len(comparison.results):
        raise ValueError("every model failed, for the reasons above")
    if picture is not None:
        from moselect.plots import model_front

        try:
            save_figure(model_front(comparison).figure, picture)
        except (OSError, ValueError) as error:
            terminal.inform(f"No picture: {error}")
    if lost:
        raise lost[-1]
    if comparison.interrupted:
        raise SystemExit(INTERRUPTED)
    if save_best is None:
        return
    try:
        with terminal.progress(f"fitting {comparison.best_for()} to all rows"):
            path = _save_winner(comparison, dataset, save_best, prepare, force)
    except TypeError:
        terminal.inform(
            f"Not saved: {comparison.best_for()} cannot be saved; linear models, ensembles "
            "and classifiers can."
        )
        # exit code
        not_kept = 3
        raise SystemExit(not_kept) from None
    terminal.inform(f"Written: {path}")


def _fit(
    dataset: Dataset,
    models: Sequence[str],
    settings: Document,
    out: Path | None,
    force: bool,
    show: Show,
) -> tuple[Comparison, list[OSError]]:
    """Compare models and save each result as it ends; also return errors of saving."""
    from moselect.comparison import compare
    from moselect.io import write_comparison

    lost: list[OSError] = []

    def report(comparison: Comparison) -> None:
        done = len(comparison.results)
        doing = f"fitting {models[done]}" if done < len(models) else "comparing"
        show(f"{doing}, {done} of {len(models)} models done", done, len(models))
        if out is None or done == 0:
            return
        try:
            write_comparison(out, comparison, overwrite=force or done > 1)
        except OSError as error:  # the other models are fitted and printed all the same
            lost.append(error)

    comparison = compare(
        models, dataset.X, dataset.y, report=report, **dataset.roles, **settings
    )
    return comparison, lost


def _save_winner(
    comparison: Comparison,
    dataset: Dataset,
    path: Path,
    prepare: bool | Preparation,
    force: bool,
) -> Path:
    """Fit the cheapest model to all rows and write it to a file; TypeError if none can hold it."""
    from moselect.comparison import fit_model
    from moselect.io import write_model
    from moselect.predictor import ModelCard
    from moselect.predictor.conversion import to_predictor
    from moselect.selection.cost_sensitive import takes_costs

    evidence = comparison.evidence()
    name = evidence.selected
    figures = evidence.candidates.loc[name].astype(float)
    model = fit_model(
        name,
        dataset.X,
        dataset.y,
        **{role: dataset.roles[role] for role in dataset.roles if role != "times"},
        costs=comparison.fitted_for,
        prepare=prepare,
        random_state=comparison.random_state,
    )
    matrix = evidence.evaluations[name].costs
    about = {
        "fingerprint": dataset.fingerprint,
        "model": name,
        "moselect": __version__,
        f"expected_{evidence.value}": figures[evidence.value],
        "std_error": figures["std_error"],
        "cost_matrix": matrix,
    }
    winner = to_predictor(model)
    if not takes_costs(model):
        # Thresholds that no score should cross lie beyond the scores of the rows.
        scores = winner.decision_function(dataset.X)
        winner = winner.replace(decision=winner.scorer.decision(matrix, None, scores))
    if winner.holds_models:  # a text holds none
        path = path.with_suffix(".npz")
    card = ModelCard(predicts=dataset.target, data=dataset.name, n_rows=len(dataset.X))
    write_model(path, winner, about, card, overwrite=force)
    return path

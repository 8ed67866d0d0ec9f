"""`moselect search`: load, search with a progress line, write."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from moselect.cli.options import (
    ClassCosts,
    Jobs,
    Names,
    Seconds,
    Seed,
    data_argument,
    option,
)
from moselect.cli.parsers import directions, number
from moselect.cli.requests import PreparedRequest
from moselect.cli.search_run import begin, fit, write
from moselect.cli.tables import print_summary
from moselect.cli.terminal import Terminal
from moselect.datasets.sources import check_source
from moselect.listing import names
from moselect.metrics.objectives import DECLARED
from moselect.search.settings import (
    DEFAULT_ITERATIONS,
    Columns,
    SearchSettings,
    preset_settings,
)

if TYPE_CHECKING:  # slow to import
    from moselect._types import Document


class SearchRequest(PreparedRequest, frozen=True, kw_only=True):
    """Options of `moselect search`."""

    data: Annotated[
        str | None,
        data_argument(
            "A bundled name (boston), openml:ID, or a CSV, .xlsx or Parquet file."
        ),
    ] = None
    preset: Annotated[
        Literal["waegeman2008"] | None, option("Settings of a published paper.")
    ] = None
    out: Annotated[Path | None, option("Run folder; by default a new one in runs/.")] = (
        None
    )
    force: Annotated[bool, option("Replace the run folder.", "--force")] = False
    resume: Annotated[Path | None, option("Resume the search in this run folder.")] = None
    objectives: Annotated[
        Names,
        option(
            f"Objectives, separated by commas: {', '.join(DECLARED)}, or a metric of select such "
            "as f1:severe; by default those of Waegeman et al. (2008).",
            read=names,
        ),
    ] = None
    n_particles: Annotated[
        int | None, option("Particles per swarm.", "--particles", min=1)
    ] = None
    n_runs: Annotated[
        int | None, option("Independent runs, merged.", "--runs", min=1)
    ] = None
    max_evaluations: Annotated[
        int | None,
        option(
            "Maximum number of evaluations of all runs together; by default "
            f"{DEFAULT_ITERATIONS} per particle and run.",
            "--evaluations",
            min=1,
        ),
    ] = None
    max_seconds: Seconds = None
    holdout: Annotated[
        float | None,
        option(
            "Share of rows to hold out for an evaluation of the front.",
            read=number(
                float, lambda share: 0.0 < share < 1.0, "a share between 0 and 1"
            ),
            metavar="FLOAT",
        ),
    ] = None
    cv: Annotated[
        int | None,
        option(
            "Cross-validation folds; the search is repeated in each. 5 by default, 0 for none.",
            "--folds",
            read=number(
                int, lambda folds: folds == 0 or folds > 1, "at least 2, or 0 for none"
            ),
            metavar="INTEGER",
        ),
    ] = None
    class_costs: ClassCosts = None
    columns: Annotated[
        Columns | None,
        option(
            "Inputs of the linear models: features, splines of them, or scores of other models."
        ),
    ] = None
    monotone: Annotated[
        Mapping[str, int] | None,
        option(
            "Monotonic effects: predictions only rise (+) or only fall (-) with a column: "
            "age:+,income:-.",
            read=directions,
        ),
    ] = None
    n_jobs: Jobs = None
    random_state: Seed = None

    def __post_init__(self) -> None:
        if self.data is None and self.resume is None:
            raise ValueError("give a file, or a name listed by moselect datasets")
        settings = self.settings.keys() - {"n_jobs"}
        others = settings or self.prepared or self.out or self.force or self.loaded_by
        if self.resume is not None and others:
            raise ValueError(
                "--resume keeps the settings of the search: give DATA, --jobs, --quiet or --json "
                "only"
            )

    @property
    def settings(self) -> Document:
        """Settings of the search: those of a preset, and above them those that are given."""
        settings = {} if self.preset is None else preset_settings(self.preset)
        settings |= self.given("class_costs", *SearchSettings.__struct_fields__)
        if self.cv == 0:
            settings["cv"] = None
        return settings


def search(request: SearchRequest) -> None:
    """Find the Pareto-optimal models for DATA, and save them in a run folder."""
    if request.data is not None:
        check_source(request.data)
    terminal = request.terminal()
    if request.resume is not None:
        _go_on(request.resume, request.data, request.n_jobs, terminal)
    else:
        assert request.data is not None
        begin(request.data, request, request.settings, terminal)


def _go_on(path: Path, data: str | None, n_jobs: int | None, terminal: Terminal) -> None:
    """Resume the search in a run folder; ``data`` is the present path of its table."""
    from moselect.io import Checkpoints, read_run
    from moselect.io.atomic import hold
    from moselect.io.run_record import (
        UNFINISHED,
        load_recorded,
        read_unfinished,
        settings_of,
        warn_of_versions,
    )

    with hold(path):
        record = read_unfinished(path)
        if record is None:
            terminal.inform(
                f"The search in '{path}' is complete: there is nothing to resume."
            )
            print_summary(read_run(path), terminal)
            return
        with terminal.progress("reading the data") as show:
            way = f"moselect search DATA --resume {path}"
            dataset = load_recorded(record, data, way)
            warn_of_versions(record)
            settings = settings_of(record, n_jobs=n_jobs, labels=dataset.labels)
            checkpoints = Checkpoints(path / UNFINISHED)
            searched, seconds = fit(settings, dataset, checkpoints, terminal, show)
        loaded_by = record["data"]["loaded_by"] | ({"source": data} if data else {})
        write(path, searched, dataset, seconds, loaded_by, terminal)

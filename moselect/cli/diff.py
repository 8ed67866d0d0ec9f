"""`moselect diff`: two selected models, by their files."""

import moselect
from moselect.cli.model_requests import DiffRequest
from moselect.inference.standard_errors import interval
from moselect.listing import decimals_of, with_interval
from moselect.monitoring import model_differences


def diff(request: DiffRequest) -> None:
    """Print the settings and figures in which two models differ."""
    terminal = request.terminal()
    models = map(moselect.io.read_model, (request.first, request.second))
    settings, figures, same_rows = model_differences(*models)
    if terminal.json:
        terminal.print_json(
            {"settings": settings, "figures": figures, "same_rows": same_rows}
        )
        return
    names = [str(request.first), str(request.second)]
    terminal.print_table(
        [["", *names], *settings.reset_index().to_numpy().tolist()], justify="left"
    )
    rows = []
    for name, first, second, difference, error in figures.itertuples():
        decimals = decimals_of([error])
        shown = with_interval(interval(difference, error), decimals)
        rows.append([name, f"{first:.{decimals}f}", f"{second:.{decimals}f}", shown])
    terminal.print_table([["cross-validated", *names, "difference (95 %)"], *rows])
    if same_rows:
        terminal.print(
            "Both models were selected on the same rows: their differences vary less than "
            "these intervals, which assume two independent tables."
        )

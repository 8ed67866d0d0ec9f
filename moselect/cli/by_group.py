"""Tables of groups, as several commands print them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from moselect.cli.terminal import Terminal, short
from moselect.listing import in_one_line, measured

if TYPE_CHECKING:  # slow to import
    from moselect.selection import GroupEstimates


def print_groups(groups: Mapping[str, GroupEstimates], terminal: Terminal) -> None:
    """Print the measures of each group, and the largest difference in the first one."""
    # that fit beside each other into 80 columns
    most_boundaries = 4
    for column, found in groups.items():
        rates = [name for name in found.overall.index if "_rate " in name]
        others = [name for name in found.overall.index if name not in rates]
        boundaries = [name.partition(" ")[2] for name in rates[::2]]
        caption = "Columns of classes: miss rate, false alarm rate (class or above)."
        if len(boundaries) > most_boundaries:
            differences = found.differences["difference"].filter(rates[::2])
            worst = rates.index(differences.idxmax()) if len(differences) else 0
            boundaries = boundaries[worst // 2 : worst // 2 + 1]
            rates = rates[worst : worst + 2]
            caption += " Shown is the boundary with the largest difference in miss rates."
        labels = [name.replace("_", " ") for name in others]
        table = terminal.table(short(column), "rows", *labels, *map(short, boundaries))
        for name, row in found.table.iterrows():
            cells = [measured(row[each], row[found.errors[each]]) for each in others]
            # Miss rate and false alarm rate of each boundary.
            pairs = zip(row[rates[::2]], row[rates[1::2]], strict=True)
            cells += [
                f"{missed:.0%}, {alarms:.0%}".replace("nan%", "none")
                for missed, alarms in pairs
            ]
            table.add_row(short(name), f"{row['rows']:,.0f}", *cells)
        terminal.print(table)
        terminal.print(caption)
        for measure, row in found.differences.head(1).iterrows():
            terminal.print(
                f"Largest difference in {measure}: {row['difference']:.3g}, between "
                f"{row['lowest']} and {row['highest']} ({row['low']:.3g} to {row['high']:.3g})."
            )
        if any(name.startswith("others (") for name in found.table.index):
            terminal.say(
                f"Groups of '{in_one_line(column)}' of fewer than 30 rows are merged."
            )


def records_of(groups: Mapping[str, GroupEstimates]) -> dict[str, Any]:
    """Return the tables as documents for scripts."""
    return {
        column: {
            "groups": found.table.reset_index(names="group").to_dict("records"),
            "differences": found.differences.reset_index(names="measure").to_dict(
                "records"
            ),
        }
        for column, found in groups.items()
    }

"""New public tables and reports: wrong results without a word.

    python -m experiments.people_files.audit FOLDER [--cases skulls InstEval]

``audit.csv`` lists the cases: source, what it stresses, the command's options and the right value
with its origin. FOLDER has the packages (see README). Verdicts: *right*; *asked* (refused with the
option that helps); *misled* (refused, and the option offered is false); *refused* (without help);
*remark* (wrong or doubtful, and said); *wrong* (without a word); *failed* (the audit itself).
"""

from __future__ import annotations

import argparse
import csv
import os
import sys
import tempfile
from pathlib import Path

import pandas as pd

from experiments.people_files.audit_case import Case
from experiments.people_files.audit_classes import judge_figure, judge_order, judge_word
from experiments.people_files.audit_figures import (
    judge_constant,
    judge_evaluate,
    judge_groups,
    judge_limit,
)

JUDGES = {
    "order": judge_order,
    "word": judge_word,
    "figure": judge_figure,
    "evaluate": judge_evaluate,
    "groups": judge_groups,
    "limit": judge_limit,
    "constant": judge_constant,
}


def judge(case: Case, packages: Path, folder: Path) -> tuple[str, str]:
    """Return the verdict of a case and a line; one that fails does not end the others."""
    try:
        return JUDGES[case.check](case, packages, folder)
    except (ValueError, KeyError, OSError) as error:
        return "failed", f"{type(error).__name__}: {error}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("packages", type=Path)
    parser.add_argument("--cases", nargs="+", default=[""])
    parser.add_argument("--checks", nargs="+", default=list(JUDGES), choices=list(JUDGES))
    parser.add_argument(
        "--of", default="", choices=["first", "second"], help="only tables of the note"
    )
    given = parser.parse_args()
    with (Path(__file__).parent / "audit.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    found = []
    with tempfile.TemporaryDirectory() as name:
        for row in rows:
            if row["check"] not in given.checks or not any(
                w in row["name"] for w in given.cases
            ):
                continue
            before, of_note = row.pop("before"), row.pop("note")
            if given.of and given.of != of_note:
                continue
            case = Case(**row)
            if case.table.startswith("file:") and "MOSELECT_DATA" not in os.environ:
                verdict, line = (
                    "skipped",
                    f"set MOSELECT_DATA to the folder of {case.table[5:]}",
                )
            else:
                verdict, line = judge(case, given.packages.resolve(), Path(name))
            found.append(
                {
                    "case": case.name,
                    "right": case.right,
                    "shown": line,
                    "before": before,
                    "now": verdict,
                }
            )
            print(found[-1], file=sys.stderr, flush=True)
    table = pd.DataFrame(found)
    print(table.to_csv(sep="|", index=False))
    print(table["now"].value_counts().to_string())


if __name__ == "__main__":
    main()

import numpy as np
import pandas as pd

from moselect.preprocessing.preparation import schema_of
from moselect.samples.samples import Samples
from moselect.selection.range_remarks import range_counts, range_remarks
from moselect.selection.reference import profiles_of


def test_values_out_of_the_training_range_are_counted_in_units_of_the_table():
    n = 60
    days = pd.date_range("2024-01-01", periods=n)
    table = pd.DataFrame(
        {
            "income": 1000.0 + 10.0 * np.arange(n),
            "day": days.strftime("%d/%m/%Y"),
            "colour": ["red", "blue"] * (n // 2),
        }
    )
    samples = Samples(
        table, np.arange(n) % 2, np.array(["no", "yes"]), schema=schema_of(table)
    )
    profiles = profiles_of(samples)
    assert range_remarks(profiles, [range_counts(profiles, table)]) == []
    later = days + pd.Timedelta(days=n - 1)
    new = table.assign(income=table["income"] * 10.0, day=later.strftime("%d/%m/%Y"))
    blocks = [range_counts(profiles, new[:20]), range_counts(profiles, new[20:])]
    assert range_remarks(profiles, blocks) == [
        "'income': 60 of 60 rows are outside the training range 1000 to 1590 (here 10000 to 15900)",
        "'day': 59 of 60 rows are outside the training range 2024-01-01 to 2024-02-29 "
        "(here 2024-02-29 to 2024-04-28)",
    ]

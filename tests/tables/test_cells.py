import datetime

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moselect.preprocessing import Preparation
from moselect.tables.cells import ISO, seconds_of
from moselect.tables.date_formats import DATE_FORMATS
from moselect.tables.schema import read_times


@given(st.timedeltas(datetime.timedelta(0), datetime.timedelta(days=99)))
def test_durations_written_by_python_and_pandas_are_read(time):
    time -= datetime.timedelta(microseconds=time.microseconds)
    for text in (str(time), str(pd.Timedelta(time)), pd.Timedelta(time).isoformat()):
        assert seconds_of(text.lower(), "hours") == time.total_seconds()


@given(st.times().map(lambda time: time.replace(microsecond=0)))
def test_clock_times_are_seconds_since_midnight(time):
    seconds = time.hour * 3600 + time.minute * 60 + time.second
    for form in ("%H:%M:%S", "%I:%M:%S %p", "%I:%M:%S%p"):
        assert seconds_of(time.strftime(form).lower(), "minutes") == seconds


DURATIONS = {
    "1 h 20 min": 4800,
    "90min": 5400,
    "1.5 hours": 5400,
    "2 days 3 s": 172_803,
    "45s": 45,
}
NO_TIMES = ["", "p", "pt", "5", "2:60", "24", "13:00 pm", "1:2", "h", "2:30:1"]


@pytest.mark.parametrize("text", [*DURATIONS, *NO_TIMES])
def test_durations_in_words_are_read_and_other_text_is_not(text):
    assert seconds_of(text, "hours") == DURATIONS.get(text)


@pytest.mark.parametrize(
    ("cells", "expected", "written"),
    [
        (["2:30", "10:15", None, "0:05"], [9000, 36_900, 9000, 300], "h:mm"),
        (["2:30", "1:02:30", None, "0:05"], [150, 3750, 150, 5], "m:ss"),
        (
            [datetime.time(2, 30), datetime.time(9), None, datetime.time(1)],
            [9000, 32_400, 9000, 3600],
            "m:ss",
        ),
    ],
)
def test_a_column_of_times_is_read_in_seconds(cells, expected, written):
    table = pd.DataFrame({"time": pd.Series(cells), "x": range(len(cells))})
    preparation = Preparation().fit(table)
    np.testing.assert_array_equal(preparation.transform(table)["time"], expected)
    assert f"time (time in seconds, read as {written}" in preparation.summary
    new = pd.DataFrame({"time": ["soon", "2:30"], "x": 1})
    unreadable = preparation.read(new).unreadable
    assert "'time' holds 'soon', not a time such as" in unreadable[0]
    assert unreadable[1] == ""


def test_levels_that_only_look_like_times_stay_levels():
    table = pd.DataFrame({"ratio": ["4:3", "16:9", "2:35", "4:3"], "x": range(4)})
    assert "time" not in Preparation().fit(table).summary


@pytest.mark.slow
@pytest.mark.parametrize("date_format", ["%Y-%m-%d", *DATE_FORMATS])
def test_sample_times_are_read_in_every_date_format(date_format):
    dates = pd.date_range("2019-12-28 05:30:10", periods=40, freq="1777min")
    if date_format == ISO:
        texts = [date.isoformat() for date in dates]
    else:
        texts = dates.strftime(date_format).tolist()
        dates = pd.to_datetime(texts, format=date_format)
    assert pd.to_datetime(read_times(texts), unit="s").tolist() == dates.tolist()


def dates_of(*texts, dates=None):
    column = pd.Series(texts, name="visit")
    column.attrs["dates"] = dates
    return pd.to_datetime(read_times(column), unit="s").strftime("%Y-%m-%d").tolist()


def test_first_days_of_months_are_read_so():
    with pytest.warns(UserWarning, match="read as %d/%m/%Y.*01/02/2023 is 2023-02-01"):
        assert dates_of("01/02/2023", "01/03/2023") == ["2023-02-01", "2023-03-01"]
    with pytest.warns(UserWarning, match="read as %m/%d/%Y.*02/01/2023 is 2023-02-01"):
        assert dates_of("02/01/2023", "03/01/2023") == ["2023-02-01", "2023-03-01"]


def test_other_dates_with_day_and_month_to_be_interchanged_are_asked_for():
    for texts in (
        ("01/02/2023", "03/02/2024", "05/06/2023"),
        ("1-2-2023", "3-4-2023"),
        # days of March, and hours of January
        ("04/03/2024", "05/03/2024"),
        ("02/01/2024 08:00", "03/01/2024 09:30"),
    ):
        with pytest.raises(
            ValueError, match=r"'visit' may have .*dates=day .*dates=month"
        ):
            dates_of(*texts)
    assert dates_of("1-2-2023", "3-4-2023", dates="day") == ["2023-02-01", "2023-04-03"]
    assert dates_of("1/2/23", "3/4/23", dates="month") == ["2023-01-02", "2023-03-04"]
    # As spreadsheets write them.
    assert dates_of("19-Sep-21", "1-Oct-22") == ["2021-09-19", "2022-10-01"]
    # One date tells for all; with points the day is first.
    assert dates_of("01/02/2023", "13/02/2023") == ["2023-02-01", "2023-02-13"]
    assert dates_of("01.02.2023", "03.04.2023") == ["2023-02-01", "2023-04-03"]


def test_sample_times_are_numbers_durations_or_years():
    numbers = [3, 1, 2]
    assert read_times(numbers) is numbers
    assert read_times(None) is None
    assert list(read_times(["2:30", "10:00"])) == [9000.0, 36_000.0]
    assert list(read_times(["2019", "2018"])) == [2019.0, 2018.0]
    for cells in (["monday", "tuesday"], ["2021/22", "2021/23"], ["2021-W54"]):
        with pytest.raises(ValueError, match=f"are text such as '{cells[0]}': give num"):
            read_times(cells)


@pytest.mark.parametrize(
    ("cells", "days"),
    [
        (["2021-08", "2020-12"], ["2021-08-01", "2020-12-01"]),
        (["08/2021", "12/2020"], ["2021-08-01", "2020-12-01"]),
        (["Aug-2021", "May-2020"], ["2021-08-01", "2020-05-01"]),
        (["Aug 2021", "Dec 2020"], ["2021-08-01", "2020-12-01"]),
        (["August 2021", "May 2020"], ["2021-08-01", "2020-05-01"]),
        (["2021/22", "2019/20"], ["2021-08-01", "2019-08-01"]),
        (["2021Q3", "2020-Q4"], ["2021-07-01", "2020-10-01"]),
        (["2021-W31", "2020-W53"], ["2021-08-02", "2020-12-28"]),
    ],
)
def test_times_may_be_months_and_longer_periods(cells, days):
    times = pd.Series(read_times(pd.Series([*cells, None, cells[0]])))
    if not pd.api.types.is_datetime64_any_dtype(times):
        times = pd.to_datetime(times, unit="s")
    expected = pd.to_datetime([*days, None, days[0]])
    assert times.astype("datetime64[s]").tolist() == expected.tolist()

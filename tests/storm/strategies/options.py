"""Options of every command, sensible and not."""

from __future__ import annotations

from hypothesis import strategies as st


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


NUMBERS = (*_words("0 1 2 -1 3.5 1e308 nan inf x 2,2"), "", "9" * 20)
LISTS = _words("1,1,5 1,1 0,0,0 nan,1,1 -1,1,1 1e200,1,1 ,, a,b,c 0.2,0.3,0.5")
WEIGHTS = _words("vus=2,accuracy=1 vus vus=-1 vus=nan auc=1 vus=1,vus=2 =1 vus=0")
WORDS = ("accuracy,vus", "vus", "auc", "vus,vus", "", " ", "\x1b[2J", "height", "nothing", "1,2,3")
FOLDERS = ("new", "t.csv", "plain", ".", "..", "/", "no/such/folder", "", "a\rb", "-x")
FILES = _words("plain.json made.csv made.json made.xlsx made.npz made.skops made.sql /dev/null")
PATHS = FOLDERS + FILES
DATA = ("t.csv", "mixed.csv", "plain", "nothing.csv", "", "c.npz", "plain.json", "costs.csv", ".")

any_value = st.one_of(
    *map(st.sampled_from, (NUMBERS, LISTS, WEIGHTS, WORDS, PATHS)), st.text(max_size=5)
)

# Of each command: what must stand there, and options with the values that they expect.
COMMANDS: dict[str, tuple[tuple[tuple[str, ...], ...], dict[str, tuple[str, ...] | None]]] = {
    "search": (
        (DATA,),
        {
            "--target": WORDS,
            "--order": LISTS,
            "--bins": NUMBERS,
            "--binning": ("uniform", "quantile", *LISTS),
            "--objectives": WORDS,
            "--preset": ("waegeman", "", "x"),
            "--algorithm": ("nsga2", "mopso", "x"),
            "--columns": ("features", "splines", "x"),
            "--drop": WORDS,
            "--keep": WORDS,
            "--categorical": WORDS,
            "--no-prepare": None,
            "--runs": ("0", "2", "-1", "x", "1000000000000"),
            "--seconds": ("0.01", "0", "-1", "nan", "x", "inf"),
            "--stall": NUMBERS[:6],
            "--holdout": NUMBERS,
            "--sampling": ("auto", "none", "x"),
            "--max-models": NUMBERS,
            "--seed": NUMBERS,
            "--jobs": ("1", "2", "0", "-1", "100000", "x"),
            "--out": PATHS,
            "--force": None,
            "--resume": ("plain", "begun", *PATHS),
            "--json": None,
        },
    ),
    "select": (
        (("plain", "prepared", "curves", *PATHS),),
        {
            "--out": PATHS,
            "--class-costs": LISTS,
            "--loss": ("absolute", "squared", "zero_one", "x"),
            "--cost-matrix": ("costs.csv", *PATHS),
            "--cost-template": PATHS,
            "--priors": LISTS,
            "--prefer": WEIGHTS,
            "--model": NUMBERS,
            "--best": WORDS,
            "--balanced": None,
            "--export": PATHS,
            "--table": WORDS,
            "--data": DATA,
            "--force": None,
            "--json": None,
        },
    ),
    "predict": (
        (("plain.json", "prepared.json", "curves.json", *PATHS), DATA),
        {
            "--out": PATHS,
            "--id": WORDS,
            "--keep": ("none", "all", "x"),
            "--proba": None,
            "--explain": None,
            "--force": None,
            "--json": None,
        },
    ),
    "evaluate": (
        (("p.csv", *DATA),),
        {
            "--true": ("grade", *WORDS),
            "--score": ("score", "class", *WORDS),
            "--pred": ("class", "score", *WORDS),
            "--order": LISTS,
            "--level": ("0.9", *NUMBERS),
            "--stream": None,
            "--exact": None,
            "--json": None,
        },
    ),
    "compare": (
        (DATA,),
        {
            "--target": WORDS,
            "--models": ("trivial", "x", ",", "trivial,trivial"),
            "--measures": ("accuracy", "x", "", "vus,vus", "mean_absolute_error,vus"),
            "--folds": ("2", "0", "1", "-1", "99", "x"),
            "--repeats": ("1", "0", "-1", "x"),
            "--class-costs": LISTS,
            "--cost-matrix": ("costs.csv", *PATHS),
            "--priors": LISTS,
            "--seed": NUMBERS,
            "--out": ("c.npz", *PATHS),
            "--extend": None,
            "--save-best": PATHS,
            "--no-prepare": None,
            "--json": None,
        },
    ),
    "plot": ((("plain", *PATHS),), {"--kind": ("fronts", "costs", "x"), "--json": None}),
    "report": (
        (("plain", "prepared", *PATHS),),
        {"--out": PATHS, "--data": DATA, "--force": None, "--json": None},
    ),
    "datasets": ((), {"--json": None}),
}
ALWAYS = {
    "search": ("--particles", "4", "--iterations", "2", "--folds", "0"),
    "compare": ("--models", "trivial,ordinal_ridge", "--repeats", "1"),
}


@st.composite
def command_lines(draw: st.DrawFn) -> tuple[str, ...]:
    """Draw a command with some of its options, most of them with values of their kind."""
    name = draw(st.sampled_from(sorted(COMMANDS)))
    positions, options = COMMANDS[name]
    line = [name]
    for k, values in enumerate(positions):
        line.append(values[0] if draw(st.integers(0, 3)) else draw(st.sampled_from(values)))
        if k == 0 and draw(st.integers(0, 20)) == 0:
            line.pop()  # left out
    line += ALWAYS.get(name, ())
    for option in draw(st.lists(st.sampled_from(sorted(options)), max_size=4, unique=True)):
        line.append(option)
        values = options[option]
        if values is not None:
            line.append(draw(st.sampled_from(values) if draw(st.integers(0, 7)) else any_value))
    if draw(st.integers(0, 15)) == 0:
        line.insert(draw(st.integers(0, len(line))), draw(any_value))
    return tuple(one.replace("\0", "") for one in line)

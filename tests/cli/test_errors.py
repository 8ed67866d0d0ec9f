"""Errors of commands: one line that names the cause and the remedy, and an exit code."""

import shutil

import pandas as pd
import pytest

from moselect.io import write_model
from moselect.predictor import OrdinalLinearClassifier
from tests.cli.conftest import run_in

# Command line -> expected parts of the message. The command line is wrong:
WRONG_USE = """
serch -> serch; did you mean 'search'; see moselect --help
search --objctives vus -> --objectives; see moselect search --help
plot -> RUN; see moselect plot --help
search -> give a file; such as boston
search rows.csv --read 'separator=; decimals=,' -> --read; decimal=
search rows.csv --jobs 0 -> --jobs': 0: give a number, or -1 for all
search rows.csv --holdout 1.5 -> holdout is 1.5: give a share
search rows.csv --objectives vus,auc -> 'auc'; choose from; u_pairs
search rows.csv --out run -> 'run' exists already; --force
search --resume run --seed 6 -> --resume keeps the rows
select run --priors 0.2,0.3,0.5 -> --priors and --refer need --class-costs or --cost-matrix
select run --class-costs 1,x,1 -> --class-costs': 1,x,1: give numbers
select run --cost-matrix two.csv --loss squared -> --loss needs --class-costs
select run --prefer vus=1 --class-costs 1,1,1 -> give one of --class-costs and --prefer
search t.csv --monotone a:+,a:- -> --monotone': a:+,a:-: give columns and directions; each name once
select run --prefer vus=x -> --prefer': vus=x: give names and weights, such as vus=2
select run --metric kappa --class-costs 1,1,1 -> give one of --class-costs and --metric
take run --balanced --member 1 -> give one of --member and --balanced
take run -> name the model: --member
select run COSTS --model ensemble -o n.json -> 'n.json' cannot hold ensemble; --model linear
select run COSTS --limit low<high -> --limit': low<high: give an error
select run COSTS --confidence 0.4 -> --confidence'; greater than or equal to 0.5
select run COSTS -o none/m.json -> there is no folder 'none'
select run COSTS --export m.r -> must end in .sql, .onnx, .html, .txt
select run COSTS --export taken.sql -> 'taken.sql' exists already
tune rows.csv --models lightgbn --out new -> unknown model 'lightgbn'
predict m.json rows.csv -o no/p.csv -> no folder 'no'; make it
predict m.json rows.csv -o p.txt -> cannot write 'p.txt'; .csv,
check m.json rows.csv --unlabelled --target grade -> cannot be combined
evaluate rows.csv --true grade --pred grade --weight-type counts -> needs --weight
evaluate rows.csv --true grade -> --score, --pred, or both
evaluate rows.csv --true grade --score weight --class-costs 1,1,5 -> --by need --pred
thresholds rows.csv --true grade --score height -> give costs: --class-costs, --cost-matrix or
thresholds rows.csv --true grade --score height --bands 3 --class-costs 1,5,5 -> --bands is for
thresholds rows.csv --true grade --score height --metric kappa --min-share .1 -> needs --bands
thresholds rows.csv --true grade --score height --metric kappa -o m.json -> 'm.json' exists already
compare rows.csv --class-costs 1,1,1 --metric kappa -> give one of class costs
compare rows.csv --out taken.sql -> 'taken.sql' exists already
predict m.json rows.csv -o taken.csv -> 'taken.csv' exists already: name another file; (--force)
take run --member 0 -o m.json -> 'm.json' exists already; or replace it (--force)
decide rows.csv -> name the column to predict: --target 'grade' (columns: word, day, loss
decide rows.csv --target grade -> --costs 1,2,5,10 (3 classes: 1 < 2 < 3)
decide rows.csv --target grade --costs 1,2 --cost-matrix two.csv -> give one of
decide single.csv --target grade --costs 1,2,5 -> 'single-decision' has other files
select run COSTS --all-rows -> there are no others
search rows.csv --seconds 0 -> seconds is 0.0: give a number above 0
search rows.csv --folds 1 -> --folds 1: give at least 2, or 0
search rows.csv --objectives vus -> at least two different ones
select run COSTS --refer :1 -> --refer': :1: give a cost, or a label and a cost
select run COSTS --limit high<mid:0.1 --limit high<mid:0.2 -> --limit is given twice
take run --member 0 -o m.foo -> cannot write 'm.foo'; .json, .npz
predict m.json rows.csv -o rows.csv --force -> 'rows.csv' is an input of this command
predict m.json rows.csv -o link.csv --force -> 'link.csv' is an input of this command
take run --member 0 -o t.csv --force -> 't.csv' is an input of this command
predict m.json parts -o parts/rows.parquet --force -> is an input of this command
predict m.json parts/*.parquet -o parts/rows.parquet --force -> is an input of this command
plot run -o run/figures/fronts.png --force -> is a file of the run 'run'
plot run -o t.csv --force -> cannot write 't.csv'; .png
report run -o t.csv --force -> cannot write 't.csv'; .html
export m.json m.json --force -> 'm.json' is an input of this command
check m.json rows.csv --history m.json -> 'm.json' is an input of this command
search run/front.csv --out run --force -> 'run/front.csv' is a file of the run
"""
# Data, a model or a run cannot be used, or an option does not fit them:
UNUSABLE = """
search bostn -> 'bostn'; did you mean 'boston'
search [red]x[/].csv -> no data set or file '[red]x[/].csv'
search folder -> cannot read 'folder'; no parquet file
search single.csv -> class 3 has a single sample
search text.csv -> without a known order; --order
search rows.csv --target wight -> 'wight'; did you mean 'weight'
search rows.csv --objectives cost,vus -> 'cost' needs --class-costs
search --resume nowhere -> no search in 'nowhere'
search rows.csv --weight word -> not every cell of 'word' is a number
search rows.csv --time word -> times are text such as
search rows.csv --weight grade -> 'grade' is the target
plot nowhere -> 'nowhere' is not a run folder
select runs/a-001 -> has schema None; search again
select run --class-costs 1,1 -> 2 numbers, but there are 3 classes
select run --cost-matrix none.csv -> cannot read the costs 'none.csv'
select run --cost-matrix t.csv -> 't.csv' is not a valid cost matrix
select run --cost-matrix two.csv -> it has 2 rows of 2 numbers, but there are 3 classes
select run --prefer speed=1 -> 'speed' was not searched: choose from accuracy, one_minus
select run --metric f1:low -> needs a class above the lowest: choose from mid, high
select run --metric kapa -> unknown metric 'kapa'
take run --member 100000 -> --member 100000: the models of the front are 0 to
select run COSTS --candidates tuned -> begin with moselect tune run
predict none.json rows.csv -> there is no file 'none.json'
predict rows.csv rows.csv -> 'rows.csv' is damaged; moselect select writes one
predict m.json capitals.csv -> column 'height' is missing; did you mean 'HEIGHT'?
search alone.csv -> no features: 'grade' is the only column
predict m.json tall.csv -> can be scored: in the first one 'height' is 'tall'
predict m.json rows.csv --proba -> no class probabilities
predict m.json rows.csv --keep x -> there is no column 'x'
check m.json rows.csv -> no cost was reported of the model
diff m.json m.json -> no cost was reported of the model
diff m.json none.json -> there is no file 'none.json'
search quote.csv --target grade --rows 100 --out new -> a quotation mark is opened and never closed
evaluate rows.csv --true grade --score wight -> did you mean 'weight'
evaluate rows.csv --true grade --score word -> word must hold real numbers
evaluate rows.csv --true weight --score height -> is continuous
evaluate rows.csv --true grade --pred grade --class-costs 1,5 -> --class-costs has 2; 1, 2, 3
thresholds rows.csv --true grade --score height --bands 3 -> 3 classes: bands have the rate of one
evaluate none --true y --score s -> no file 'none'
search openml:x -> 'openml:x': give the number of a data set
search rows.csv --target grade --leave-out zzz -> to be excluded by --leave-out
search rows.csv --weight loss -> weights must be finite and not negative
search '' -> cannot read ''; directory
evaluate folder --true y --score s -> cannot read 'folder': Is a directory
"""
CASES = [
    *((2, case) for case in WRONG_USE.strip().splitlines()),
    *((65, case) for case in UNUSABLE.strip().splitlines()),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory, searched, table):
    folder = tmp_path_factory.mktemp("errors")
    shutil.copytree(searched, folder, dirs_exist_ok=True)
    few = pd.DataFrame({"a": [1.0, 2, 3, 4, 5, 6]})
    for name, rows in {
        "rows": table.assign(word="a", day="2024-01-01", loss=-1.0)[
            ["word", "day", "loss", *table]
        ],
        "capitals": table.rename(columns=str.upper),
        "alone": pd.DataFrame({"grade": [1, 3, 1]}),
        "single": few.assign(grade=[1, 1, 1, 2, 2, 3]),
        "text": few.assign(grade=list("uuvvww")),
        "tall": table.assign(height="tall"),
    }.items():
        rows.to_csv(folder / f"{name}.csv", index=False)
    for name in ("folder", "runs/a-001", "single-decision", "parts"):
        (folder / name).mkdir(parents=True)
    for name, text in {
        "runs/a-001/run.json": "{}",
        "two.csv": "0,1\n1,0\n",
        "taken.sql": "mine",
        "taken.csv": "mine",
        "parts/rows.parquet": "mine",
        "single-decision/notes.txt": "mine",
        "quote.csv": "speed,grade\n" + "1.5,1\n" * 2000 + '2.5,"2\n' + "1,1\n" * 9,
    }.items():
        (folder / name).write_text(text)
    (folder / "link.csv").symlink_to(folder / "rows.csv")
    names = ["height", "weight"]
    model = OrdinalLinearClassifier([1.0, 1.0], [2.0], ["no", "yes"], names)
    write_model(folder / "m.json", model)
    return folder


def files_in(folder):
    return {path: path.is_file() and path.read_bytes() for path in folder.rglob("*")}


@pytest.mark.parametrize(("code", "case"), CASES)
def test_errors_suggest_the_next_step(folder, code, case):
    line, expected = case.replace("COSTS", "--class-costs 1,1,5").split(" -> ")
    before = files_in(folder)
    done = run_in(folder, line, code=code)
    assert done.stdout == ""
    message = done.stderr.splitlines()[-1]
    assert message.startswith("moselect: error: ")
    for words in expected.split("; "):
        assert words.lower() in message.lower()
    assert files_in(folder) == before

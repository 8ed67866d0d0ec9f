"""The conda recipe has the requirements and the version of the package."""

import re
import tomllib

import moselect
from tests.places import DOCS, ROOT


def test_the_recipe_requires_the_same_packages():
    recipe = (DOCS / "project/conda/recipe.yaml").read_text()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    run = recipe.split("  run:\n")[1].split("\n\n")[0]
    listed = [line.strip(" -").replace(" ", "") for line in run.splitlines()]
    python = f"python{project['requires-python']}"
    assert listed == [python, *project["dependencies"]]
    assert re.search('version: "(.*)"', recipe)[1] == moselect.__version__

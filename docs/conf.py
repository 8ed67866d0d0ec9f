"""How the documentation is built: ``python -m sphinx -W --keep-going -b html docs docs/_build``.

``-t reference`` builds the reference alone, in about a minute, as no page runs code.
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path

import moselect
from moselect.io.run_record import RUN_SCHEMA
from moselect.predictor.conversion import MODEL_SCHEMA

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_ext"))
# Code cells and shell commands of the pages run in the environment that builds them.
os.environ["PATH"] = os.pathsep.join(
    [str(Path(sys.executable).parent), os.environ["PATH"]]
)
os.environ["OMP_NUM_THREADS"] = "1"
os.environ["PYTHONPATH"] = str(HERE.parent)  # the experiments
# Code cells begin with a hidden step into a copy of docs/data, where they may write.
examples = tempfile.TemporaryDirectory(prefix="moselect-docs-")
shutil.copytree(HERE / "data", examples.name, dirs_exist_ok=True)
os.environ["MOSELECT_EXAMPLES"] = examples.name

project = "moselect"
author = "The moselect developers"
copyright = author
release = version = moselect.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "myst_nb",
    "sphinx_design",
    "sphinx_copybutton",
    "checks",
    "command_line",
    "gallery",
    "house",
    "mathml",
    "public_names",
    "shell",
]
exclude_patterns = ["_build", "jupyter_execute"]
templates_path = ["_templates"]
suppress_warnings = ["config.cache"]
default_role = "py:obj"

autosummary_generate = True
autodoc_typehints = "none"  # docstrings name the types
autodoc_default_options = {
    "exclude-members": "get_metadata_routing, set_output"  # scikit-learn's own
    + "".join(
        f", set_{method}_request"
        for method in (
            "fit",
            "predict",
            "predict_proba",
            "score",
            "transform",
            "partial_fit",
        )
    )
}
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

myst_enable_extensions = [
    "colon_fence",
    "deflist",
    "dollarmath",
    "fieldlist",
    "substitution",
]
myst_heading_anchors = 3
myst_substitutions = {
    "schema_model": MODEL_SCHEMA,
    "schema_run": RUN_SCHEMA,
}
nb_execution_mode = "auto"
nb_execution_raise_on_error = True
nb_execution_show_tb = True
nb_execution_timeout = 600  # seconds a cell, on a busy machine
nb_execution_in_temp = True
nb_merge_streams = True

if "reference" in tags:  # noqa: F821 - Sphinx defines it
    extensions.remove("gallery")
    exclude_patterns += ["explanations", "gallery.md", "guides", "project"]
    suppress_warnings += ["myst.xref_missing", "ref.doc", "toc.not_readable"]
    nb_execution_mode = "off"

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_line_continuation_character = "\\"

html_math_renderer = "mathml"
html_theme = "pydata_sphinx_theme"
html_title = f"moselect {release}"
html_static_path = ["_static"]
html_css_files = ["moselect.css"]
html_show_sourcelink = False
html_sidebars = {"index": [], "gallery": []}
html_context = {"default_mode": "auto"}  # light or dark, as the reader's system
html_theme_options = {
    "logo": {"text": "moselect"},
    "show_prev_next": True,
    # Written where the documentation is published, for the versions that are there.
    "switcher": {"json_url": "/versions.json", "version_match": f"v{release}"},
    "check_switcher": False,
    "navbar_end": ["version-switcher", "theme-switcher", "navbar-icon-links"],
    "navbar_align": "left",
    "header_links_before_dropdown": 6,
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": ["page-toc"],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}


def _skip_inherited(app, what, name, value, skip, options):
    """Leave out members that scikit-learn documents itself."""
    return True if str(getattr(value, "__module__", "")).startswith("sklearn.") else None


def setup(app):
    """Register the filter of members."""
    app.connect("autodoc-skip-member", _skip_inherited)

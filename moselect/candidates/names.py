"""Names of the candidates and baselines."""

from collections.abc import Iterable

SCORECARD, LINEAR, ADDITIVE, ENSEMBLE = CANDIDATES = (  # simplest first
    "scorecard",
    "linear",
    "additive",
    "ensemble",
)

PROPORTIONAL_ODDS, TRIVIAL = BASELINES = ("proportional odds", "always one class")
MEMBER = "best member"  # of the front of a search
# Without features, too, but not constant: it decides by the costs of each row.
ROW_SHARES = "class shares, row costs"


def known_name(name: str, names: Iterable[str]) -> str:
    """Return the spelling of a name in ``names``, with blanks or underscores, else the name.

    Examples
    --------
    >>> known_name("proportional_odds", BASELINES), known_name("other_model", BASELINES)
    ('proportional odds', 'other_model')
    """
    spellings = {each.replace("_", " "): each for each in names}
    return spellings.get(str(name).replace("_", " "), name)

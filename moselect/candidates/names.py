"""Names of the candidates and baselines."""

SCORECARD, LINEAR, ADDITIVE, ENSEMBLE = CANDIDATES = (  # simplest first
    "scorecard",
    "linear",
    "additive",
    "ensemble",
)

PROPORTIONAL_ODDS, TRIVIAL = BASELINES = ("proportional odds", "always one class")

"""Names of the candidates and baselines."""

CANDIDATES = ("scorecard", "linear", "additive", "ensemble")  # simplest first

PROPORTIONAL_ODDS, TRIVIAL = BASELINES = ("proportional odds", "always one class")

# base models of the ensemble that are candidates or baselines on their own
BASES = {
    "additive": "splines",
    PROPORTIONAL_ODDS: "proportional_odds",
}

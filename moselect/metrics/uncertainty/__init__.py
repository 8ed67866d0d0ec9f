"""Standard errors and confidence intervals of measures, and tests of differences."""

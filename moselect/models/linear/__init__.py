"""Linear models: proportional odds, and rules fitted for costs."""

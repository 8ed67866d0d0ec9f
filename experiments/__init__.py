"""The papers' experiments, one folder each: ``python -m experiments`` lists and runs them."""

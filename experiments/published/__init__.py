"""Tables on which others printed their figures."""

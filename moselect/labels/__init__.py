"""Class labels, their order, and known scales."""

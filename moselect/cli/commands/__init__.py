"""One command a file: its options, and no heavy import before it is called."""

"""Where messages go: standard output is for results alone."""

from rich.console import Console

messages = Console(stderr=True)

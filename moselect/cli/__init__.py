"""The command line: parse, call, print. Heavy imports wait until a command needs them."""

from moselect.cli.app import main

__all__ = ["main"]

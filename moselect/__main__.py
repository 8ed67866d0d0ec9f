"""The command line by `python -m moselect`."""

from moselect.cli import main

main()

"""The command line by `python -m moselect`."""

from moselect.cli import main

if __name__ == "__main__":  # the documentation imports every module
    main()

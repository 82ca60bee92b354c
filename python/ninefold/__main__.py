"""`python -m ninefold`: the command line."""

from ninefold.cli import main

main()

"""`python -m pyprof`."""

from pyprof.cli import main

raise SystemExit(main())

from __future__ import annotations

import signal

# A shell that starts the tests in the background makes them ignore Ctrl-C, and so would all that they start: the tests
# of interrupted commands need the usual answer.
signal.signal(signal.SIGINT, signal.default_int_handler)

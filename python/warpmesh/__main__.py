"""The command line: `python -m warpmesh run small --kernel reduction`."""

import signal
import sys

from warpmesh._warpmesh import main

# Ctrl-C is the command's: it ends with what it has found so far.
signal.signal(signal.SIGINT, signal.SIG_DFL)
sys.exit(main(["warpmesh", *sys.argv[1:]]))

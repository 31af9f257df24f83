"""A line that says how far a command is: in a notebook, on a terminal, or to a function."""

from __future__ import annotations

import shutil
import sys
import time
from typing import Any, Callable, Optional, Union

Progress = Union[bool, None, Callable[[str, Optional[float]], object]]
"""Who hears how far a command is: a function of a line and the part that is done (0 to 1, or None where nobody knows);
True: a line is shown; False: nothing is; None: a line, in notebooks and where standard error is a terminal."""

_SHORT = 0.5
"""Seconds of a command that needs no line."""


class _Line:
    """A line that replaces itself, once the command has taken some time."""

    def __init__(self) -> None:
        self.begun = time.monotonic()
        self.shown = False

    def __call__(self, line: str, done: Optional[float]) -> None:
        if time.monotonic() - self.begun < _SHORT:
            return
        self.shown = True
        self.show(line if done is None else f"{done:4.0%}  {line}")

    def close(self) -> None:
        if self.shown:
            self.show("")

    def show(self, line: str) -> None:
        raise NotImplementedError


class _TerminalLine(_Line):
    def show(self, line: str) -> None:
        width = shutil.get_terminal_size().columns - 1
        sys.stderr.write(f"\r{line[:width]:{width}}" + ("" if line else "\r"))
        sys.stderr.flush()


class _NotebookLine(_Line):
    """An output of its own, which does not touch the others of the cell."""

    handle: Any = None

    def show(self, line: str) -> None:
        from IPython.display import display

        text = {"text/plain": line}
        if self.handle is None:
            self.handle = display(text, raw=True, display_id=True)
        elif self.handle is not None:
            self.handle.update(text, raw=True)


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    shell = shell.get_ipython() if shell else None
    return shell is not None and hasattr(shell, "kernel")


def listener(progress: Progress) -> tuple[Optional[Callable[[str, Optional[float]], object]], Callable[[], None]]:
    """Who is told, and what is to be done in the end."""
    if callable(progress):
        return progress, lambda: None
    if progress is False or (progress is None and not _in_notebook() and not sys.stderr.isatty()):
        return None, lambda: None
    line = _NotebookLine() if _in_notebook() else _TerminalLine()
    return line, line.close

"""How a command fails: an exception for each exit code of the command line, with the text that it prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from ._results import Result


class Error(Exception):
    """A command has failed.

    `code` is the exit code of the command line. `results` are the reports of a command that came to an end all the
    same: of a kernel with a wrong result, of a run that a limit has ended, of a network that has deadlocked.
    """

    def __init__(self, message: str, code: int, results: Optional[list[Result]] = None) -> None:
        super().__init__(message)
        self.code = code
        self.results: list[Result] = results or []

    @property
    def result(self) -> Optional[Result]:
        """The first of them."""
        return self.results[0] if self.results else None


class KernelError(Error):
    """A kernel ended with a wrong result or left its memory, a chip has a mistake, or runs of a study failed."""


class InputError(Error, ValueError):
    """An argument, a configuration, a launch file, a study, or a file that cannot be read or written."""


class NotEndedError(Error):
    """A kernel did not end: cycle limit, time limit or deadlock; a network has deadlocked."""


class SimulationError(Error):
    """The simulation stopped: an assertion, a violation of DRAM timing, or two engines that disagree."""


class OutOfMemoryError(Error, MemoryError):
    """Memory ran out."""


class ConfigWarning(UserWarning):
    """What the command line warns of."""


_OF_CODE: dict[int, type[Error]] = {
    1: KernelError,
    2: InputError,
    3: NotEndedError,
    4: SimulationError,
    5: OutOfMemoryError,
}


def of_code(code: int, message: str, results: Optional[list[Result]] = None) -> Error:
    """The exception of an exit code."""
    return _OF_CODE.get(code, Error)(message.rstrip(), code, results)

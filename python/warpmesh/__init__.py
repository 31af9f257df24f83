"""A GPU chip as synchronous hardware, from Python.

>>> import warpmesh
>>> result = warpmesh.run("small", kernel="reduction", overrides={"network.vcs": 4})
>>> result.core_cycles, result.ipc, result.verified
"""

from ._commands import Chip, Config, Value, area, noc, run, study, sweep
from ._errors import (
    ConfigWarning,
    Error,
    InputError,
    KernelError,
    NotEndedError,
    OutOfMemoryError,
    SimulationError,
)
from ._progress import Progress
from ._records import NetworkRecord, Record, StudyRecord, record
from ._results import AreaResult, NocResult, Result, RunResult, StudyResult
from ._warpmesh import __version__

for _class in (
    ConfigWarning,
    Error,
    InputError,
    KernelError,
    NotEndedError,
    OutOfMemoryError,
    SimulationError,
    AreaResult,
    NocResult,
    Result,
    RunResult,
    StudyResult,
    NetworkRecord,
    Record,
    StudyRecord,
):
    # Where a user finds them, also in tracebacks.
    _class.__module__ = __name__

__all__ = [
    "AreaResult",
    "Chip",
    "Config",
    "ConfigWarning",
    "Error",
    "InputError",
    "KernelError",
    "NetworkRecord",
    "NocResult",
    "NotEndedError",
    "OutOfMemoryError",
    "Progress",
    "Record",
    "Result",
    "RunResult",
    "SimulationError",
    "StudyRecord",
    "StudyResult",
    "Value",
    "__version__",
    "area",
    "noc",
    "record",
    "run",
    "study",
    "sweep",
]

"""Folders that commands write with `record`, as data frames."""

from __future__ import annotations

import json
import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _warpmesh
from ._errors import of_code
from ._results import StudyResult, load_frame, pandas_module

if TYPE_CHECKING:
    import pandas


class Record:
    """What a run was, its report, and all its statistics over time."""

    def __init__(
        self, folder: Path, about: dict[str, Any], report: Any, config: str, columns: dict[str, memoryview]
    ) -> None:
        self.folder = folder
        self.manifest: dict[str, Any] = about["manifest"]
        """What ran: version, command, date, host, kernel, size, seed, and the interval of the samples in cycles."""
        self.verdict: str = about["ending"]["verdict"]
        self.verified: Optional[bool] = about["ending"]["verified"]
        self.error: Optional[str] = about["ending"]["error"]
        self.config = config
        """The configuration, TOML."""
        self.report: Optional[dict[str, Any]] = report
        """JSON of the run; None when an error has ended it."""
        self.columns = columns
        """The samples without pandas: numbers of 64 bits."""
        self._statistics = about["statistics"]

    @cached_property
    def samples(self) -> pandas.DataFrame:
        """A row for each interval: its launch, its last cycle, and what it has added to each statistic (`NAME.values`: so many values)."""
        pandas = pandas_module()
        import numpy

        columns = {name: numpy.frombuffer(numbers, dtype=numpy.uint64) for name, numbers in self.columns.items()}
        return pandas.DataFrame(columns)

    @cached_property
    def statistics(self) -> pandas.DataFrame:
        """A row for each statistic: the kind of block that keeps it, its unit, and what was counted in all; indexed by name."""
        columns = ["name", "block", "unit", "value", "values"]
        return pandas_module().DataFrame(self._statistics, columns=columns).set_index("name")


class NetworkRecord:
    """Networks under traffic, with the use of every link at every load."""

    def __init__(self, folder: Path, about: dict[str, Any], reports: Any, configs: list[str]) -> None:
        self.folder = folder
        self.manifest: dict[str, Any] = about["manifest"]
        self.interrupted: bool = about["ending"]["interrupted"]
        self.errors: list[str] = about["ending"]["errors"]
        self.configs = configs
        """The configurations, TOML, in the order of the reports."""
        self.reports: list[dict[str, Any]] = reports
        """JSON of each network."""

    @cached_property
    def loads(self) -> pandas.DataFrame:
        """A row for each network and load."""
        return load_frame(self.reports)

    @cached_property
    def links(self) -> pandas.DataFrame:
        """A row for each network, load and link: its use, 0 to 1."""
        rows = [
            {
                "config": report["config"],
                "offered": point["offered"],
                **{name: link[name] for name in ("subnetwork", "router", "port", "utilisation")},
            }
            for report in self.reports
            for point in report["points"]
            for link in point["links"]
        ]
        return pandas_module().DataFrame(rows)


class StudyRecord:
    """A study, and all its runs."""

    def __init__(self, folder: Path, about: dict[str, Any], report: Any, config: str) -> None:
        self.folder = folder
        self.manifest: dict[str, Any] = about["manifest"]
        self.interrupted: bool = about["ending"]["interrupted"]
        self.missing: int = about["ending"]["missing"]
        """Runs without a result."""
        self.study: str = about["study"]
        """The study file."""
        self.config = config
        """The first configuration, TOML."""
        self.changes: list[dict[str, Any]] = about["changes"]
        """What differs from it in each."""
        self.result = StudyResult(about["text"], report)


def record(folder: Union[str, os.PathLike[str]]) -> Union[Record, NetworkRecord, StudyRecord]:
    """Reads the folder that a function with `record=folder`, or the command line, has written.

    Its files are checked as they are read: that they fit together, and that the samples add up to the totals.
    """
    path = Path(folder)
    code, message, found = _warpmesh.record(path)
    if found is None:
        raise of_code(code, message)
    text, configs, columns = found
    about = json.loads(text)
    # As it was written: numbers keep their last digit.
    report = json.loads((path / "report.json").read_text(encoding="utf-8"))
    kind = about["manifest"].get("kind")
    if kind == "network":
        return NetworkRecord(path, about, report, configs)
    if kind == "study":
        return StudyRecord(path, about, report, configs[0])
    return Record(path, about, report, configs[0], {name: memoryview(numbers).cast("Q") for name, numbers in columns})

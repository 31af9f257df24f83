"""What commands report: the JSON of the command line, its text, and the most wanted values by the names of the JSON."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Optional

if TYPE_CHECKING:
    import pandas


class Result:
    """A report.

    `json` is that of the command line (`--json`), `text` what it prints for a person.
    """

    def __init__(self, text: str, json: dict[str, Any]) -> None:
        self.text = text
        self.json = json

    @classmethod
    def _said(cls, text: str, object: str) -> Result:
        return cls(text, json.loads(object))

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<warpmesh.{type(self).__name__}: {self._headline()}>"

    def _headline(self) -> str:
        return str(self.json.get("config", self.json.get("title", "")))

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.text)}</pre>"

    def _value(self, name: str) -> Any:
        if name not in self.json:
            raise AttributeError(f"this report has no `{name}`; it has: {', '.join(self.json)}")
        return self.json[name]


class RunResult(Result):
    """A kernel on a chip: `run --json`. A report of the emulator (`functional=True`) has no cycles."""

    def _headline(self) -> str:
        known = [str(self.json[name]) for name in ("kernel", "config", "verdict") if name in self.json]
        return ", ".join([*known, *(f"{self.json[name]:,} core cycles" for name in ("core_cycles",) if name in self.json)])

    @property
    def config(self) -> str:
        """Name of the chip."""
        return self._value("config")

    @property
    def kernel(self) -> str:
        """Name of the kernel."""
        return self._value("kernel")

    @property
    def verdict(self) -> str:
        """How it ended: `completed`."""
        return self._value("verdict")

    @property
    def verified(self) -> Optional[bool]:
        """The result was compared and is right; None: there is nothing to compare with."""
        return self._value("verified")

    @property
    def core_cycles(self) -> int:
        """Cycles of the cores from the start of the kernel to its end."""
        return self._value("core_cycles")

    @property
    def ipc(self) -> float:
        """Thread instructions in a cycle, of the whole chip."""
        return self._value("ipc")

    @property
    def thread_instructions(self) -> int:
        """Instructions, summed over threads."""
        return self._value("thread_instructions")

    @property
    def cost(self) -> dict[str, Any]:
        """Area and power: `chip_mm2`, `network_mm2`, `energy_j`, ..."""
        return self._value("cost")

    @cached_property
    def statistics(self) -> dict[str, int]:
        """The statistics that `stats` has asked for, by place and name; units and histograms are in `json`."""
        return {row["name"]: row["value"] for row in self.json.get("statistics", [])}

    @property
    def launches(self) -> list[RunResult]:
        """The reports of all launches of a run file."""
        return [RunResult("", launch["report"]) for launch in self._value("launches")]


class NocResult(Result):
    """A network under traffic: `noc --json`."""

    @property
    def config(self) -> str:
        """Name of the chip."""
        return self._value("config")

    @property
    def zero_load_latency(self) -> float:
        """Mean latency of a packet that is alone, cycles."""
        return self._value("zero_load_latency")

    @property
    def saturation_load(self) -> Optional[float]:
        """Load at which the mean latency is three times that, flits per sender and cycle; None: not looked for, or not reached."""
        return self._value("saturation_load")

    @property
    def points(self) -> list[dict[str, Any]]:
        """The loads that were measured: `offered`, `accepted`, `verdict`, `packet_latency`, ..."""
        return self._value("points")

    @property
    def frame(self) -> pandas.DataFrame:
        """A row for each load; tables in it are columns with dots: `packet_latency.mean`."""
        return load_frame([self.json])


class AreaResult(Result):
    """What a chip costs: `area --json`."""

    @property
    def config(self) -> str:
        """The chip, as it was named."""
        return self._value("config")

    @property
    def technology_nm(self) -> int:
        """Technology node, nm."""
        return self._value("technology_nm")

    @property
    def chip_mm2(self) -> float:
        """All, mm^2."""
        return self._value("chip_mm2")

    @property
    def network_mm2(self) -> float:
        """Routers and channels, mm^2."""
        return self._value("network_mm2")

    @property
    def routers_mm2(self) -> float:
        """All routers, mm^2."""
        return self._value("routers_mm2")

    @property
    def cores_mm2(self) -> float:
        """All cores, mm^2."""
        return self._value("cores_mm2")


class StudyResult(Result):
    """Designs under workloads: `study --json` and `sweep --json`."""

    @property
    def title(self) -> str:
        """Of the study."""
        return self._value("title")

    @property
    def designs(self) -> list[dict[str, Any]]:
        """The designs: `name`, `values`, `ratios`, `means`, `parameters`, `figures`."""
        return self._value("designs")

    @property
    def claims(self) -> list[dict[str, Any]]:
        """The claims: `about`, `paper`, `measured`, `verdict`."""
        return self._value("claims")

    @property
    def failures(self) -> list[str]:
        """Runs without a result, and why."""
        return self._value("failures")

    @property
    def frame(self) -> pandas.DataFrame:
        """A row for each design and kernel, program or traffic: what was compared, values of the axes' keys, and figures such as `core_cycles` and
        `chip_mm2`."""
        kernels = list(zip(self.json["kernels"], self.json["groups_of"]))
        rows = [
            {
                "design": design["name"],
                "kernel": kernel,
                "group": group,
                "value": design["values"][at],
                "ratio": design["ratios"][at],
                **design.get("parameters", {}),
                **(design["figures"][at] or {}),
            }
            for design in self.designs
            for at, (kernel, group) in enumerate(kernels)
        ]
        return pandas_module().DataFrame(rows)


def load_frame(reports: list[dict[str, Any]]) -> pandas.DataFrame:
    """A row for each load of these networks."""
    rows = [
        {"config": report["config"], "traffic": report["traffic"], **dict(_flat(point))}
        for report in reports
        for point in report["points"]
    ]
    return pandas_module().DataFrame(rows)


def _flat(table: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Values by dotted names, without lists."""
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{before}{name}.")
        elif not isinstance(value, list):
            yield f"{before}{name}", value


def pandas_module() -> Any:
    """pandas, which only data frames need."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError("data frames need pandas: pip install pandas") from error
    return pandas

"""The commands. A keyword is the option of the command line of that name, whose help says what it does:
`max_cycles=1000` is `--max-cycles 1000`, `stats=["core0", "dram"]` is `--stats core0 --stats dram`. None and False leave
it out. The functions may be called from several threads at a time.
"""

from __future__ import annotations

import json
import math
import os
import sys
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from numbers import Integral, Real
from pathlib import Path
from typing import Any, Optional, TypeVar, Union

from . import _warpmesh
from ._errors import ConfigWarning, of_code
from ._progress import Progress, listener
from ._results import AreaResult, NocResult, Result, RunResult, StudyResult

Value = Union[bool, int, float, str, Sequence[Any], Mapping[str, Any]]
"""A value of a configuration: `True`, `4`, `"yx"`, `[0, 5]`."""

Config = Mapping[str, Any]
"""A configuration as a table: `{"base": "small", "network": {"vcs": 4}}`; without `base`, what it leaves out is as in the default chip."""

Chip = Union[None, str, "os.PathLike[str]", Config]
"""A chip: the name of a shipped configuration, a file, a table, or None: the default chip."""

_File = Union[str, "os.PathLike[str]"]
_Words = Union[str, Sequence[str]]

_R = TypeVar("_R", bound=Result)

# Runs of studies are processes: of this interpreter with this package.
_warpmesh.set_program(_warpmesh.__file__, [sys.executable, str(Path(__file__).with_name("__main__.py"))])


def run(
    config: Chip = None,
    *,
    overrides: Optional[Mapping[str, Value]] = None,
    kernel: Optional[str] = None,
    size: Optional[int] = None,
    kernel_param: Optional[Mapping[str, int]] = None,
    launch: Optional[_File] = None,
    seed: Optional[int] = None,
    functional: bool = False,
    threads: Union[int, str, None] = None,
    engine: Optional[str] = None,
    no_cache: bool = False,
    validate: Union[bool, str] = False,
    passes: Optional[str] = None,
    explain: bool = False,
    profile: Union[bool, str] = False,
    no_intrinsics: bool = False,
    wave: Optional[_File] = None,
    wave_view: Optional[_Words] = None,
    issue_trace: Optional[_Words] = None,
    trace: Optional[_File] = None,
    window: Optional[str] = None,
    stats: Optional[_Words] = None,
    samples: Optional[_File] = None,
    record: Optional[_File] = None,
    interval: Optional[int] = None,
    snapshots: Optional[_File] = None,
    snapshot_interval: Optional[int] = None,
    max_cycles: Optional[int] = None,
    max_seconds: Optional[float] = None,
    save: Optional[_File] = None,
    every: Optional[int] = None,
    resume: Optional[_File] = None,
    check: Optional[_Words] = None,
    no_memory_checks: bool = False,
    out: Optional[_File] = None,
    force: bool = False,
    progress: Progress = None,
) -> RunResult:
    """Runs a kernel (`matmul`, when nothing is named) on a chip, and checks its result: `warpmesh run`.

    A kernel with a wrong result, and one that a limit has ended, is an error that has the report.
    """
    return _call("run", RunResult, locals())[0]


def noc(
    config: Union[Chip, list[Chip]] = None,
    *,
    overrides: Optional[Mapping[str, Value]] = None,
    traffic: Optional[str] = None,
    matrix: Optional[_File] = None,
    trace: Optional[_File] = None,
    burst: Optional[str] = None,
    rate: Union[None, float, str, Sequence[float]] = None,
    sweep: bool = False,
    flits: Union[None, int, str] = None,
    one_way: bool = False,
    request_reply: bool = False,
    reads: Optional[float] = None,
    hot_share: Optional[float] = None,
    service: Optional[int] = None,
    warmup: Optional[int] = None,
    measure: Optional[int] = None,
    drain: Optional[int] = None,
    seed: Optional[int] = None,
    threads: Union[int, str, None] = None,
    engine: Optional[str] = None,
    no_cache: bool = False,
    links: bool = False,
    plot: Optional[_File] = None,
    heatmap: Optional[_File] = None,
    snapshots: Optional[_File] = None,
    snapshot_interval: Optional[int] = None,
    record: Optional[_File] = None,
    force: bool = False,
    progress: Progress = None,
) -> Any:
    """Loads the network of a chip alone with traffic: `warpmesh noc`.

    The result is a `NocResult`; where `config` is a list, a list of them.
    """
    results = _call("noc", NocResult, locals())
    return results if isinstance(config, list) else results[0]


def area(
    config: Chip = None,
    *,
    overrides: Optional[Mapping[str, Value]] = None,
    technology: Union[None, int, str] = None,
    layout: Optional[str] = None,
    crossbar: Optional[str] = None,
    by_block: bool = False,
    depth: Optional[int] = None,
    synth: bool = False,
    liberty: Optional[_File] = None,
    no_cache: bool = False,
) -> AreaResult:
    """Says how much area a chip takes: `warpmesh area`. Nothing is simulated."""
    return _call("area", AreaResult, {**locals(), "progress": False})[0]


def study(
    study: _File,
    *,
    out: Optional[_File] = None,
    jobs: Optional[int] = None,
    quick: bool = False,
    yes: bool = False,
    no_run: bool = False,
    record: Optional[_File] = None,
    force: bool = False,
    progress: Progress = None,
) -> StudyResult:
    """Runs what is missing of a study, each run a process, and compares designs: `warpmesh study`.

    `study` is a file or, with a line end in it, the text of one; files that a text names are looked for from the current folder. The results are
    written to the folder `out` (`study-results`), those of a text as `study.*`.
    """
    arguments = locals()
    text = arguments.pop("study")
    if not (isinstance(text, str) and "\n" in text):
        return _call("study", StudyResult, arguments, [os.fspath(text)])[0]
    with tempfile.TemporaryDirectory(prefix="warpmesh-") as folder:
        file = Path(folder, "study.toml")
        file.write_text(text, encoding="utf-8")
        return _call("study", StudyResult, {**arguments, "folder": "."}, [str(file)])[0]


def sweep(
    config: Chip = None,
    *,
    overrides: Optional[Mapping[str, Value]] = None,
    vary: Optional[Mapping[str, Union[str, Sequence[Value]]]] = None,
    sample: Optional[int] = None,
    latin_hypercube: bool = False,
    sample_seed: Optional[int] = None,
    kernel: Optional[_Words] = None,
    size: Union[None, int, Sequence[int]] = None,
    kernel_param: Optional[Mapping[str, int]] = None,
    max_cycles: Optional[int] = None,
    noc: bool = False,
    rate: Union[None, float, str, Sequence[float]] = None,
    traffic: Optional[str] = None,
    flits: Union[None, int, str] = None,
    one_way: bool = False,
    warmup: Optional[int] = None,
    measure: Optional[int] = None,
    drain: Optional[int] = None,
    seed: Optional[int] = None,
    jobs: Optional[int] = None,
    out: Optional[_File] = None,
    yes: bool = False,
    no_run: bool = False,
    csv: Optional[_File] = None,
    plot: Optional[_File] = None,
    plot_kind: Optional[str] = None,
    save_study: Optional[_File] = None,
    record: Optional[_File] = None,
    force: bool = False,
    progress: Progress = None,
) -> StudyResult:
    """Runs kernels or traffic on all combinations of some values: `warpmesh sweep`.

    `vary={"network.vcs": [2, 4], "network.channel_bytes": [8, 16]}`; a range is a text: `{"core.warps": "8..32/8"}`.
    """
    arguments = locals()
    varied = (arguments.pop("vary") or {}).items()
    words = [f"--vary={key}={_list(values)}" for key, values in varied]
    return _call("sweep", StudyResult, arguments, words)[0]


def _call(command: str, result: type[_R], arguments: dict[str, Any], words: Sequence[str] = ()) -> list[_R]:
    """Runs a command, whose options and chips are among the arguments of a function."""
    arguments = dict(arguments)
    overrides, progress = arguments.pop("overrides", None), arguments.pop("progress")
    chips = _chips(arguments.pop("config", None), overrides or {})
    options = [word for name, value in arguments.items() for word in _option(name, value)]
    told, close = listener(progress)
    try:
        code, message, said, warned = _warpmesh.call([command, *words, *chips, *options], told)
    finally:
        close()
    for warning in warned:
        warnings.warn(warning.removeprefix("warning: "), ConfigWarning, stacklevel=3)
    results: list[Any] = [result._said(text, object) for text, object in said]
    if code != 0:
        # The report is what the command line prints where it says nothing else.
        raise of_code(code, message or "\n\n".join(result.text for result in results), results)
    return results


def _chips(config: Any, overrides: Mapping[str, Value]) -> list[str]:
    if not isinstance(config, list):
        return list(_chip(config, overrides))
    if not config:
        raise ValueError("config is an empty list: no chip")
    groups = [list(_chip(chip, overrides)) or ["default"] for chip in config]
    return [word for group in groups for word in ["+", *group]][1:]


def _chip(config: Any, overrides: Mapping[str, Value]) -> Iterator[str]:
    """How the command line names it."""
    settings = {}
    if isinstance(config, Mapping):
        settings = dict(_settings(config))
        config = settings.pop("base", None)
    if config is not None:
        yield os.fspath(config)
    for key, value in {**settings, **dict(_settings(overrides))}.items():
        yield f"--param={key}={_value(value)}"


def _settings(table: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Values by dotted keys."""
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _settings(value, f"{before}{key}.")
        else:
            yield f"{before}{key}", value


def _option(name: str, value: Any) -> Iterator[str]:
    option = f"--{name.replace('_', '-')}"
    if value is None or value is False:
        return
    if value is True:
        yield option
    elif isinstance(value, Mapping):
        yield from (f"{option}={key}={_plain(part)}" for key, part in value.items())
    elif isinstance(value, (str, os.PathLike)) or not isinstance(value, Sequence) and not hasattr(value, "__iter__"):
        yield f"{option}={_plain(value)}"
    else:
        yield from (f"{option}={_plain(part)}" for part in value)


def _plain(value: Any) -> str:
    """As somebody writes it on the command line."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Integral):
        return str(int(value))
    if isinstance(value, Real):
        return repr(float(value))
    return os.fspath(value)


def _list(values: Any) -> str:
    return values if isinstance(values, str) else ",".join(map(_plain, values))


def _value(value: Any) -> str:
    """As TOML; a plain word as it is."""
    if isinstance(value, str):
        is_word = value.replace("-", "_").isidentifier() and value not in ("true", "false", "inf", "nan")
        return value if is_word else json.dumps(value, ensure_ascii=False)
    return _toml(value)


def _toml(value: Any) -> str:
    if isinstance(value, (str, os.PathLike)):
        return json.dumps(os.fspath(value), ensure_ascii=False)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_toml(part)}" for key, part in value.items()) + " }"
    if isinstance(value, Real):
        plain = _plain(value)
        return plain if not isinstance(value, float) or math.isfinite(value) else plain.lower()
    return "[" + ", ".join(map(_toml, value)) + "]"

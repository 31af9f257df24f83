"""The compiled part of the package."""

import os
from collections.abc import Callable, Sequence
from typing import Optional

__version__: str

def call(
    arguments: Sequence[str],
    progress: Optional[Callable[[str, Optional[float]], object]],
) -> tuple[int, str, list[tuple[str, str]], list[str]]: ...
def main(arguments: Sequence[str]) -> int: ...
def set_program(file: str, command: Sequence[str]) -> None: ...
def record(
    folder: os.PathLike[str],
) -> tuple[int, str, Optional[tuple[str, list[str], list[tuple[str, bytes]]]]]: ...

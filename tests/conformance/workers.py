"""Judging chunks in several processes, each with an oracle of its own."""

from __future__ import annotations

import multiprocessing
import sys
import time
from collections.abc import Sequence
from functools import partial

from tests.conformance import bytecode, text, verdicts
from tests.conformance.suite import Chunk
from tests.conformance.text import Judgement
from tests.oracle import Oracle

PROCESSES = 2
SECONDS_BETWEEN_SIGNS_OF_LIFE = 10

_oracle: list[Oracle] = []


JUDGES = {"texts": text.judge, "verdicts": verdicts.judge, "bytecode": bytecode.judge}


def judge_all(part: str, selected: Sequence[Chunk]) -> list[tuple[Chunk, Judgement]]:
    """Returns the chunks with their judgements by one of JUDGES, in the order of the suite."""
    judged: list[tuple[Chunk, Judgement]] = []
    said = time.monotonic()
    with multiprocessing.get_context("spawn").Pool(PROCESSES, _start_oracle) as pool:
        for result in pool.imap_unordered(partial(_judge, part), selected, chunksize=8):
            judged.append(result)
            if time.monotonic() - said > SECONDS_BETWEEN_SIGNS_OF_LIFE:
                said = time.monotonic()
                print(f"{len(judged)} of {len(selected)}", file=sys.stderr)
    return sorted(judged, key=lambda pair: (pair[0].path, pair[0].index))


def _start_oracle() -> None:
    _oracle.append(Oracle(timeout=60))


def _judge(part: str, chunk: Chunk) -> tuple[Chunk, Judgement]:
    return chunk, JUDGES[part](_oracle[0], chunk)

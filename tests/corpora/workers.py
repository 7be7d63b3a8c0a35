"""Judging programs in several processes, each with an oracle of its own."""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor

from tests.conformance.programs import Result
from tests.conformance.suite import Chunk
from tests.corpora import judging, values
from tests.oracle import Oracle

PARTS = (*judging.PARTS, "values")
CHUNKS_BETWEEN_SIGNS_OF_LIFE = 500

_oracle: list[Oracle] = []


def judge_all(selected: Sequence[Chunk], parts: Sequence[str], workers: int) -> list[tuple[str, Result]]:
    """Returns (part, result) of all chunks, for the parts that are about chunks."""
    found: list[tuple[str, Result]] = []
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, context, _start_oracle) as pool:
        jobs = [(chunk, parts) for chunk in selected]
        for number, results in enumerate(pool.map(_judge, jobs, chunksize=4), start=1):
            found += results
            if number % CHUNKS_BETWEEN_SIGNS_OF_LIFE == 0:
                print(f"{number} of {len(selected)} chunks", file=sys.stderr)
    return found


def _start_oracle() -> None:
    _oracle.append(Oracle(timeout=60))


def _judge(job: tuple[Chunk, Sequence[str]]) -> list[tuple[str, Result]]:
    chunk, parts = job
    found: list[tuple[str, Result]] = []
    if set(parts) & judging.PARTS.keys():
        for part, (verdict, reason) in judging.judge(_oracle[0], chunk).items():
            if verdict == "FAIL other line":
                verdict = "both reject, another line"
            verdict = "failed" if verdict.startswith("FAIL") else verdict
            if part in parts:
                found.append((part, Result(chunk.key, verdict, reason)))
    if "values" in parts:
        found += [("values", result) for result in values.run_chunk(_oracle[0], chunk)]
    return found

"""A few of the inputs of `make fuzz`, and that it tells what is wrong."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import shlo
from shlo.ir.diagnostics import ParseError
from tests.hardening import kernels
from tests.hardening.conversations import PROTOCOLS, Protocol, held
from tests.hardening.driver import Batch, Job, give
from tests.hardening.mutation import changed_conversation, changed_text
from tests.hardening.targets import TARGETS, Target

pytestmark = pytest.mark.slow

FILES = [target for target in TARGETS.values() if target.memory is not None]
COUNT = 60


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.oracle
@pytest.mark.parametrize("target", FILES, ids=[target.name for target in FILES])
def test_changed_files_are_read_or_refused(target: Target) -> None:
    files, batch = target.seeds(), Batch()
    for data in files[::7]:
        target.outcome(data)  # imports
    job = Job(target.name, 1, COUNT, files, frozenset())
    for number in range(COUNT):
        give(target, number, job, batch)
    assert [failure[:2] for failure in batch.failures] == []
    assert len(batch.outcomes) > 1


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=[protocol.name for protocol in PROTOCOLS])
def test_a_conversation_without_a_fault_and_one_with_ends(protocol: Protocol) -> None:
    messages = protocol.conversations()[0]
    assert held(protocol, messages)[0] == "exit code 0"
    changed = changed_conversation(random.Random(3), [json.dumps(messages).encode()], turns=2)
    assert held(protocol, json.loads(changed))[0].startswith("exit code")


def test_a_kernel_answers_behind_messages_that_are_none() -> None:
    messages = kernels.conversations()[0]
    odd = [{"msg_type": "execute_request", "content": {"code": 7}}, 5]
    assert kernels.held([*odd, *messages[-3:]]) == ("answers", 3)


def test_what_is_raised_is_a_failure_with_its_number() -> None:
    def parse(data: bytes) -> tuple[str, int]:
        return str(len(shlo.parse(data.decode("utf-8", "replace")).functions)), 1

    text = b"func.func @main(%x: tensor<f32>) { return }"
    target = Target("raising", lambda: [text], changed_text, parse)
    batch = Batch()
    for number in range(20):
        give(target, number, Job(target.name, 1, 20, [text], frozenset()), batch)
    assert batch.failures
    number, reason, data = batch.failures[0]
    assert changed_text(random.Random(number), [text]) == data
    assert reason.startswith(ParseError.__name__)

"""Damaged and hostile bytes end in BytecodeError with the place."""

from __future__ import annotations

import shlo
import shlo_bytecode
from shlo_bytecode.container.file import open_container


def outcome(data: bytes) -> shlo_bytecode.BytecodeError | None:
    """Returns the error of a file that is not read; one that is read must also print."""
    try:
        module = shlo_bytecode.read(data)
    except shlo_bytecode.BytecodeError as error:
        return error
    module.to_text(locations=True)
    return None


# -- files made by hand --------------------------------------------------------------------------------------


def varint(value: int) -> bytes:
    """Plain, 9 bytes long where one is not enough."""
    return bytes([value << 1 | 1]) if value < 128 else b"\0" + value.to_bytes(8, "little")


def section(number: int, *parts: bytes) -> bytes:
    body = b"".join(parts)
    return bytes([number]) + varint(len(body)) + body


def numbers(*values: int) -> bytes:
    return b"".join(map(varint, values))


STRINGS = ("builtin", "module", "")


def file_with(attributes: list[bytes], types: list[bytes], version: int = 4) -> bytes:
    """Returns a module whose location is attribute 0 and whose attributes are attribute 1."""
    texts = [text.encode() + b"\0" for text in STRINGS]
    entries = [
        numbers(0, len(group)) + numbers(*[len(body) << 1 | 1 for body in group])
        for group in (attributes, types)
        if group
    ]
    operation = numbers(0) + b"\x11" + numbers(0, 1) + numbers(1 << 1) + numbers(1, 0, 0)
    return b"".join(
        (
            b"ML\xefR" + varint(version) + b"\0",
            section(0, numbers(len(texts), *map(len, reversed(texts))), *texts),
            section(1, numbers(1, 0, 1), numbers(0, 1, 1)),
            section(3, numbers(len(attributes), len(types)), *entries),
            section(2, *attributes, *types),
            section(4, numbers(2), operation),
        )
    )


UNKNOWN = numbers(15)
EMPTY_NAME = numbers(2, 2)


def test_the_hand_made_file_reads() -> None:
    dictionary = numbers(1, 1, 2, 3)
    data = file_with([UNKNOWN, dictionary, EMPTY_NAME, numbers(7)], [])
    assert 'attributes {""}' in shlo_bytecode.read(data).to_text()


def value_of(*more: bytes, types: tuple[bytes, ...] = ()) -> bytes:
    """Returns a file whose module has an attribute: the first of the entries given, which are counted from 3."""
    return file_with([UNKNOWN, numbers(1, 1, 2, 3), EMPTY_NAME, *more], list(types))


def test_an_attribute_within_itself() -> None:
    error = outcome(value_of(numbers(0, 1, 3)))
    assert error is not None
    assert "contains itself" in str(error)


def test_attributes_nested_too_deep() -> None:
    chain = [numbers(0, 1, 4 + index) for index in range(5000)]
    error = outcome(value_of(*chain, numbers(7)))
    assert error is not None
    assert "nest more than" in str(error)


def test_shared_attributes_that_would_print_for_ever() -> None:
    doubled = [numbers(0, 2, 4 + index, 4 + index) for index in range(60)]
    error = outcome(value_of(*doubled, numbers(7)))
    assert error is not None
    assert "parts" in str(error)


def test_a_deep_chain_of_call_sites_is_read() -> None:
    count = 3000
    chain = [numbers(10, 4 + index, 2) for index in range(count)]
    data = file_with([numbers(10, 3, 2), numbers(1, 0), UNKNOWN, *chain, UNKNOWN], [])
    assert shlo_bytecode.read(data).to_text(locations=True).count("callsite") == count + 1


def test_a_splat_beyond_memory_stays_small() -> None:
    huge = numbers(13, 3, *[1 << 22] * 3, 1)
    data = value_of(numbers(18, 0, 1) + b"\0", types=(huge, numbers(0, 8 << 2)))
    error = outcome(data)
    assert error is not None
    assert "do not fit into memory" in str(error)


def test_counts_beyond_the_file() -> None:
    error = outcome(value_of(numbers(0, 1 << 60)))
    assert error is not None
    assert "do not fit" in str(error)


def test_numbers_too_long_to_be_written_out() -> None:
    words = b"".join(varint((1 << 64) - 1) for _ in range(600))
    error = outcome(value_of(numbers(8, 0, 600) + words, types=(numbers(0, 38_400 << 2),)))
    assert error is not None
    assert "38400 bits" in str(error)


def test_elements_that_are_no_numbers() -> None:
    text = "module attributes {a.type = !quant.uniform<i8:f32, 1.0>, a.value = dense<1> : tensor<4xi8>} {}"
    data = bytearray(shlo_bytecode.write(shlo.parse(text)))
    types = open_container(bytes(data)).types
    tensor = next(place for place in types if data[place.start] == 13 << 1 | 1)
    quantized = next(number for number, place in enumerate(types) if place.dialect == "quant")
    data[tensor.end - 1] = quantized << 1 | 1
    error = outcome(bytes(data))
    assert error is not None
    assert "expected elements that are numbers, got tensor<4x!quant.uniform<i8:f32" in str(error)


def test_numbers_of_no_bits_are_equal() -> None:
    data = value_of(numbers(18, 0, 2) + b"\x0e\x01", types=(numbers(13, 1, 4, 1), numbers(0, 0)))
    assert "dense<0> : tensor<2xi0>" in shlo_bytecode.read(data).to_text()


def test_a_vector_without_elements() -> None:
    error = outcome(value_of(numbers(18, 0, 1) + b"\0", types=(numbers(19, 1, 0, 1), numbers(0, 8 << 2))))
    assert error is not None
    assert "a vector has no dimension of size 0" in str(error)


def test_sparse_elements_outside_of_their_shape() -> None:
    text = "module attributes {a.value = sparse<[[0, 77]], [2.0]> : tensor<2x99xf32>} {}"
    data = shlo_bytecode.write(shlo.parse(text))
    index, larger = (size.to_bytes(8, "little") for size in (77, 99))
    assert index in data
    error = outcome(data.replace(index, larger))
    assert error is not None
    assert "an index lies outside of the shape [2, 99]" in str(error)

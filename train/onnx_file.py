"""The inputs and outputs of a model in an ONNX file, without any library: the file is protocol buffers, of which few fields matter.

Sizes that are not fixed are 0. Numbers of fields are those of onnx.proto, which never change.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bullring.errors import BotError

MOST = 256 << 20
"""Bytes of the largest file that is read: more than that no bot may have."""

_FLOAT = 1
"""The element type float32."""

_ELSEWHERE = 1
"""The data location of weights that are not in this file."""


@dataclass(frozen=True)
class Tensor:
    """An input or output."""

    name: str
    type: int
    """Its element type; 1 is float32."""
    shape: tuple[int, ...]

    def __str__(self) -> str:
        sizes = ", ".join(str(size or "n") for size in self.shape)
        return f"{'float32' if self.type == _FLOAT else f'type {self.type}'} ({sizes})"

    @property
    def size(self) -> int:
        """The count of its numbers for one observation; 0 unless it is a batch of float32."""
        fits = self.type == _FLOAT and len(self.shape) == 2 and self.shape[0] in (0, 1)
        return self.shape[1] if fits else 0


def read(path: Path) -> tuple[Tensor, list[Tensor]]:
    """The one input and the outputs of the model in a file. Raises `BotError`."""
    try:
        if path.stat().st_size > MOST:
            raise BotError(f"{path} is larger than {MOST >> 20} MiB, which no bot may have")
        data = memoryview(path.read_bytes())
    except OSError as error:
        raise BotError(f"{path}: {error.strerror or error}") from None
    try:
        inputs, outputs = _ends(data)
    except (ValueError, IndexError, UnicodeDecodeError) as error:
        raise BotError(f"{path} is not a model in ONNX: {error}") from None
    if len(inputs) != 1:
        raise BotError(
            f"{path} has {len(inputs)} inputs ({', '.join(one.name for one in inputs)}); expected one: a batch of observations"
        )
    return inputs[0], outputs


def _ends(data: memoryview) -> tuple[list[Tensor], list[Tensor]]:
    """The inputs and outputs of a ModelProto."""
    inputs, outputs, weights = list[Tensor](), list[Tensor](), set[str]()
    for graph in (_bytes(value) for number, value in _fields(data) if number == 7):
        for number, value in _fields(graph):
            if number == 5:
                weights.add(_weights(_bytes(value)))
            elif number == 11:
                inputs.append(_tensor(_bytes(value)))
            elif number == 12:
                outputs.append(_tensor(_bytes(value)))
    return [one for one in inputs if one.name not in weights], outputs  # older files list the weights, too


def _weights(data: memoryview) -> str:
    """The name of an initializer. Raises `ValueError` if its numbers are in another file."""
    name = ""
    for number, value in _fields(data):
        if number == 8:
            name = bytes(_bytes(value)).decode()
        elif number == 14 and value == _ELSEWHERE:
            raise ValueError(
                "its weights are in another file; save it as one, as torch.onnx.export(..., external_data=False) does"
            )
    return name


def _tensor(data: memoryview) -> Tensor:
    """A ValueInfoProto."""
    name, kind, shape = "", 0, list[int]()
    for number, value in _fields(data):
        if number == 1:
            name = bytes(_bytes(value)).decode()
        elif number == 2:
            for inner, tensor in _fields(_bytes(value)):
                if inner != 1:
                    continue
                for part, told in _fields(_bytes(tensor)):
                    if part == 1 and isinstance(told, int):
                        kind = told
                    elif part == 2:
                        shape = [_size(_bytes(size)) for at, size in _fields(_bytes(told)) if at == 1]
    return Tensor(name, kind, tuple(shape))


def _size(data: memoryview) -> int:
    """A Dimension; 0 if it has a name instead of a size."""
    return next((value for number, value in _fields(data) if number == 1 and isinstance(value, int)), 0)


def _bytes(value: "int | memoryview") -> memoryview:
    if isinstance(value, int):
        raise ValueError("it is cut off or of another kind")  # noqa: TRY004  # of the file, not of an argument
    return value


def _fields(data: memoryview) -> "Iterator[tuple[int, int | memoryview]]":
    """The fields of a message: their numbers, with a number or bytes each. Raises `ValueError`, `IndexError`."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        value: int | memoryview
        match key & 7:
            case 0:
                value, at = _varint(data, at)
            case 1 | 5 as wire:
                size = 8 if wire == 1 else 4
                value, at = data[at : at + size], at + size
            case 2:
                size, at = _varint(data, at)
                value, at = data[at : at + size], at + size
            case _:
                raise ValueError("it is cut off or of another kind")
        if at > len(data):
            raise ValueError("it is cut off or of another kind")
        yield key >> 3, value


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while shift < 64:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7
    raise ValueError("a number of more than 64 bits")

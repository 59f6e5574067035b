"""Columns of every place that bytes come from: the same as of the bytes."""

import gc
import gzip
import io
import socket
import threading
from contextlib import ExitStack
from dataclasses import dataclass

import demat
import formats
import pytest
from demat import json, ndjson

try:
    from compression import zstd
except ImportError:  # before Python 3.14
    zstd = None


# Each format with the type of the records, and without where the format says what its values are.
TYPED_OR_LEARNT = pytest.mark.parametrize(
    ("module", "typed"),
    [
        pytest.param(module, typed, id=f"{formats.name(module)}-{'typed' if typed else 'learnt'}")
        for module in formats.modules()
        for typed in (True, False)
        if typed or not formats.facts(module).typed
    ],
)


@dataclass
class Row:
    id: int
    title: str
    share: float | None = None


ROWS = [Row(id, f'title "{id % 7}", käse', None if id % 3 else id / 8) for id in range(500)]


def chunks(data, size):
    return (data[at : at + size] for at in range(0, len(data), size))


class Recv:
    """What has the method of sockets only."""

    def __init__(self, data):
        self.data = io.BytesIO(data)

    def recv(self, size):
        return self.data.read(min(size, 100))


@TYPED_OR_LEARNT
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
@pytest.mark.parametrize("batch_size", [None, 64])
def test_columns_of_any_place(module, packed, batch_size, typed, tmp_path):
    data = module.encode(ROWS)
    expected = module.columns(data, Row).records(Row)
    assert expected == ROWS
    data = gzip.compress(data) if packed else data
    path = tmp_path / "rows"
    path.write_bytes(data)
    files = ExitStack()
    opened = lambda path, **given: files.enter_context(path.open("rb", **given))  # noqa: E731
    places = [
        lambda: path,
        lambda: data,
        lambda: bytearray(data),
        lambda: memoryview(data),
        lambda: opened(path),
        lambda: opened(path, buffering=0),
        lambda: io.BytesIO(data),
        lambda: Recv(data),
        lambda: chunks(data, 1000),
        lambda: [data[:3], b"", data[3:]],
    ]
    if not packed and not formats.facts(module).binary:
        places.append(lambda: io.StringIO(data.decode()))
        places.append(lambda: chunks(data.decode(), 77))
    with files:
        for place in places:
            columns_of_place(module, place(), typed, batch_size)


def columns_of_place(module, place, typed, batch_size):
    of = Row if typed else None
    if batch_size is None:
        assert module.columns(place, of).records(Row) == ROWS
        return
    batches = list(module.columns(place, of, batch_size=batch_size))
    assert [len(batch) for batch in batches] == [64] * 7 + [52]
    assert [row for batch in batches for row in batch.records(Row)] == ROWS


@TYPED_OR_LEARNT
def test_a_chunk_may_end_at_every_byte(module, typed):
    data = module.encode(ROWS[:4])
    of = Row if typed else None
    expected = module.columns(data, of).records()
    for at in range(len(data) + 1):
        assert module.columns([data[:at], data[at:]], of).records() == expected
        stream = module.columns(iter([data[:at], data[at:]]), of, batch_size=3)
        assert [row for batch in stream for row in batch.records()] == expected
    assert module.columns(chunks(data, 1), of).records() == expected


# A document of YAML may end after any line, and within plain text.
@formats.each(but=["yaml"])
def test_what_is_cut_off_is_an_error_or_fewer_rows(module):
    data = module.encode(ROWS[:4])
    whole = module.columns(data, Row).records()
    for at in range(len(data)):
        try:
            rows = module.columns([data[:at]], Row).records()
        except demat.Error:
            with pytest.raises(demat.Error):
                module.columns(data[:at], Row)
            continue
        assert module.columns(data[:at], Row).records() == rows
        assert rows == whole[: len(rows)] or not formats.is_nested(module)


def test_packed_data_that_is_cut_off_is_an_error():
    packed = gzip.compress(json.encode(ROWS))
    for at in range(20, len(packed), 97):
        with pytest.raises(demat.Error):
            json.columns(packed[:at], Row)
        with pytest.raises(demat.Error):
            list(json.columns([packed[:at]], Row, batch_size=10))


@pytest.mark.skipif(zstd is None, reason="the module came with Python 3.14")
def test_zstd():
    assert json.columns(zstd.compress(json.encode(ROWS)), Row).records(Row) == ROWS


def test_a_socket_is_read_as_it_comes():
    ours, theirs = socket.socketpair()
    data = ndjson.encode(ROWS)

    def send():
        with theirs:
            for chunk in chunks(data, 100):
                theirs.sendall(chunk)

    sender = threading.Thread(target=send)
    sender.start()
    with ours:
        assert ndjson.columns(ours, Row).records(Row) == ROWS
    sender.join()


@pytest.mark.parametrize("options", [{}, {"batch_size": 10}], ids=["whole", "batches"])
def test_what_a_place_raises_is_raised(options):
    def broken():
        yield ndjson.encode(ROWS[:20])
        raise RuntimeError("the line is dead")

    with pytest.raises(RuntimeError, match="the line is dead"):
        list(ndjson.columns(broken(), Row, **options))
    with pytest.raises(RuntimeError, match="the line is dead"):
        list(ndjson.columns(broken(), **options))
    with pytest.raises(TypeError, match="expected bytes or str"):
        list(ndjson.columns([5], Row, **options))


def test_what_a_place_raises_is_told_to_other_libraries():
    pa = pytest.importorskip("pyarrow")

    def broken():
        yield ndjson.encode(ROWS[:20])
        raise RuntimeError("the line is dead")

    reader = pa.RecordBatchReader.from_stream(ndjson.columns(broken(), Row, batch_size=10))
    with pytest.raises(pa.ArrowException, match="the line is dead"):
        reader.read_all()


def test_others_may_read_and_let_go_without_the_interpreter_while_it_calls_them():
    pa = pytest.importorskip("pyarrow")

    def chunks():
        for row in ROWS:
            yield ndjson.encode([row])

    def counts():
        # Called by a loop of ours: what pyarrow asks for now is asked for within that, and with the interpreter let go.
        for read in (True, False):
            reader = pa.RecordBatchReader.from_stream(ndjson.columns(chunks(), Row, batch_size=10))
            yield sum(len(batch) for batch in reader) if read else len(reader.read_next_batch())
            del reader
            gc.collect()

    file = io.BytesIO()
    ndjson.write(file, counts())
    assert ndjson.decode(file.getvalue()) == [len(ROWS), 10]


def test_what_is_no_place_is_refused():
    async def soon():
        yield b"[]"

    with pytest.raises(TypeError, match="await"):
        json.columns(soon(), Row)
    with pytest.raises(TypeError, match="place"):
        json.columns(5, Row)


def test_an_open_file_stays_open_and_a_stream_lets_go_of_it():
    file = io.BytesIO(ndjson.encode(ROWS))
    with ndjson.columns(file, Row, batch_size=10) as stream:
        assert len(next(stream)) == 10
    assert not file.closed
    data = bytearray(ndjson.encode(ROWS))
    stream = ndjson.columns(data, Row, batch_size=10)
    with pytest.raises(BufferError):
        data.clear()
    stream.close()
    data.clear()


@formats.each()
def test_a_large_file_on_several_threads(module, tmp_path):
    path = tmp_path / "rows"
    rows = [Row(id, f"title {id}", id / 4) for id in range(60_000)]
    path.write_bytes(module.encode(rows))
    assert path.stat().st_size > 1 << 20
    for threads in (1, 2, 3):
        assert module.columns(path, Row, threads=threads).records(Row) == rows
    with path.open("ab") as file:
        file.write(b"x")
    with pytest.raises(demat.Error) as caught:
        module.columns(path, Row, threads=2)
    assert str(path) in str(caught.value)

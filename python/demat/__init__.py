"""Moves typed data between any two places with nothing in between.

One namespace per format, the same verbs in each: `demat.json`, `demat.ndjson`, `demat.csv`, `demat.proto`.
`demat.sqlite`, `demat.postgres` and `demat.lmdb` keep records of your classes, `demat.net` has network addresses, and
`demat.serve` gives what you have to the world. Your own classes say what the data is; see `Field`, `hook` and
`configure` for what plain annotations can't say.

>>> import demat
>>> demat.Field(ge=0)
Field(ge=0)
"""

# Every name is loaded when it is first asked for, so that a program pays for what it uses: the modules below, and what
# they import, would otherwise cost more than the interpreter's own start.
_HOMES = {
    "Error": "_errors",
    "DecodeError": "_errors",
    "ValidationError": "_errors",
    "MissingError": "_errors",
    "EncodeError": "_errors",
    "LimitError": "_errors",
    "StoreError": "_errors",
    "NotFound": "_errors",
    "InternalError": "_errors",
    "Field": "_field",
    "Hook": "_hook",
    "hook": "_hook",
    "configure": "_configure",
    "read": "_any_place",
    "write": "_any_place",
    "columns": "_any_place",
    "columns_of": "_columns",
    "convert": "_convert",
    "to_builtins": "_convert",
    "validated": "_validated",
    "writer": "_writer",
    "TableWriter": "_table_writer",
    "StagedWriter": "_staged_writer",
    "AsyncWriter": "_async_writer",
    "copy": "_copy",
    "Copied": "_copy",
    "Change": "_changes.change",
    "Changes": "_changes.changes",
    "edit": "_edit",
    "reserve": "_reserve",
    "Edited": "_edit",
    "schema": "_schema",
    "define": "_schema",
    "source": "_schema",
    "serve": "_serve.serve",
    "route": "_serve.route",
    "Route": "_serve.route",
    "page": "_serve.serve",
    "Query": "_serve.markers",
    "Header": "_serve.markers",
    "Cookie": "_serve.markers",
    "Form": "_serve.markers",
    "Depends": "_serve.markers",
    "Upload": "_serve.upload",
    "Request": "_serve.request",
    "Response": "_serve.response",
    "SetCookie": "_serve.response",
    "HTTPError": "_serve.response",
    "Server": "_serve.server",
    "Store": "_store",
    "Source": "_own_places",
    "Sink": "_own_places",
    "scheme": "_scheme",
    "Raw": "_native",
    "LazyValue": "_native",
    "Columns": "_native",
    "ColumnStream": "_native",
    "PartSink": "_native",
    "Reader": "_native",
    "Writer": "_native",
    "AsyncReader": "_async_reader",
    "Parser": "_parser",
}
_FORMATS = (
    "avro",
    "cbor",
    "csv",
    "json",
    "mca",
    "msgpack",
    "nbt",
    "ndjson",
    "plist",
    "proto",
    "raw",
    "snbt",
    "toml",
    "txtpb",
    "xml",
    "yaml",
)
_COLUMNAR = ("arrow", "parquet")
_STORES = ("lmdb", "postgres", "sqlite", "store")
_KINDS = ("net",)
_OTHERS = ("spark",)

__all__ = [*_HOMES, *_FORMATS, *_COLUMNAR, *_STORES, *_KINDS, *_OTHERS]  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> object:
    if name in _FORMATS or name in _COLUMNAR or name in _STORES or name in _KINDS or name in _OTHERS:
        return _loaded(name)
    home = "_native" if name == "__version__" else _HOMES.get(name)
    if home is None:
        native = None if name.startswith("_") else _loaded("_native")
        if native is not None and name in native.FORMATS:  # type: ignore[attr-defined]
            # The program has added it; see docs/adding-a-format.md.
            return getattr(native, name)
        raise AttributeError(f"module 'demat' has no attribute {name!r}", name=name, obj=None)
    value = getattr(_loaded(home), name)
    # So that the next time asks the module and not this function.
    globals()[name] = value
    return value


def _loaded(module: str) -> object:
    name = f"{__name__}.{module}"
    # What `importlib.import_module` does, without importing importlib; with a list of names the module itself is given.
    return __import__(name, fromlist=("__name__",))


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

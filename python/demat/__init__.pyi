"""Moves typed data between any two places with nothing in between."""

from demat import arrow as arrow
from demat import avro as avro
from demat import cbor as cbor
from demat import csv as csv
from demat import json as json
from demat import lmdb as lmdb
from demat import mca as mca
from demat import msgpack as msgpack
from demat import nbt as nbt
from demat import ndjson as ndjson
from demat import net as net
from demat import parquet as parquet
from demat import plist as plist
from demat import postgres as postgres
from demat import proto as proto
from demat import raw as raw
from demat import snbt as snbt
from demat import spark as spark
from demat import sqlite as sqlite
from demat import store as store
from demat import toml as toml
from demat import txtpb as txtpb
from demat import xml as xml
from demat import yaml as yaml
from demat._any_place import columns as columns
from demat._any_place import read as read
from demat._any_place import write as write
from demat._async_reader import AsyncReader as AsyncReader
from demat._async_writer import AsyncWriter as AsyncWriter
from demat._changes.change import Change as Change
from demat._changes.changes import Changes as Changes
from demat._columns import columns_of as columns_of
from demat._configure import configure as configure
from demat._convert import convert as convert
from demat._convert import to_builtins as to_builtins
from demat._copy import Copied as Copied
from demat._copy import copy as copy
from demat._edit import Edited as Edited
from demat._edit import edit as edit
from demat._errors import DecodeError as DecodeError
from demat._errors import EncodeError as EncodeError
from demat._errors import Error as Error
from demat._errors import InternalError as InternalError
from demat._errors import LimitError as LimitError
from demat._errors import MissingError as MissingError
from demat._errors import NotFound as NotFound
from demat._errors import StoreError as StoreError
from demat._errors import ValidationError as ValidationError
from demat._field import Field as Field
from demat._hook import Hook as Hook
from demat._hook import hook as hook
from demat._native import Columns as Columns
from demat._native import ColumnStream as ColumnStream
from demat._native import LazyValue as LazyValue
from demat._native import PartSink as PartSink
from demat._native import Raw as Raw
from demat._native import Reader as Reader
from demat._native import Writer as Writer
from demat._own_places import Sink as Sink
from demat._own_places import Source as Source
from demat._parser import Parser as Parser
from demat._reserve import reserve as reserve
from demat._schema import define as define
from demat._schema import schema as schema
from demat._schema import source as source
from demat._scheme import scheme as scheme
from demat._serve.markers import Cookie as Cookie
from demat._serve.markers import Depends as Depends
from demat._serve.markers import Form as Form
from demat._serve.markers import Header as Header
from demat._serve.markers import Query as Query
from demat._serve.request import Request as Request
from demat._serve.response import HTTPError as HTTPError
from demat._serve.response import Response as Response
from demat._serve.response import SetCookie as SetCookie
from demat._serve.route import Route as Route
from demat._serve.route import route as route
from demat._serve.serve import page as page
from demat._serve.serve import serve as serve
from demat._serve.server import Server as Server
from demat._serve.upload import Upload as Upload
from demat._staged_writer import StagedWriter as StagedWriter
from demat._store import Store as Store
from demat._table_writer import TableWriter as TableWriter
from demat._validated import validated as validated
from demat._writer import writer as writer

__all__ = [
    "ColumnStream",
    "Columns",
    "AsyncReader",
    "AsyncWriter",
    "Change",
    "Changes",
    "Cookie",
    "Copied",
    "DecodeError",
    "Edited",
    "Depends",
    "EncodeError",
    "Error",
    "Field",
    "Form",
    "HTTPError",
    "Header",
    "Hook",
    "InternalError",
    "LazyValue",
    "LimitError",
    "MissingError",
    "NotFound",
    "Query",
    "Parser",
    "Raw",
    "PartSink",
    "Reader",
    "Request",
    "Response",
    "Route",
    "Server",
    "SetCookie",
    "Sink",
    "Source",
    "StagedWriter",
    "Store",
    "StoreError",
    "Upload",
    "TableWriter",
    "ValidationError",
    "Writer",
    "arrow",
    "avro",
    "cbor",
    "columns",
    "columns_of",
    "convert",
    "configure",
    "copy",
    "edit",
    "reserve",
    "csv",
    "define",
    "hook",
    "json",
    "lmdb",
    "mca",
    "msgpack",
    "nbt",
    "ndjson",
    "net",
    "page",
    "parquet",
    "plist",
    "postgres",
    "proto",
    "read",
    "raw",
    "route",
    "schema",
    "scheme",
    "serve",
    "snbt",
    "source",
    "spark",
    "sqlite",
    "store",
    "xml",
    "to_builtins",
    "toml",
    "txtpb",
    "validated",
    "write",
    "writer",
    "yaml",
]

__version__: str
"""The version of the package, as in its metadata."""

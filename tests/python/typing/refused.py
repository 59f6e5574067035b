"""What a type checker must refuse: an error on each line that is marked so, and on no other. Read, never run."""

from dataclasses import dataclass

import demat
from demat import csv, json, ndjson


@dataclass
class Task:
    id: int


data = b"..."

# Values in place of types.
json.decode(data, 3)  # refused
json.decode(data, Task(1))  # refused
json.decode(data, [int])  # refused
json.Decoder([int])  # refused

# Types that don't fit what is done with them.
first: str = json.decode(data, Task)  # refused
second: list[str] = ndjson.decode(data, list[Task])  # refused
third: str = csv.decode(data)  # refused
fourth: json.Decoder[str] = json.Decoder(Task)  # refused
fifth: str = json.encode(Task(1))  # refused
json.decode(data, Task).title  # refused
json.decode(data, Task | None).id  # refused

# No data.
json.decode(3, Task)  # refused
json.decode(data=data)  # refused
json.Decoder(Task).decode(None)  # refused

# Options that there are not, or not in this format, or not of this type.
json.decode(data, Task, strct=True)  # refused
json.decode(data, Task, delimiter=";")  # refused
csv.decode(data, list[Task], depth=3)  # refused
json.decode(data, Task, True)  # refused
json.decode(data, Task, unknown="forbidden")  # refused
json.decode(data, Task, errors="some")  # refused
json.decode(data, Task, repeated_keys="first")  # refused
json.decode(data, Task, rename="cammel")  # refused
json.decode(data, Task, hooks={Task: str})  # refused
json.Decoder(Task, depth="deep")  # refused
csv.Decoder(list[Task], ragged=True)  # refused
json.encode(Task(1), indent="  ")  # refused
json.encode(Task(1), line_ending="\n")  # refused
ndjson.encode([1], indent=2)  # refused
csv.encode([Task(1)], line_ending="lf")  # refused
csv.encode([Task(1)], sort_keys=True)  # refused
csv.encode([Task(1)], omit_none=True)  # refused
json.decode(data, Task, times="minutes")  # refused
json.encode(Task(1), type=3)  # refused
json.Encoder(Task)  # refused
json.Encoder().encode(Task(1), indent=2)  # refused

# A buffer that can't grow.
json.encode_into(Task(1), b"")  # refused
json.write(1, [Task(1)])  # refused
json.write("tasks.json", Task(1))  # refused
json.Encoder().encode_into(Task(1), memoryview(b""))  # refused

# The package itself.
demat.Field("0")  # refused
demat.Field(minimum=0)  # refused
demat.Field(ge="0")  # refused
demat.Field(min_length=1.5)  # refused
demat.configure(Task, rename="cammel")  # refused
demat.configure(Task, unknown="forbidden")  # refused
demat.configure(Task, gc="no")  # refused
demat.configure(3)  # refused
demat.Hook(str)  # refused
demat.Hook(encode="str")  # refused
demat.hook(complex, wire=str, decode=lambda text: text.real, encode=str)  # refused
demat.hook(3, encode=str)  # refused
demat.schema(Task, to="shapes")  # refused
demat.schema()  # refused
demat.define(3)  # refused
demat.source("Task")  # refused
demat.Raw(3)  # refused
demat.Raw(b"1").decode(3)  # refused
demat.Error()  # refused
demat.loads(b"1")  # refused

# Reading.
json.read(3, Task)  # refused
json.read("a", 3)  # refused
json.read("a", Task, batch="3")  # refused
json.read("a", Task, compression="bz2")  # refused
json.read("a", Task, on_error="all")  # refused
json.read("a", Task, on_error="collect", rejects=3)  # refused
json.decode(b"", list[Task], on_error="skip")  # refused
json.read("a", Task, fields=3)  # refused
csv.read("a", Task, at="$[*]")  # refused

# The same without a type, of other annotations than classes, and beside options that decide what is yielded.
json.decode(data, strct=True)  # refused
json.decode(data, depth="deep")  # refused
json.decode(data, Task | None, strct=True)  # refused
json.decode(data, Task | None, depth="deep")  # refused
csv.decode(data, list[Task], on_error="all")  # refused
csv.Decoder(list[Task], on_error="skip")  # refused
json.Decoder(Task, strct=True)  # refused
json.Decoder(Task | None, depth="deep")  # refused
json.read("a", strct=True)  # refused
json.read("a", limit="9")  # refused
json.read("a", Task, strct=True)  # refused
json.read("a", Task | None, batch=3, strct=True)  # refused
json.read("a", Task, keys=True, limit="9")  # refused
json.read("a", Task, keys=True, batch=3, depth="deep")  # refused
json.read("a", Task, keys="yes")  # refused
csv.read("a", Task, keys=True)  # refused
wrong_options: dict[str, str] = {"strict": "no"}
json.decode(data, Task, **wrong_options)  # refused

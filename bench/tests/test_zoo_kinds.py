"""The zoo's generators give the same data on every machine, and its readers and writers agree with each other."""

import json
import unittest
import zlib
from decimal import Decimal

from zoo.definition import SIZES, ZOO, cannot, fits, plans, uncovered
from zoo.engines import MODULES
from zoo.kinds import KINDS
from zoo.plain import reader
from zoo.portrait import portrait
from zoo.references import REFERENCES
from zoo.seeded import Seeded
from zoo.wire import messages, read
from zoo.written import FORMATS, csv_of, json_of, ndjson_of, proto_of

# Of the JSON of the first 20 records.
CRCS = {
    "message-40b": "2688e56d",
    "message-300b": "6249b62f",
    "message-1kb": "63d2541d",
    "message-10kb": "32412f3a",
    "dates": "737a0a5e",
    "instants": "8dd8b70c",
    "uuids": "de217c0c",
    "enums": "3e3b34ee",
    "ints": "59b319a3",
    "huge-ints": "b180e27f",
    "floats": "3e41561c",
    "prices": "4d059520",
    "decimals": "6691e734",
    "bools": "df3837c5",
    "mostly-null": "74bcab1f",
    "sparse": "3fd5943e",
    "wide-ordered": "87184a33",
    "wide-shuffled": "f5f2492c",
    "nested": "aa86acdd",
    "deep": "e6b9434a",
    "int-lists": "c4b6a8c4",
    "float-lists": "db5c9f5f",
    "text-lists": "b7b393e9",
    "dicts": "797e4d1c",
    "unions": "3b6c625b",
    "typed-dicts": "282a1e16",
    "pretty": "1ea3315e",
    "wide-table": "bf2c4d10",
    "quoted": "b3f4d955",
    "records": "477b65f5",
    "short-texts": "d65c2f01",
    "plain": "e48e8992",
    "long-texts": "8d0e9a7b",
    "escaped-texts": "143f951c",
    "unicode-escapes": "3df88cc7",
    "non-ascii": "083e0d96",
}
# SplitMix64 from the CRC of a name.
WORDS = [12435389234179578515, 7485678098107567573]


class Kinds(unittest.TestCase):
    """Each kind."""

    def test_the_data_is_the_same_everywhere(self) -> None:
        found = {}
        for name, kind in KINDS.items():
            found[name] = f"{zlib.crc32(json_of(kind, kind.values(20))):08x}"
        self.assertEqual(found, CRCS)

    def test_the_generator(self) -> None:
        seed = Seeded("test")
        self.assertEqual([seed.word() for _ in range(2)], WORDS)
        self.assertEqual(sorted(seed.shuffled([*range(50)])), [*range(50)])

    def test_values_are_distinct(self) -> None:
        for name, kind in KINDS.items():
            if not kind.single:
                records = [json.dumps(one) for one in json.loads(json_of(kind, kind.values(400)))]
                few = name in ("unions", "mostly-null", "sparse", "bools")
                self.assertGreater(len(set(records)), 200 if few else 395, name)

    def test_the_judge_reads_what_was_written(self) -> None:
        for name, kind in KINDS.items():
            with self.subTest(name):
                values = kind.values(30)
                text = json_of(kind, values)
                found = reader(kind.root)(json.loads(text, parse_float=Decimal if name == "decimals" else None))
                view = portrait(kind.root)
                self.assertEqual(view(found), view(values[0] if kind.single else values))

    def test_spellings(self) -> None:
        lines = ndjson_of(KINDS["wide-shuffled"], KINDS["wide-shuffled"].values(9)).splitlines()
        keys = {tuple(json.loads(line)) for line in lines}
        self.assertEqual(len(keys), 9)
        self.assertNotIn(b"null", json_of(KINDS["sparse"], KINDS["sparse"].values(50)))
        self.assertTrue(json_of(KINDS["unicode-escapes"], KINDS["unicode-escapes"].values(9)).isascii())
        self.assertIn(b'\n  {\n    "id": 0', json_of(KINDS["pretty"], KINDS["pretty"].values(2)))
        self.assertIn(b'{"kind":"', json_of(KINDS["unions"], KINDS["unions"].values(2)))
        self.assertIn(b'""', csv_of(KINDS["quoted"], KINDS["quoted"].values(2)))
        sizes = {name: len(json_of(kind, kind.values(1))) for name, kind in KINDS.items() if kind.single}
        for name, wanted in {
            "message-40b": 40,
            "message-300b": 300,
            "message-1kb": 1000,
            "message-10kb": 10_000,
        }.items():
            self.assertLess(abs(sizes[name] - wanted) / wanted, 0.15, name)

    def test_protocol_buffers(self) -> None:
        for name, own in ZOO["kinds"].items():
            if "proto" in own["formats"]:
                kind = KINDS[name]
                values = kind.values(1 if kind.single else 30)
                data = proto_of(kind, values)
                found = [read(kind.record, one) for one in ([data] if kind.single else messages(data))]
                self.assertEqual(found, values, name)

    def test_reference_packages(self) -> None:
        for name, own in ZOO["kinds"].items():
            kind = KINDS[name]
            values = kind.values(1 if kind.single else 20)
            for form in {*own["formats"]} & {*REFERENCES}:
                with self.subTest(f"{form} of {name}"):
                    found = REFERENCES[form](kind).read(FORMATS[form](kind, values))
                    view = portrait(kind.root)
                    self.assertEqual(view(found), view(values[0] if kind.single else values))

    def test_types_count(self) -> None:
        view = portrait(dict[str, int])
        self.assertNotEqual(view({"a": 1}), view({"a": True}))
        self.assertNotEqual(view({"a": 1}), view({"a": 1.0}))


class Definition(unittest.TestCase):
    """The kinds and engines in definitions/zoo.toml are those of the code."""

    def test_names(self) -> None:
        self.assertEqual({*ZOO["kinds"]}, {*KINDS})
        native = {engine for job, engines in ZOO["jobs"].items() if job.startswith("rust/") for engine in engines}
        inside = {engine for job, engines in ZOO["jobs"].items() if not job.startswith("rust/") for engine in engines}
        self.assertEqual(inside, {*MODULES})
        self.assertLess({"serde_json", "simd-csv"}, native)
        for one in ZOO["cannot"]:
            self.assertLessEqual({*one["kinds"]}, {*KINDS})
            self.assertLessEqual({*one["engines"]}, {*MODULES} | native)

    def test_a_kind_without_a_format_says_why(self) -> None:
        for name, own in ZOO["kinds"].items():
            covered = [form for form, how in ZOO["formats"].items() if how == "covered"]
            for form in covered if not KINDS[name].single else ():
                self.assertTrue(form in own["formats"] or own["why"][form], f"{name}: {form}")
            if not KINDS[name].single:
                self.assertTrue(own.get("rust") or own["why"]["rust"], name)

    def test_a_new_format_is_said_loudly(self) -> None:
        self.assertEqual(uncovered([*ZOO["formats"]]), [])
        self.assertEqual(uncovered([*ZOO["formats"], "new"]), ["new"])

    def test_demats_formats_are_all_spoken_of(self) -> None:
        try:
            from demat import _native
        except ImportError:
            self.skipTest("Demat is not here")
        self.assertEqual(uncovered([one["name"] for one in _native.describe_formats()]), [])

    def test_plans(self) -> None:
        self.assertEqual({plan.kind for plan in plans("full")}, {*KINDS})
        self.assertEqual([plan.kind for plan in plans("quick", "^uuids$", "csv")], ["uuids"])
        self.assertFalse(fits("csv/decode", "nested"))
        self.assertFalse(fits("json/decode", "message-40b"))
        self.assertIsNotNone(cannot("orjson", "decimals", "json/encode"))
        self.assertLess(plans("quick")[0].rows, plans("full")[0].rows)
        self.assertLess(SIZES["quick"]["enough"], SIZES["full"]["enough"])

"""The data source in a session of Spark, on two threads of this machine."""

import json
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import demat
import pytest
from sparked import Failing, Task

pytest.importorskip("pyspark", reason="pyspark is not installed: make spark")
pytestmark = [
    pytest.mark.skipif(shutil.which("java") is None, reason="java is not there"),
    pytest.mark.filterwarnings("ignore"),
]

SUPPORT = Path(__file__).parents[1] / "support"
# One compiler of the virtual machine, and one thread of its collector: it runs for a minute.
JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto"


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    from pyspark.sql import SparkSession

    before = dict(os.environ)
    os.environ.update(
        PYSPARK_PYTHON=sys.executable,
        PYTHONPATH=os.pathsep.join([str(SUPPORT), *before.get("PYTHONPATH", "").split(os.pathsep)]).rstrip(os.pathsep),
        SPARK_LOCAL_IP="127.0.0.1",
        PYSPARK_SUBMIT_ARGS=f'--driver-java-options "{JAVA}" --conf spark.ui.enabled=false pyspark-shell',
    )
    # Two threads, and two attempts of each task.
    builder = SparkSession.builder.master("local[2,2]").config("spark.sql.shuffle.partitions", "2")
    made = builder.config("spark.sql.codegen.wholeStage", "false").getOrCreate()
    made.sparkContext.setLogLevel("OFF")
    demat.spark.register(made)
    yield made
    made.stop()
    os.environ.clear()
    os.environ.update(before)


def tasks(count: int, first: int = 0) -> list[Task]:
    return [Task(i, f"Rest {i}", bool(i % 2)) for i in range(first, first + count)]


def test_reading(session: Any, tmp_path: Path) -> None:
    path = tmp_path / "tasks.ndjson"
    demat.ndjson.write(path, tasks(500))
    with path.open("ab") as file:
        file.write(b'{"id":"x","title":"bad"}\n')
    reader = session.read.format("demat").option("type", "sparked:Task").option("maxPartitionBytes", "6000")
    frame = reader.option("mode", "DROPMALFORMED").load(str(path))
    assert frame.schema.simpleString() == "struct<id:bigint,title:string,done:boolean,due:date>"
    # The first is applied by the copy, the others by Spark.
    found = frame.where("id >= 100 and id < 104 and id % 2 = 0").selectExpr("id", "upper(title) as title").collect()
    assert sorted((row.id, row.title) for row in found) == [(100, "REST 100"), (102, "REST 102")]
    plan = frame.where("id >= 100")._jdf.queryExecution().executedPlan().toString()
    assert "Filter (" not in plan
    with pytest.raises(Exception, match="expected `int`, found `str`"):
        reader.option("mode", "FAILFAST").load(str(path)).collect()
    bad = reader.option("mode", "PERMISSIVE").load(str(path)).where("_corrupt_record is not null").collect()
    assert [(row.id, row._corrupt_record) for row in bad] == [(None, '{"id":"x","title":"bad"}')]


def test_options_are_refused_as_the_query_is_made(session: Any, tmp_path: Path) -> None:
    reader = session.read.format("demat").option("type", "sparked:Task")
    with pytest.raises(Exception, match="'typo' is no option for reading"):
        reader.option("typo", "x").load(str(tmp_path))


def test_writing(session: Any, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    frame = session.createDataFrame([(i, f"Rest {i}") for i in range(20)], "id long, title string").repartition(2)
    writer = frame.write.format("demat").option("format", "ndjson").option("type", "sparked:Task")
    for mode, count in (("append", 20), ("overwrite", 20), ("append", 40)):
        writer.mode(mode).save(str(folder))
        found = [record for path in folder.glob("part-*") for record in demat.ndjson.read(path, Task)]
        assert len(found) == count
    assert sorted(task.id for task in found) == sorted([*range(20), *range(20)])
    names = sorted(path.name for path in folder.iterdir())
    assert [name[:5] for name in names] == ["_SUCC", *["part-"] * 4]
    with pytest.raises(Exception, match="the title is bad"):
        frame.selectExpr("id", "if(id = 7, raise_error('the title is bad'), title) as title").write.format(
            "demat"
        ).option("format", "ndjson").mode("append").save(str(folder))
    assert sorted(path.name for path in folder.iterdir()) == names


def test_a_task_that_fails_is_done_again(session: Any, tmp_path: Path) -> None:
    (tmp_path / "once").write_bytes(b"")
    path = tmp_path / "in.ndjson"
    records = [*({"id": i, "title": "Rest"} for i in range(99)), {"id": 99, "title": str(tmp_path / "once")}]
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    frame = session.read.format("demat").option("type", "sparked:Failing").load(str(path))
    frame.write.format("demat").option("format", "csv").mode("append").save(str(tmp_path / "out"))
    assert not (tmp_path / "once").exists()
    (part,) = (tmp_path / "out").glob("part-*.csv")
    assert [record.id for record in demat.csv.read(part, Failing)] == list(range(100))


def test_a_stream_of_a_folder(session: Any, tmp_path: Path) -> None:
    folder, out, check = tmp_path / "in", tmp_path / "out", tmp_path / "check"
    folder.mkdir()
    demat.ndjson.write(folder / "1.ndjson", tasks(10))
    stream = session.readStream.format("demat").option("type", "sparked:Task").load(str(folder))

    def run() -> list[int]:
        query = stream.select("id").writeStream.format("json").option("checkpointLocation", str(check))
        query.trigger(availableNow=True).start(str(out)).awaitTermination(60)
        return sorted(json.loads(line)["id"] for path in out.glob("*.json") for line in path.read_text().splitlines())

    assert run() == list(range(10))
    # What was read before it ended is not read again.
    demat.ndjson.write(folder / "2.ndjson", tasks(5, 10))
    assert run() == list(range(15))

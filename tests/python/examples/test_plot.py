"""`examples/plot.py` beside the same months, computed by the standard library."""

from __future__ import annotations

import csv
from collections import defaultdict
from pathlib import Path
from statistics import fmean
from xml.etree import ElementTree

import pytest
from programs import said

SVG = {"svg": "http://www.w3.org/2000/svg"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("plot")


@pytest.fixture(scope="module")
def spoken(folder: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(said("plot.py", folder).splitlines()))


def months(folder: Path) -> dict[int, list[float]]:
    found = defaultdict(list)
    with (folder / "weather.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            if row["celsius"]:
                found[int(row["at"][5:7])].append(float(row["celsius"]))
    return found


def test_each_month_is_right(folder: Path, spoken: list[dict[str, str]]) -> None:
    expected = months(folder)
    assert [int(row["month"]) for row in spoken] == sorted(expected) == list(range(1, 13))
    for row in spoken:
        values = expected[int(row["month"])]
        assert (float(row["low"]), float(row["high"])) == (min(values), max(values))
        assert float(row["mean"]) == pytest.approx(fmean(values), rel=1e-12)


def test_the_plot_shows_them(folder: Path, spoken: list[dict[str, str]]) -> None:
    root = ElementTree.parse(folder / "weather.svg").getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.attrib == {"viewBox": "0 0 520 300"}
    bars = root.findall("svg:rect", SVG)
    line = root.find("svg:polyline", SVG)
    assert line is not None
    points = [tuple(map(float, point.split(","))) for point in line.attrib["points"].split()]
    assert len(bars) == len(points) == 12
    lows, highs = ([float(row[name]) for row in spoken] for name in ("low", "high"))
    scale = 260 / (max(highs) - min(lows))
    for row, bar, point in zip(spoken, bars, points, strict=True):
        month, low, mean, high = (float(row[name]) for name in ("month", "low", "mean", "high"))
        assert float(bar.attrib["x"]) == 40 * month - 10
        assert point[0] == 40 * month
        assert float(bar.attrib["y"]) == pytest.approx(280 - (high - min(lows)) * scale, abs=0.051)
        assert float(bar.attrib["height"]) == pytest.approx((high - low) * scale, abs=0.11)
        assert point[1] == pytest.approx(280 - (mean - min(lows)) * scale, abs=0.051)
    assert [label.text for label in root.findall("svg:text", SVG)] == [str(month) for month in range(1, 13)]

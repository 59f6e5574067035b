"""`examples/counties.py` beside the same grouping, done by the standard library."""

from __future__ import annotations

import csv
from pathlib import Path

from programs import ended, said


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_each_state_has_its_counties_as_they_were_written(tmp_path: Path) -> None:
    spoken = said("counties.py", tmp_path)
    counties = rows(tmp_path / "counties.csv")
    states = sorted({county["state"] for county in counties})
    assert sorted(path.stem for path in (tmp_path / "states").iterdir()) == states == ["AK", "AL", "AZ", "DE"]
    for state in states:
        expected = [county for county in counties if county["state"] == state]
        expected.sort(key=lambda county: -int(county["population"]))
        assert rows(tmp_path / "states" / f"{state}.csv") == expected
    assert spoken == "104 counties in 4 states\n"
    assert any("," in county["county"] for county in counties)
    assert all(county["fips"].startswith("0") for county in counties if county["state"] != "DE")


def test_the_summary_is_right(tmp_path: Path) -> None:
    said("counties.py", tmp_path)
    counties = rows(tmp_path / "counties.csv")
    for state in rows(tmp_path / "states.csv"):
        mine = [county for county in counties if county["state"] == state["state"]]
        population = sum(int(county["population"]) for county in mine)
        assert (int(state["counties"]), int(state["population"])) == (len(mine), population)
        assert float(state["density"]) == round(population / sum(float(county["area_km2"]) for county in mine), 2)
        dated = sorted((county["founded"], county["county"]) for county in mine if county["founded"])
        assert state["oldest"] == dated[0][1]


def test_a_column_that_nobody_knows_is_refused(tmp_path: Path) -> None:
    (tmp_path / "counties.csv").write_text("fips,state,county,population,area_km2,founded,mayor\n")
    run = ended("counties.py", tmp_path)
    assert run.returncode == 1
    assert "unknown field `mayor`" in run.stderr.decode()
    assert not (tmp_path / "states.csv").exists()

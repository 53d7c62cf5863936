#!/usr/bin/env python3
"""A release opens in the tools analysts use, without options, and all of them read the same values.

Each reader that is installed (pyarrow, DuckDB's command line or module, polars) reads the synthetic
table in a process of its own; skipped (77) where there is none. PRIVPFC_TEST_PYTHON names the
Python to look for them in.

usage: readers_command_test.py PRIVPFC
"""

import collections
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import unittest

PRIVPFC = os.path.abspath(sys.argv.pop(1))
PYTHON = os.environ.get("PRIVPFC_TEST_PYTHON", sys.executable)

SCHEMA = """
name: clinic
label: {column: outcome, classes: [well, ill, gone], other: well}
attributes:
  age:  {type: integer, domain: [0, 119], levels: [12, 6, 2], missing: ["", NA]}
  dose: {type: real, domain: [0, 10], levels: [4, 2], missing: [""]}
  seen: {type: date, domain: [2020-01-01, 2020-12-31], cuts: [2020-07-01], other: 2020-01-01}
  ward: {type: categorical, missing: ["?", ""], tree: {Surgery: [Heart, Bone], Lung: }}
  state: {type: ordinal, values: [low, mid, high], other: mid}
  smoker: {type: boolean, missing: [""]}
"""

# Each prints {"names": [...], "rows": [[...], ...]}; dates as text, missing values as null.
PRINT = "import json; print(json.dumps({'names': names, 'rows': rows}, default=str))"
PYARROW = """
import sys, pyarrow.parquet as pq
t = pq.read_table(sys.argv[1])
assert b'privpfc' in t.schema.metadata
names = t.column_names
rows = [list(r) for r in zip(*(c.to_pylist() for c in t.columns))]
"""
POLARS = """
import sys, polars
t = polars.read_parquet(sys.argv[1])
names = t.columns
rows = [list(r) for r in t.rows()]
"""
DUCKDB_MODULE = """
import sys, duckdb
t = duckdb.sql("select * from '%s'" % sys.argv[1])
names = t.columns
rows = [list(r) for r in t.fetchall()]
"""


def has(module):
    return subprocess.run([PYTHON, "-c", f"import {module}"], capture_output=True).returncode == 0


def with_python(script):
    def read(path):
        run = subprocess.run([PYTHON, "-c", script + PRINT, str(path)], capture_output=True, text=True, check=True)
        return json.loads(run.stdout)
    return read


def with_duckdb(path):
    run = subprocess.run(["duckdb", "-json", "-c", f"select * from '{path}'"], capture_output=True, text=True,
                         check=True)
    rows = json.loads(run.stdout)
    return {"names": list(rows[0]), "rows": [list(row.values()) for row in rows]}


def readers():
    found = {}
    if has("pyarrow.parquet"):
        found["pyarrow"] = with_python(PYARROW)
    if has("polars"):
        found["polars"] = with_python(POLARS)
    if has("duckdb"):
        found["duckdb module"] = with_python(DUCKDB_MODULE)
    if shutil.which("duckdb"):
        found["duckdb"] = with_duckdb
    return found


READERS = readers()


class Readers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        place = tempfile.TemporaryDirectory()
        cls.addClassCleanup(place.cleanup)
        cls.folder = pathlib.Path(place.name)
        (cls.folder / "s.yaml").write_text(SCHEMA)
        source = random.Random(1)
        with (cls.folder / "d.csv").open("w") as file:
            file.write("age,dose,seen,ward,state,smoker,outcome\n")
            for _ in range(3000):
                age = source.randrange(120)
                file.write(",".join([
                    str(age) if source.random() < 0.9 else "", f"{source.random() * 10:.3f}",
                    f"2020-{source.randrange(1, 13):02}-11", source.choice(["Heart", "Bone", "Lung", "?"]),
                    source.choice(["low", "mid", "high"]), source.choice(["yes", "no", ""]),
                    source.choice(["well", "ill", "gone"]) if age > 60 else "well"]) + "\n")

    def publish(self, name, *flags):
        run = subprocess.run(
            [PRIVPFC, "publish", "d.csv", "--schema", "s.yaml", "--epsilon", "2", "--all-columns", "--out", name,
             "--quiet", *flags], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        return self.folder / name

    def check(self, release, numbers):
        manifest = json.loads((release / "manifest.json").read_text())
        tables = {name: read(release / "synthetic.parquet") for name, read in READERS.items()}
        for name, table in tables.items():
            with self.subTest(reader=name):
                bounds = [] if numbers else [f"{n}_{end}" for n in ("age", "dose", "seen") for end in ("lo", "hi")]
                self.assertEqual(sorted(table["names"]),
                                 sorted(["age", "dose", "seen", "ward", "state", "smoker", "outcome", *bounds]))
                self.assertEqual(len(table["rows"]), manifest["synthetic"]["rows"])
                columns = dict(zip(table["names"], zip(*table["rows"])))
                self.assertLessEqual(set(columns["outcome"]), {"well", "ill", "gone"})
                self.assertLessEqual(set(columns["state"]), {"low", "mid", "high"})
                if numbers:
                    self.assertTrue(all(v is None or isinstance(v, int) and 0 <= v <= 119 for v in columns["age"]))
                    self.assertIn(None, columns["age"])
                    self.assertTrue(all(v is None or 0 <= v <= 10 for v in columns["dose"]))
                    self.assertTrue(all("2020-01-01" <= v <= "2020-12-31" for v in columns["seen"]))
                    self.assertLessEqual(set(columns["smoker"]), {True, False, None})
                else:
                    self.assertTrue(all(lo is None and hi is None or 0 <= lo <= hi <= 120
                                        for lo, hi in zip(columns["age_lo"], columns["age_hi"])))
        first, *others = tables.values()
        for other in others:
            self.assertEqual(first, other)
        return collections.Counter(row[first["names"].index("outcome")] for row in first["rows"])

    def test_drawn_numbers(self):
        classes = self.check(self.publish("drawn"), numbers=True)
        self.assertEqual(len(classes), 3)

    def test_labels_with_bounds(self):
        self.check(self.publish("labels", "--numeric", "labels"), numbers=False)


if __name__ == "__main__":
    if not READERS:
        print("neither pyarrow, polars nor DuckDB is installed: skipped")
        sys.exit(77)
    print("readers:", ", ".join(READERS))
    unittest.main()

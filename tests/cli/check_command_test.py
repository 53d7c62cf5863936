#!/usr/bin/env python3
"""privpfc check from outside: exit codes, what goes to which stream, and no value anywhere.

usage: check_command_test.py PRIVPFC
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest

PRIVPFC = os.path.abspath(sys.argv.pop(1))

SCHEMA = """
name: clinic
label: {column: outcome, classes: [well, ill]}
attributes:
  age:  {type: integer, domain: [0, 119], levels: [12, 6, 2]}
  ward: {type: categorical, missing: ["?", ""], tree: {Surgery: [Heart, Bone], Lung: }}
"""
CLEAN = "age,ward,outcome\n12,Heart,well\n30,?,ill\n"


class CheckCommand(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        self.schema = self.write("s.yaml", SCHEMA)

    def write(self, name, text):
        path = os.path.join(self.directory.name, name)
        with open(path, "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        return path

    def check(self, data, *flags, env=None):
        run = subprocess.run(
            [PRIVPFC, "check", data, "--schema", self.schema, *flags],
            capture_output=True, text=True, timeout=60, env={**os.environ, **(env or {})})
        # Every broken file of these tests holds this text in a cell.
        self.assertNotIn("marker", run.stdout)
        self.assertNotIn("marker", run.stderr)
        return run

    def fails(self, data, code, message, *flags):
        run = self.check(data, *flags)
        self.assertEqual(run.stderr, f"privpfc: {message}\n")
        self.assertEqual(run.returncode, code)
        self.assertEqual(run.stdout, "")

    def test_clean_data(self):
        run = self.check(self.write("d.csv", CLEAN))
        self.assertEqual(run.returncode, 0)
        self.assertTrue(run.stdout.startswith("FOR YOUR EYES ONLY"))
        self.assertIn("2 rows read.", run.stdout)
        self.assertEqual(run.stderr, "")

    def test_findings(self):
        data = self.write("d.csv", CLEAN + "130,marker,dead\n1.5,Heart,well\nmarker,Lung,well\n")
        run = self.check(data)
        self.assertEqual(run.returncode, 3)
        self.assertEqual(
            run.stderr, "privpfc: the data does not keep to the schema; see the report\n")
        for line in ("age      not a number              1  !  5",
                     "age      fraction                  1  !  4",
                     "age      out of range              1  !  3",
                     "ward     missing                   1     2",
                     "ward     unknown value             1  !  3",
                     "outcome  unknown class             1  !  3"):
            self.assertIn(line + "\n", run.stdout)

    def test_a_bad_date_is_called_so(self):
        self.schema = self.write("dates.yaml", "name: t\nlabel: {column: y, classes: [a, b]}\nattributes:\n"
                                 "  seen: {type: date, domain: [2020-01-01, 2020-12-31], levels: [2]}\n")
        run = self.check(self.write("d.csv", "seen,y\n2020-02-31,a\n"))
        self.assertIn("seen    not a date                1  !  1\n", run.stdout)

    def test_json(self):
        data = self.write("d.csv", CLEAN + "130,Heart,well\n")
        run = self.check(data, "--json", "--threads", "2")
        self.assertEqual(run.returncode, 3)
        report = json.loads(run.stdout)
        self.assertTrue(report["for_your_eyes_only"])
        self.assertFalse(report["clean"])
        self.assertEqual(report["rows"], 3)
        self.assertIn({"column": "age", "finding": "out of range", "count": 1, "declared": False,
                       "first_rows": [{"file": data, "row": 3}]}, report["findings"])

    def test_extra_columns(self):
        data = self.write("d.csv", "id,age,ward,outcome\n7,12,Heart,well\n")
        run = self.check(data)
        self.assertEqual(run.returncode, 3)
        self.assertIn("column 'id': in the data, not named by the schema\n", run.stdout)
        for flags in ((), ("--json",)):
            ignored = self.check(data, "--ignore-extra-columns", *flags)
            self.assertEqual(ignored.returncode, 0)
            self.assertNotIn("id", ignored.stdout.replace("widths", ""))

    def test_control_characters_of_a_header_do_not_reach_the_terminal(self):
        data = self.write("d.csv", "\x1b[31mid,age,ward,outcome\n7,12,Heart,well\n")
        run = self.check(data)
        self.assertIn("column '\\x1b[31mid': in the data", run.stdout)
        self.assertNotIn("\x1b", run.stdout + run.stderr)

    def test_missing_column(self):
        run = self.check(self.write("d.csv", "age,outcome\n12,well\n"))
        self.assertEqual(run.returncode, 3)
        self.assertIn("column 'ward': named by the schema, not in the data\n", run.stdout)

    def test_a_wrong_separator_is_suspected(self):
        run = self.check(self.write("d.csv", "age;ward;outcome\n12;marker;well\n"))
        self.assertEqual(run.returncode, 3)
        self.assertIn("is the separator right?", run.stdout)
        self.assertIn('csv: {separator: ";"}', run.stdout)
        self.assertNotIn("is the separator right?", self.check(self.write("e.csv", "age,outcome\n12,well\n")).stdout)

    def test_a_parquet_file_that_is_called_csv(self):
        data = self.write("d.csv", b"PAR1\xff\xfemarkerPAR1")
        self.fails(data, 3, f"{data} is a Parquet file by its first bytes; give it a name that ends in .parquet")

    def test_no_header_shows_no_cells(self):
        run = self.check(self.write("d.csv", "12,marker,well\n"))
        self.assertEqual(run.returncode, 3)

    def test_broken_files(self):
        empty = self.write("empty.csv", "")
        self.fails(empty, 3, f"{empty} is empty")
        short = self.write("short.csv", "age,ward,outcome\n1,marker\n")
        self.fails(short, 3, f"{short}: row 1 has 2 columns, not 3")
        latin = self.write("latin.csv", b"age,ward,outcome\n1,marker\xe9,well\n")
        self.fails(latin, 3, f"{latin}: row 1 is not UTF-8; convert the file to UTF-8 first")
        not_parquet = self.write("d.parquet", "marker, this is no Parquet file")
        self.fails(not_parquet, 3,
                   f"{not_parquet} is not a Parquet file: it does not start like one")
        absent = os.path.join(self.directory.name, "absent.csv")
        self.fails(absent, 6, f"cannot open {absent}: No such file or directory")
        self.fails("/dev/zero", 3, "/dev/zero is not a regular file")

    def test_a_million_columns(self):
        wide = self.write("wide.csv", ",".join(f"c{i}" for i in range(10**6)) + "\n")
        self.fails(wide, 7, f"{wide} has 1000000 columns; at most 4096 can be read")

    def test_a_field_of_a_gigabyte_takes_no_gigabyte(self):
        large = self.write("large.csv", 'age,ward,outcome\n1,"marker')
        os.truncate(large, 2**30)
        self.fails(large, 7, f"{large} has a row of more than 16 MiB; is a quote left open, or is "
                             "it not CSV?")

    def test_locale_changes_nothing(self):
        data = self.write("d.csv", CLEAN.replace("12", "12.0"))
        plain = self.check(data)
        german = self.check(data, env={"LC_ALL": "de_DE.UTF-8"})
        self.assertEqual((plain.returncode, plain.stdout), (german.returncode, german.stdout))

    def test_usage(self):
        run = subprocess.run([PRIVPFC, "check"], capture_output=True, text=True, timeout=60)
        self.assertEqual(run.returncode, 2)
        run = self.check(self.write("d.csv", CLEAN), "--threads", "0")
        self.assertEqual(run.returncode, 2)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""Bad input to privpfc publish: refused with its reason, before anything is spent or written.

usage: bad_input_command_test.py PRIVPFC

The lists follow what a table, a schema, a command line and a ledger can have wrong with them. The
private cells hold a marker, which no refusal may repeat.
"""

import hashlib
import os
import pathlib
import sqlite3
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "faults"))
sys.dont_write_bytecode = True

from damaged_tables import (damaged_csv, damaged_parquet, forged_parquet,  # noqa: E402
                            forged_parquet_with_index, sound_csv)
from place import MARKER, SCHEMA, Place  # noqa: E402

PRIVPFC = sys.argv.pop(1)
USAGE, DATA, SCHEMA_MISTAKE, LEDGER_OR_FILE, LIMIT = 2, 3, 4, 6, 7


def with_attribute(description):
    return SCHEMA + f"  more: {description}\n"


def integer(division):
    return with_attribute("{type: integer, domain: [0, 9], " + division + "}")


SCHEMAS = {
    "nothing": (SCHEMA_MISTAKE, "the file is empty", ""),
    "two documents": (SCHEMA_MISTAKE, "second YAML document", SCHEMA + "---\n" + SCHEMA),
    "duplicate key": (SCHEMA_MISTAKE, "'name' stands here twice", SCHEMA + "name: again\n"),
    "depth 65": (LIMIT, "more than 64 levels", SCHEMA + "notes: " + "[" * 65 + "]" * 65),
    "alias": (SCHEMA_MISTAKE, "aliases", SCHEMA.replace("smoker: {", "smoker: &s {") + "  more: *s\n"),
    "cycle": (SCHEMA_MISTAKE, "aliases", SCHEMA + "  more: &m [*m]\n"),
    "duplicate leaf": (SCHEMA_MISTAKE, "'a' stands twice",
                       with_attribute("{type: categorical, values: [a, a]}")),
    "two parents": (SCHEMA_MISTAKE, "under 'h', and under 'g'",
                    with_attribute("{type: categorical, tree: {g: [a], h: [a]}}")),
    "gap": (SCHEMA_MISTAKE, "gap: no bin between", integer("intervals: {a: [0, 4], b: [6, 9]}")),
    "overlap": (SCHEMA_MISTAKE, "both hold 5", integer("intervals: {a: [0, 5], b: [5, 9]}")),
    "reversed interval": (SCHEMA_MISTAKE, "reversed", integer("intervals: {a: [5, 0], b: [6, 9]}")),
    "NaN bound": (SCHEMA_MISTAKE, "not a finite number",
                  with_attribute("{type: real, domain: [.nan, 1], levels: [2]}")),
    "a million leaves": (LIMIT, "more than 400000 values", with_attribute(
        "{type: categorical, values: [" + ",".join(map(str, range(10**6))) + "]}")),
    "no attributes": (SCHEMA_MISTAKE, "attributes", "name: x\n"),
}


class BadInput(unittest.TestCase):
    def setUp(self):
        self.place = Place(PRIVPFC)
        self.addCleanup(self.place.__exit__)
        made = self.place.run("ledger", "init", "--ledger", self.place.ledger, "--dataset", "clinic",
                              "--cap", "9")
        self.assertEqual(made.code, 0, made.err)

    def input(self, name, content):
        path = self.place.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def publish(self, *flags, data=None, schema=None, ledger=None, epsilon="1", out="release"):
        ledger = ledger or ["--ledger", self.place.ledger, "--dataset", "clinic"]
        return self.place.run("publish", data or self.place.data, "--schema", schema or self.place.schema,
                              "--epsilon", epsilon, "--out", self.place.work / out, *ledger, *flags)

    def kept(self):
        """All that a publisher could have changed: the ledger too, to the last byte."""
        return {path: hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
                for folder in (self.place.work, self.place.temporary) for path in folder.rglob("*")}

    def expect_refusal(self, what, code, words, *flags, **arguments):
        before = self.kept()
        run = self.publish(*flags, **arguments)
        with self.subTest(what):
            self.assertEqual((run.code, run.out), (code, ""), run.err)
            self.assertIn(words, run.err)
            self.assertNotIn(MARKER, run.err)
            self.assertEqual(self.kept(), before)

    def test_a_damaged_csv_file_is_refused(self):
        for what, (code, words, content) in damaged_csv().items():
            self.expect_refusal(what, code, words, data=self.input("damaged.csv", content))

    def test_a_damaged_parquet_file_is_refused(self):
        for what, (code, words, content) in damaged_parquet().items():
            self.expect_refusal(what, code, words, data=self.input("damaged.parquet", content))

    def test_what_is_not_a_file_with_rows_is_refused(self):
        huge = self.input("huge.csv", f'{sound_csv()}1,"{MARKER}')
        os.truncate(huge, 1 << 30)  # a field of 1 GiB
        self.expect_refusal("1 GiB", LIMIT, "more than 16 MiB", data=huge)
        empty = self.place.folder / "folder"
        empty.mkdir()
        self.expect_refusal("an empty directory", DATA, "holds no data files", data=empty)
        self.expect_refusal("/dev/zero", DATA, "not a regular file", data="/dev/zero")
        self.expect_refusal("missing", LEDGER_OR_FILE, "No such file", data=empty / "none.csv")

    def test_a_schema_with_mistakes_is_refused(self):
        for what, (code, words, text) in SCHEMAS.items():
            self.expect_refusal(what, code, words, schema=self.input("bad.yaml", text))

    def test_amounts_that_are_none_are_refused(self):
        for epsilon in ["0", "-1", "nan", "inf", "1e-400", "0,5", "11", "0.000000001", ""]:
            self.expect_refusal(f"epsilon {epsilon}", USAGE, "", epsilon=epsilon)
        for shares, words in [("3,37,61", "add up to 101"), ("4,36,59", "add up to 99"),
                              ("3,37", "3 percentages"), ("0,40,60", "shares"),
                              ("-3,43,60", "not a list of percentages"),
                              ("nan,40,60", "not a list of percentages")]:
            self.expect_refusal(f"shares {shares}", USAGE, words, f"--shares={shares}")

    def test_flags_that_are_none_are_refused(self):
        for flags in [["--numeric", "roman"], ["--seed", "1"], ["--max-rows", "-1"], ["another.csv"]]:
            self.expect_refusal(flags, {"another.csv": LEDGER_OR_FILE}.get(flags[0], USAGE), "", *flags)
        self.expect_refusal("whose ledger?", USAGE, "--dataset", ledger=["--ledger", self.place.ledger])

    def test_a_place_that_is_taken_is_refused(self):
        work = self.place.work
        (work / "there").mkdir()
        (work / "file").write_text("kept")
        (work / "link").symlink_to(work / "nowhere")
        for name in ["there", "file", "link"]:
            self.expect_refusal(name, LEDGER_OR_FILE, "exists already", out=name)
        self.expect_refusal("no such place", LEDGER_OR_FILE, "no such directory", out="no/such/place")
        self.expect_refusal("the input", USAGE, "is, or lies in, the input", out=self.place.data)
        parts = work / "parts"
        parts.mkdir()
        (parts / "1.csv").write_text(sound_csv())
        self.expect_refusal("in the input", USAGE, "is, or lies in, the input", data=parts,
                            out="parts/release")

    def test_a_ledger_that_cannot_be_trusted_is_refused(self):
        whole = self.place.ledger.read_bytes()
        other = self.place.work / "other.db"
        used = dict(ledger=["--ledger", other, "--dataset", "clinic"])
        self.expect_refusal("missing", LEDGER_OR_FILE, "does not exist", **used)
        for what, words, content in [
                ("torn in the middle", "is damaged", whole[:len(whole) // 2]),
                ("torn at the end", "lines at its end are gone", whole[:-100]),
                ("no bytes", "not a privpfc ledger", b""), ("another file", "is not a ledger", b"x" * 5000)]:
            other.write_bytes(content)
            other.chmod(0o600)
            self.expect_refusal(what, LEDGER_OR_FILE, words, **used)
        other.write_bytes(whole)
        other.chmod(0o666)
        self.expect_refusal("world-writable", LEDGER_OR_FILE, "can be written by others", **used)
        other.chmod(0o600)
        with sqlite3.connect(other) as database:
            database.execute("PRAGMA user_version = 99")
        database.close()
        self.expect_refusal("newer version", LEDGER_OR_FILE, "a newer privpfc", **used)
        self.expect_refusal("another's rows", LEDGER_OR_FILE, "no data set 'x'",
                            ledger=["--ledger", self.place.ledger, "--dataset", "x"])

    def test_what_is_odd_but_sound_is_published(self):
        sound = sound_csv()
        files = {
            "header only.csv": sound.split("\n")[0] + "\n", "no final newline.csv": sound.rstrip("\n"),
            "CRLF.csv": sound.replace("\n", "\r\n"), "BOM.csv": "\ufeff" + sound,
            "quoted newlines.csv": sound + f'1,"{MARKER}\n{MARKER}",yes,well\n',
            # Forged like the damaged ones, which are refused for their lies alone.
            "plain.parquet": forged_parquet(), "dictionary.parquet": forged_parquet_with_index(1),
        }
        for number, (name, content) in enumerate(files.items()):
            with self.subTest(name):
                run = self.publish("--max-rows", "100", data=self.input(name, content),
                                   out=f"release{number}")
                self.assertEqual(run.code, 0, run.err)
                self.assertNotIn(MARKER, run.out + run.err)
        self.assertEqual(self.place.debits(self.place.ledger), len(files))


if __name__ == "__main__":
    unittest.main()

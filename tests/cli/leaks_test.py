#!/usr/bin/env python3
"""A marker in private cells is found nowhere after any command: leaks_test.py PRIVPFC TEXT_PARQUET.

scripts/faults looks for the same marker after every fault.
"""

import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "faults"))
sys.dont_write_bytecode = True

from place import MARKER, Place  # noqa: E402

PRIVPFC = sys.argv.pop(1)
TEXT_PARQUET = sys.argv.pop(1)
HEADER = "age,ward,smoker,outcome\n"
SOUND = f"30,{MARKER},yes,well\n{MARKER},Heart,{MARKER},{MARKER}\n"
# Refused, each with the marker before, in or after the damage.
DAMAGED = {
    "short row": HEADER + SOUND + f"{MARKER},{MARKER}\n",
    "long row": HEADER + SOUND + f"1,{MARKER},yes,well,{MARKER}\n",
    "open quote": HEADER + SOUND + f'1,"{MARKER}',
    "NUL": HEADER + SOUND + f"1,{MARKER}\0{MARKER},yes,well\n",
    "bad UTF-8": HEADER.encode() + SOUND.encode() + b"1," + MARKER.encode() + b"\xff\xfe,yes,well\n",
    "UTF-16": (HEADER + SOUND).encode("utf-16"),
    "endless field": HEADER + SOUND + '1,"' + MARKER * 1_400_000 + '",yes,well\n',
    "no header": SOUND,
    "column missing": "age,ward,outcome\n" + f"1,{MARKER},well\n",
    "column undeclared": HEADER.replace("\n", ",note\n") + f"1,Heart,yes,well,{MARKER}\n",
    "not what its name says": "PAR1" + MARKER * 20 + "PAR1",
}


class Leaks(unittest.TestCase):
    def setUp(self):
        place = Place(PRIVPFC)
        self.addCleanup(place.__exit__)
        self.place = place
        self.inputs = {place.data}

    def as_parquet(self):
        """The private rows once more, in a file whose bytes show the marker."""
        path = self.place.folder / "private.parquet"
        subprocess.run([TEXT_PARQUET, self.place.data, path], check=True)
        self.assertIn(MARKER.encode(), path.read_bytes())
        self.inputs.add(path)
        return path

    def run_all(self, *commands, code=0):
        for arguments in commands:
            run = self.place.run(*arguments)
            with self.subTest(command=[str(a) for a in arguments]):
                if code is not None:
                    self.assertEqual(run.code, code, run.err)
                self.assertNotIn(MARKER, run.out)
                self.assertNotIn(MARKER, run.err)

    def tearDown(self):
        for path in self.place.folder.rglob("*"):
            if path.is_file() and path not in self.inputs:
                self.assertNotIn(MARKER.encode(), path.read_bytes(), path)

    def test_no_command_repeats_a_private_value_of_a_csv_file(self):
        self.run_every_command(self.place.data)

    def test_no_command_repeats_a_private_value_of_a_parquet_file(self):
        self.run_every_command(self.as_parquet())

    def run_every_command(self, data):
        work, schema = self.place.work, ["--schema", self.place.schema]
        publish = ["publish", data, *schema, "--epsilon", "1", "--max-rows", "500"]
        self.run_all(
            ["check", data, *schema], ["check", data, *schema, "--json"], code=None)
        self.run_all(
            [*publish, "--out", work / "drawn"],
            [*publish, "--out", work / "labels", "--numeric", "labels", "--all-columns", "--json"],
            [*publish, "--out", work / "never", "--dry-run"],
            ["verify", work / "drawn"], ["inspect", work / "drawn", "--json"],
            ["ledger", "show", "--ledger", work / "privpfc-ledger.db"],
            ["ledger", "init", "--ledger", work / "l.db", "--dataset", "held", "--cap", "9"],
            ["evaluate", work / "drawn", "--test", data, "--train", data, "--html", work / "e.html"],
            ["evaluate", work / "drawn", "--test", data, "--epsilon-eval", "1", "--ledger",
             work / "l.db", "--dataset", "held", "--html", work / "paid.html"],
            ["schema", "draft", data, "--label", "outcome"],
            ["compare", data, *schema, "--epsilon", "1", "--methods", "privpfc,majority,nb-laplace",
             "--folds", "2", "--repeats", "1", "--out", work / "compared"])
        for model in ["nb", "svm", "tree", "logistic", "histogram"]:
            self.run_all(["train", data, *schema, "--model", model, "--out", work / f"{model}.json"])
        for method in ["nb-smooth", "svm-objective", "tree-cart", "forest-random"]:
            self.run_all(["train", data, *schema, "--private", method, "--epsilon", "1", "--out",
                          work / f"{method}.json", "--json"])
        self.run_all(["predict", data, "--model", work / "nb.json", "--out", work / "p.csv"],
                     ["predict", data, "--model", work / "tree.json", "--out", work / "p.parquet"])

    def test_no_refusal_repeats_a_private_value(self):
        for number, (damage, content) in enumerate(DAMAGED.items()):
            name = "damaged.parquet" if content[:4] == "PAR1" else "damaged.csv"
            self.expect_refusal(damage, f"{number}-{name}",
                                content if isinstance(content, bytes) else content.encode())
        self.assertEqual(list(self.place.work.iterdir()), [])  # and nothing was spent

    def test_no_refusal_repeats_a_private_value_of_files_that_do_not_belong_together(self):
        first = self.place.folder / "first.csv"
        first.write_text(SOUND.replace("30,", f"{MARKER}-1,"))
        self.inputs.add(first)
        self.expect_refusal("no headers", "second.csv", SOUND.encode(), beside=[first])
        self.expect_refusal("no header", "third.csv", SOUND.encode(), beside=[self.place.data])
        self.assertEqual(list(self.place.work.iterdir()), [])

    def test_no_refusal_repeats_a_private_value_of_a_parquet_file(self):
        sound = self.as_parquet().read_bytes()
        middle = sound.index(MARKER.encode())
        header = sound.index(b"\x15", 4)  # Thrift: the first page's type
        for number, (damage, content) in enumerate({
            "no footer": sound[:len(sound) // 2],
            "the footer's end is cut": sound[:-40],
            "a page is gone": sound[:middle] + sound[middle + 900:],
            "a page's header is overwritten": sound[:header] + b"\xff" * 12 + sound[header + 12:],
            "a length in a page is too large": sound[:middle - 4] + b"\xff\xff\xff\x7f" + sound[middle:],
        }.items()):
            self.expect_refusal(damage, f"{number}-damaged.parquet", content)
        self.assertEqual(list(self.place.work.iterdir()), [])

    def expect_refusal(self, damage, name, content, beside=()):
        schema = ["--schema", self.place.schema]
        damaged = self.place.folder / name
        damaged.write_bytes(content)
        self.inputs.add(damaged)
        out = ["--out", self.place.work / "never"]
        for arguments in (["publish", *beside, damaged, *schema, "--epsilon", "1", *out],
                          ["check", *beside, damaged, *schema],
                          ["train", *beside, damaged, *schema, "--private", "nb-laplace", "--epsilon", "1",
                           *out]):
            with self.subTest(damage=damage, command=arguments[0]):
                run = self.place.run(*arguments)
                self.assertIn(run.code, (3, 7), run.err)
                self.assertNotIn(MARKER, run.out + run.err)

    def test_a_crash_leaves_no_core(self):
        rows = self.place.data.read_text().split("\n", 1)[1]
        self.place.data.write_text(HEADER + rows * 300)
        limit = resource.RLIM_INFINITY
        with tempfile.TemporaryDirectory() as folder:
            process = subprocess.Popen(
                [self.place.privpfc, "publish", self.place.data, "--schema", self.place.schema,
                 "--epsilon", "1", "--out", self.place.work / "release", "--quiet"], cwd=folder,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (limit, limit)))
            while not any(self.place.work.iterdir()) and process.poll() is None:
                time.sleep(0.001)  # until it has begun
            process.send_signal(signal.SIGQUIT)
            process.wait()
            self.assertEqual(list(pathlib.Path(folder).iterdir()), [])


if __name__ == "__main__":
    unittest.main()

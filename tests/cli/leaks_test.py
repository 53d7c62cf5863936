#!/usr/bin/env python3
"""A marker in private cells is found nowhere after any command: leaks_test.py PRIVPFC TEXT_PARQUET.

scripts/faults looks for the same marker after every fault.
"""

import concurrent.futures
import hashlib
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

from damaged_tables import HEADER, ROWS, damaged_csv, damaged_parquet  # noqa: E402
from place import MARKER, Place  # noqa: E402

PRIVPFC = sys.argv.pop(1)
TEXT_PARQUET = sys.argv.pop(1)


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
        self.make_release_and_model()
        for number, (damage, (code, _, content)) in enumerate(damaged_csv().items()):
            self.expect_refusal(damage, f"{number}-damaged.csv", content, code=code)

    def test_no_refusal_repeats_a_private_value_of_files_that_do_not_belong_together(self):
        self.make_release_and_model()
        first = self.place.folder / "first.csv"
        first.write_text(ROWS.replace("30,", f"{MARKER}-1,"))
        self.inputs.add(first)
        self.expect_refusal("no headers", "second.csv", ROWS, beside=[first])
        self.expect_refusal("no header", "third.csv", ROWS, beside=[self.place.data])

    def test_no_refusal_repeats_a_private_value_of_a_parquet_file(self):
        self.make_release_and_model()
        for number, (damage, (code, _, content)) in enumerate(damaged_parquet().items()):
            self.expect_refusal(damage, f"{number}-forged.parquet", content, code=code)
        # The pages of a real writer, which come in another order.
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

    def make_release_and_model(self):
        schema = ["--schema", self.place.schema]
        work = self.place.work
        self.run_all(
            ["publish", self.place.data, *schema, "--epsilon", "1", "--out", work / "release"],
            ["train", self.place.data, *schema, "--model", "nb", "--out", work / "model.json"],
            ["ledger", "init", "--ledger", work / "ledger.db", "--dataset", "held", "--cap", "9"])

    def commands_on(self, *tables):
        """Every command that reads private rows."""
        schema, out = ["--schema", self.place.schema], ["--out", self.place.work / "never"]
        release, ledger = self.place.work / "release", self.place.work / "ledger.db"
        yield ["publish", *tables, *schema, "--epsilon", "1", *out]
        yield ["check", *tables, *schema]
        yield ["train", *tables, *schema, "--model", "nb", *out]
        yield ["train", *tables, *schema, "--private", "nb-laplace", "--epsilon", "1", *out]
        yield ["predict", *tables, "--model", self.place.work / "model.json", "--out", f"{out[1]}.csv"]
        yield ["compare", *tables, *schema, "--epsilon", "1", "--methods", "majority", *out]
        yield ["evaluate", release, "--test", *tables]
        yield ["evaluate", release, "--test", self.place.data, "--train", *tables]
        yield ["evaluate", release, "--test", *tables, "--epsilon-eval", "1", "--ledger", ledger,
               "--dataset", "held"]
        if len(tables) == 1:
            yield ["audit", "--pair", self.place.data, *tables, *schema, "--runs", "100"]
            yield ["schema", "draft", *tables, "--label", "outcome"]

    def expect_refusal(self, damage, name, content, beside=(), code=3):
        damaged = self.place.folder / name
        damaged.write_bytes(content if isinstance(content, bytes) else content.encode())
        self.inputs.add(damaged)
        before = self.kept()
        commands = list(self.commands_on(*beside, damaged))
        with concurrent.futures.ThreadPoolExecutor() as pool:
            runs = pool.map(lambda arguments: self.place.run(*arguments), commands)
        for arguments, run in zip(commands, runs):
            with self.subTest(damage=damage, command=arguments[0], flags=arguments[-2:]):
                # A draft is made from the names alone: damage among the rows is none to it.
                self.assertIn(run.code, {code, 0} if arguments[0] == "schema" else {code}, run.err)
                self.assertNotIn(MARKER, run.out + run.err)
        self.assertEqual(self.kept(), before)  # nothing was spent, and nothing made

    def kept(self):
        return {path: hashlib.sha256(path.read_bytes()).hexdigest()
                for path in self.place.work.rglob("*") if path.is_file()}

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

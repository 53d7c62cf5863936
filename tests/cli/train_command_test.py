#!/usr/bin/env python3
"""`privpfc train` and `privpfc predict` from outside: train_command_test.py PRIVPFC."""

import csv
import json
import os
import subprocess
import unittest

from tool_case import TOOL, ToolCase

KINDS = ("nb", "svm", "linear-svm", "tree", "logistic", "histogram", "majority")


class TrainCommand(ToolCase):
    @classmethod
    def setUpClass(cls):
        cls.samples = cls.shared_folder()
        for name, rows, seed in (("train.csv", 600, 1), ("test.csv", 300, 2), ("test.parquet", 300, 2)):
            cls.make_sample(cls.samples / name, cls.samples / f"{name}.yaml", rows, seed)
        cls.schema = cls.samples / "train.csv.yaml"

    def train(self, kind, out="m.json", data=None, *more):
        return self.run_tool("train", data or self.samples / "train.csv", "--schema", self.schema, "--model", kind,
                             "--out", out, *more)

    def rows(self, name):
        with open(self.dir / name, newline="") as file:
            return list(csv.DictReader(file))

    def test_every_kind_trains_and_predicts_with_probabilities_that_add_up(self):
        for kind in KINDS:
            with self.subTest(kind=kind):
                done = self.train(kind, f"{kind}.json")
                self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
                self.assertIn("not private: for public data, a release, or your own eyes", done.stderr)
                done = self.run_tool("predict", self.samples / "test.csv", "--model", f"{kind}.json", "--out", f"{kind}.csv")
                self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
                rows = self.rows(f"{kind}.csv")
                self.assertEqual(len(rows), 300)
                classes = json.loads((self.dir / f"{kind}.json").read_text())["classes"]
                self.assertEqual(list(rows[0]), ["predicted", *(f"probability_{name}" for name in classes)])
                for row in rows:
                    self.assertIn(row["predicted"], classes)
                    self.assertAlmostEqual(sum(float(row[f"probability_{name}"]) for name in classes), 1, 9)

    def test_an_option_that_the_model_has_no_use_for_is_named(self):
        for kind, flags, owners in (("tree", ("--kernel", "rbf"), "--model svm"),
                                    ("nb", ("--cost", "2"), "--model svm, linear-svm"),
                                    ("tree", ("--ledger", "l.db", "--dataset", "d"), "--private METHOD"),
                                    ("tree", ("--epsilon", "1"), "--private METHOD"),
                                    ("tree", ("--tree-depth", "2"), "--private tree-..., forest-...")):
            with self.subTest(kind=kind, flags=flags):
                done = self.train(kind, "m.json", None, *flags)
                self.assertEqual((done.returncode, done.stdout, done.stderr),
                                 (2, "", f"privpfc: {flags[0]} is for {owners}; --model {kind} has no use for it\n"))
                self.assertFalse((self.dir / "m.json").exists())

    def test_the_model_says_that_it_is_not_private(self):
        done = self.train("tree", "m.json", None, "--quiet", "--json")
        summary = json.loads(done.stdout)
        self.assertFalse(summary["private"])
        model = json.loads((self.dir / "m.json").read_text())
        for text in (summary["guarantee"], model["guarantee"]):
            self.assertTrue(text.startswith("none: trained directly on the rows of a table"), text)
        self.assertIn("not private", done.stderr)  # --quiet does not hide it
        self.assertEqual(summary["schema_hash"], model["schema_hash"])
        self.assertEqual(os.stat(self.dir / "m.json").st_mode & 0o077, 0)

    def release(self, *options):
        done = self.run_tool("publish", self.samples / "train.csv", "--schema", self.schema, "--epsilon", 2,
                             "--out", "release", "--quiet", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.dir / "release"

    def test_a_release_needs_no_schema_and_its_guarantee_is_the_models(self):
        release = self.release()
        for kind in KINDS:
            with self.subTest(kind=kind):
                done = self.run_tool("train", release, "--model", kind, "--out", f"{kind}.json", "--json")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertNotIn("not private", done.stderr)
                summary = json.loads(done.stdout)
                model = json.loads((self.dir / f"{kind}.json").read_text())
                self.assertTrue(summary["private"])
                for text in (summary["guarantee"], model["guarantee"]):
                    self.assertIn("pure epsilon-differential privacy, epsilon 2;", text)
                done = self.run_tool("predict", self.samples / "test.csv", "--model", f"{kind}.json", "--out", f"{kind}.csv")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(len(self.rows(f"{kind}.csv")), 300)

    def test_a_release_is_private_already(self):
        release = self.release()
        for schema in ((), ("--schema", self.schema)):
            done = self.run_tool("train", release, *schema, "--private", "nb-laplace", "--epsilon", 1, "--out", "m.json")
            self.assertEqual(done.returncode, 2)
            self.assertIn("a release is private already", done.stderr)

    def test_a_model_of_a_release_predicts_on_that_release(self):
        release = self.release("--numeric", "drawn")
        count = json.loads((release / "manifest.json").read_text())["synthetic"]["rows"]
        for kind, *more in (("tree",), ("nb", "--numbers", "bins"), ("histogram",)):
            done = self.run_tool("train", release, "--model", kind, "--out", f"{kind}.json", *more)
            self.assertEqual(done.returncode, 0, done.stderr)
            for number, data in enumerate((release, release / "synthetic.parquet")):
                done = self.run_tool("predict", data, "--model", f"{kind}.json", "--out", f"{kind}{number}.csv")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertNotIn("could not be read", done.stderr)
                self.assertEqual(len(self.rows(f"{kind}{number}.csv")), count)
            self.assertEqual(self.rows(f"{kind}0.csv"), self.rows(f"{kind}1.csv"))
        self.train("tree", "plain.json")
        done = self.run_tool("predict", release, "--model", "plain.json", "--out", "p.csv")
        self.assertEqual(done.returncode, 3)
        self.assertIn("sees other columns or groups than this release shows", done.stderr)

    def test_only_the_columns_of_the_model_are_needed_to_predict(self):
        release = self.release()
        self.assertEqual(self.run_tool("train", release, "--model", "tree", "--out", "m.json").returncode, 0)
        used = {f["attribute"] for f in json.loads((self.dir / "m.json").read_text())["features"]}
        with open(self.samples / "test.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertLess(len(used), len(rows[0]) - 1)
        with open(self.dir / "few.csv", "w", newline="") as file:
            writer = csv.DictWriter(file, [name for name in rows[0] if name in used], extrasaction="ignore")
            writer.writeheader()
            writer.writerows(rows)
        for data, out in ((self.samples / "test.csv", "a.csv"), ("few.csv", "b.csv")):
            done = self.run_tool("predict", data, "--model", "m.json", "--out", out)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.dir / "a.csv").read_text(), (self.dir / "b.csv").read_text())

    def test_values_that_cannot_be_read_are_counted(self):
        head, *lines = (self.samples / "train.csv").read_text().splitlines()
        (self.dir / "commas.csv").write_text("\n".join([head, *(f'"3,5",{line.split(",", 1)[1]}' for line in lines)]))
        done = self.train("nb", "m.json", "commas.csv")
        self.assertEqual(done.returncode, 0, done.stderr)
        counted = "privpfc: 600 values in 1 column could not be read as the schema says; privpfc check commas.csv"
        self.assertIn(counted, done.stderr)
        self.assertIn(f"--schema {self.schema} says which\n", done.stderr)
        done = self.run_tool("predict", "commas.csv", "--model", "m.json", "--out", "p.csv")
        self.assertIn(counted, done.stderr)
        self.assertNotIn("could not be read", self.train("nb", "n.json").stderr)
        done = self.run_tool("train", "commas.csv", "--schema", self.schema, "--private", "nb-laplace", "--epsilon", 1,
                             "--out", "private.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("could not be read", done.stderr)

    def test_a_release_that_may_not_be_read_is_said_to_be_one(self):
        release = self.release()
        os.chmod(self.dir, 0o755)
        (self.dir / "open").mkdir()
        os.chmod(self.dir / "open", 0o777)
        stranger = {"user": 65534} if os.geteuid() == 0 else {}
        for closed, mode in ((release, 0o700 if stranger else 0), (release / "manifest.json", 0o600 if stranger else 0)):
            if closed != release:
                os.chmod(release, 0o755)
            os.chmod(closed, mode)
            for command in (["inspect", release], ["verify", release],
                            ["train", release, "--model", "nb", "--out", self.dir / "open/m.json"]):
                with self.subTest(command=command[0], closed=closed.name):
                    done = subprocess.run([TOOL, *map(str, command)], cwd="/", capture_output=True, text=True, **stranger)
                    self.assertEqual(done.returncode, 6, done.stderr)
                    self.assertIn("may not be read (permission denied)", done.stderr)

    def test_numbers_of_a_release_may_be_seen_as_its_groups(self):
        release = self.release()
        axes = {axis["attribute"]: axis["level"] for axis in json.loads((release / "manifest.json").read_text())["grid"]["axes"]}
        done = self.run_tool("train", release, "--model", "nb", "--numbers", "bins", "--out", "m.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        features = json.loads((self.dir / "m.json").read_text())["features"]
        self.assertEqual({f["attribute"]: f["level"] for f in features}, axes)

    def test_a_release_is_refused_when_it_is_not_itself_or_not_alone(self):
        release = self.release("--numeric", "labels")
        done = self.run_tool("train", release, self.samples / "train.csv", "--schema", self.schema, "--model", "nb", "--out", "m.json")
        self.assertEqual(done.returncode, 2, done.stderr)
        done = self.run_tool("train", self.samples / "train.csv", "--model", "nb", "--out", "m.json")
        self.assertEqual((done.returncode, done.stderr), (2, "privpfc: --schema is needed, unless DATA is a release\n"))
        other = self.dir / "other.yaml"
        other.write_text(self.schema.read_text().replace("name: readmission", "name: elsewhere"))
        done = self.run_tool("train", release, "--schema", other, "--model", "nb", "--out", "m.json")
        self.assertEqual(done.returncode, 4, done.stderr)
        done = self.run_tool("train", release, "--schema", self.schema, "--model", "nb", "--out", "m.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(release / "synthetic.parquet", "ab") as file:
            file.write(b"x")
        done = self.run_tool("train", release, "--model", "nb", "--out", "n.json")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("is not the file that was released", done.stderr)
        self.assertFalse((self.dir / "n.json").exists())

    def test_threads_and_formats_change_nothing(self):
        for kind in ("tree", "svm", "nb"):
            self.assertEqual(self.train(kind, f"{kind}1.json", None, "--threads", 1).returncode, 0)
            self.assertEqual(self.train(kind, f"{kind}2.json", None, "--threads", 3).returncode, 0)
            self.assertEqual((self.dir / f"{kind}1.json").read_bytes(), (self.dir / f"{kind}2.json").read_bytes())
            for number, name in enumerate(("test.csv", "test.parquet")):
                done = self.run_tool("predict", self.samples / name, "--model", f"{kind}1.json",
                                     "--out", f"{kind}{number}.csv", "--threads", 1 + 2 * number)
                self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual((self.dir / f"{kind}0.csv").read_text(), (self.dir / f"{kind}1.csv").read_text())

    def test_copies_of_the_data_and_their_order_do_not_matter(self):
        lines = (self.samples / "train.csv").read_text().splitlines()
        (self.dir / "turned.csv").write_text("\n".join([lines[0], *reversed(lines[1:])]) + "\n")
        for kind in KINDS:
            self.assertEqual(self.train(kind, f"{kind}1.json").returncode, 0)
            self.assertEqual(self.train(kind, f"{kind}2.json", "turned.csv").returncode, 0)
            self.assertEqual((self.dir / f"{kind}1.json").read_bytes(), (self.dir / f"{kind}2.json").read_bytes())

    def test_the_label_is_not_needed_to_predict(self):
        self.train("tree")
        label = json.loads((self.dir / "m.json").read_text())
        with open(self.samples / "test.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        column = [name for name in rows[0] if set(row[name] for row in rows) <= set(label["classes"])][-1]
        with open(self.dir / "unlabelled.csv", "w", newline="") as file:
            writer = csv.DictWriter(file, [name for name in rows[0] if name != column], extrasaction="ignore")
            writer.writeheader()
            writer.writerows(rows)
        for data, out in ((self.samples / "test.csv", "a.csv"), ("unlabelled.csv", "b.csv")):
            done = self.run_tool("predict", data, "--model", "m.json", "--out", out)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.dir / "a.csv").read_text(), (self.dir / "b.csv").read_text())

    def test_a_column_that_the_schema_does_not_name_is_refused_unless_ignored(self):
        lines = (self.samples / "train.csv").read_text().splitlines()
        (self.dir / "extra.csv").write_text("\n".join([lines[0] + ",extra", *(line + ",1" for line in lines[1:])]))
        done = self.train("nb", "m.json", "extra.csv")
        self.assertEqual(done.returncode, 3)
        self.assertIn("'extra'", done.stderr)
        self.assertFalse((self.dir / "m.json").exists())
        self.assertEqual(self.train("nb", "m.json", "extra.csv", "--ignore-extra-columns").returncode, 0)
        predict = ("predict", "extra.csv", "--model", "m.json", "--out", "p.csv")
        self.assertEqual(self.run_tool(*predict).returncode, 3)
        self.assertFalse((self.dir / "p.csv").exists())
        self.assertEqual(self.run_tool(*predict, "--ignore-extra-columns").returncode, 0)

    def test_a_model_for_another_schema_is_refused(self):
        self.train("majority")
        other = self.dir / "other.yaml"
        other.write_text(self.schema.read_text().replace("name: ", "name: not-", 1))
        predict = ("predict", self.samples / "test.csv", "--model", "m.json", "--out", "p.csv", "--schema")
        done = self.run_tool(*predict, other)
        self.assertEqual(done.returncode, 4)
        self.assertIn("another schema", done.stderr)
        self.assertFalse((self.dir / "p.csv").exists())
        self.assertEqual(self.run_tool(*predict, self.schema).returncode, 0)

    def test_files_are_never_overwritten_and_nothing_is_left_after_an_error(self):
        (self.dir / "m.json").write_text("precious")
        self.assertEqual(self.train("nb").returncode, 6)
        self.assertEqual((self.dir / "m.json").read_text(), "precious")
        done = self.run_tool("predict", self.samples / "test.csv", "--model", "m.json", "--out", "p.csv")
        self.assertEqual(done.returncode, 3)
        self.assertIn("m.json: this is not a sound model file", done.stderr)
        self.assertEqual(self.train("nb", "n.json", "absent.csv").returncode, 6)
        self.assertEqual([p.name for p in self.dir.iterdir()], ["m.json"])
        self.train("nb", "n.json")
        (self.dir / "p.csv").write_text("precious")
        done = self.run_tool("predict", self.samples / "test.csv", "--model", "n.json", "--out", "p.csv")
        self.assertEqual(done.returncode, 6)
        self.assertEqual((self.dir / "p.csv").read_text(), "precious")

    def test_usage_mistakes_and_help(self):
        for more in (("--model", "oracle"), ("--model", "svm", "--cost", "0"), ("--model", "svm", "--kernel", "cubic"),
                     ("--model", "tree", "--prune-folds", "1"), ("--model", "nb", "--smoothing", "-1"), ()):
            done = self.run_tool("train", self.samples / "train.csv", "--schema", self.schema, "--out", "m.json", *more)
            self.assertEqual(done.returncode, 2, more)
            self.assertFalse((self.dir / "m.json").exists())
        (self.dir / "empty.csv").write_text((self.samples / "train.csv").read_text().splitlines()[0] + "\n")
        self.assertEqual(self.train("nb", "m.json", "empty.csv").returncode, 3)
        for command in ("train", "predict"):
            done = self.run_tool(command, "--help")
            self.assertEqual(done.returncode, 0)
            self.assertIn("Example:", done.stdout)
            self.assertIn("--out", done.stdout)

    def test_a_marker_in_the_data_is_printed_nowhere(self):
        marker = "Zq7Marker"
        lines = (self.samples / "train.csv").read_text().splitlines()
        fields = lines[1].split(",")
        (self.dir / "marked.csv").write_text("\n".join([lines[0], ",".join([marker] * len(fields)), *lines[2:]]))
        for kind in KINDS:
            done = self.train(kind, f"{kind}.json", "marked.csv", "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotIn(marker, done.stdout + done.stderr + (self.dir / f"{kind}.json").read_text())
            done = self.run_tool("predict", "marked.csv", "--model", f"{kind}.json", "--out", f"{kind}.csv", "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotIn(marker, done.stdout + done.stderr + (self.dir / f"{kind}.csv").read_text())


if __name__ == "__main__":
    unittest.main()
